import { describe, expect, test } from "vitest";
import {
  addClips, curl, emptyDraft, fromRequest, keepCombinations, clipLists, moveClip, moveClipList, newScene, NotARequest, removeClip, removeClipList, toRequest, updateById,
  withoutUploads, type Draft,
} from "../src/lib/draft";

/** A draft of scenes; the name of each clip is its ID. */
const scenes = (...rows: string[][]): Draft => ({
  taskType: "proVideoMix",
  params: { scenes: rows.map((clips, index) => ({ _id: `s${index}`, sceneKey: `k${index}`, resources: clips.map((id) => ({ _id: id, url: `http://h/${id}` })) })) },
});
const layout = (draft: Draft) => clipLists(draft).map((clipList) => clipList.clips.map((clip) => clip._id).join(""));

describe("moving clips", () => {
  const cases: [string, string, number, string[]][] = [
    ["a", "s0", 3, ["bca", "d"]],
    ["a", "s0", 2, ["bac", "d"]],
    ["c", "s0", 0, ["cab", "d"]],
    ["b", "s0", 1, ["abc", "d"]],
    ["b", "s1", 0, ["ac", "bd"]],
    ["b", "s1", 9, ["ac", "db"]],
    ["b", "nowhere", 0, ["abc", "d"]],
    ["nobody", "s1", 0, ["abc", "d"]],
  ];
  test.each(cases)("%s to %s before %i", (id, clipList, index, expected) => {
    expect(layout(moveClip(scenes(["a", "b", "c"], ["d"]), id, clipList, index))).toEqual(expected);
  });

  test("lists and clips are removed, with their combinations", () => {
    const draft = scenes(["a", "b"], ["c"]);
    expect(layout(removeClip(draft, "a"))).toEqual(["b", "c"]);
    expect(layout(removeClipList(draft, "s0"))).toEqual(["c"]);
    expect(layout(moveClipList(draft, 0, 1))).toEqual(["c", "ab"]);
    expect(moveClipList(draft, 0, 2)).toBe(draft);
  });

  test("chosen combinations follow their clips", () => {
    const draft = scenes(["a", "b"], ["c", "d"]);
    draft.params.combinations = [[1, 0]];
    const after = (next: Draft) => next.params.combinations;
    expect(after(moveClip(draft, "b", "s0", 0))).toEqual([[0, 0]]);
    expect(after(moveClipList(draft, 0, 1))).toEqual([[0, 1]]);
    expect(after(removeClip(draft, "a"))).toEqual([[0, 0]]);
    expect(after(removeClipList(draft, "s1"))).toEqual([[1]]);
    const grown = { ...draft, params: { ...draft.params, scenes: [...(draft.params.scenes as object[]), newScene([])] } };
    expect(after(keepCombinations(draft, grown))).toEqual([[1, 0, 0]]);
  });
});

