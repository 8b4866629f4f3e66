// A clip card: thumbnail, length, name and errors, with actions to move, preview and remove the clip.

import { signal } from "@preact/signals";
import { t } from "../../i18n";
import { clock } from "../../lib/format";
import { clipUrl, removeClip, speedOf, updateById, type Clip } from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { retryUpload, cancelUpload, uploads } from "../../lib/uploads";
import { Button, Dialog, Notice } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { announce } from "../../ui/toast";
import { messageText } from "../../lib/service-message";
import { NumberField, NumberInput, Field, SelectField, TextField } from "./fields";
import { clipName, previewedClip } from "./clip-name";
import { FileField } from "./files";
import { OwnBadge, OwnButton } from "./option-sets";
import { isSelected, SelectCheckbox, toggleClip } from "./clip-selection";
import { change, clipFacts, errorsAt, kind } from "./state";

/** Pointer of the clip whose details are open. */
export const detailsPointer = signal<string | null>(null);

interface Props {
  clip: Clip;
  pointer: string;
  /** Handle for moving the clip by keyboard; absent in lists without an order. */
  grip?: { grabbed: boolean; onKeyDown: (event: KeyboardEvent) => void; onBlur: () => void };
}

export function ClipCard({ clip, pointer, grip }: Props) {
  const facts = clipFacts(clip);
  const name = clipName(clip);
  const problem = clipProblem(pointer, facts.problem);
  const whole = clip.duration ?? facts.duration;
  const duration = whole === undefined ? undefined : Math.max(0, Math.min(whole, clip.to ?? whole) - (clip.from ?? 0)) / speedOf(clip);
  return (
    <article class={`clip ${previewedClip.value === clip._id ? "shown" : ""} ${problem ? "wrong" : ""} ${grip?.grabbed ? "grabbed" : ""} ${isSelected(clip._id) ? "ticked" : ""}`} data-clip={clip._id}>
      <button type="button" class="clip-picture" aria-pressed={previewedClip.value === clip._id} aria-label={t("clips.preview", { name }) + (duration === undefined ? "" : `, ${clock(duration)}`)}
        onClick={(event) => (event.ctrlKey || event.metaKey || event.shiftKey ? toggleClip(clip._id, !isSelected(clip._id), event.shiftKey) : (previewedClip.value = clip._id))}>
        {facts.thumb ? <img src={facts.thumb} alt="" draggable={false} /> : <Icon name="film" size={26} />}
        {duration !== undefined && <span class="clip-length">{clip.copies !== undefined && clip.copies > 1 && `${clip.copies} × `}{clock(duration)}</span>}
        <UploadOverlay clip={clip} looking={facts.probing === true} />
        <OwnBadge clip={clip} />
      </button>
      <SelectCheckbox clip={clip} name={name} />
      <div class="clip-line">
        <span class="clip-name" title={name}>{name}</span>
        <ClipActions clip={clip} pointer={pointer} name={name} {...(grip ? { grip } : {})} />
      </div>
      <FailedUpload clip={clip} />
      {problem && <p class="clip-problem" role="alert" title={problem}><Icon name="error" size={13} />{problem}</p>}
    </article>
  );
}

function clipProblem(pointer: string, problem: string | undefined): string | undefined {
  const fieldErrors = ["", "/url", "/filename", "/duration", "/from", "/to", "/copies", "/speed", "/volume", "/look", "/sceneName", "/key", "/imageMotion",
    "/layout", "/second", "/second/url", "/second/from", "/second/to"]
    .flatMap((field) => errorsAt.value.get(pointer + field) ?? []);
  const [error] = fieldErrors;
  return error !== undefined ? messageText(error, error.path) : problem;
}

function ClipActions({ clip, pointer, name, grip }: Props & { name: string }) {
  const remove = () => {
    if (clip._upload !== undefined) cancelUpload(clip._upload);
    change((draft) => removeClip(draft, clip._id));
    announce(t("say.removed", { name }));
  };
  return (
    <span class="clip-actions">
      {grip && (
        <button type="button" class="button quiet only-icon grip" aria-label={t("clips.move", { name })} aria-pressed={grip.grabbed}
          data-grip={clip._id} onKeyDown={grip.onKeyDown} onBlur={grip.onBlur}><Icon name="grip" /></button>
      )}
      {kind.value === "videoDeduplication" && <OwnButton id={clip._id} name={name} />}
      <Button kind="quiet" icon="info" label={t("clips.edit", { name })} onClick={() => (detailsPointer.value = pointer)} />
      <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />
    </span>
  );
}

