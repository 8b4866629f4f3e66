// Named caption styles: the service's catalogue, and the effect of a choice on the other settings.

import { captionStyles } from "./catalogue";
import { getIn, parsePointer } from "./pointer";

export type Style = Readonly<Record<string, unknown>>;

/** Settings that a choice keeps: the font and the distance from the edge. */
const KEPT = ["font", "bottom"];
/** Readable on phones. */
export const PLAIN: Style = { weight: "bold" };

/** The style after a choice; all other settings would override those of the preset. Null chooses plain captions. */
export function withPreset(before: Style, preset: string | null): Style {
  const kept = Object.fromEntries(Object.entries(before).filter(([name]) => KEPT.includes(name)));
  return { ...kept, ...(preset === null ? PLAIN : { preset }) };
}

/** The value of a style's field that its preset sets. `pointer` is that of the field, `valueAt` reads the draft. */
export function presetValue(pointer: string, valueAt: (pointer: string) => unknown): unknown {
  const [, style = "", field = ""] = /^(.*\/style)(\/.+)$/.exec(pointer) ?? [];
  const preset = style === "" ? undefined : valueAt(`${style}/preset`);
  if (preset === undefined) return undefined;
  const entry = captionStyles.value?.find(({ name }) => name === preset);
  return entry === undefined ? undefined : getIn(entry.style, parsePointer(field));
}
