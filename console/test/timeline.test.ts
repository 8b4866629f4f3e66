// Start and length of clips in the timeline.

import { expect, test } from "vitest";
import "./browser";
import type { Clip, Draft } from "../src/lib/draft";
import { noteMedia } from "../src/lib/media";
import { fitScenes } from "../src/pages/new/scene-lengths";
import { timelineOf } from "../src/pages/new/timeline";
import { lanesOf, movedSpan, spanFields, spanOf } from "../src/pages/new/timeline-spans";

const LENGTHS: Record<string, number> = { a: 4, b: 6, c: 1 };
const facts = (clip: Clip) => ({ ...(LENGTHS[clip.url ?? clip.filename ?? ""] === undefined ? {} : { duration: LENGTHS[clip.url ?? clip.filename ?? ""]! }) });
const clips = (urls: string[]) => urls.map((url) => ({ _id: url, url }));
const placed = (draft: Draft, id: string | null = null) => {
  const { blocks, seconds } = timelineOf(draft, id, facts, (clip) => clip._id);
  return [...blocks.map((block) => `${block.name} ${block.start}+${block.seconds}${block.guessed ? "?" : ""}`), seconds];
};
const base = (urls: string[], options = {}, row = {}): Draft => (
  { taskType: "baseVideoMix", params: { videoList: [{ _id: "r", videos: clips(urls), ...row }], options } });

test("clips begin after the intro, whose length is the average of its pool", () => {
  const bumpers = { introPool: [{ url: "c" }], outroPool: [{ url: "a" }, { url: "b" }] };
  const { intro, outro, ...timeline } = timelineOf(base(["a", "b"], bumpers), null, facts, String);
  expect(timeline.blocks.map(({ start, seconds }) => [start, seconds])).toEqual([[1, 4], [5, 6]]);
  expect([intro, outro, timeline.seconds]).toEqual([{ start: 0, seconds: 1, guessed: false }, { start: 11, seconds: 5, guessed: true }, 16]);
  // They count for the declared length.
  expect(placed(base(["a", "b"], bumpers, { totalDuration: 11 }))).toEqual(["a 1+4", "b 5+1", 11]);
  const [unknown, image] = ["https://a.example/x", "https://a.example/x.jpg"].map((url) => timelineOf(base(["a"], { introPool: [{ url }] }), null, facts, String));
  expect(unknown?.intro).toEqual({ start: 0, seconds: 5, guessed: true });
  expect(image?.intro).toEqual({ start: 0, seconds: 3, guessed: false });
});

test("clips follow each other, overlap in transitions and are trimmed to the output", () => {
  expect(placed(base(["a", "b", "c"]))).toEqual(["a 0+4", "b 4+6", "c 10+1", 11]);
  expect(placed(base(["a", "d"]))).toEqual(["a 0+4", "d 4+5?", 9]);
  // The overlap is limited by the length of the last clip.
  expect(placed(base(["a", "b", "c"], { transition: { names: ["fade"], duration: 2 } }))).toEqual(["a 0+4", "b 2+6", "c 7+1", 8]);
  expect(placed(base(["a", "b"], { isShortest: true }))).toEqual(["a 0+4", "b 4+4", 8]);
  expect(placed(base(["a", "b", "c"], {}, { totalDuration: 5 }))).toEqual(["a 0+4", "b 4+1", 5]);
  const trimmed = base(["a"]);
  (trimmed.params.videoList as { videos: Clip[] }[])[0]!.videos[0] = { _id: "a", url: "a", from: 1, to: 3.5 };
  expect(placed(trimmed)).toEqual(["a 0+2.5", 2.5]);
  expect(placed(base([]))).toEqual([0]);
});

test("the speed of a clip divides its length", () => {
  const draft = base([]);
  const put = (...videos: Partial<Clip>[]) => ((draft.params.videoList as { videos: Partial<Clip>[] }[])[0]!.videos = videos);
  put({ _id: "a", url: "a", speed: 2 }, { _id: "b", url: "b", speed: 0.5, from: 1, to: 3 }, { _id: "c", url: "c" });
  expect(placed(draft)).toEqual(["a 0+2", "b 2+4", "c 6+1", 7]);
  // Images have no speed, and an incomplete value has no effect.
  put({ _id: "i", url: "i.png", duration: 2, speed: 2 }, { _id: "a", url: "a", speed: 0 });
  expect(placed(draft)).toEqual(["i 0+2", "a 2+4", 6]);
});

