// A voice: a file, or a text that the speech service speaks, with its voice and speed, to listen to before it costs more.

import { language } from "../../lib/prefs";
import { t } from "../../i18n";
import { hint } from "../../i18n/fields";
import { ApiFailure, api, LISTENED_TOO_MUCH } from "../../lib/api";
import { refreshBalance } from "../../lib/balance";
import { voices } from "../../lib/catalogue";
import { groupVoices, listenedPart, noteHeard, SPEECH_FIELDS, speechPoints, voiceLength, wavSeconds, type VoiceAudio } from "../../lib/voices";
import { Button, explain } from "../../ui/basic";
import { lazy } from "../../ui/lazy";
import { described, Field, fieldId, focusField, LinesField, NumberField } from "./fields";
import { FileField } from "./files";
import { setAt, valueAt } from "./state";

const AudioPlayer = lazy(() => import("../../ui/audio-player").then((part) => part.default), null);

/** Whether the service speaks texts. */
export const speaksTexts = () => voices.value !== null && voices.value.service !== null;

/** The file or the text of the voice at `pointer`. */
export function VoiceField({ pointer }: { pointer: string }) {
  const voice = valueAt(pointer) as VoiceAudio | undefined;
  if (voice?.text === undefined) {
    const start = () => {
      setAt(`${pointer}/text`, "");
      focusField(`${pointer}/text`);
    };
    const write = <Button icon="mic" onClick={start}>{t("speech.write")}</Button>;
    return <FileField pointer={`${pointer}/url`} accept="sound" {...(speaksTexts() ? { instead: write } : {})} />;
  }
  const file = Object.fromEntries(Object.entries(voice).filter(([name]) => !SPEECH_FIELDS.includes(name)));
  return <SpokenText pointer={pointer} remove={() => setAt(pointer, file)} removeWord={t("speech.file")} />;
}

/** The text at `pointer`, how it is spoken, and a button to listen to it. */
export function SpokenText({ pointer, remove, removeWord }: { pointer: string; remove: () => void; removeWord: string }) {
  const { text = "", voice, speed } = (valueAt(pointer) ?? {}) as VoiceAudio;
  const part = listenedPart(text);
  const body = { text: part, ...(voice ? { voice } : {}), ...(typeof speed === "number" ? { speed } : {}) };
  const isWhole = part === text;
  const price = voices.value?.pointsPer1000Characters ?? 0;
  const listen = async () => {
    const { audio, points } = await api.speech(body);
    if (points > 0) void refreshBalance();
    const seconds = wavSeconds(await audio.arrayBuffer());
    if (seconds !== undefined) noteHeard(body, seconds);
    return audio;
  };
  return (
    <div class="spoken">
      <LinesField pointer={`${pointer}/text`} aside={<Button kind="quiet" icon="close" label={removeWord} onClick={remove} />} />
      {!speaksTexts() && voices.value !== null && <p class="field-error" role="status">{t("speech.off")}</p>}
      {speaksTexts() && (
        <>
          <div class="grid-fields">
            <VoiceSelect pointer={`${pointer}/voice`} />
            <NumberField pointer={`${pointer}/speed`} />
          </div>
          {part.trim() !== "" && (
            <div class="spoken-listen">
              <AudioPlayer url={`speech:${JSON.stringify(body)}`} name={part} load={listen} explainError={explainSpeech}
                text={t(isWhole ? "speech.listen" : "speech.listen.part")} />
              {(!isWhole || voiceLength(body)?.estimated) && <span class="muted small">{t(isWhole ? "speech.silent" : "speech.silent.long")}</span>}
              {price > 0 && <span class="muted small">{t("speech.price", { n: speechPoints(text, price), listen: speechPoints(part, price) })}</span>}
            </div>
          )}
        </>
      )}
    </div>
  );
}

function explainSpeech(error: unknown): string {
  if (error instanceof ApiFailure && error.code === LISTENED_TOO_MUCH) return t("speech.limit");
  return explain(error);
}

function VoiceSelect({ pointer }: { pointer: string }) {
  const value = String(valueAt(pointer) ?? "");
  const { list } = voices.value ?? { list: [] };
  const { own, others } = groupVoices(list, language.value);
  const options = (choices: typeof own) => choices.map(({ name, title }) => <option key={name} value={name}>{title}</option>);
  const isGrouped = own.length > 0 && others.length > 0;
  return (
    <Field pointer={pointer}>
      <select id={fieldId(pointer)} class="input" value={value} {...described(pointer, hint(pointer) !== undefined)} onChange={(event) => setAt(pointer, event.currentTarget.value || undefined)}>
        <option value="">{t("options.usual")}</option>
        {value !== "" && !list.some(({ name }) => name === value) && <option value={value}>{value}</option>}
        {isGrouped ? (
          <>
            <optgroup label={t("speech.voices.own")}>{options(own)}</optgroup>
            <optgroup label={t("speech.voices.others")}>{options(others)}</optgroup>
          </>
        ) : options([...own, ...others])}
      </select>
    </Field>
  );
}
