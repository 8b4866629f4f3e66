import { beforeAll, describe, expect, test } from "vitest";
import catalogue from "../../crates/clipmill-core/src/message/catalogue.rs?raw";
import { titleOf } from "../src/i18n/fields";
import { fromRequest, pendingUploads, removeClips, toRequest, withoutUploads, withUploadUrl, type Draft } from "../src/lib/draft";
import { History } from "../src/lib/history";
import { noteMedia } from "../src/lib/media";
import { callClass, RateLimiter } from "../src/lib/rate-limiter";
import { assign, partsOf, partWith, wholePointer, withoutPart } from "../src/lib/draft-parts";
import { ApiFailure } from "../src/lib/api";
import { failureText, messageText, templatesLoaded } from "../src/lib/service-message";
import type { MessageParams } from "../src/lib/types";
import { language } from "../src/lib/prefs";
import { labelsIn } from "../src/lib/labels";
import { idsBetween } from "../src/pages/new/clip-selection";
import { inOrder, useOf } from "../src/lib/dropped-files";

/** A clock that advances only during pauses. */
function limiterWithClock() {
  let now = 0;
  const waits: number[] = [];
  const limiter = new RateLimiter(() => now, async (ms) => {
    waits.push(ms);
    now += ms;
  });
  return { limiter, waits, at: () => now };
}

describe("pages keep below the rate limits", () => {
  test.each([
    ["GET", "/open-api/v1/video-process/list?pageNo=1", "reading"],
    ["POST", "/open-api/v1/video-process/estimate", "reading"],
    ["POST", "/open-api/v1/video-process/estimate?preflight=true", "submitting"],
    ["POST", "/open-api/v1/preview", "previewing"],
    ["POST", "/open-api/v1/probe", "previewing"],
    ["GET", "/open-api/v1/uploads/12/thumbnail?width=9", "previewing"],
    ["POST", "/open-api/v1/uploads?fileName=a", "submitting"],
    ["DELETE", "/open-api/v1/uploads/1", "submitting"],
  ])("%s %s counts as %s", (method, url, name) => expect(callClass(method, url)).toBe(name));

  test("a burst is sent immediately, further calls at the service's rate, and a tenth is reserved", async () => {
    const { limiter, waits, at } = limiterWithClock();
    for (let call = 0; call < 45; call += 1) await limiter.acquire("submitting");
    expect(waits).toEqual([]);
    for (let call = 0; call < 10; call += 1) await limiter.acquire("submitting");
    expect(Math.round(at())).toBe(2000);
    await limiter.acquire("reading");
    expect(Math.round(at())).toBe(2000);
  });

  test("limits are updated from response headers", async () => {
    const { limiter, at } = limiterWithClock();
    limiter.update('"submitting";q=10;w=10', '"submitting";r=1;t=9');
    await limiter.acquire("submitting");
    expect(Math.round(at())).toBe(1000);
    limiter.update("nonsense", null);
    limiter.delay("submitting", 7);
    await limiter.acquire("submitting");
    expect(Math.round(at())).toBe(8000);
  });

  test("an aborted call is not sent and does not delay others", async () => {
    const { limiter } = limiterWithClock();
    const stop = new AbortController();
    stop.abort();
    await expect(limiter.acquire("reading", stop.signal)).rejects.toThrow();
    await limiter.acquire("reading");
  });
});

describe("undo and redo", () => {
  test("values are restored in order, and a new change clears redo", () => {
    const history = new History<number>();
    history.note(1, null, 0);
    history.note(2, null, 0);
    expect([history.undo(3), history.undo(2), history.undo(1)]).toEqual([2, 1, undefined]);
    expect([history.redo(1), history.steps]).toEqual([2, { back: 1, forth: 1 }]);
    history.note(2, null, 0);
    expect([history.redo(5), history.steps.back]).toEqual([undefined, 2]);
  });

  test("typing a word is one step; a pause or another field starts the next", () => {
    const history = new History<string>();
    history.note("", "name", 0);
    history.note("a", "name", 500);
    history.note("ab", "other", 600);
    history.note("abc", "other", 9000);
    expect([history.undo("abcd"), history.undo("abc"), history.undo("ab"), history.undo("")]).toEqual(["abc", "ab", "", undefined]);
  });

  test("the history is limited", () => {
    const history = new History<number>();
    for (let value = 0; value < 1000; value += 1) history.note(value, null, 0);
    expect(history.steps.back).toBe(200);
    expect(history.undo(1000)).toBe(999);
  });
});