test("clips are shown in turn until the voice ends", () => {
  noteMedia("voice", { duration: 9.5 });
  const voiced = (options = {}) => ({ length: "voice", audio: { url: "voice" }, ...options });
  expect(placed(base(["a", "b"], voiced()))).toEqual(["a 0+4", "b 4+6", 10]);
  expect(placed(base(["a", "b"], voiced({ clipSeconds: 3, tail: 0 })))).toEqual(["a 0+2", "b 2+3", "a 5+2", "b 7+2.5", 9.5]);
  expect(placed(base(["c"], voiced({ audio: { url: "voice", duration: 2 } })))).toEqual(["c 0+1", "c 1+1", "c 2+0.5", 2.5]);
  expect(placed(base(["c"], voiced({ audio: { url: "voice", duration: 1, start: 1 } })))).toEqual(["c 0+1", "c 1+1", "c 2+0.5", 2.5]);
  expect(placed(base(["a", "b"], { clipSeconds: 3 }))).toEqual(["a 0+3", "b 3+3", 6]);
  // The service assumes 15 seconds for a voice that it has not probed, and estimates a text.
  const estimated = (options = {}) => timelineOf(base(["a"], voiced(options)), null, facts, String);
  expect(estimated({ audio: { url: "other" }, tail: 0 })).toMatchObject({ seconds: 15, estimated: true });
  expect(estimated({ audio: { text: "a".repeat(30), speed: 0.5 }, tail: 0 })).toMatchObject({ seconds: 4, estimated: true });
  noteMedia("short", { duration: 5.5 });
  expect(estimated({ audio: undefined, voicePool: [{ audio: { url: "voice" } }, { audio: { url: "short" } }], tail: 0 })).toMatchObject({ seconds: 7.5, estimated: true });
  expect(estimated()).toMatchObject({ seconds: 10, estimated: false });
  expect(placed(base(["a"], voiced({ audio: {} })))).toEqual(["a 0+4", 4]);
});

test("scenes have their declared length and the shown clip", () => {
  const scenes = [
    { _id: "1", sceneName: "one", duration: 2, resources: clips(["a", "b"]) },
    { _id: "2", sceneName: "two", resources: clips(["c"]) },
    { _id: "3", sceneName: "empty", duration: 2, resources: [] },
  ];
  const draft: Draft = { taskType: "proVideoMix", params: { scenes, options: {} } };
  expect(placed(draft)).toEqual(["one 0+2", "two 2+5?", 7]);
  expect(timelineOf(draft, "b", facts, (clip) => clip._id).blocks[0]?.clip._id).toBe("b");
  const vary: Draft = { taskType: "videoDeduplication", params: { videoList: [{ _id: "x", filename: "a" }, { _id: "y", filename: "b" }], options: {} } };
  expect(placed(vary, "y")).toEqual(["y 0+6", 6]);
});

test("scenes are scaled to the length of the voice", () => {
  noteMedia("voice", { duration: 11.5 });
  noteMedia("aside", { duration: 2.5 });
  const scenes = [
    { _id: "1", sceneName: "one", duration: 2, resources: clips(["a"]) },
    { _id: "2", sceneName: "two", duration: 4, resources: clips(["b"]) },
    { _id: "3", sceneName: "three", duration: 2, resources: clips(["c"]) },
  ];
  const draft = (options: object, changes: object[] = []): Draft => (
    { taskType: "proVideoMix", params: { scenes: scenes.map((scene, place) => ({ ...scene, ...changes[place] })), options } });
  const voiced = { length: "voice", audio: { url: "voice" } };
  expect(placed(draft(voiced))).toEqual(["one 0+3", "two 3+6", "three 9+3", 12]);
  expect(placed(draft({ ...voiced, audio: { text: "a".repeat(150) }, tail: 2 }))).toEqual(["one 0+3", "two 3+6", "three 9+3", 12]);
  expect(timelineOf(draft({ ...voiced, audio: { text: "a" } }), null, facts, String).estimated).toBe(true);
  // A scene with a voice of its own is not scaled. Its transition begins after its voice.
  const own = [{ length: "voice", audioResources: [{ url: "aside", startTime: 0.5 }] }];
  expect(placed(draft(voiced, own))).toEqual(["one 0+3", "two 3+6", "three 9+3", 12]);
  expect(placed(draft({ ...voiced, transition: { names: ["fade"], duration: 1 } }, own))).toEqual(["one 0+4", "two 3+6.5", "three 8.5+3.5", 12]);
  expect(placed(draft({}, own))).toEqual(["one 0+3", "two 3+4", "three 7+2", 9]);
  expect(placed(draft({}, [{ length: "voice", audioResources: [] }]))).toEqual(["one 0+2", "two 2+4", "three 6+2", 8]);
  // They do not fit, which the service reports.
  expect(placed(draft({ ...voiced, audio: { url: "voice", duration: 1 }, tail: 0 }))).toEqual(["one 0+2", "two 2+4", "three 6+2", 8]);
});

