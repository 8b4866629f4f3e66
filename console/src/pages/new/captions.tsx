// Captions: typed, pasted or opened, edited beside the preview, or a script that follows the voice, with styles to choose
// from.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { withPreset, type Style } from "../../lib/caption-styles";
import { splitIntoCues, decodeCaptions, newCue, NoCaptions, readCaptions, shiftCues, writeCaptions, type Captions as Edited, type Cue, type Format } from "../../lib/captions";
import { captionStyles, voices } from "../../lib/catalogue";
import { hasNeeded } from "../../lib/draft";
import { clock } from "../../lib/format";
import { media, nameOf } from "../../lib/media";
import { parsePointer, setIn } from "../../lib/pointer";
import { assets } from "../../lib/assets";
import { Button, Dialog, explain } from "../../ui/basic";
import { ACCEPT, Dropzone, useFileInput } from "../../ui/dropzone";
import { Icon } from "../../ui/icon";
import { Picker, pickOf } from "../../ui/picker";
import { announce } from "../../ui/toast";
import { captionsAt, savingCaptions } from "./caption-files";
import { CueList } from "./cues";
import { ChoiceField, FieldErrors, fieldId, focusField, LinesField } from "./fields";
import { FileField } from "./files";
import { scopedPointer } from "./option-scope";
import { change, pricing, setAt, valueAt } from "./state";

/** Captions at `pointer`. `controls` renders fields, `voice` is the pointer of the voice that the captions belong to. */
export function Captions({ pointer, voice, controls, styles }: {
  pointer: string; voice: string; controls: (pointers: readonly string[]) => ComponentChildren; styles: readonly string[];
}) {
  const subtitle = valueAt(pointer) as { url?: string; text?: string; from?: string } | undefined;
  const captions = captionsAt(subtitle);
  const isScript = subtitle?.text !== undefined && subtitle.url === undefined;
  const isTranscript = subtitle?.from !== undefined && subtitle.url === undefined;
  const ofScenes = pointer === "/params/options/subtitle" && scenesHaveText();
  const write = (captions: Edited | undefined, together?: string) => change(
    (before) => setIn(before, [...parsePointer(scopedPointer(pointer)), "_captions"], captions), undefined, together === undefined ? {} : { together });
  return (
    <div class="captions">
      {captions ? <Editor captions={captions} write={write} pointer={pointer} voice={voice} />
        : isScript ? <Script pointer={pointer} voice={voice} />
        : isTranscript ? <Transcript pointer={pointer} voice={voice} />
          : ofScenes && subtitle?.url === undefined ? <><p class="hint">{t("captions.scenes")}</p><ChoiceField pointer={`${pointer}/timing`} usual="voice" /></>
            : <EmptyCaptions pointer={pointer} url={subtitle?.url} write={write} voice={voice} />}
      <FieldErrors pointer={pointer} />
      {(captions !== undefined || hasNeeded(subtitle, "url") || isScript || isTranscript || ofScenes) && <StylePicker pointer={pointer} controls={controls} styles={styles} />}
    </div>
  );
}

const scenesHaveText = () => ((valueAt("/params/scenes") as { text?: string }[] | undefined) ?? []).some((scene) => Boolean(scene.text));

type Write = (captions: Edited | undefined, together?: string) => void;

/** Length of the voice, otherwise of a video, if known. */
function lengthFor(voice: string): number | undefined {
  const url = valueAt(`${voice}/url`) as string | undefined;
  const voiceDuration = url === undefined ? undefined : media.value.get(url)?.duration;
  const { estimate } = pricing.value;
  return voiceDuration ?? (estimate && estimate.totalItems > 0 ? estimate.outputSeconds / estimate.totalItems : undefined);
}

/** The text of a voice that is spoken. */
const spokenText = (voice: string) => valueAt(`${voice}/text`) as string | undefined;

/** A text that the service divides into captions. */
function Script({ pointer, voice }: { pointer: string; voice: string }) {
  const at = `${pointer}/text`;
  const spoken = spokenText(voice);
  const remove = () => setAt(pointer, { ...(valueAt(pointer) as object), text: undefined, timing: undefined });
  return (
    <>
      <LinesField pointer={at} rows={5} aside={<Button kind="quiet" icon="close" label={t("captions.remove")} onClick={remove} />} />
      <p class="hint">{t("captions.script.hint")}</p>
      {spoken && spoken !== valueAt(at) && <span><Button icon="copy" onClick={() => setAt(at, spoken)}>{t("captions.script.spoken")}</Button></span>}
      <ChoiceField pointer={`${pointer}/timing`} usual="voice" />
    </>
  );
}