const vary = (...names: string[]): Draft => ({
  taskType: "videoDeduplication", clientTaskId: "mine",
  params: { seed: 4, videoList: names.map((_id) => ({ _id, filename: `http://h/${_id}`, duration: 2 })), options: { fps: 25 } },
});

describe("separate options", () => {
  const own = { ...assign(vary("a", "b", "c", "d"), ["b", "d"], "s"), _sets: { s: { fps: 60 } } };
  const names = (draft: Draft) => (toRequest(draft).params as { videoList: { filename: string }[] }).videoList.map(({ filename }) => filename.slice(-1)).join("");

  test("one task for the shared options, one for each set", () => {
    const parts = partsOf(own);
    expect(parts.map((part) => [names(part.draft), (part.request.params as { options: unknown }).options, part.request.clientTaskId])).toEqual([
      ["ac", { fps: 25 }, "mine-1"], ["bd", { fps: 60 }, "mine-2"]]);
    expect(JSON.stringify(parts.map((part) => part.request))).not.toContain("_set");
    expect(parts[1]?.request.params).toMatchObject({ seed: 4 });
  });

  test("without sets there is one request, and a deleted set is ignored", () => {
    expect(partsOf(vary("a", "b")).map((part) => part.request)).toEqual([toRequest(vary("a", "b"))]);
    expect(partsOf({ ...own, _sets: {} })).toHaveLength(1);
    expect(partsOf(assign(own, ["b", "d"], null))).toHaveLength(1);
    expect(partsOf(assign({ ...own, _sets: { s: {} } }, ["a", "c"], "s"))).toHaveLength(1);
  });

  test("parts use the draft's seed, sets a derived one that does not depend on other parts", () => {
    const { seed: _, ...params } = own.params;
    const seeds = (draft: Draft) => partsOf(draft).map((part) => (part.request.params as { seed?: number }).seed);
    const seeded = { ...own, params, _seed: 5 };
    const [all, some] = seeds(seeded);
    expect(all).toBe(5);
    expect(some).not.toBe(5);
    expect(seeds(withoutPart(seeded, partsOf(seeded)[0]!))).toEqual([some]);
    expect(seeds({ ...seeded, params: { ...params, seed: 9 } })).toEqual([9, 9]);
    expect(seeds({ ...own, params })).toEqual([undefined, undefined]);
    expect(Number.isSafeInteger(seeds({ ...seeded, _seed: 2 ** 47 - 1 })[1])).toBe(true);
  });

  test("error pointers are mapped to the whole draft", () => {
    const [all, some] = partsOf(own);
    if (all === undefined || some === undefined) throw new Error("two parts");
    expect(wholePointer(some, "/params/videoList/1/duration")).toBe("/params/videoList/3/duration");
    expect(wholePointer(some, "/params/options/fps")).toBe("/_sets/s/fps");
    expect(wholePointer(all, "/params/options/fps")).toBe("/params/options/fps");
    expect(wholePointer(some, "/params/seed")).toBe("/params/seed");
    expect(partWith(partsOf(own), "d")?.set).toBe("s");
    expect(names(withoutPart(own, some))).toBe("ac");
  });

  test("groups can have separate options, scenes cannot", () => {
    const groups: Draft = { taskType: "baseVideoMix", params: { isShortest: true, videoList: [{ _id: "g", videos: [] }, { _id: "h", _set: "s", videos: [] }], options: {} }, _sets: { s: { fps: 50 } } };
    expect(partsOf(groups).map((part) => part.request.params)).toEqual([{ isShortest: true, videoList: [{ videos: [] }] }, { isShortest: true, videoList: [{ videos: [] }], options: { fps: 50 } }]);
    expect(partsOf({ ...groups, taskType: "proVideoMix" })).toHaveLength(1);
  });
});

