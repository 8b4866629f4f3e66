// Fields that take a file: dropped, chosen, or given by a link.

import { useState } from "preact/hooks";
import { hint, label } from "../../i18n/fields";
import { t } from "../../i18n";
import { clock } from "../../lib/format";
import { media, nameOf } from "../../lib/media";
import { setIn } from "../../lib/pointer";
import type { TaskType } from "../../lib/types";
import { cancelUpload, startUpload, uploads, type UploadJob } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { ACCEPT, Dropzone, useFileInput } from "../../ui/dropzone";
import { Icon, type IconName } from "../../ui/icon";
import { later } from "../../ui/later";
import { Field, FieldErrors, fieldId } from "./fields";
import { change, draft, kind, schemaAt, setAt, valueAt } from "./state";

const Listen = later(() => import("../../ui/listen").then((part) => part.default), null);

export type Accept = keyof typeof ACCEPT;
const icons: Record<Accept, IconName> = { video: "film", sound: "music", subtitle: "text", picture: "image", fill: "image" };

/** One file; its url stands at the pointer. */
export function FileField({ pointer, accept }: { pointer: string; accept: Accept }) {
  const url = valueAt(pointer) as string | undefined;
  const job = draft.value._uploads?.[pointer];
  const note = (id: string | undefined, of = kind.value) => change((before) => setIn(before, ["_uploads", pointer], id), of);
  const take = (files: File[]) => {
    const [file] = files;
    const of = kind.value;
    if (file === undefined) return;
    note(startUpload(file, (upload) => {
      note(undefined, of);
      setAt(pointer, upload.url, of);
    }));
  };
  const drop = () => {
    if (job !== undefined) cancelUpload(job);
    note(undefined);
  };
  const running = job === undefined ? undefined : uploads.value.get(job);
  return (
    <Field pointer={pointer}>
      {running ? <FileChip icon={icons[accept]} name={running.name} note={noteOf(running)} remove={drop} />
        : url ? <FileChip icon={icons[accept]} name={nameOf(url)} note={lengthOf(url)} url={url} remove={() => setAt(pointer, undefined)} />
          : <FileInput id={fieldId(pointer)} name={label(pointer)} accept={accept} take={take} takeLink={(link) => setAt(pointer, link)} />}
    </Field>
  );
}

const lengthOf = (url: string) => {
  const duration = media.value.get(url)?.duration;
  return duration === undefined ? "" : clock(duration);
};

function noteOf(job: UploadJob): string {
  if (job.stalled) return t("clips.stalled");
  if (job.error !== null) return `${t("clips.failed")}: ${job.error === "offline" ? t("error.offline") : job.error}`;
  return t("clips.uploading", { percent: Math.floor((100 * job.sent) / Math.max(1, job.size)) });
}

function FileChip({ icon, name, note, url, remove }: { icon: IconName; name: string; note: string; url?: string; remove?: () => void }) {
  return (
    <div class="file-chip">
      <Icon name={icon} />
      <span class="file-name" title={name}>{name}</span>
      <span class="muted small">{note}</span>
      {url !== undefined && icon === "music" && <Listen url={url} name={name} />}
      {remove && <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />}
    </div>
  );
}

function FileInput({ id, name, accept, take, takeLink, multiple = false }: {
  id: string; name: string; accept: Accept; multiple?: boolean; take: (files: File[]) => void; takeLink: (link: string) => void;
}) {
  const [linkText, setLinkText] = useState("");
  const { input, choose } = useFileInput(ACCEPT[accept], multiple, take, name);
  const use = () => {
    if (linkText.trim() !== "") takeLink(linkText.trim());
    setLinkText("");
  };
  return (
    <Dropzone take={take} class="file-drop">
      {input}
      <Button icon="upload" onClick={choose}>{t("file.choose")}</Button>
      <input id={id} class="input" type="url" value={linkText} placeholder={t("file.or")} aria-label={`${name}: ${t("file.link")}`}
        onInput={(event) => setLinkText(event.currentTarget.value)} onBlur={use}
        onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), use())} />
    </Dropzone>
  );
}

/** An entry of a list of files: a url, or an object that has one beside what else is said of the file. */
type Entry = string | { url: string };
const urlOf = (entry: Entry) => (typeof entry === "string" ? entry : entry.url);

/** Files to be added somewhere, one by one as they are uploaded. */
export function AddFiles({ id, name, accept, add }: {
  id: string; name: string; accept: Accept; add: (url: string, of: TaskType) => void;
}) {
  const [jobs, setJobs] = useState<readonly string[]>([]);
  const take = (files: File[]) => {
    const of = kind.value;
    setJobs([...jobs, ...files.map((file) => startUpload(file, (upload) => add(upload.url, of)))]);
  };
  const running = jobs.flatMap((job) => uploads.value.get(job) ?? []);
  return (
    <>
      {running.map((job) => <FileChip key={job.id} icon={icons[accept]} name={job.name} note={noteOf(job)} remove={() => cancelUpload(job.id)} />)}
      <FileInput id={id} name={name} accept={accept} multiple take={take} takeLink={(link) => add(link, kind.value)} />
    </>
  );
}

/** A list of files; their urls stand in a list at the pointer, or in objects of one. */
export function FileListField({ pointer, accept }: { pointer: string; accept: Accept }) {
  const entries = (valueAt(pointer) as Entry[] | undefined) ?? [];
  const wrapped = schemaAt(pointer).items?.type === "object";
  const add = (url: string, of: TaskType) => {
    const now = (valueAt(pointer) as Entry[] | undefined) ?? [];
    setAt(pointer, [...now, wrapped ? { url } : url], of);
  };
  const remove = (index: number) => {
    const rest = entries.filter((_, place) => place !== index);
    setAt(pointer, rest.length > 0 ? rest : undefined);
  };
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{label(pointer)}</span></legend>
      {entries.map(urlOf).map((url, index) => (
        <div key={`${url}-${index}`}>
          <FileChip icon={icons[accept]} name={nameOf(url)} note={lengthOf(url)} url={url} remove={() => remove(index)} />
          <FieldErrors pointer={`${pointer}/${index}${wrapped ? "/url" : ""}`} />
        </div>
      ))}
      <AddFiles id={fieldId(pointer)} name={label(pointer)} accept={accept} add={add} />
      {hint(pointer) && <p class="hint">{hint(pointer)}</p>}
      <FieldErrors pointer={pointer} />
    </fieldset>
  );
}
