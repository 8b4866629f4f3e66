import { describe, expect, test } from "vitest";
import "./browser";
import { PLAIN, presetValue, withPreset } from "../src/lib/caption-styles";
import { captionStyles } from "../src/lib/catalogue";
import { splitIntoCues, decodeCaptions, cueError, newCue, NoCaptions, readCaptions, shiftCues, formatTime, cueTime, parseTime, writeCaptions, type Cue } from "../src/lib/captions";

const bare = (cues: readonly Cue[]) => cues.map(({ start, end, text }) => [start, end, text]);

describe("files are parsed", () => {
  const cases: [string, string, [number, number, string][]][] = [
    ["srt", "1\r\n00:00:01,000 --> 00:00:02,500\r\nOne\r\ntwo\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nThree\r\n", [[1, 2.5, "One\ntwo"], [3, 4, "Three"]]],
    ["no empty line between", "1\n00:00:01,000 --> 00:00:02,000\nOne\n2\n00:00:02,000 --> 00:00:03,000\nTwo", [[1, 2, "One"], [2, 3, "Two"]]],
    ["no numbers, out of order, a mark at the beginning", "\uFEFF00:00:05,000-->00:00:06,000\nB\n\n0:01,5 --> 0:02\nA", [[1.5, 2, "A"], [5, 6, "B"]]],
    ["an empty line in a text", "1\n00:00:01,000 --> 00:00:02,000\nOne\n\nmore\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo", [[1, 2, "One\n\nmore"], [3, 4, "Two"]]],
    ["vtt", "WEBVTT - a title\n\nNOTE nothing\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Ann>Hello <00:01.500>you\n\nSTYLE\n::cue {}\n", [[1, 2, "<v Ann>Hello <00:01.500>you"]]],
    ["a number as text", "1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:02,000 --> 00:00:03,000\nB", [[1, 2, "42"], [2, 3, "B"]]],
    ["hours", "100:00:00,000 --> 100:00:01,000\nLate", [[360_000, 360_001, "Late"]]],
    ["nothing said", "1\n00:00:01,000 --> 00:00:02,000\n\n2\n00:00:02,000 --> 00:00:03,000\nB", [[2, 3, "B"]]],
  ];
  test.each(cases)("%s", (_, file, expected) => expect(bare(readCaptions(file).cues)).toEqual(expected));

  test.each(["", "just words", "a --> b", "WEBVTT\n"])("%j has none", (file) => expect(() => readCaptions(file)).toThrow(NoCaptions));

  test("in any encoding", () => {
    const bytes = (...list: number[]) => new Uint8Array(list).buffer;
    expect(decodeCaptions(bytes(0xff, 0xfe, 0x4b, 0x6d))).toContain("测");
    expect(decodeCaptions(bytes(0xd6, 0xd0, 0xce, 0xc4))).toBe("中文");
    expect(decodeCaptions(new TextEncoder().encode("中文").buffer as ArrayBuffer)).toBe("中文");
  });
});

describe("written files parse to the same captions", () => {
  const cues = [newCue(3661.5, 3662.25, "Second\n\n line "), newCue(0, 1.001, "First --> here"), newCue(5, 5, "never"), newCue(6, 7, "  ")];
  test("srt", () => {
    const text = writeCaptions({ cues, format: "srt" });
    expect(text).toBe("1\n00:00:00,000 --> 00:00:01,001\nFirst → here\n\n2\n01:01:01,500 --> 01:01:02,250\nSecond\nline\n");
    expect(writeCaptions({ ...readCaptions(text) })).toBe(text);
  });
  test("vtt with word timestamps, which srt does not have", () => {
    const timed = { cues: [newCue(1, 2, "One <00:00:01.500>two")], format: "vtt" as const };
    expect(writeCaptions(timed)).toBe("WEBVTT\n\n1\n00:00:01.000 --> 00:00:02.000\nOne <00:00:01.500>two\n");
    expect(writeCaptions(timed, "srt")).toContain("One two");
    expect(readCaptions(writeCaptions(timed)).format).toBe("vtt");
  });
  test("captions without text give no file", () => {
    expect(writeCaptions({ cues: [newCue(1, 1, "x")], format: "vtt" })).toBe("");
    expect([cueError(newCue(1, 1)), cueError(newCue(2, 1)), cueError(newCue(0, 1))]).toEqual(["times", "times", null]);
    expect(cueTime(0.9996, ",")).toBe("00:00:01,000");
  });
});