describe("uploads reach their fields", () => {
  test("clips, fields, lists of urls and of objects", () => {
    const draft: Draft = {
      taskType: "baseVideoMix", params: { videoList: [{ _id: "g", videos: [{ _id: "c", _upload: "1" }] }], options: {} },
      _uploads: { "/_sets/s/audio/url": "2" }, _adding: { 3: { at: "/params/options/introPool", entry: {} }, 4: { at: "/params/options/picMask/picFiles", entry: null } }, _sets: { s: {} },
    };
    expect(pendingUploads(draft)).toEqual(["1", "2", "3", "4"]);
    const done = ["1", "2", "3", "4"].reduce((rest, id) => withUploadUrl(rest, id, `upload://${id}`, 7), draft);
    expect(pendingUploads(done)).toEqual([]);
    expect(done.params).toEqual({
      videoList: [{ _id: "g", videos: [{ _id: "c", url: "upload://1", duration: 7 }] }],
      options: { introPool: [{ url: "upload://3" }], picMask: { picFiles: ["upload://4"] } } });
    expect(done._sets).toEqual({ s: { audio: { url: "upload://2" } } });
    expect(withUploadUrl(done, "9", "upload://9")).toBe(done);
    expect(pendingUploads(withoutUploads(draft, ["2", "3"]))).toEqual(["1", "4"]);
  });

  test("an uploaded image declares no length", () => {
    const draft: Draft = { taskType: "baseVideoMix", params: { videoList: [{ _id: "g", videos: [{ _id: "c", _upload: "1" }] }] } };
    expect(withUploadUrl(draft, "1", "upload://1", 0).params.videoList).toEqual([{ _id: "g", videos: [{ _id: "c", url: "upload://1" }] }]);
  });
});

test("removing many clips keeps combinations with their clips and start times with their scenes", () => {
  const clip = (_id: string) => ({ _id, url: `http://h/${_id}` });
  const draft: Draft = { taskType: "proVideoMix", params: { scenes: [{ _id: "x", resources: [clip("a"), clip("b")] }, { _id: "y", resources: [clip("c"), clip("d")] }], combinations: [[1, 1]], starts: [[2, 3]] } };
  const next = removeClips(draft, new Set(["a", "d"]));
  expect((next.params.scenes as { resources: unknown[] }[]).map((scene) => scene.resources)).toEqual([[clip("b")], [clip("c")]]);
  expect([next.params.combinations, next.params.starts]).toEqual([[[0, 0]], [[2, 3]]]);
});

test("a scene without a name gets a localized name only in the request", () => {
  const draft: Draft = { taskType: "proVideoMix", params: { scenes: [{ _id: "x", sceneKey: "a", resources: [] }, { _id: "y", sceneName: "End", resources: [] }] } };
  const sent = () => (toRequest(draft).params as { scenes: { sceneName: string }[] }).scenes.map((scene) => scene.sceneName);
  expect(sent()).toEqual(["Scene 1", "End"]);
  language.value = "zh";
  expect(sent()).toEqual(["场景 1", "End"]);
  language.value = "en";
});

test("names, labels and voices of a request are kept", () => {
  const request = { taskType: "baseVideoMix", name: "Spring", labels: ["a", "b"], params: { videoList: [{ videos: [] }],
    options: { voicePool: [{ audio: { url: "http://h/v" } }, { audio: { url: "http://h/w" }, subtitle: { url: "http://h/s", style: { weight: "bold" } } }] } } };
  expect(toRequest(fromRequest(request))).toEqual(request);
  const draft = fromRequest(request);
  (draft.params.options as { voicePool: object[] }).voicePool.push({ audio: {}, subtitle: { style: {} } });
  expect((toRequest(draft).params as { options: { voicePool: object[] } }).options.voicePool[2]).toEqual({ audio: {} });
  expect(labelsIn(" a, b，c、a ,")).toEqual(["a", "b", "c"]);
});

