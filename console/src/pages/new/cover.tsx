// The cover of the videos: chosen by the service, a frame or an image, with or without a title.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { hint, label } from "../../i18n/fields";
import { t, type Word } from "../../i18n";
import { described, Field, FieldErrors, fieldId, OptionalNumber } from "./fields";
import { dropUpload, FileField, isUploading } from "./files";
import { OF_CAPTIONS, TITLE } from "./overlays";
import { schemaAt, setAt, valueAt } from "./state";

const COVER = "/params/options/cover";
const AT = `${COVER}/at`;
const URL = `${COVER}/url`;
const KINDS = ["auto", "at", "url"] as const;
type Kind = (typeof KINDS)[number];
/** Later than a fade from black. */
const FIRST_SECOND = 1;

/** `controls` renders the fields at the given pointers. */
export function Cover({ controls }: { controls: (pointers: readonly string[]) => ComponentChildren }) {
  const [picked, setPicked] = useState<Kind>("auto");
  const hasImage = valueAt(URL) !== undefined || isUploading(URL);
  const kind = hasImage ? "url" : valueAt(AT) !== undefined ? "at" : picked;
  const choose = (next: Kind) => {
    setPicked(next);
    dropUpload(URL);
    const { at: _, url: __, ...rest } = (valueAt(COVER) as Record<string, unknown> | undefined) ?? {};
    setAt(COVER, { ...rest, ...(next === "at" ? { at: FIRST_SECOND } : {}) });
  };
  return (
    <fieldset class="field cover">
      <legend class="field-head"><span>{label(COVER)}</span></legend>
      <p class="hint">{hint(COVER)}</p>
      <div class="segments" id={fieldId(COVER)} tabIndex={-1}>
        {KINDS.map((one) => (
          <label key={one} class={one === kind ? "on" : ""}>
            <input type="radio" name={COVER} checked={one === kind} onChange={() => choose(one)} />
            <span>{t(`cover.${one}` as Word)}</span>
          </label>
        ))}
      </div>
      {kind === "at" && <OptionalNumber pointer={AT} />}
      {kind === "url" && <FileField pointer={URL} accept="picture" />}
      <Title controls={controls} />
      <FieldErrors pointer={COVER} />
    </fieldset>
  );
}

function Title({ controls }: { controls: (pointers: readonly string[]) => ComponentChildren }) {
  const pointer = `${COVER}/title`;
  const text = `${pointer}/text`;
  const value = valueAt(text) as string | undefined;
  const style = Object.keys(schemaAt(`${pointer}/style`).properties ?? {}).filter((member) => !OF_CAPTIONS.includes(member));
  const set = (next: string) => {
    if (valueAt(`${pointer}/style`) === undefined) setAt(pointer, { text: next, style: TITLE });
    else setAt(text, next === "" ? undefined : next);
  };
  return (
    <>
      <Field pointer={text} title={label(pointer)}>
        <textarea id={fieldId(text)} class="input" rows={2} value={value ?? ""} maxLength={schemaAt(text).maxLength} {...described(text, false)}
          onInput={(event) => set(event.currentTarget.value)} />
      </Field>
      {value !== undefined && value !== "" && (
        <details class="overlay-style">
          <summary>{t("overlays.style")}</summary>
          {controls(style.map((member) => `${pointer}/style/${member}`))}
        </details>
      )}
    </>
  );
}
