import { describe, expect, test } from "vitest";
import { ApiFailure, localLink } from "../src/lib/api";
import { selectedVideos, setSelected, toggleSelected } from "../src/lib/video-selection";
import { parseFilters, hasFilters, filtersToSearch, filtersToQuery } from "../src/lib/task-filters";
import { runBulk } from "../src/lib/bulk";
import { clipsOf, sourceOf } from "../src/lib/sources";

const at = (text: string) => parseFilters(new URLSearchParams(text));

test("a URL keeps valid filters and loses invalid ones", () => {
  for (const [given, kept] of [
    ["", ""], ["page=1", ""], ["page=0", ""], ["page=x", ""], ["page=2.5", ""], ["page=3", "?page=3"],
    ["status=9&type=none", ""], ["status=3&type=proVideoMix&page=2", "?status=3&type=proVideoMix&page=2"],
    ["q=a+b&label=%E6%98%A5", "?q=a+b&label=%E6%98%A5"], ["from=yesterday&to=2026-13-45", ""], ["from=2026-11-02", "?from=2026-11-02"],
  ] as const) {
    expect(filtersToSearch(at(given))).toBe(kept);
    expect(filtersToSearch(parseFilters(new URLSearchParams(kept)))).toBe(kept);
  }
  expect([hasFilters(at("page=3")), hasFilters(at("label=a"))]).toEqual([false, true]);
});

test("days are local, and the last one is included", () => {
  const { from, to } = filtersToQuery(at("from=2026-11-02&to=2026-11-02"));
  expect(new Date(to ?? "").getTime() - new Date(from ?? "").getTime()).toBe(24 * 3600 * 1000);
  expect(new Date(from ?? "").getHours()).toBe(0);
  expect(filtersToQuery(at("q=+a+"))).toEqual({ q: "a", label: "", taskType: "", from: "", to: "" });
});

test("many calls stay below the rate limit, wait after a 429, and report failures", async () => {
  const pauses: number[] = [];
  const progress: number[] = [];
  let refused = 0;
  const work = async (thing: number) => {
    if (thing === 2 && refused++ < 2) throw new ApiFailure(429, 42900, "", null, 3);
    if (thing === 3) throw new ApiFailure(409, 40901, "too late");
  };
  const outcome = await runBulk([1, 2, 3, 4], 4, work, (n) => progress.push(n), async (ms) => void pauses.push(ms));
  expect(outcome.done).toEqual([1, 2, 4]);
  expect(outcome.failed.map(({ item: thing }) => thing)).toEqual([3]);
  expect(pauses).toEqual([250, 3000, 3000, 250, 250]);
  expect(progress).toEqual([1, 2, 3, 4]);
  const never = await runBulk([1, 2], 4, async () => { throw new ApiFailure(401, 40100, ""); }, undefined, async () => undefined);
  expect(never.failed.length).toBe(1);
});

test("the selection survives a reload, and damaged data is ignored", () => {
  setSelected(["VP1/1", "VP1/2"], true);
  toggleSelected("VP1/1");
  expect([...selectedVideos.value]).toEqual(["VP1/2"]);
  expect(localStorage.getItem("clipmill.chosen")).toBe('["VP1/2"]');
  localStorage.setItem("clipmill.chosen", "{broken");
  setSelected(["VP2/1"], true);
  expect([...selectedVideos.value]).toEqual(["VP2/1"]);
});

test("times of a varied video map to its source, with speed and start", () => {
  const request = { taskType: "videoDeduplication", params: { videoList: [{ filename: "upload://a", copies: 2 }, { filename: "upload://b", from: 3 }] } };
  const moment = (itemNo: number, recipe: Record<string, unknown> | null, seconds: number) => sourceOf(request, { itemNo, recipe }, () => undefined)?.(seconds);
  expect(moment(2, null, 1)).toEqual({ url: "upload://a", at: 1, rate: 1 });
  expect(moment(3, { speed: 1.5 }, 2)).toEqual({ url: "upload://b", at: 6, rate: 1.5 });
  expect(moment(4, null, 0)).toBeUndefined();
});