test("dropped files are sorted by their use, and folders by name", () => {
  const file = (name: string, type = "") => ({ name, type });
  const uses = (...files: { name: string; type: string }[]) => files.map(useOf).join(" ");
  expect(uses(file("a.mp4", "video/mp4"), file("c.MKV"), file("e.gif", "image/gif"), file("no-name"))).toBe("clip clip clip clip");
  expect(uses(file("d.jpg", "image/jpeg"), file("d.WEBP"), file("g.heic", "image/heic"), file("f.pdf", "application/pdf"))).toBe("image image unknown unknown");
  expect(uses(file("a.mp3", "audio/mpeg"), file("b.M4A"), file("c.ogg", "video/ogg"), file("d.wav"))).toBe("audio audio clip audio");
  expect(uses(file("a.srt", "application/x-subrip"), file("b.vtt", "text/vtt"))).toBe("captions captions");
  expect(uses(file("a.csv", "application/vnd.ms-excel"), file("b.xlsx"), file("c", "text/csv"), file("d.txt", "text/plain"))).toBe("table table table unknown");
  expect(inOrder([file("10.mp4"), file("2.mp4"), file(".DS_Store"), file("Thumbs.db"), file("1.mp4")]).map(({ name }) => name)).toEqual(["1.mp4", "2.mp4", "10.mp4"]);
});

test.each([["b", "d", "bcd"], ["d", "b", "bcd"], ["a", "a", "a"], ["gone", "c", "c"]])("from %s to %s", (one, other, expected) => {
  expect(idsBetween(["a", "b", "c", "d"], one, other).join("")).toBe(expected);
});

test("messages name fields and files readably", () => {
  expect(titleOf("/params/scenes/1/resources/0/url")).toBe("Scene 2 · Clip 1 · Link");
  expect(titleOf("/params/videoList/2/copies")).toBe("Video 3 · Number of videos");
  expect(titleOf("/params/options/fps")).toBe("Frames per second");
  expect(titleOf("/params/options/voicePool/0/audio/url")).toBe("Voice 1 · Voice-over");
});

beforeAll(() => templatesLoaded);

