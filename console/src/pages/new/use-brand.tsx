// Applies the user's brand to the task with one click, as one undo step.

import { useEffect } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { brand, hasBrand, loadBrand, type Brand } from "../../lib/brand";
import { withPreset, type Style } from "../../lib/caption-styles";
import type { Draft } from "../../lib/draft";
import { getIn, parsePointer, setIn } from "../../lib/pointer";
import { link } from "../../router";
import { Button } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { toast } from "../../ui/toast";
import { BRAND_COLOURS } from "./fields";
import { scopedPointer } from "./option-scope";
import { LOGO } from "./overlays";
import { change, draft, schemaAt } from "./state";

const O = "/params/options";
/** In percent of the video's width. */
const LOGO_WIDTH = 18;

type Part = "logo" | "font" | "captions" | "intro" | "outro";
interface Overlay {
  type?: string;
  url?: string;
  style?: Style;
}

/** The draft with the brand's values, and the values that were not in it before. */
export function withBrand(before: Draft, { logo, fonts, captionPreset, intro, outro }: Brand, pathOf: (option: string) => (string | number)[], most = 20): { draft: Draft; parts: Part[] } {
  let next = before;
  const parts: Part[] = [];
  const apply = (part: Part, option: string, value: unknown) => {
    const changed = setIn(next, pathOf(option), value);
    if (JSON.stringify(getIn(next, pathOf(option))) === JSON.stringify(value)) return;
    next = changed;
    parts.push(part);
  };
  const style = (getIn(next, pathOf("subtitle/style")) ?? {}) as Style;
  if (captionPreset !== null && style.preset !== captionPreset) apply("captions", "subtitle/style", withPreset(style, captionPreset));
  const overlays = () => (getIn(next, pathOf("overlays")) as Overlay[] | undefined) ?? [];
  const [font] = fonts;
  if (font !== undefined) {
    apply("font", "subtitle/style/font", font);
    const texts = overlays().map((overlay) => (overlay.type === "text" && overlay.style?.font === undefined ? { ...overlay, style: { ...overlay.style, font } } : overlay));
    if (texts.some((text, place) => text !== overlays()[place])) next = setIn(next, pathOf("overlays"), texts);
  }
  if (logo !== null && overlays().length < most && !overlays().some(({ url }) => url === logo)) {
    apply("logo", "overlays", [...overlays(), { ...LOGO, url: logo, place: "top-right", width: LOGO_WIDTH }]);
  }
  if (intro !== null) apply("intro", "introPool", [{ url: intro }]);
  if (outro !== null) apply("outro", "outroPool", [{ url: outro }]);
  return { draft: next, parts };
}

const pathOf = (option: string) => parsePointer(scopedPointer(`${O}/${option}`));

function useIt(mine: Brand): void {
  const { draft: next, parts } = withBrand(draft.value, mine, pathOf, schemaAt(`${O}/overlays`).maxItems);
  change(() => next);
  if (parts.length === 0) toast("info", t("brand.used.none"));
  else toast("good", t("brand.used", { parts: parts.map((part) => t(`brand.part.${part}` as Word)).join(t("brand.separator")) }));
}

export function UseBrand() {
  // Without the brand, the page is complete.
  useEffect(() => void loadBrand().catch(() => undefined), []);
  const mine = brand.value;
  const takesBrand = schemaAt(`${O}/overlays`).type !== undefined;
  return (
    <>
      {mine && takesBrand && (hasBrand(mine) ? <Button icon="palette" onClick={() => useIt(mine)}>{t("brand.use")}</Button>
        : <a class="button quiet" {...link("/brand")}><Icon name="palette" /><span>{t("brand.setup")}</span></a>)}
      <datalist id={BRAND_COLOURS}>{(mine?.colors ?? []).map((colour) => <option key={colour} value={colour.slice(0, 7)} />)}</datalist>
    </>
  );
}