describe("the request", () => {
  test("has no effects without a name, and no cover title without a text", () => {
    const options = (some: object) => (toRequest({ taskType: "baseVideoMix", params: { videoList: [], options: some } }).params as { options?: object }).options;
    expect(options({ effects: [{ _id: "1", value: "snow", trans: 50 }, { _id: "2", trans: 50, duration: 2 }] })).toEqual({ effects: [{ value: "snow", trans: 50 }] });
    expect(options({ effects: [{ _id: "2", trans: 50 }] })).toBeUndefined();
    expect(options({ cover: { at: 1, title: { text: "", style: { weight: "bold" } } } })).toEqual({ cover: { at: 1 } });
    expect(options({ cover: { title: { text: "Sale", style: { weight: "bold" } } } })).toEqual({ cover: { title: { text: "Sale", style: { weight: "bold" } } } });
    expect(options({ cover: { title: { style: { weight: "bold" } } } })).toBeUndefined();
  });

  test("has second clips only with a layout", () => {
    const second = { url: "upload://b", from: 2 };
    const clips = [{ _id: "1", url: "upload://a", layout: "left-right", second }, { _id: "2", url: "upload://a", second }, { _id: "3", url: "upload://a", layout: "top-bottom", second: {} }];
    const request = toRequest({ taskType: "baseVideoMix", params: { videoList: [{ _id: "g", videos: clips, totalDuration: 4 }], options: {} } });
    expect((request.params as { videoList: unknown }).videoList).toEqual([{
      videos: [{ url: "upload://a", layout: "left-right", second }, { url: "upload://a" }, { url: "upload://a", layout: "top-bottom", second: {} }],
      totalDuration: 4,
    }]);
  });

  test("has no page state, disabled options or empty values", () => {
    const draft: Draft = {
      taskType: "videoDeduplication", clientTaskId: "",
      params: { videoList: [{ _id: "1", filename: "http://h/a" }], seed: undefined, options: {
        isMirror: true, speed: { isSpeed: true, start: 1 }, zoom: { isZoom: false, minScale: 2 }, rotation: { minAngle: 3 }, effect: { trans: 40 } } },
    };
    expect(toRequest(draft)).toEqual({
      taskType: "videoDeduplication", params: { videoList: [{ filename: "http://h/a" }], options: { isMirror: true, speed: { isSpeed: true, start: 1 } } },
    });
  });

  test("has no audio or subtitles without a file, and no empty options", () => {
    const draft = { ...emptyDraft("baseVideoMix") };
    draft.params = { ...draft.params, options: { backgroundMusic: { volume: 3 }, subtitle: { style: {} } } };
    expect(toRequest(draft)).toEqual({ taskType: "baseVideoMix", params: { videoList: [{ videos: [] }] } });
  });

  test("has captions of a text or of cues, unless a file replaces them", () => {
    const sent = (options: Record<string, unknown>) => {
      const draft = { ...emptyDraft("baseVideoMix") };
      draft.params = { ...draft.params, options };
      return (toRequest(draft).params as { options?: unknown }).options;
    };
    const cues = [{ start: 0, end: 1, text: "a" }];
    for (const subtitle of [{ text: "a", timing: "even" }, { cues }, { from: "clips" }, { url: "http://h/s", style: { bottom: 9 } }]) {
      expect(sent({ subtitle })).toEqual({ subtitle });
      expect(sent({ voicePool: [{ audio: { url: "http://h/v" }, subtitle }] })).toEqual({ voicePool: [{ audio: { url: "http://h/v" }, subtitle }] });
    }
    expect(sent({ subtitle: { url: "http://h/s", text: "a", timing: "even", cues, from: "voice" } })).toEqual({ subtitle: { url: "http://h/s" } });
    expect(sent({ voicePool: [{ audio: {}, subtitle: { style: {} } }] })).toEqual({ voicePool: [{ audio: {} }] });
  });

  test("has texts in place of audio files, and no audio without either", () => {
    const sent = (params: Record<string, unknown>) => (toRequest({ taskType: "proVideoMix", params }).params as Record<string, unknown>);
    const scene = (more: object) => ({ sceneKey: "a", sceneName: "A", duration: 2, resources: [], ...more });
    const audio = { text: "Hello.", voice: "en-us", speed: 1.1 };
    expect(sent({ options: { audio } }).options).toEqual({ audio });
    expect(sent({ options: { audio: { text: "", voice: "en-us" } } }).options).toBeUndefined();
    expect(sent({ scenes: [scene({ audioResources: [{ _id: "1", text: "" }, { _id: "2", ...audio }] }), scene({ audioResources: [{ _id: "3", text: "" }] })] }).scenes)
      .toEqual([scene({ audioResources: [audio] }), scene({})]);
    // Captions of scenes take their style from the options.
    const subtitle = { style: { preset: "neon" } };
    expect(sent({ scenes: [scene({ text: "Hello." })], options: { subtitle } }).options).toEqual({ subtitle });
    expect(sent({ scenes: [scene({ text: "Hello." })], options: {} }).options).toBeUndefined();
    expect(sent({ scenes: [scene({ text: "" })], options: { subtitle } }).options).toBeUndefined();
  });

  test("a draft with the fields of an earlier named style is sent as it was", () => {
    const style = { weight: "bold", fontSize: 18, outlineColor: "#000000", place: "lower-third", highlight: { color: "#FFD400" } };
    const request = { taskType: "baseVideoMix", params: { videoList: [], options: { subtitle: { url: "http://h/s", style } } } };
    expect(toRequest(fromRequest(request))).toEqual(request);
  });

  test("an opened request is sent unchanged", () => {
    const request = { taskType: "proVideoMix", clientTaskId: "x", params: { audioMode: "split", generateCount: 2, combinations: [[0]],
      scenes: [{ sceneKey: "a", sceneName: "A", duration: 2, resources: [{ url: "http://h/a" }], audioResources: [{ url: "http://h/s" }] }], options: { fps: 25 } } };
    expect(toRequest(fromRequest(request))).toEqual(request);
  });

  test.each([null, 3, {}, { taskType: "x", params: {} }, { taskType: "proVideoMix" }, { taskType: "baseVideoMix", params: { videoList: {} } }])(
    "%j is not a request", (value) => expect(() => fromRequest(value)).toThrow(NotARequest));

  test("quotes do not end the command", () => {
    expect(curl("http://h", { a: "it's" })).toContain(`"it'\\''s"`);
  });
});

test("an upload reaches its clip after a move", () => {
  const draft = moveClip(scenes(["a", "b"], []), "a", "s1", 0);
  const done = updateById(draft, "a", (clip) => ({ ...clip, url: "upload://1" }));
  expect(clipLists(done)[1]?.clips[0]?.url).toBe("upload://1");
  expect(updateById(draft, "gone", () => ({}))).toBe(draft);
});

test("fields of lost uploads are removed from the draft", () => {
  const draft = addClips(scenes(["a"]), "s0", [{ _id: "n", _upload: "u" }, { _id: "m", _upload: "w" }]);
  expect(layout(withoutUploads(draft, ["u"]))).toEqual(["am"]);
  const field = { ...scenes(["a"]), _uploads: { "/params/options/audio/url": "u", "/params/options/backgroundMusic/url": "w" } };
  (field.params.scenes as Record<string, unknown>[])[0]!.audioResources = [{ _id: "x", _upload: "v" }, { _id: "y", url: "upload://1" }];
  const rest = withoutUploads(field, ["u", "v"]);
  expect(rest._uploads).toEqual({ "/params/options/backgroundMusic/url": "w" });
  expect(JSON.stringify(rest.params)).not.toContain("_upload");
  expect(withoutUploads(rest, ["w"])._uploads).toBeUndefined();
  expect(toRequest(field)).not.toHaveProperty("_uploads");
});

test("scenes get unique keys", () => {
  expect(newScene([{ sceneKey: "scene-2" }]).sceneKey).toBe("scene-3");
});

test("unchanged lists of clips are the same objects, so that they are not rendered again", () => {
  const first = emptyDraft("proVideoMix");
  const before = clipLists(first);
  expect(clipLists({ ...first, name: "Summer" })).toEqual(before);
  clipLists({ ...first, name: "Summer" }).forEach((list, index) => expect(list).toBe(before[index]));
  const after = clipLists(addClips(first, before[1]?.id ?? "", [{ _id: "a", url: "a" }]));
  expect(after[0]).toBe(before[0]);
  expect(after[1]).not.toBe(before[1]);
});