describe("messages of the service", () => {
  const text = (code: string, params: MessageParams, pointer = "") => messageText({ message: "", code, params }, pointer);

  test("the values of parameters are readable", () => {
    noteMedia("upload://5e77", { name: "city.mp4" });
    const of = (code: string, params: MessageParams = {}) => ({ message: `text of ${code}`, code, params });
    expect(text("about_input", { input: "upload://5e77", what: of("still_for_clip") })).toBe("“city.mp4”: text of still_for_clip");
    expect(text("about_input", { input: "https://x/a.mp4", what: of("scheme_refused", { scheme: "ftp" }) })).toBe("https://x/a.mp4: the scheme “ftp:” is not accepted; give an http or https link");
    const items = [of("of_item", { item: "1", why: of("about_input", { input: "upload://5e77", what: "an old text" }) }), of("of_item", { item: "3", why: of("is_required") })];
    expect(text("items_failed", { failed: "2", total: "3", items })).toBe("2 of 3 items failed. item 1: “city.mp4”: an old text; item 3: text of is_required");
    expect(text("items_failed", { failed: "1", total: "1", items: [] })).toBe("1 of 1 item failed. ");
    expect(text("key_again", { first: "/params/scenes/1" })).toBe("is also the key of Scene 2; every scene needs its own");
    expect(text("unknown_effect_near", { names: "`blur`, `glow`" })).toBe("unknown effect; did you mean “blur”, “glow”?");
  });

  test("names of fields are labels near the field, other names are values", () => {
    expect(text("part_is_empty", { from: "3" }, "/params/scenes/0/resources/1/to")).toBe("must be greater than “Use from second”, which is 3");
    expect(text("ends_before", { start: "3" }, "/params/options/overlays/0/end")).toBe(`must be greater than “${titleOf("/params/options/overlays/0/start").split(" · ").at(-1)}”, which is 3`);
    expect(text("one_of_both", { other: "options.voicePool[].subtitle" }, "/params/scenes/0/text")).toBe("cannot be combined with “Subtitle file”; set one of them");
    expect(text("none_of_but", { names: "a, fps", near: "fps" }, "/params/options/fps")).toBe("must be one of a, fps; did you mean “fps”?");
    expect(text("params_unwrapped", { names: "seed`, `unknown" })).toBe("is required, but the request has the fields “Seed”, “unknown” outside of it; move them into “params”");
    expect(text("row_above_limit", { price: "3", most: "2" })).toBe("This row would cost 3 points, more than “Price limit” of its request (2).");
    expect(text("price_above_limit", { price: "1", most: "0" })).toMatch(/^The price based on the actual files is 1 point, more than “Price limit” \(0\)\./);
  });

  test("texts without addresses and terms of the API", () => {
    expect(text("must_be", { allowed: { message: "an http://, https:// or upload:// URL", code: "an_input_url", params: {} } })).toBe("must be an http:// or https:// link");
    expect(text("no_such_voice", {})).toBe("is not a voice of this service");
    language.value = "zh";
    expect(text("no_such_voice_but", { near: "cmn" })).toBe("本服务没有该音色；您是否想写 “cmn”？");
    expect(text("all_of", { reasons: [{ message: "甲" }, { message: "乙" }] })).toBe("甲；乙");
    language.value = "en";
  });

  test("a message without a code, or with a code of a later version, is shown unchanged", () => {
    const message = "upload://5e77: `from` is old";
    for (const rest of [{}, { code: null, params: null }, { code: "of_next_year", params: { from: "3" } }]) expect(messageText({ message, ...rest })).toBe(message);
  });

  test("the message of a failed call is about its first field or its cause", () => {
    const refused = (code: number, message: string, data: Record<string, unknown>) => failureText(new ApiFailure(Math.floor(code / 100), code, message, data));
    const field = { path: "/params/options/fps", message: "must be one of 25, 30", code: "none_of", params: { names: "25, 30" }, got: 1, allowed: null };
    expect(refused(40001, "invalid request", { errors: [field] })).toBe("Frames per second: must be one of 25, 30");
    expect(refused(40001, "invalid request", { errors: [field, field] })).toBe("Frames per second: must be one of 25, 30 (and 1 more)");
    expect(refused(40001, "invalid request", { errors: [{ ...field, row: 3, column: "title" }], total: 9 })).toBe("Row 3, column title: must be one of 25, 30");
    expect(refused(40001, "invalid request", { errors: [{ ...field, row: 3, column: "title" }, field], total: 9 })).toBe("Row 3, column title: must be one of 25, 30 (and 8 more)");
    const cause = { message: "upload://5e77: is odd", code: "about_input", params: { input: "upload://5e77", what: "is odd" } };
    expect(refused(42200, "no image could be rendered: upload://5e77: is odd", { cause })).toBe("no image could be rendered: “city.mp4”: is odd");
    expect(refused(40201, "too expensive", { price: 9, maxPoints: 5 })).toMatch(/\(9\) is higher than “Price limit” \(5\)/);
    expect(refused(40900, "this clientTaskId was used before", { taskNo: "VP1" })).toMatch(/“Your own ID” .* VP1/);
    expect(refused(40400, "not found", {})).toBe("not found");
  });
});

const MESSAGES = [...catalogue.matchAll(/^ {4}(\w+)\(([\w, ]*)\) "((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)";$/gm)].map(([, code = "", names = "", en = "", zh = ""]) => (
  { code, en, zh, params: Object.fromEntries(names.split(", ").map((name) => [name, "7"])) }));
/** Messages for API users and operators. */
const FOR_ENGINEERS = ["own_user", "own_key", "undeclared_variable", "no_callback_address", "upload_url_invalid", "allowed_upload_id"];
/** API names, pointers and code formatting. */
const FOREIGN = /`|upload:\/\/|\/params|data\.errors|\b[a-z]+[A-Z]\w*|“[a-z]+“|“(?:from|to|start|end|url|value|place|color|copies|duration|width|opacity|margin|bottom|highlight|combinations)”/;

test.each(["en", "zh"] as const)("no message of the service contains API terms, in %s", (tag) => {
  expect(MESSAGES.length).toBeGreaterThan(250);
  const before = language.value;
  language.value = tag;
  const foreign = MESSAGES.filter(({ code }) => !FOR_ENGINEERS.includes(code)).map(({ code, params, [tag]: message }) => `${code}: ${messageText({ message, code, params })}`).filter((text) => FOREIGN.test(text));
  language.value = before;
  expect(foreign).toEqual([]);
});