/** What is spoken, which the service transcribes. */
function Transcript({ pointer, voice }: { pointer: string; voice: string }) {
  const isKnown = valueAt(`${pointer}/from`) === "voice" && spokenText(voice) !== undefined;
  const price = isKnown ? 0 : voices.value?.pointsPerMinute ?? 0;
  const remove = () => setAt(pointer, { ...(valueAt(pointer) as object), from: undefined });
  return (
    <>
      <ChoiceField pointer={`${pointer}/from`} usual="voice" />
      <p class="hint">{t(isKnown ? "captions.transcript.known" : "captions.transcript.hint")}</p>
      {price > 0 && <p class="hint">{t("captions.transcript.price", { n: price })}</p>}
      <span><Button icon="close" onClick={remove}>{t("captions.remove")}</Button></span>
    </>
  );
}

/** No captions yet: type, paste, open a file or enter a link. */
function EmptyCaptions({ pointer, url, write, voice }: { pointer: string; url: string | undefined; write: Write; voice: string }) {
  const [pasting, setPasting] = useState(false);
  const opening = useOpening(write);
  const follow = () => {
    setAt(`${pointer}/text`, spokenText(voice) ?? "");
    focusField(`${pointer}/text`);
  };
  return (
    <>
      {url === undefined && (
        <Dropzone take={opening.take} class="captions-start">
          <p>{t("captions.lead")}</p>
          <span class="add-buttons">
            {hasNeeded(valueAt(voice), "url") && <Button icon="mic" onClick={follow}>{t("captions.script")}</Button>}
            {voices.value?.transcriptionService && <Button icon="sparkle" onClick={() => setAt(`${pointer}/from`, hasNeeded(valueAt(voice), "url") ? "voice" : "clips")}>{t("captions.transcript")}</Button>}
            <Button icon="text" onClick={() => setPasting(true)}>{t("captions.paste")}</Button>
            <Button icon="plus" onClick={() => write({ cues: [newCue(0, 2)], format: "srt" })}>{t("captions.type")}</Button>
            {opening.button}
          </span>
          {opening.wrong}
        </Dropzone>
      )}
      {url !== undefined && (isUpload(url) ? <OpenUpload key={url} url={url} write={write} /> : <p class="hint">{t("captions.closed")}</p>)}
      <FileField pointer={`${pointer}/url`} accept="subtitle" title={t("captions.link")} link />
      <PasteText open={pasting} close={() => setPasting(false)} write={write} voice={voice} />
    </>
  );
}

const isUpload = (url: string) => url.startsWith("upload://");
/** Larger than any captions; a video would fill the page's memory. */
const MAX_BYTES = 4 << 20;

/** Opens an uploaded file for editing as a new file. Links cannot be opened, because the console sends no requests to other hosts. */
function OpenUpload({ url, write }: { url: string; write: Write }) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const open = async () => {
    setBusy(true);
    setWrong(null);
    try {
      const file = await assets.file(url);
      const name = file.name ?? nameOf(url);
      if (file.sizeBytes > MAX_BYTES) throw new NoCaptions(name);
      const captions = readCaptions(decodeCaptions(await assets.content(file)));
      write({ ...captions, ...(file.name === null ? {} : { name: file.name }) });
      return;
    } catch (error) {
      setWrong(error instanceof NoCaptions ? t("captions.wrong", { name: nameOf(url) }) : explain(error));
    }
    setBusy(false);
  };
  return (
    <div class="captions-open">
      <Button icon="edit" busy={busy} aria-describedby="captions-open-about" onClick={() => void open()}>{t("captions.edit")}</Button>
      <p class="hint" id="captions-open-about">{t("captions.edit.lead")}</p>
      {wrong !== null && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{wrong}</span></p>}
    </div>
  );
}

function useOpening(write: Write) {
  const [wrong, setWrong] = useState<string | null>(null);
  const take = ([file]: File[]) => {
    if (file === undefined) return;
    void file.arrayBuffer().then((bytes) => {
      try {
        write({ ...readCaptions(decodeCaptions(bytes)), name: file.name });
        setWrong(null);
      } catch (error) {
        if (!(error instanceof NoCaptions)) throw error;
        setWrong(t("captions.wrong", { name: file.name }));
      }
    });
  };
  const { input, choose } = useFileInput(ACCEPT.subtitle, false, take, t("captions.open"));
  return {
    take,
    button: <>{input}<Button icon="upload" onClick={choose}>{t("captions.open")}</Button></>,
    wrong: wrong !== null && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{wrong}</span></p>,
  };
}