function UploadOverlay({ clip, looking }: { clip: Clip; looking: boolean }) {
  const job = clip._upload === undefined ? undefined : uploads.value.get(clip._upload);
  if (job === undefined) return looking ? <span class="veil"><span class="spinner" />{t("clips.looking")}</span> : null;
  if (job.error !== null) {
    return (
      <span class="veil bad" title={job.error}>{t("clips.failed")}</span>
    );
  }
  const percent = Math.floor((100 * job.sent) / Math.max(1, job.size));
  return (
    <span class="veil">
      {job.stalled ? t("clips.stalled") : job.sent === 0 ? t("clips.waiting") : t("clips.uploading", { percent })}
      <span class="veil-bar"><span style={{ transform: `scaleX(${percent / 100})` }} /></span>
    </span>
  );
}

function FailedUpload({ clip }: { clip: Clip }) {
  const job = clip._upload === undefined ? undefined : uploads.value.get(clip._upload);
  if (job === undefined || job.error === null) return null;
  return <Button icon="refresh" class="clip-again" onClick={() => retryUpload(job.id)}>{t("clips.retry")}</Button>;
}

/** Further fields of a clip. */
export function ClipDetails({ clip, pointer }: { clip: Clip; pointer: string }) {
  const close = () => (detailsPointer.value = null);
  const url = clipUrl(clip) ?? "";
  const uploaded = url.startsWith("upload://");
  const problem = clipProblem(pointer, clipFacts(clip).problem);
  const { url: field } = TASK_TYPE_INFO[kind.value];
  const setUrl = (next: string) => change((draft) => updateById(draft, clip._id, (current) => ({ ...current, [field]: next })));
  return (
    <Dialog title={clipName(clip)} open close={close}>
      {problem !== undefined && <Notice tone="bad" title={problem} />}
      {!uploaded && (
        <Field pointer={`${pointer}/${field}`} title={t("file.link")}>
          <input class="input" id={`f${pointer.replaceAll("/", "-")}-${field}`} value={url} onInput={(event) => setUrl(event.currentTarget.value)} />
        </Field>
      )}
      <Field pointer={`${pointer}/duration`} title={t("clips.duration")}><NumberInput pointer={`${pointer}/duration`} /></Field>
      <div class="field-pair">
        <Field pointer={`${pointer}/from`} title={t("clips.from")}><NumberInput pointer={`${pointer}/from`} /></Field>
        <Field pointer={`${pointer}/to`} title={t("clips.to")}><NumberInput pointer={`${pointer}/to`} placeholder={t("clips.to.end")} /></Field>
      </div>
      {kind.value === "videoDeduplication" && (
        <Field pointer={`${pointer}/copies`} title={t("clips.copies")}><NumberInput pointer={`${pointer}/copies`} /></Field>
      )}
      {kind.value === "baseVideoMix" && <TextField pointer={`${pointer}/sceneName`} />}
      {TASK_TYPE_INFO[kind.value].images && (
        <>
          <div class="grid-fields">
            <NumberField pointer={`${pointer}/speed`} />
            <NumberField pointer={`${pointer}/volume`} />
          </div>
          <SelectField pointer={`${pointer}/look`} />
          <SelectField pointer={`${pointer}/imageMotion`} />
        </>
      )}
      {kind.value === "baseVideoMix" && <SplitScreen clip={clip} pointer={pointer} />}
      <div class="dialog-actions"><Button kind="primary" onClick={close}>{t("action.close")}</Button></div>
    </Dialog>
  );
}

/** The layout of two clips at once, and the second one. */
function SplitScreen({ clip, pointer }: { clip: Clip; pointer: string }) {
  const second = `${pointer}/second`;
  return (
    <>
      <SelectField pointer={`${pointer}/layout`} none={t("clips.alone")} />
      {clip.layout !== undefined && (
        <>
          <FileField pointer={`${second}/url`} accept="fill" />
          <div class="field-pair">
            <Field pointer={`${second}/from`} title={t("clips.from")}><NumberInput pointer={`${second}/from`} /></Field>
            <Field pointer={`${second}/to`} title={t("clips.to")}><NumberInput pointer={`${second}/to`} placeholder={t("clips.to.end")} /></Field>
          </div>
        </>
      )}
    </>
  );
}
