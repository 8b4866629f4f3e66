// Overlays: images, videos and texts over the clips, the same for all videos or different for each.

import type { ComponentChildren } from "preact";
import { choice, hint, label, wordsOf } from "../../i18n/fields";
import { t } from "../../i18n";
import { nameOf } from "../../lib/media";
import { Button } from "../../ui/basic";
import { ColourField, described, Field, FieldErrors, fieldId, NumberField, PlainSwitch, SelectField } from "./fields";
import { AddFiles } from "./files";
import { schemaAt, setAt, valueAt } from "./state";

const OVERLAYS = "/params/options/overlays";
/** In a request, overlays neither appear nor disappear gradually by default. */
const MOTION = { enter: "fade", leave: "fade" };
/** An image in the upper right corner, in its default size. */
export const LOGO = { type: "image", ...MOTION };
const MAX_VIDEOS = 3;
const GREEN = "#00B140";
export const TITLE = { weight: "bold", fontSize: 18, magnification: 3.5 };
/** Caption style fields that do not apply to overlays: position, words and motion. */
export const OF_CAPTIONS = ["bottom", "place", "highlight", "words", "motion", "maxWords", "maxWidth"];

interface Overlay {
  type?: string;
  url?: string;
  text?: string;
  texts?: string[];
  place?: string | { x?: number; y?: number };
  key?: object;
}

const all = () => (valueAt(OVERLAYS) as Overlay[] | undefined) ?? [];
const write = (overlays: readonly Overlay[]) => setAt(OVERLAYS, overlays.length > 0 ? overlays : undefined);

/** `controls` renders the fields at the given pointers. */
export function Overlays({ controls }: { controls: (pointers: readonly string[]) => ComponentChildren }) {
  const overlays = all();
  const most = schemaAt(OVERLAYS).maxItems ?? 20;
  const videos = overlays.filter((overlay) => overlay.type === "video").length;
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{label(OVERLAYS)}</span></legend>
      <p class="hint">{hint(OVERLAYS)}</p>
      {overlays.map((overlay, index) => <Card key={index} overlay={overlay} index={index} controls={controls} />)}
      <FieldErrors pointer={OVERLAYS} />
      {overlays.length < most && (
        <div class="overlay-add">
          <AddFiles id={fieldId(OVERLAYS)} list={OVERLAYS} name={t("overlays.image")} choice={t("overlays.image")} accept="picture" entry={LOGO} />
          {videos < MAX_VIDEOS && <AddFiles id={`${fieldId(OVERLAYS)}-video`} list={OVERLAYS} name={t("overlays.video")} choice={t("overlays.video")} accept="layer" entry={{ type: "video", ...MOTION }} />}
          <Button icon="text" onClick={() => write([...all(), { type: "text", style: TITLE, ...MOTION } as Overlay])}>{t("overlays.text")}</Button>
        </div>
      )}
    </fieldset>
  );
}

function Card({ overlay, index, controls }: {
  overlay: Overlay; index: number; controls: (pointers: readonly string[]) => ComponentChildren;
}) {
  const pointer = `${OVERLAYS}/${index}`;
  const isText = overlay.type === "text";
  const isVideo = overlay.type === "video";
  const name = isText ? (overlay.text ?? overlay.texts?.[0] ?? t("overlays.text")) : nameOf(overlay.url ?? "");
  const at = (...names: string[]) => names.map((member) => `${pointer}/${member}`);
  const style = Object.keys(schemaAt(`${pointer}/style`).properties ?? {}).filter((member) => !OF_CAPTIONS.includes(member));
  return (
    <div class="toggled on overlay" role="group" aria-label={name}>
      <div class="overlay-head">
        <b>{name}</b>
        <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={() => write(all().filter((_, place) => place !== index))} />
      </div>
      <FieldErrors pointer={pointer} />
      {isText ? <Words pointer={pointer} overlay={overlay} /> : <FieldErrors pointer={`${pointer}/url`} />}
      <PlaceField pointer={`${pointer}/place`} usual={isText ? "middle" : "top-right"} />
      {controls([...(isText ? at("maxWidth") : at("width", "opacity")), ...at("margin", "start", "end"), ...(isVideo ? at("volume", "loop") : [])])}
      {isVideo && <GreenScreen pointer={`${pointer}/key`} />}
      <Motion pointer={pointer} name="enter" />
      <Motion pointer={pointer} name="leave" />
      {isText && (
        <details class="overlay-style">
          <summary>{t("overlays.style")}</summary>
          {controls(style.map((member) => `${pointer}/style/${member}`))}
        </details>
      )}
    </div>
  );
}