function PasteText({ open, close, write, voice }: { open: boolean; close: () => void; write: Write; voice: string }) {
  const [text, setText] = useState("");
  const voiceLength = lengthFor(voice);
  const [typedLength, setTypedLength] = useState<string | null>(null);
  const length = typedLength ?? (voiceLength === undefined ? "" : String(Math.round(voiceLength * 10) / 10));
  const isFile = /-->/.test(text);
  const cues = isFile ? [] : splitIntoCues(text, Number(length) || undefined);
  const go = (event: Event) => {
    event.preventDefault();
    try {
      const captions: Edited = isFile ? readCaptions(text) : { cues, format: "srt" };
      write(captions);
      announce(t("captions.made", { n: captions.cues.length }));
      setText("");
      close();
    } catch {
      // The text contains an arrow but no captions: the dialog stays open.
    }
  };
  return (
    <Dialog title={t("captions.paste")} open={open} close={close}>
      <form onSubmit={go}>
        <label class="field-head" for="captions-text">{t("captions.paste.label")}</label>
        <textarea id="captions-text" class="input" rows={9} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        <p class="hint">{t("captions.paste.hint")}</p>
        <label class="inline-field"><span>{t("captions.spread")}</span>
          <input class="input numeric" type="number" min={0} step="any" value={length} placeholder={t("captions.spread.auto")} onInput={(event) => setTypedLength(event.currentTarget.value)} />
          <span class="muted">{t("board.seconds")}</span>
        </label>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={!isFile && cues.length === 0}>{isFile ? t("captions.paste.file") : t("captions.paste.go", { n: cues.length })}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function Editor({ captions, write, pointer, voice }: { captions: Edited; write: Write; pointer: string; voice: string }) {
  const [pasting, setPasting] = useState(false);
  const opening = useOpening(write);
  const { cues } = captions;
  const put = (next: readonly Cue[], together?: string) => write({ ...captions, cues: [...next] }, together);
  const last = cues.reduce((end, cue) => Math.max(end, cue.end), 0);
  const remove = () => setAt(pointer, { ...(valueAt(pointer) as object), url: undefined, _captions: undefined, _saved: undefined });
  return (
    <Dropzone take={opening.take} class="captions-edit">
      <div class="captions-head">
        <span class="muted small">{captions.name && `${captions.name} · `}{t("captions.n", { n: cues.length, time: clock(last) })}{savingCaptions.value && ` · ${t("captions.saving")}`}</span>
        <span class="add-buttons">
          <Button icon="text" onClick={() => setPasting(true)}>{t("captions.paste")}</Button>
          {opening.button}
          {(["srt", "vtt"] as const).map((format) => <Button key={format} icon="download" onClick={() => save(captions, format)}>{format.toUpperCase()}</Button>)}
          <Button kind="quiet" icon="trash" label={t("captions.remove")} onClick={remove} />
        </span>
      </div>
      {opening.wrong}
      <CueList cues={cues} put={put} />
      <div class="captions-foot">
        <Button icon="plus" onClick={() => put([...cues, newCue(last, last + 2)])}>{t("captions.add")}</Button>
        <Shift shift={(by) => put(shiftCues(cues, by))} />
      </div>
      <FieldErrors pointer={`${pointer}/url`} />
      <PasteText open={pasting} close={() => setPasting(false)} write={write} voice={voice} />
    </Dropzone>
  );
}

function Shift({ shift }: { shift: (by: number) => void }) {
  const [by, setBy] = useState("0.5");
  return (
    <span class="inline-field"><label for="captions-shift">{t("captions.shift")}</label>
      <input id="captions-shift" class="input numeric" type="number" step={0.1} value={by} onInput={(event) => setBy(event.currentTarget.value)} />
      <span class="muted">{t("board.seconds")}</span>
      <Button disabled={!Number(by)} onClick={() => shift(-Number(by))}>{t("captions.earlier")}</Button>
      <Button disabled={!Number(by)} onClick={() => shift(Number(by))}>{t("captions.later")}</Button>
    </span>
  );
}

/** Downloads the captions as a file. */
function save(captions: Edited, format: Format): void {
  const address = URL.createObjectURL(new Blob([writeCaptions(captions, format)], { type: format === "vtt" ? "text/vtt" : "application/x-subrip" }));
  Object.assign(document.createElement("a"), { href: address, download: `${captions.name?.replace(/\.\w+$/, "") ?? "captions"}.${format}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function StylePicker({ pointer, controls, styles }: { pointer: string; controls: (pointers: readonly string[]) => ComponentChildren; styles: readonly string[] }) {
  const at = `${pointer}/style`;
  const style = (valueAt(at) as Style | undefined) ?? {};
  const choose = (preset: string | null) => setAt(at, withPreset(style, preset));
  return (
    <>
      <fieldset class="field">
        <legend class="field-head"><span>{t("captions.look")}</span></legend>
        <Picker id={fieldId(`${at}/preset`)} class="looks-of-captions" still picks={[{ name: "", title: t("captions.look.none") }, ...(captionStyles.value ?? []).map(pickOf)]}
          chosen={[String(style.preset ?? "")]} choose={(name) => choose(name === "" ? null : name)} />
        <FieldErrors pointer={`${at}/preset`} />
      </fieldset>
      <details class="overlay-style">
        <summary>{t("captions.look.more")}</summary>
        {controls(styles)}
      </details>
    </>
  );
}
