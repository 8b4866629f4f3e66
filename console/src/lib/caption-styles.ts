// Named caption styles. The renderer produces their preview images (src/assets/captions); see
// console/tools/caption-pictures.mjs.

export interface CaptionStyle {
  name: string;
  title: readonly [en: string, zh: string];
  style: Readonly<Record<string, unknown>>;
}

export const CAPTION_STYLES: readonly CaptionStyle[] = [
  { name: "clear", title: ["Clear", "清晰"], style: { weight: "bold" } },
  { name: "large", title: ["Large", "大字"], style: { weight: "bold", fontSize: 18, magnification: 3, outlineColor: "#000000", place: "lower-third" } },
  { name: "box", title: ["Box", "底框"], style: { weight: "bold", backColor: "#000000B3", radius: 20 } },
  { name: "label", title: ["Label", "白色标签"], style: { weight: "bold", fontColor: "#16161D", backColor: "#FFFFFFF2", radius: 60 } },
  { name: "sun", title: ["Sun", "明黄"], style: { weight: "bold", fontSize: 18, fontColor: "#FFE14A", outlineColor: "#1A1200", shadow: 6 } },
  { name: "spoken", title: ["Word by word", "逐字高亮"], style: { weight: "bold", fontSize: 18, outlineColor: "#000000", place: "lower-third", highlight: { color: "#FFD400" } } },
  { name: "spoken-box", title: ["Word by word, box", "逐字高亮底框"], style: { weight: "bold", fontSize: 16, backColor: "#0B1B2BCC", radius: 30, place: "lower-third", highlight: { color: "#5CE1A9" } } },
  { name: "news", title: ["News", "新闻"], style: { weight: "bold", backColor: "#C81E2EE6", radius: 8, place: "top" } },
  { name: "headline", title: ["Headline", "大标题"], style: { weight: "bold", fontSize: 18, magnification: 4, outlineColor: "#000000", shadow: 8, place: "middle" } },
  { name: "quiet", title: ["Quiet", "轻柔"], style: { fontSize: 13, shadow: 8 } },
];

/** Settings that a style replaces. The font and the distance from the edge are kept. */
const OWNED = ["fontSize", "fontColor", "outlineColor", "backColor", "magnification", "weight", "place", "shadow", "radius", "highlight"];

export function applyStyle(before: Readonly<Record<string, unknown>>, style: CaptionStyle): Record<string, unknown> {
  return { ...Object.fromEntries(Object.entries(before).filter(([name]) => !OWNED.includes(name))), ...style.style };
}

/** The name of the style with these settings, if there is one. */
export function styleName(settings: Readonly<Record<string, unknown>>): string | undefined {
  const own = (of: Readonly<Record<string, unknown>>) => JSON.stringify(OWNED.map((name) => of[name] ?? null));
  return CAPTION_STYLES.find(({ style }) => own(style) === own(settings))?.name;
}