/** One text for all videos, or one line per video. */
function Words({ pointer, overlay }: { pointer: string; overlay: Overlay }) {
  const several = overlay.texts !== undefined;
  const field = `${pointer}/${several ? "texts" : "text"}`;
  const value = several ? (overlay.texts ?? []).join("\n") : (overlay.text ?? "");
  const set = (text: string) => setAt(field, several ? text.split("\n") : text === "" ? undefined : text);
  const change = (isSeveral: boolean) => {
    setAt(`${pointer}/text`, isSeveral || value === "" ? undefined : value);
    setAt(`${pointer}/texts`, isSeveral ? value.split("\n") : undefined);
  };
  return (
    <>
      <Field pointer={field}>
        <textarea id={fieldId(field)} class="input" rows={several ? 4 : 2} value={value} {...described(field, false)}
          onInput={(event) => set(event.currentTarget.value)} />
      </Field>
      {several && (overlay.texts ?? []).map((_, line) => <FieldErrors key={line} pointer={`${field}/${line}`} />)}
      <PlainSwitch pointer={`${pointer}/texts`} on={several} word={t("overlays.several", { name: label(`${pointer}/texts`) })} set={change} />
    </>
  );
}

/** The colour of a video that becomes transparent. */
function GreenScreen({ pointer }: { pointer: string }) {
  const on = valueAt(pointer) !== undefined;
  return (
    <div class="toggled">
      <PlainSwitch pointer={pointer} on={on} set={(isOn) => setAt(pointer, isOn ? { color: GREEN } : undefined)} />
      {on && (
        <div class="grid-fields">
          <ColourField pointer={`${pointer}/color`} opaque />
          <NumberField pointer={`${pointer}/tolerance`} />
          <NumberField pointer={`${pointer}/softness`} />
        </div>
      )}
      <FieldErrors pointer={pointer} />
    </div>
  );
}

/** How an overlay appears or disappears, and for how long. */
function Motion({ pointer, name }: { pointer: string; name: "enter" | "leave" }) {
  const at = `${pointer}/${name}`;
  const hasMotion = (valueAt(at) ?? "none") !== "none";
  return (
    <div class="grid-fields" role="group" aria-label={label(at)}>
      <SelectField pointer={at} />
      {hasMotion && <NumberField pointer={`${at}Seconds`} />}
    </div>
  );
}

/** Position: a corner, an edge, the middle, or a point. */
function PlaceField({ pointer, usual }: { pointer: string; usual: string }) {
  const value = valueAt(pointer) as Overlay["place"];
  const isFree = value !== undefined && typeof value !== "string";
  const selected = isFree ? "free" : ((value as string | undefined) ?? usual);
  return (
    <>
      <Field pointer={pointer}>
        <select id={fieldId(pointer)} class="input" value={selected} {...described(pointer, false)}
          onChange={(event) => setAt(pointer, event.currentTarget.value === "free" ? { x: 50, y: 50 } : event.currentTarget.value)}>
          {Object.keys(wordsOf(pointer).words ?? {}).map((name) => <option key={name} value={name}>{choice(pointer, name)}</option>)}
          <option value="free">{t("overlays.free")}</option>
        </select>
      </Field>
      {isFree && <div class="grid-fields"><NumberField pointer={`${pointer}/x`} /><NumberField pointer={`${pointer}/y`} /></div>}
    </>
  );
}
