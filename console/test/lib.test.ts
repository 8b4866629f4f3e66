import { describe, expect, test } from "vitest";
import { localLink } from "../src/lib/api";
import { joinColour, splitColour } from "../src/lib/colour";
import { bytes, clock } from "../src/lib/format";
import { getIn, kindOf, parsePointer, setIn, toPointer } from "../src/lib/pointer";
import { preferredLanguage } from "../src/lib/prefs";
import { fieldAt, onGrid } from "../src/lib/schema";
import { EventStreamParser } from "../src/lib/sse";
import { byDay, niceTop } from "../src/lib/usage";
import { visibleRows } from "../src/lib/visible-rows";
import { linksIn } from "../src/pages/new/link-dialog";
import { parseFilters } from "../src/lib/task-filters";
import { parsePlace } from "../src/router";
import { fill } from "../src/i18n";

test("pointers are read and written", () => {
  expect(parsePointer("/a~1b/0/m~0n")).toEqual(["a/b", "0", "m~n"]);
  expect(toPointer(["a/b", 0, "m~n"])).toBe("/a~1b/0/m~0n");
  expect(parsePointer("")).toEqual([]);
  expect(kindOf("/params/videoList/12/videos/0/url")).toBe("/params/videoList/*/videos/*/url");
  const before = { a: [{ b: 1 }, { b: 2 }], c: {} };
  const after = setIn(before, ["a", 1, "b"], 3);
  expect([getIn(after, ["a", 1, "b"]), after.a[0] === before.a[0], before.a[1]?.b]).toEqual([3, true, 2]);
  expect(setIn({ a: { b: 1 } }, ["a", "b"], undefined)).toEqual({ a: {} });
  expect(setIn<unknown>({}, ["a", "b"], 1)).toEqual({ a: { b: 1 } });
});

describe("live events", () => {
  const text = ": hello\n\nid: 1\nevent: state\ndata: {\"a\":1}\n\nid: 2\r\ndata: x\r\ndata: y\r\n\r\n";
  const expected = [{ id: "1", event: "state", data: "{\"a\":1}" }, { id: "2", event: "message", data: "x\ny" }];
  test("whole", () => expect(new EventStreamParser().push(text)).toEqual(expected));
  test("cut anywhere", () => {
    for (let size = 1; size < 12; size += 1) {
      const parser = new EventStreamParser();
      const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(expected);
    }
  });
});

test.each([
  [0, 100, 0, 500, [0, 0]], [10, 100, 0, 500, [0, 9]], [1000, 100, 50_000, 500, [496, 509]], [10, 100, 99_999, 500, [9, 10]],
])("%i rows of %i px, scrolled by %i in %i", (rows, height, scrolled, view, [first, end]) => {
  const part = visibleRows(rows, height, scrolled, view);
  expect([part.first, part.end]).toEqual([first, end]);
  expect(part.before + part.after + (part.end - part.first) * height).toBe(rows * height);
});

test("fields are found by pointer, and values are rounded to the step", () => {
  const root = { properties: { list: { items: { properties: { n: { "x-step": 0.1 } } } } } };
  expect(fieldAt(root, "/list/7/n")).toEqual({ "x-step": 0.1 });
  expect(fieldAt(root, "/none/n")).toEqual({});
  expect([onGrid({ "x-step": 0.1 }, 0.30000000000000004), onGrid({ type: "integer" }, 2.6), onGrid({}, 1.234)]).toEqual([0.3, 3, 1.23]);
});

test("points are summed by day, settlements only", () => {
  const today = new Date(2026, 2, 10, 15);
  const record = (type: string, amount: number, date: Date) => ({ type, amount, createTime: date.toISOString() }) as never;
  const days = byDay([record("settle", 3, today), record("settle", 4, new Date(2026, 2, 10, 0, 1)), record("hold", 9, today), record("settle", 5, new Date(2026, 2, 8, 23, 59)),
    record("settle", 7, new Date(2026, 1, 1))], 3, today);
  expect(days.map((day) => [day.points, day.outputs])).toEqual([[5, 1], [0, 0], [7, 2]]);
  expect([0, 7, 12, 480, 1000].map(niceTop)).toEqual([5, 10, 20, 500, 1000]);
});

test("words", () => {
  expect(fill("{n} {n|clip|clips} of {who}", { n: 1, who: "ann" })).toBe("1 clip of ann");
  expect(fill("{n} {n|clip|clips}", { n: 1200 })).toBe("1,200 clips");
  expect(fill("{unknown}")).toBe("{unknown}");
  expect([preferredLanguage(null, ["fr", "zh-TW", "en"]), preferredLanguage(null, ["de"]), preferredLanguage("en", ["zh"])]).toEqual(["zh", "en", "en"]);
  expect([clock(7.6), clock(3725), bytes(999), bytes(1_433_351)]).toEqual(["0:08", "1:02:05", "999 B", "1.4 MB"]);
});

test("colours", () => {
  expect(splitColour("#fa0")).toEqual({ rgb: "#ffaa00", alpha: 255 });
  expect(splitColour("#10203040")).toEqual({ rgb: "#102030", alpha: 64 });
  expect([joinColour("#102030", 64), joinColour("#102030", 255), joinColour("#102030", 999)]).toEqual(["#10203040", "#102030", "#102030"]);
});

test("links to the service use this origin, others are unchanged", () => {
  expect(localLink("http://inside:8080/files/VP1/1.mp4?signature=x")).toBe("/files/VP1/1.mp4?signature=x");
  expect(localLink("https://bucket.example/files/VP1.mp4?x=1")).toBe("https://bucket.example/files/VP1.mp4?x=1");
});

test("addresses", () => {
  expect(parsePlace("/console/tasks/VP1", "?video=2").parts).toEqual(["tasks", "VP1"]);
  expect(parsePlace("/console", "").parts).toEqual([]);
  expect(parsePlace("/console/%E0%A4%A", "").parts).toEqual(["%E0%A4%A"]);
});

test("links are separated by lines or spaces, and keep inner spaces", () => {
  expect(linksIn(" https://a/my clip.mp4 \r\n\nupload://b https://c")).toEqual(["https://a/my clip.mp4", "upload://b", "https://c"]);
  expect(linksIn("result://VP1/1 result://VP1/2")).toEqual(["result://VP1/1", "result://VP1/2"]);
  expect(linksIn(" \n ")).toEqual([]);
});

test("invalid filters of a list are ignored", () => {
  const of = (text: string) => parseFilters(new URLSearchParams(text));
  expect(of("status=3&type=proVideoMix&page=4")).toMatchObject({ status: "3", taskType: "proVideoMix", pageNo: 4 });
  for (const page of ["-1", "0", "x", "1e99", "NaN"]) expect(of(`status=9&type=none&page=${page}`)).toMatchObject({ status: "", taskType: "", pageNo: 1 });
});
