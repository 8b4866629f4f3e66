// A pool of voices with captions; each video gets one of them.

import type { ComponentChildren } from "preact";
import { hint } from "../../i18n/fields";
import { t } from "../../i18n";
import { newId } from "../../lib/draft";
import { parsePointer, setIn } from "../../lib/pointer";
import { cancelUpload } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { Captions } from "./captions";
import { FieldErrors, fieldId } from "./fields";
import { scopedPointer } from "./option-scope";
import { VoiceField } from "./spoken-text";
import { change, schemaAt, setAt, valueAt } from "./state";

const POOL = "/params/options/voicePool";
/** Large enough for phones. */
const NEW = { audio: {}, subtitle: { style: { weight: "bold" } } };

interface Voice {
  _id?: string;
}

const all = () => (valueAt(POOL) as Voice[] | undefined) ?? [];
const write = (voices: readonly Voice[]) => setAt(POOL, voices.length > 0 ? voices : undefined);

/** Removes a voice and moves the pending uploads of the following voices. */
function remove(index: number): void {
  const at = scopedPointer(POOL);
  change((before) => {
    const uploads = Object.entries(before._uploads ?? {}).flatMap(([pointer, job]) => {
      const [, place, rest] = pointer.startsWith(`${at}/`) ? /^(\d+)(.*)$/.exec(pointer.slice(at.length + 1)) ?? [] : [];
      if (place === undefined || Number(place) < index) return [[pointer, job] as const];
      if (Number(place) === index) return (cancelUpload(job), []);
      return [[`${at}/${Number(place) - 1}${rest}`, job] as const];
    });
    const rest = all().filter((_, place) => place !== index);
    const next = setIn(before, parsePointer(at), rest.length > 0 ? rest : undefined);
    return before._uploads === undefined ? next : { ...next, _uploads: Object.fromEntries(uploads) };
  });
}

export function VoicePool({ controls, styles }: {
  controls: (pointers: readonly string[]) => ComponentChildren; styles: (pointer: string) => readonly string[];
}) {
  const voices = all();
  const most = schemaAt(POOL).maxItems ?? 100;
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{t("voices.title")}</span></legend>
      <p class="hint">{hint(POOL) ?? t("voices.hint")}</p>
      {voices.map((voice, index) => {
        const at = `${POOL}/${index}`;
        const name = t("voices.n", { n: index + 1 });
        return (
          <div key={voice._id ?? index} class="toggled on overlay" role="group" aria-label={name}>
            <div class="overlay-head">
              <b>{name}</b>
              <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={() => remove(index)} />
            </div>
            <FieldErrors pointer={at} />
            <VoiceField pointer={`${at}/audio`} />
            <details class="overlay-style">
              <summary>{t("file.more")}</summary>
              {controls(["start", "volume", "duration", "fadeIn", "fadeOut"].map((member) => `${at}/audio/${member}`))}
            </details>
            <details class="overlay-style">
              <summary>{t("voices.captions")}</summary>
              <Captions pointer={`${at}/subtitle`} voice={`${at}/audio`} controls={controls} styles={styles(`${at}/subtitle`)} />
            </details>
          </div>
        );
      })}
      <FieldErrors pointer={POOL} />
      {voices.length < most && (
        <Button icon="mic" id={fieldId(POOL)} onClick={() => write([...all(), { _id: newId(), ...NEW } as Voice])}>{t("voices.add")}</Button>
      )}
    </fieldset>
  );
}
