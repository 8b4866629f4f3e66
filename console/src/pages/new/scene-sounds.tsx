// The alternative sounds of a scene.

import { t } from "../../i18n";
import { newId, updateById } from "../../lib/draft";
import { clock } from "../../lib/format";
import { media, nameOf } from "../../lib/media";
import { startUpload, uploads } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { ACCEPT, useFileInput } from "../../ui/dropzone";
import { Icon } from "../../ui/icon";
import { later } from "../../ui/later";
import { FieldErrors, NumberInput } from "./fields";
import { change, kind, setAt, valueAt } from "./state";

const Listen = later(() => import("../../ui/listen").then((part) => part.default), null);

interface Sound {
  _id: string;
  _upload?: string;
  url?: string;
}

export function SceneSounds({ pointer }: { pointer: string }) {
  const at = `${pointer}/audioResources`;
  const sounds = (valueAt(at) as Sound[] | undefined) ?? [];
  const take = (files: File[]) => {
    const of = kind.value;
    const added = files.map((file) => {
      const id = newId();
      const job = startUpload(file, (upload) => change((draft) => (
        updateById(draft, id, ({ _upload: _, ...sound }) => ({ ...sound, url: upload.url }))), of));
      return { _id: id, _upload: job };
    });
    setAt(at, [...sounds, ...added]);
  };
  const { input, choose } = useFileInput(ACCEPT.sound, true, take, t("board.scene.sounds"));
  const remove = (id: string) => {
    const rest = sounds.filter((sound) => sound._id !== id);
    setAt(at, rest.length > 0 ? rest : undefined);
  };
  return (
    <div class="sounds">
      {input}
      <div class="sounds-head">
        <Icon name="music" size={16} /><span>{t("board.scene.sounds")}</span>
        <Button kind="quiet" icon="plus" label={`${t("board.scene.sounds")}: ${t("clips.add")}`} onClick={choose} />
      </div>
      {sounds.length > 1 && <p class="hint">{t("board.scene.sounds.hint")}</p>}
      {sounds.map((sound, index) => (
        <SoundRow key={sound._id} sound={sound} pointer={`${at}/${index}`} remove={() => remove(sound._id)} />
      ))}
      <FieldErrors pointer={at} />
    </div>
  );
}

function SoundRow({ sound, pointer, remove }: { sound: Sound; pointer: string; remove: () => void }) {
  const job = sound._upload === undefined ? undefined : uploads.value.get(sound._upload);
  const name = job?.name ?? nameOf(sound.url);
  const length = sound.url === undefined ? undefined : media.value.get(sound.url)?.duration;
  return (
    <div>
      <div class="file-chip">
        <span class="file-name" title={name}>{name}</span>
        {length !== undefined && <span class="muted small">{clock(length)}</span>}
        {sound.url !== undefined && <Listen url={sound.url} name={name} />}
        {job && <span class="muted small">{t("clips.uploading", { percent: Math.floor((100 * job.sent) / Math.max(1, job.size)) })}</span>}
        <label class="inline-field"><span>{t("board.scene.start")}</span><NumberInput pointer={`${pointer}/startTime`} /><span class="muted">{t("board.seconds")}</span></label>
        <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />
      </div>
      {["url", "duration", "startTime"].map((field) => <FieldErrors key={field} pointer={`${pointer}/${field}`} />)}
    </div>
  );
}
