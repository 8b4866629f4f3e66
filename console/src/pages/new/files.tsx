// File fields: a file is dropped, chosen or linked.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { hint, label } from "../../i18n/fields";
import { t } from "../../i18n";
import type { Adding } from "../../lib/draft";
import { clock } from "../../lib/format";
import { media, nameOf } from "../../lib/media";
import { setIn } from "../../lib/pointer";
import { cancelUpload, retryUpload, uploads, type UploadJob } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { ACCEPT, Dropzone, useFileInput } from "../../ui/dropzone";
import { Icon, type IconName } from "../../ui/icon";
import { openId, upload } from "./drafts";
import { lazy } from "../../ui/lazy";
import { Field, FieldErrors, fieldId } from "./fields";
import { scopedPointer } from "./option-scope";
import { addToList, change, draft, schemaAt, setAt, valueAt } from "./state";

const AudioPlayer = lazy(() => import("../../ui/audio-player").then((part) => part.default), null);

export type Accept = keyof typeof ACCEPT;
const icons: Record<Accept, IconName> = { video: "film", sound: "music", subtitle: "text", picture: "image", layer: "film", font: "text", fill: "image", any: "film" };

/** A field with one url. With `link`, the page offers no file choice here; `instead` is offered in place of a file. */
export function FileField({ pointer, accept, title, link = false, instead }: {
  pointer: string; accept: Accept; title?: string; link?: boolean; instead?: ComponentChildren;
}) {
  const url = valueAt(pointer) as string | undefined;
  const at = scopedPointer(pointer);
  const id = draft.value._uploads?.[at];
  const take = ([file]: File[]) => file !== undefined && noteUpload(at, upload(file, openId.value));
  const running = id === undefined ? undefined : uploads.value.get(id);
  return (
    <Field pointer={pointer} {...(title === undefined ? {} : { title })}>
      {running ? <UploadChip job={running} icon={icons[accept]} remove={() => dropUpload(pointer)} />
        : url ? <FileChip icon={icons[accept]} name={nameOf(url)} note={lengthOf(url)} url={url} remove={() => setAt(pointer, undefined)} />
          : <><FileInput id={fieldId(pointer)} name={title ?? label(pointer)} accept={accept} takeLink={(url) => setAt(pointer, url)} {...(link ? {} : { take })} />{instead}</>}
    </Field>
  );
}

/** The file of a voice that has another field on the same page. */
export function VoiceFile({ pointer }: { pointer: string }) {
  const url = valueAt(pointer) as string | undefined;
  const at = scopedPointer(pointer);
  const running = uploads.value.get(draft.value._uploads?.[at] ?? "");
  const take = ([file]: File[]) => file !== undefined && noteUpload(at, upload(file, openId.value));
  const { input, choose } = useFileInput(ACCEPT.sound, false, take, label(pointer));
  if (running) return <UploadChip job={running} icon="music" remove={() => dropUpload(pointer)} />;
  if (url) return <FileChip icon="music" name={nameOf(url)} note={lengthOf(url)} url={url} remove={() => setAt(pointer, undefined)} />;
  return <Dropzone take={take} class="goal-drop some">{input}<Button icon="mic" onClick={choose}>{t("file.choose")}</Button></Dropzone>;
}

const noteUpload = (at: string, job: string | undefined) => change((before) => setIn(before, ["_uploads", at], job));

/** Whether the file of a field is being uploaded. */
export const isUploading = (pointer: string) => draft.value._uploads?.[scopedPointer(pointer)] !== undefined;