// The same cases as in the service's scene_lengths.rs; negative lengths are fixed.
test.each([
  [[2, 4, 2], 12, 0, [3, 6, 3]],
  [[2, 4, 2], 4.2, 0, [1, 2, 1.2]],
  [[1, 1, 1], 10, 0, [3, 3.5, 3.5]],
  [[5], 0.7, 0, [0.7]],
  [[0.01, 60], 20, 0, [0.5, 19.5]],
  [[60, 0.01], 20, 0, [19.5, 0.5]],
  [[9, 0.1, 0.1], 1.6, 0, [0.5, 0.5, 0.6]],
  [[9, 0.1, 0.1], 1.46, 0, null],
  [[1, 1, 1], 8, 0.5, [3, 3, 3]],
  [[-2.1, 1, 1], 6.1, 0, [2.1, 2, 2]],
  [[1, 1, -2.1], 6.4, 0, [2, 2.3, 2.1]],
  [[1, -6.1], 6.4, 0, null],
  [[-2, -3], 6, 0, [2, 4]],
  [[-2, -3], 4.5, 0, null],
  [[], 6, 0, null],
])("scenes of %j seconds fit into %d seconds", (seconds, content, transition, expected) => {
  const scenes = seconds.map((length) => ({ seconds: Math.abs(length), fixed: length < 0 }));
  expect(fitScenes(scenes, content, transition, 30)?.map((length) => Math.round(length * 1000) / 1000) ?? null).toEqual(expected);
});

test("overlays are moved and trimmed within the output", () => {
  const free = { marks: [], reach: 0 };
  expect([spanOf({}, 10), spanOf({ start: 2, end: 30 }, 10)]).toEqual([{ start: 0, end: 10 }, { start: 2, end: 10 }]);
  const span = { start: 2, end: 5 };
  expect(movedSpan(span, "all", 1.04, 10, free)).toEqual({ start: 3, end: 6 });
  expect([movedSpan(span, "all", -9, 10, free), movedSpan(span, "all", 9, 10, free)]).toEqual([{ start: 0, end: 3 }, { start: 7, end: 10 }]);
  expect([movedSpan(span, "start", 9, 10, free), movedSpan(span, "end", -9, 10, free)]).toEqual([{ start: 4.9, end: 5 }, { start: 2, end: 2.1 }]);
  // Clips attract both ends.
  expect(movedSpan(span, "all", 0.8, 10, { marks: [6], reach: 0.3 })).toEqual({ start: 3, end: 6 });
  expect(movedSpan(span, "end", 0.8, 10, { marks: [9], reach: 0.3 })).toEqual({ start: 2, end: 5.8 });
  // The start and the end of the output need no fields, even if its length is not a round number.
  expect(spanFields({ start: 0, end: 9.9 }, 9.94)).toEqual({ start: undefined, end: undefined });
  expect(spanFields(span, 10)).toEqual({ start: 2, end: 5 });
});

test("overlays at different times share a row", () => {
  const bar = (start: number, end: number) => ({ span: { start, end } });
  expect(lanesOf([bar(0, 3), bar(2, 5), bar(3, 4), bar(5, 9)]).map((lane) => lane.length)).toEqual([3, 1]);
});
