// The alternative audio of a scene, files or texts to speak, and its captions.

import { t } from "../../i18n";
import { newId } from "../../lib/draft";
import { clock } from "../../lib/format";
import { media, nameOf } from "../../lib/media";
import { cancelUpload, retryUpload, uploads } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { ACCEPT, useFileInput } from "../../ui/dropzone";
import { Icon } from "../../ui/icon";
import { openId, upload } from "./drafts";
import { lazy } from "../../ui/lazy";
import { label } from "../../i18n/fields";
import { ChoiceField, FieldErrors, focusField, LinesField, NumberInput } from "./fields";
import { speaksTexts, SpokenText } from "./spoken-text";
import { setAt, valueAt } from "./state";

const AudioPlayer = lazy(() => import("../../ui/audio-player").then((part) => part.default), null);

interface Sound {
  _id: string;
  _upload?: string;
  url?: string;
  text?: string;
}

const soundsAt = (pointer: string) => (valueAt(`${pointer}/audioResources`) as Sound[] | undefined) ?? [];

export function SceneSounds({ pointer }: { pointer: string }) {
  const at = `${pointer}/audioResources`;
  const length = `${pointer}/length`;
  const sounds = soundsAt(pointer);
  const take = (files: File[]) => {
    const entries = files.map((file) => ({ _id: newId(), _upload: upload(file, openId.value) }));
    setAt(at, [...sounds, ...entries]);
  };
  const write = () => {
    setAt(at, [...sounds, { _id: newId(), text: "" }]);
    focusField(`${at}/${sounds.length}/text`);
  };
  const shelf = async () => {
    const { openLibrary } = await import("../../ui/library-picker");
    const files = await openLibrary({ kind: ["audio", "video"] });
    if (files.length > 0) setAt(at, [...sounds, ...files.map(({ url }) => ({ _id: newId(), url }))]);
  };
  const { input, choose } = useFileInput(ACCEPT.sound, true, take, t("board.scene.sounds"));
  const remove = (id: string) => {
    sounds.filter((sound) => sound._id === id).forEach((sound) => sound._upload !== undefined && cancelUpload(sound._upload));
    const rest = sounds.filter((sound) => sound._id !== id);
    setAt(at, rest.length > 0 ? rest : undefined);
  };
  return (
    <div class="sounds">
      {input}
      <div class="sounds-head">
        <Icon name="music" size={16} /><span>{t("board.scene.sounds")}</span>
        <Button kind="quiet" icon="plus" label={`${t("board.scene.sounds")}: ${t("clips.add")}`} onClick={choose} />
        <Button kind="quiet" icon="library" label={`${t("board.scene.sounds")}: ${t("shelf.open")}`} onClick={() => void shelf()} />
        {speaksTexts() && <Button kind="quiet" icon="mic" label={`${t("board.scene.sounds")}: ${t("speech.write")}`} onClick={write} />}
      </div>
      {sounds.length > 1 && <p class="hint">{t("board.scene.sounds.hint")}</p>}
      {sounds.map((sound, index) => (
        <SoundRow key={sound._id} sound={sound} pointer={`${at}/${index}`} remove={() => remove(sound._id)} />
      ))}
      <FieldErrors pointer={at} />
      {(sounds.length > 0 || valueAt(length) === "voice") && <ChoiceField pointer={length} />}
    </div>
  );
}

/** The script of a scene. */
export function SceneCaptions({ pointer }: { pointer: string }) {
  const at = `${pointer}/text`;
  const [spoken] = soundsAt(pointer).flatMap((sound) => sound.text ?? []);
  const isOpen = valueAt(at) !== undefined;
  const open = () => {
    setAt(at, spoken ?? "");
    focusField(at);
  };
  return (
    <div class="sounds">
      {!isOpen && (
        <div class="sounds-head">
          <Icon name="text" size={16} /><span>{label(at)}</span>
          <Button kind="quiet" icon="plus" label={`${label(at)}: ${t("captions.type")}`} onClick={open} />
        </div>
      )}
      {isOpen && <LinesField pointer={at} rows={2} aside={<Button kind="quiet" icon="close" label={t("captions.remove")} onClick={() => setAt(at, undefined)} />} />}
      {isOpen && spoken && spoken !== valueAt(at) && <span><Button icon="copy" onClick={() => setAt(at, spoken)}>{t("captions.script.spoken")}</Button></span>}
    </div>
  );
}

function SoundRow({ sound, pointer, remove }: { sound: Sound; pointer: string; remove: () => void }) {
  const job = sound._upload === undefined ? undefined : uploads.value.get(sound._upload);
  const name = job?.name ?? nameOf(sound.url);
  const length = sound.url === undefined ? undefined : media.value.get(sound.url)?.duration;
  const times = (
    <>
      <label class="inline-field"><span>{t("board.scene.start")}</span><NumberInput pointer={`${pointer}/startTime`} /><span class="muted">{t("board.seconds")}</span></label>
      <label class="inline-field"><span>{label(`${pointer}/volume`)}</span><NumberInput pointer={`${pointer}/volume`} /></label>
      <label class="inline-field"><span>{t("board.scene.only")}</span><NumberInput pointer={`${pointer}/duration`} placeholder={t("board.all")} /><span class="muted">{t("board.seconds")}</span></label>
    </>
  );
  const errors = ["url", "duration", "startTime", "volume"].map((field) => <FieldErrors key={field} pointer={`${pointer}/${field}`} />);
  if (sound.text !== undefined) {
    return (
      <div class="overlay spoken">
        <SpokenText pointer={pointer} remove={remove} removeWord={t("speech.remove")} />
        <div class="spoken-listen">{times}</div>
        {errors}
      </div>
    );
  }
  return (
    <div>
      <div class="file-chip">
        <span class="file-name" title={name}>{name}</span>
        {length !== undefined && <span class="muted small">{clock(length)}</span>}
        {sound.url !== undefined && <AudioPlayer url={sound.url} name={name} />}
        {job && job.error === null && <span class="muted small">{t("clips.uploading", { percent: Math.floor((100 * job.sent) / Math.max(1, job.size)) })}</span>}
        {job && job.error !== null && <Button icon="refresh" onClick={() => retryUpload(job.id)}>{t("clips.retry")}</Button>}
        {times}
        <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />
      </div>
      {errors}
    </div>
  );
}
