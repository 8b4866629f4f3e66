import { expect, test } from "vitest";
import type { Estimate, Pair } from "../src/lib/types";
import { STRENGTHS } from "../src/lib/goals";
import { identicalVideos, nearlySame } from "../src/pages/new/similarity";
import { cellAt, colourOf, measure, triangle } from "../src/pages/task/similarity-matrix";

const pair = (a: number, b: number, sharedSeconds = 0, similarity: number | null = null): Pair => ({ items: [a, b], sharedSeconds, similarity });

test("each pair has a position in the matrix", () => {
  const pairs = [pair(2, 9), pair(2, 5), pair(5, 9)];
  const { items, rows } = triangle(pairs);
  expect(items).toEqual([2, 5, 9]);
  expect(rows.map(({ row, column }) => [row, column])).toEqual([[2, 0], [1, 0], [2, 1]]);
  expect(cellAt(items, 250, 10, 300)).toEqual([2, 9]);
  expect(cellAt(items, 10, 250, 300)).toEqual([2, 9]);
  expect(cellAt(items, 150, 150, 300)).toBe(null);
  expect(cellAt(items, -5, 900, 300)).toEqual([2, 9]);
  expect(cellAt([], 1, 1, 300)).toBe(null);
});

test("colours are interpolated", () => {
  const colours = ["#000000", "#6464ff", "#ff0000"];
  expect([0, 0.3, 0.6, 1, 7, -1].map((value) => colourOf(value, colours))).toEqual([
    "rgb(0 0 0)", "rgb(50 50 128)", "rgb(100 100 255)", "rgb(255 0 0)", "rgb(255 0 0)", "rgb(0 0 0)",
  ]);
  expect([measure(pair(1, 2, 3), "footage", 6), measure(pair(1, 2, 9, 0.4), "footage", 6), measure(pair(1, 2, 9, 0.4), "look", 6), measure(pair(1, 2), "look", 6)])
    .toEqual([0.5, 1, 0.4, null]);
});

test("too little footage is reported with a suggestion", () => {
  const estimate = (sharedSeconds: number, warnings: Estimate["warnings"] = []): Estimate => ({
    estimatedDotCount: 1, totalItems: 4, distinctCombinations: 4, uniqueSegments: 4, outputSeconds: 24, mostSimilar: pair(1, 2, sharedSeconds), warnings,
  });
  const request = (clipStart?: string) => ({
    taskType: "proVideoMix",
    params: { scenes: [{ sceneName: "Opening", resources: [1, 2] }, { sceneName: "End", resources: [1] }], options: clipStart ? { clipStart } : {} },
  });
  expect(nearlySame(estimate(3), request())).toEqual({ pair: pair(1, 2, 3), part: 0.5, scene: { name: "End", clips: 1 }, fromBegin: true });
  expect(nearlySame(estimate(3), request("random"))?.fromBegin).toBe(false);
  expect(nearlySame(estimate(2.9), request())).toBe(null);
  expect(nearlySame(estimate(6, [{ path: "/params/options/clipStart", message: "", code: null, params: null }]), request("random"))).toBe(null);
  expect(nearlySame(estimate(6), { taskType: "baseVideoMix" })).toBe(null);
  expect(nearlySame(null, request())).toBe(null);
});

test("copies without an option that varies them are identical", () => {
  const estimate = (totalItems: number, uniqueSegments: number, mostSimilar: Pair | null = null): Estimate => ({
    estimatedDotCount: 1, totalItems, distinctCombinations: null, uniqueSegments, outputSeconds: 9, mostSimilar, warnings: [],
  });
  const copies = (...list: object[]) => ({ taskType: "videoDeduplication", params: { videoList: list, options: {} } });
  expect(identicalVideos(estimate(10, 1, pair(1, 2, 4)), [copies({ filename: "a", copies: 10 })])).toBe("all");
  expect(identicalVideos(estimate(10, 10), [copies({ filename: "a", copies: 10 })])).toBe(null);
  expect(identicalVideos(estimate(3, 2, pair(2, 3, 4)), [copies({ filename: "a" }, { filename: "b", copies: 2 })])).toBe("some");
  // Long clips have several segments, and estimates of several tasks contain no pair.
  expect(identicalVideos(estimate(2, 4, pair(1, 2, 200)), [copies({ filename: "a" }, { filename: "a" })])).toBe("some");
  expect(identicalVideos(estimate(4, 2), [copies({ filename: "a", copies: 2 }), copies({ filename: "b", copies: 2 })])).toBe("some");
  expect(identicalVideos(estimate(1, 1), [copies({ filename: "a" })])).toBe(null);

  // The pair shares its footage, but not its random values.
  const varied = (options: object) => ({ taskType: "videoDeduplication", params: { videoList: [{ filename: "a", copies: 10 }], options } });
  const shared = (options: object) => identicalVideos(estimate(10, 20, pair(1, 2, 4)), [varied(options)]);
  for (const options of Object.values(STRENGTHS)) expect(shared(options)).toBe(null);
  expect(shared({ isFilter: true })).toBe(null);
  expect(shared({ speed: { isSpeed: true } })).toBe(null);
  expect(shared({ picMask: { isMask: true, picFiles: ["a", "b"] } })).toBe(null);
  expect(shared({ colourMixing: { isMixing: true, brightnessMin: 0, brightnessMax: 0 } })).toBe(null);
  expect(shared({})).toBe("some");
  expect(shared({ isMirror: true, hueMixing: { isMixing: true, h: 20 }, speed: { isSpeed: false, start: 0.9, end: 1.1 } })).toBe("some");
  expect(shared({ zoom: { isZoom: true, minScale: 1.1, maxScale: 1.1 } })).toBe("some");
  expect(shared({ picMask: { isMask: true, picFiles: ["a"] } })).toBe("some");
  // Three speeds for ten copies.
  expect(identicalVideos(estimate(10, 3, pair(1, 2, 4)), [varied({ speed: { isSpeed: true, start: 0.9, end: 1.1 } })])).toBe("some");

  const groups = (...videos: string[][]) => ({ taskType: "baseVideoMix", params: { videoList: videos.map((urls) => ({ videos: urls.map((url) => ({ url })) })), options: {} } });
  expect(identicalVideos(estimate(2, 2, pair(1, 2, 9)), [groups(["a", "b"], ["a", "b"])])).toBe("some");
  expect(identicalVideos(estimate(2, 3, pair(1, 2, 5)), [groups(["a", "b"], ["a", "c"])])).toBe(null);
  expect(identicalVideos(estimate(2, 2, pair(1, 2, 9)), [{ ...groups(["a"], ["a"]), params: { ...groups(["a"], ["a"]).params, options: { look: "random" } } }])).toBe(null);
  expect(identicalVideos(null, [])).toBe(null);
});