test("times of a mix map to the shown clip", () => {
  const lengths: Record<string, number> = { "upload://a": 4, "upload://b": 6, "upload://c": 1 };
  const lengthOf = (url: string) => lengths[url];
  const group = (options: Record<string, unknown>, of = lengthOf) => sourceOf(
    { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "upload://a", from: 1 }, { url: "upload://b", to: 2 }] }], options } },
    { itemNo: 1, recipe: { group: 0 } }, of);
  expect(group({})?.(1)).toEqual({ url: "upload://a", at: 2, rate: 1 });
  expect(group({})?.(3.5)).toEqual({ url: "upload://b", at: 0.5, rate: 1 });
  expect(group({ isShortest: true })?.(2.5)).toEqual({ url: "upload://b", at: 0.5, rate: 1 });
  expect(group({ transition: { names: ["fade"], duration: 1 } })?.(2.5)).toEqual({ url: "upload://b", at: 0.5, rate: 1 });
  expect(group({}, () => undefined)).toBe(null);
  expect(group({ introPool: [{ url: "upload://a" }] })).toBe(null);

  const fast = sourceOf({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "upload://a", from: 1, speed: 2 }, { url: "upload://b" }] }] } }, { itemNo: 1, recipe: { group: 0 } }, lengthOf);
  expect(fast?.(1)).toEqual({ url: "upload://a", at: 3, rate: 2 });
  expect(fast?.(2)).toEqual({ url: "upload://b", at: 0.5, rate: 1 });

  const scenes = [{ duration: 2, resources: [{ url: "upload://a" }, { url: "upload://b" }] }, { duration: 3, resources: [{ url: "upload://c" }] }];
  const mix = (recipe: Record<string, unknown>) => sourceOf({ taskType: "proVideoMix", params: { scenes } }, { itemNo: 1, recipe }, lengthOf);
  expect(mix({ combination: [1, 0], starts: [2.5, 0] })?.(1)).toEqual({ url: "upload://b", at: 3.5, rate: 1 });
  // A clip that is too short is repeated.
  expect(mix({ combination: [0, 0] })?.(3.25)?.at).toBeCloseTo(0.25);
  expect(mix({})).toBe(null);
});

test("links to uploads use this page's origin, others are unchanged", () => {
  expect(localLink("http://elsewhere:8080/files/uploads/1/ab12?expires=1&signature=x")).toBe("/files/uploads/1/ab12?expires=1&signature=x");
  expect(localLink("http://elsewhere:8080/files/uploads/1/ab12")).toBe("http://elsewhere:8080/files/uploads/1/ab12");
});

describe("the clips of an output and their start times", () => {
  const shown = (request: Record<string, unknown>, itemNo: number, recipe: Record<string, unknown> | null) => (
    clipsOf(request, { itemNo, recipe }).map(({ url, start, scene }) => [scene, url, start]));

  test("a varied video is one clip", () => {
    const request = { taskType: "videoDeduplication", params: { videoList: [{ filename: "a", copies: 2 }, { filename: "b", from: 3 }] } };
    expect([1, 2, 3, 4].map((itemNo) => shown(request, itemNo, {}))).toEqual([[[null, "a", 0]], [[null, "a", 0]], [[null, "b", 3]], []]);
  });

  test("a group has all clips that start before its end", () => {
    const videos = [{ url: "a", duration: 4 }, { url: "b", duration: 4, from: 1 }, { url: "c", duration: 4 }];
    const request = (group: object) => ({ taskType: "baseVideoMix", params: { videoList: [{ videos: [] }, group] } });
    expect(shown(request({ videos }), 1, { group: 1 })).toEqual([[null, "a", 0], [null, "b", 1], [null, "c", 0]]);
    expect(shown(request({ videos, totalDuration: 5 }), 2, null)).toEqual([[null, "a", 0], [null, "b", 1]]);
    expect(shown(request({ videos: [{ url: "a" }, { url: "b" }], totalDuration: 1 }), 2, null)).toHaveLength(2);
  });

  test("a mix has the clips of its combination with their start times", () => {
    const scenes = [{ sceneName: "Opening", resources: [{ url: "a" }, { url: "b", from: 2 }] }, { sceneKey: "k", resources: [{ url: "c" }] }];
    const request = { taskType: "proVideoMix", params: { scenes } };
    expect(shown(request, 1, { combination: [1, 0], starts: [4.5, 0] })).toEqual([["Opening", "b", 4.5], ["k", "c", 0]]);
    expect(shown(request, 1, { combination: [1, 0] })).toEqual([["Opening", "b", 2], ["k", "c", 0]]);
    expect(shown(request, 1, null)).toEqual([]);
    expect(shown({}, 1, null)).toEqual([]);
  });
});