/** Cancels the upload for a field. */
export function dropUpload(pointer: string): void {
  const at = scopedPointer(pointer);
  const id = draft.value._uploads?.[at];
  if (id === undefined) return;
  cancelUpload(id);
  noteUpload(at, undefined);
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

export function UploadChip({ job, icon, remove }: { job: UploadJob; icon: IconName; remove: () => void }) {
  const again = job.error !== null && <Button icon="refresh" onClick={() => retryUpload(job.id)}>{t("clips.retry")}</Button>;
  return <FileChip icon={icon} name={job.name} note={noteOf(job)} remove={remove}>{again}</FileChip>;
}

function FileChip({ icon, name, note, url, remove, children }: {
  icon: IconName; name: string; note: string; url?: string; remove?: () => void; children?: ComponentChildren;
}) {
  return (
    <div class="file-chip">
      <Icon name={icon} />
      <span class="file-name" title={name}>{name}</span>
      <span class="muted small file-note">{note}</span>
      {children}
      {url !== undefined && icon === "music" && <AudioPlayer url={url} name={name} />}
      {remove && <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />}
    </div>
  );
}

function FileInput({ id, name, accept, choice = t("file.choose"), take, takeLink, multiple = false }: {
  id: string; name: string; accept: Accept; choice?: string; multiple?: boolean; take?: (files: File[]) => void; takeLink: (link: string) => void;
}) {
  const [linkText, setLinkText] = useState("");
  const { input, choose } = useFileInput(ACCEPT[accept], multiple, (files) => take?.(files), name);
  const use = () => {
    if (linkText.trim() !== "") takeLink(linkText.trim());
    setLinkText("");
  };
  const link = (
    <input id={id} class="input" type="url" value={linkText} placeholder={take ? t("file.or") : "https://"} aria-label={`${name}: ${t("file.link")}`}
      onInput={(event) => setLinkText(event.currentTarget.value)} onBlur={use}
      onKeyDown={(event) => event.key === "Enter" && (event.preventDefault(), use())} />
  );
  if (take === undefined) return link;
  const shelf = async () => {
    const { openLibrary } = await import("../../ui/library-picker");
    for (const { url } of await openLibrary({ kind: ["audio", "video"], several: multiple })) takeLink(url);
  };
  return (
    <Dropzone take={take} class="file-drop">
      {input}<Button icon="upload" onClick={choose}>{choice}</Button>{link}
      {accept === "sound" && <Button class="shelf-open" icon="library" onClick={() => void shelf()}>{t("shelf.open")}</Button>}
    </Dropzone>
  );
}

/** An entry of a file list: a url, or an object with a url and further fields. */
type Entry = string | { url: string };
const urlOf = (entry: Entry) => (typeof entry === "string" ? entry : entry.url);

/** Adds uploaded files to a list; `entry` contains the fields beside the url, or is null for a list of urls. */
export function AddFiles({ id, list, name, accept, entry, choice }: {
  id: string; list: string; name: string; accept: Accept; entry: Adding["entry"]; choice?: string;
}) {
  const at = scopedPointer(list);
  const adding = Object.entries(draft.value._adding ?? {}).filter(([, added]) => added.at === at && added.entry?.type === entry?.type);
  const running = adding.flatMap(([job]) => uploads.value.get(job) ?? []);
  const drop = (job: string) => {
    cancelUpload(job);
    change((before) => setIn(before, ["_adding", job], undefined));
  };
  const addLink = (link: string) => setAt(list, [...((valueAt(list) as unknown[] | undefined) ?? []), entry === null ? link : { ...entry, url: link }]);
  return (
    <>
      {running.map((job) => <UploadChip key={job.id} job={job} icon={icons[accept]} remove={() => drop(job.id)} />)}
      <FileInput id={id} name={name} accept={accept} multiple {...(choice === undefined ? {} : { choice })} take={(files) => addToList(list, entry, files)} takeLink={addLink} />
    </>
  );
}

type EntryFields = ((entry: string) => ComponentChildren) | undefined;

/** A list of files: urls, or objects with urls. `lead` renders the important fields of an entry, `more` the further ones. */
export function FileListField({ pointer, accept, lead, more }: { pointer: string; accept: Accept; lead?: EntryFields; more?: EntryFields }) {
  const entries = (valueAt(pointer) as Entry[] | undefined) ?? [];
  const { items, maxItems = Infinity } = schemaAt(pointer);
  const wrapped = items?.type === "object";
  const remove = (index: number) => {
    const rest = entries.filter((_, place) => place !== index);
    setAt(pointer, rest.length > 0 ? rest : undefined);
  };
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{label(pointer)}</span></legend>
      {entries.map(urlOf).map((url, index) => (
        <div key={`${url}-${index}`} class="file-entry">
          <FileChip icon={icons[accept]} name={nameOf(url)} note={lengthOf(url)} url={url} remove={() => remove(index)} />
          <FieldErrors pointer={`${pointer}/${index}${wrapped ? "/url" : ""}`} />
          {lead?.(`${pointer}/${index}`)}
          {more && <details class="overlay-style"><summary>{t("file.more")}</summary>{more(`${pointer}/${index}`)}</details>}
        </div>
      ))}
      {entries.length < maxItems && <AddFiles id={fieldId(pointer)} list={pointer} name={label(pointer)} accept={accept} entry={wrapped ? {} : null} />}
      {hint(pointer) && <p class="hint">{hint(pointer)}</p>}
      <FieldErrors pointer={pointer} />
    </fieldset>
  );
}
