// Start and length of clips in the timeline.

import { expect, test } from "vitest";
import "./browser";
import type { Clip, Draft } from "../src/lib/draft";
import { noteMedia } from "../src/lib/media";
import { timelineOf } from "../src/pages/new/timeline";

const LENGTHS: Record<string, number> = { a: 4, b: 6, c: 1 };
const facts = (clip: Clip) => ({ ...(LENGTHS[clip.url ?? clip.filename ?? ""] === undefined ? {} : { duration: LENGTHS[clip.url ?? clip.filename ?? ""]! }) });
const clips = (urls: string[]) => urls.map((url) => ({ _id: url, url }));
const placed = (draft: Draft, id: string | null = null) => {
  const { blocks, seconds } = timelineOf(draft, id, facts, (clip) => clip._id);
  return [...blocks.map((block) => `${block.name} ${block.start}+${block.seconds}${block.guessed ? "?" : ""}`), seconds];
};
const base = (urls: string[], options = {}, row = {}): Draft => (
  { taskType: "baseVideoMix", params: { videoList: [{ _id: "r", videos: clips(urls), ...row }], options } });

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

test("clips are shown in turn until the voice ends", () => {
  noteMedia("voice", { duration: 9.5 });
  const voiced = (options = {}) => ({ length: "voice", audio: { url: "voice" }, ...options });
  expect(placed(base(["a", "b"], voiced()))).toEqual(["a 0+4", "b 4+6", 10]);
  expect(placed(base(["a", "b"], voiced({ clipSeconds: 3, tail: 0 })))).toEqual(["a 0+2", "b 2+3", "a 5+2", "b 7+2.5", 9.5]);
  expect(placed(base(["c"], voiced({ audio: { url: "voice", duration: 2 } })))).toEqual(["c 0+1", "c 1+1", "c 2+0.5", 2.5]);
  expect(placed(base(["a", "b"], { clipSeconds: 3 }))).toEqual(["a 0+3", "b 3+3", 6]);
  // The length of the voice is not known.
  expect(placed(base(["a"], voiced({ audio: { url: "other" } })))).toEqual(["a 0+4", 4]);
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