describe("plain text becomes captions", () => {
  test("one per line and sentence, in order, without gaps", () => {
    const cues = splitIntoCues("Hello there. How are you?\n\nFine!");
    expect(cues.map((cue) => cue.text)).toEqual(["Hello there.", "How are you?", "Fine!"]);
    expect(cues.every((cue, place) => cue.start === (cues[place - 1]?.end ?? 0) && cue.end - cue.start >= 1)).toBe(true);
  });
  test("spread over a length in proportion to the text", () => {
    const cues = splitIntoCues("Short one here\nA line that is about twice as long", 30);
    expect(cues.at(-1)?.end).toBe(30);
    expect(cues[1]!.end - cues[1]!.start).toBeGreaterThan(1.5 * (cues[0]!.end - cues[0]!.start));
  });
  test("long ones are split without loss", () => {
    const text = "When the long winter had gone at last, everybody in the small town by the sea went out to look at the water and the boats";
    const parts = splitIntoCues(text).map((cue) => cue.text);
    expect(parts.join(" ")).toBe(text);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThanOrEqual(42);
    const chinese = "春天来了，小镇上的每一个人都走出家门，去看海边的船和水。我们也去了！";
    const lines = splitIntoCues(chinese).map((cue) => cue.text);
    expect(lines.join("")).toBe(chinese);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(17);
    const unparted = "字".repeat(40);
    expect(splitIntoCues(unparted).map((cue) => cue.text).join("")).toBe(unparted);
    expect(splitIntoCues(unparted).length).toBeGreaterThan(2);
  });
  test("blank text gives no captions", () => expect(splitIntoCues(" \n\n ")).toEqual([]));
});

test("times are parsed and formatted", () => {
  expect(["7", "7.5", "1:02.5", "1:02:03", "7,25", "0:00.00"].map(parseTime)).toEqual([7, 7.5, 62.5, 3723, 7.25, 0]);
  expect(["", "x", "1:", "-3", "1:2:3:4"].map(parseTime)).toEqual([null, null, null, null, null]);
  expect([0, 62.5, 59.999, 3600].map(formatTime)).toEqual(["0:00.00", "1:02.50", "1:00.00", "60:00.00"]);
  expect(bare(shiftCues([newCue(1, 2, "a")], -1.5))).toEqual([[0, 0.5, "a"]]);
});

test("a named style replaces the previous one, and keeps font and distance", () => {
  const before = { ...PLAIN, fontSize: 18, highlight: { color: "#FFD400" }, font: "noto-serif", bottom: 90 };
  expect(withPreset(before, "neon")).toEqual({ preset: "neon", font: "noto-serif", bottom: 90 });
  expect(withPreset({ preset: "neon", shadow: 3, bottom: 90 }, null)).toEqual({ ...PLAIN, bottom: 90 });
});

test("the values of a named style are the defaults of its fields", () => {
  const title = { en: "", zh: "" };
  captionStyles.value = [{ name: "neon", title, description: title, previewUrl: "/neon.webp", style: { fontSize: 18, uppercase: true, highlight: { color: "#0FF" } } }];
  const style = "/params/options/subtitle/style";
  const value = (field: string, preset: string | undefined) => presetValue(`${style}/${field}`, (at) => (at === `${style}/preset` ? preset : undefined));
  expect([value("fontSize", "neon"), value("highlight/color", "neon"), value("uppercase", "neon")]).toEqual([18, "#0FF", true]);
  expect([value("shadow", "neon"), value("highlight/box", "neon"), value("fontSize", undefined), value("fontSize", "other")]).toEqual(Array(4).fill(undefined));
  expect(presetValue("/params/options/fps", () => "neon")).toBeUndefined();
});
