// The values of a brand in a draft.

import { expect, test } from "vitest";
import "./browser";
import type { Brand } from "../src/lib/brand";
import { emptyDraft, fromRequest, toRequest } from "../src/lib/draft";
import { withBrand } from "../src/pages/new/use-brand";

const NONE: Brand = { logo: null, fonts: [], colors: [], intro: null, outro: null, captionPreset: null, updateTime: null };
const pathOf = (option: string) => ["params", "options", ...option.split("/")];

test("a brand sets only what it has, and only once", () => {
  const draft = emptyDraft("baseVideoMix");
  expect(withBrand(draft, NONE, pathOf)).toEqual({ draft, parts: [] });
  const first = withBrand(draft, { ...NONE, logo: "upload://l", intro: "upload://i" }, pathOf);
  expect(first.parts).toEqual(["logo", "intro"]);
  const options = (toRequest(first.draft).params as { options: Record<string, unknown> }).options;
  expect(options).toEqual({ overlays: [{ type: "image", enter: "fade", leave: "fade", url: "upload://l", place: "top-right", width: 18 }], introPool: [{ url: "upload://i" }] });
  expect(withBrand(first.draft, { ...NONE, logo: "upload://l", intro: "upload://i" }, pathOf).parts).toEqual([]);
});

test("a caption style of the brand replaces the other settings, and keeps chosen fonts of texts", () => {
  const draft = fromRequest({ taskType: "baseVideoMix", params: { videoList: [], options: {
    subtitle: { text: "Hi", style: { weight: "bold", bottom: 80 } }, overlays: [{ type: "text", text: "A", style: { font: "noto-serif" } }, { type: "text", text: "B" }] } } });
  const { draft: next, parts } = withBrand(draft, { ...NONE, fonts: ["upload://f", "upload://g"], captionPreset: "clean" }, pathOf);
  expect(parts).toEqual(["captions", "font"]);
  const { options } = toRequest(next).params as { options: { subtitle: unknown; overlays: unknown } };
  expect(options.subtitle).toEqual({ text: "Hi", style: { bottom: 80, preset: "clean", font: "upload://f" } });
  expect(options.overlays).toEqual([{ type: "text", text: "A", style: { font: "noto-serif" } }, { type: "text", text: "B", style: { font: "upload://f" } }]);
});

test("a full list of overlays gets no logo", () => {
  const overlays = Array.from({ length: 3 }, (_, n) => ({ type: "text", text: String(n) }));
  const draft = fromRequest({ taskType: "baseVideoMix", params: { videoList: [], options: { overlays } } });
  expect(withBrand(draft, { ...NONE, logo: "upload://l" }, pathOf, 3).parts).toEqual([]);
});
