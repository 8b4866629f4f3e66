// Texts that the service speaks.

import { expect, test } from "vitest";
import "./browser";
import { groupVoices, listenedPart, noteHeard, speechPoints, spokenSeconds, voiceLength, wavSeconds } from "../src/lib/voices";

test("a text is heard as a whole, otherwise up to the end of a sentence, word or character", () => {
  expect(listenedPart("One two. Three four.", 100)).toBe("One two. Three four.");
  expect(listenedPart("One two. Three four. Five.", 22)).toBe("One two. Three four.");
  expect(listenedPart("One two three.", 9)).toBe("One two");
  expect(listenedPart("你好。再见。", 4)).toBe("你好。");
  expect(listenedPart("a".repeat(9), 4)).toBe("aaaa");
  expect([...listenedPart("🎉".repeat(501))].length).toBe(500);
  expect(listenedPart("")).toBe("");
});

test("price and length are those of the service", () => {
  expect([speechPoints("a".repeat(1001), 10), speechPoints("🎉", 1), speechPoints("a", 0)]).toEqual([11, 1, 0]);
  expect(["a".repeat(150), "字".repeat(40), "a"].map((text) => spokenSeconds(text))).toEqual([10, 10, 1]);
  expect(spokenSeconds("字".repeat(40), 2)).toBe(5);
});

test("the length of a text is known once it was heard", () => {
  const wav = new ArrayBuffer(44 + 48_000);
  new DataView(wav).setUint32(28, 32_000, true);
  expect([wavSeconds(wav), wavSeconds(new ArrayBuffer(44)), wavSeconds(new ArrayBuffer(4))]).toEqual([1.5, undefined, undefined]);
  expect(voiceLength({ text: "Hello." })).toEqual({ seconds: 1, estimated: true });
  noteHeard({ text: "Hello." }, 1.5);
  expect(voiceLength({ text: "Hello.", duration: 1.2 })).toEqual({ seconds: 1.2, estimated: false });
  expect(voiceLength({ text: "Hello.", voice: "en-gb" })?.estimated).toBe(true);
  expect([voiceLength({}), voiceLength({ text: "" }), voiceLength({ url: "other", duration: 3 })]).toEqual([null, null, { seconds: 3, estimated: true }]);
});

test("voices of the console's language come first, the others in alphabetical order", () => {
  const voice = (name: string, en: string, zh: string) => ({ name, title: { en, zh } });
  const espeak = [voice("en-us", "English (United States)", "英语（美国）"), voice("cmn", "Chinese (Mandarin)", "汉语（普通话）"), voice("yue", "Chinese (Cantonese)", "粤语"), voice("ar", "Arabic", "阿拉伯语")];
  const names = (language: "en" | "zh") => {
    const { own, others } = groupVoices(espeak, language);
    return [own, others].map((choices) => choices.map(({ title }) => title));
  };
  expect(names("en")).toEqual([["English (United States)"], ["Arabic", "Chinese (Cantonese)", "Chinese (Mandarin)"]]);
  expect(names("zh")[0]).toEqual(["汉语（普通话）", "粤语"]);
  // Names of other services keep their order.
  const { own, others } = groupVoices([{ name: "nova", title: null }, { name: "alloy", title: null }, { name: "en-US-Jenny", title: null }], "en");
  expect([own, others].map((choices) => choices.map(({ name }) => name))).toEqual([["en-US-Jenny"], ["nova", "alloy"]]);
});
