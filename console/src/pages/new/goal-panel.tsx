// The controls of the goal that a draft was started for, above its clips.

import { effect } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { allClips, clipLists, updateById, type Clip } from "../../lib/draft";
import { STRENGTHS, strengthOf, withStrength, type Strength } from "../../lib/goals";
import { hashes, requestHash } from "../../lib/image-hash";
import { parsePointer, setIn } from "../../lib/pointer";
import { fileOf, isSpreadAutomatically, layoutOf, mostSpread, spread } from "../../lib/spread";
import { Button } from "../../ui/basic";
import { ACCEPT, Dropzone, useFileInput } from "../../ui/dropzone";
import { OutputCount, outputCount } from "./fields";
import { VoiceFile } from "./files";
import { LinkDialog } from "./link-dialog";
import { speaksTexts } from "./spoken-text";
import { addLinks, change, clipCount, clipFacts, content, draft, mostClips, setAt, valueAt, type Room } from "./state";
import { takeFiles } from "./take-files";

type Json = Record<string, unknown>;
const O = "/params/options";

export function GoalPanel() {
  const goal = draft.value._goal;
  if (goal === "many") return <Many />;
  if (goal === "vary") return <Vary />;
  if (goal === "script") return <Script />;
  return null;
}

/** A panel whose first field has the focus in a new draft, unless that would open a keyboard on the screen. */
function Panel({ name, children }: { name: string; children: ComponentChildren }) {
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (clipCount.peek() > 0 || !matchMedia("(pointer: fine)").matches) return;
    const first = box.current?.querySelector<HTMLInputElement | HTMLTextAreaElement>("input.numeric, textarea");
    first?.focus({ preventScroll: true });
    first?.select();
  }, []);
  return <section class="panel goal-panel" aria-label={name} ref={box}>{children}</section>;
}

function Many() {
  const automatic = isSpreadAutomatically(content.value);
  useEffect(() => keepSpread(), []);
  const lists = clipLists(content.value);
  const files = new Set(allClips(content.value).map(nameOfFile)).size;
  const again = () => change((before) => spreadNow({ ...before, _spread: layoutOf(before) }));
  return (
    <Panel name={t("goal.many")}>
      <OutputCount title={t("goal.count")} />
      <DropAll />
      {clipCount.value > 0 && (
        <div class="goal-spread">
          <p class="hint">{automatic ? `${t("goal.many.spread", { n: files, scenes: lists.length })} ${t(files < clipCount.value ? "goal.many.shared" : "goal.many.hint")}` : t("goal.many.own")}</p>
          {!automatic && <Button icon="shuffle" onClick={again}>{t("goal.many.again")}</Button>}
        </div>
      )}
    </Panel>
  );
}

const nameOfFile = (clip: Clip) => clip.url ?? clip._upload ?? clip._id;

function factsOf(clip: Clip) {
  const { thumb, duration } = clipFacts(clip);
  if (thumb !== undefined) requestHash(thumb);
  const end = clip.to ?? duration ?? clip.duration;
  return { hash: thumb === undefined ? undefined : hashes.value.get(thumb), seconds: end === undefined ? undefined : end - (clip.from ?? 0) };
}

const spreadNow = (before: ReturnType<typeof draft.peek>) => spread(before, outputCount(), factsOf);

/** More clips are distributed again only after a pause, since their thumbnails and lengths arrive one by one. */
const MAX_CONCURRENT = 60;
const DEBOUNCE_MS = 200;

/** Distributes the clips again when they, their lengths or thumbnails, or the number of videos change. */
function keepSpread(): () => void {
  let last = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = effect(() => {
    if (!isSpreadAutomatically(draft.value)) return;
    const clips = allClips(draft.value);
    // Files in several scenes are counted once.
    const files = [...new Map(clips.map((clip) => [nameOfFile(clip), factsOf(clip)])).entries()].sort(([a], [b]) => a.localeCompare(b));
    const inputs = JSON.stringify([files, outputCount(), clips.some((clip) => clip._upload !== undefined)]);
    if (inputs === last) return;
    last = inputs;
    clearTimeout(timer);
    const now = () => change(spreadNow, undefined, { quiet: true });
    if (clips.length > MAX_CONCURRENT) timer = setTimeout(now, DEBOUNCE_MS);
    else queueMicrotask(now);
  });
  return () => (stop(), clearTimeout(timer));
}

/** Adds to the first scene, from where the clips are distributed. */
async function addAll(add: (listId: string, room?: () => Room) => void | Promise<void>): Promise<void> {
  const automatic = isSpreadAutomatically(draft.peek());
  await add(clipLists(draft.peek())[0]?.id ?? "", automatic ? roomInAll : undefined);
  if (automatic) change(spreadNow, undefined, { quiet: true });
}

/** How many clips can still be distributed over the scenes. */
function roomInAll(): Room {
  const [first] = clipLists(draft.peek());
  const most = first === undefined ? 0 : mostSpread(mostClips(first));
  return { clips: most - new Set(allClips(draft.peek()).map(fileOf)).size, advice: t("drop.over.many", { most }) };
}

/** Puts files to use, and spreads the clips among them over the scenes. */
export function takeAll(files: readonly File[], way: "dropped" | "chosen"): void {
  void addAll((listId, room) => takeFiles(listId, files, way, room));
}

function DropAll() {
  const [linking, setLinking] = useState(false);
  const links = (urls: readonly string[]) => void addAll((listId, room) => addLinks(listId, urls, room?.()));
  const { input, choose } = useFileInput(ACCEPT.fill, true, (files) => takeAll(files, "chosen"), t("clips.add"));
  const fromLibrary = async () => {
    const { openLibrary } = await import("../../ui/library-picker");
    const files = await openLibrary({ kind: ["video", "picture"] });
    if (files.length > 0) links(files.map((file) => file.url));
  };
  return (
    <Dropzone take={(files) => takeAll(files, "dropped")} class={`goal-drop ${clipCount.value > 0 ? "some" : ""}`}>
      {input}
      <p class="drop-words">{t("goal.many.drop")}</p>
      <span class="add-buttons">
        <Button icon="plus" kind={clipCount.value > 0 ? "plain" : "primary"} onClick={choose}>{t("clips.add")}</Button>
        <Button icon="link" onClick={() => setLinking(true)}>{t("clips.link")}</Button>
        <Button icon="library" onClick={() => void fromLibrary()}>{t("library.pick")}</Button>
      </span>
      <LinkDialog open={linking} close={() => setLinking(false)} add={links} />
    </Dropzone>
  );
}

const MAX_COPIES = 100;

function Vary() {
  useEffect(() => effect(() => {
    const { _copies: copies } = draft.value;
    const added = allClips(draft.value).filter((clip) => clip.copies === undefined);
    if (copies !== undefined && added.length > 0) queueMicrotask(() => change((before) => withCopies(before, added, copies), undefined, { quiet: true }));
  }), []);
  const copies = draft.value._copies;
  const set = (text: string) => {
    const next = text === "" ? undefined : Number(text);
    change((before) => ({ ...withCopies(before, allClips(before).filter((clip) => clip.copies === before._copies), next), _copies: next ?? 1 }), undefined, { together: "copies" });
  };
  const options = (valueAt(O) ?? {}) as Json;
  const strength = strengthOf(options);
  return (
    <Panel name={t("goal.vary")}>
      <div class="field">
        <label class="field-head" for="f-goal-copies"><span>{t("goal.count")} {clipCount.value > 1 && <span class="muted">{t("goal.vary.each")}</span>}</span></label>
        <input id="f-goal-copies" class="input numeric" type="number" inputMode="numeric" min={1} max={MAX_COPIES} value={copies ?? 1} onInput={(event) => set(event.currentTarget.value)} />
      </div>
      <fieldset class="field">
        <legend class="field-head"><span>{t("goal.vary.strength")}</span></legend>
        <div class="segments">
          {(Object.keys(STRENGTHS) as Strength[]).map((one) => (
            <label key={one} class={one === strength ? "on" : ""}>
              <input type="radio" name="goal-strength" checked={one === strength} onChange={() => setAt(O, withStrength(options, one))} />
              <span>{t(`goal.vary.${one}`)}</span>
            </label>
          ))}
        </div>
        <p class="hint">{t(strength === null ? "goal.vary.own.hint" : `goal.vary.${strength}.hint`)}</p>
      </fieldset>
    </Panel>
  );
}

const withCopies = (before: ReturnType<typeof draft.peek>, clips: readonly Clip[], copies: number | undefined) => (
  clips.reduce((rest, { _id }) => updateById(rest, _id, (clip) => ({ ...clip, copies })), before));

type Voice = "none" | "spoken" | "file";

/** A text that becomes captions, with or without a voice. */
function Script() {
  const audio = valueAt(`${O}/audio`) as { text?: string; url?: string } | undefined;
  const voice: Voice = audio?.text !== undefined ? "spoken" : valueAt(`${O}/length`) === "voice" ? "file" : "none";
  // The voice speaks the captions.
  useEffect(() => effect(() => {
    const text = valueAt(`${O}/subtitle/text`);
    const spoken = valueAt(`${O}/audio/text`);
    if (spoken !== undefined && text !== undefined && spoken !== text) queueMicrotask(() => change((before) => setIn(before, parsePointer(`${O}/audio/text`), text), undefined, { quiet: true }));
  }), []);
  const choose = (next: Voice) => change((before) => {
    const options = (before.params.options ?? {}) as Json;
    const { audio: _, length: __, ...others } = options;
    const subtitle = { ...(options.subtitle as Json), timing: next === "none" ? "even" : undefined };
    const text = (subtitle as Json).text ?? "";
    const own = next === "none" ? {} : { length: "voice", audio: next === "spoken" ? { text } : {} };
    return setIn(before, parsePointer(O), { ...others, ...own, subtitle });
  });
  const choices: readonly Voice[] = speaksTexts() || voice === "spoken" ? ["none", "spoken", "file"] : ["none", "file"];
  return (
    <Panel name={t("goal.script")}>
      <div class="field">
        <label class="field-head" for="f-goal-script">{t("goal.script.text")}</label>
        <textarea id="f-goal-script" class="input" rows={6} value={String(valueAt(`${O}/subtitle/text`) ?? "")} aria-describedby="f-goal-script-hint"
          onInput={(event) => setAt(`${O}/subtitle/text`, event.currentTarget.value)} />
        <p class="hint" id="f-goal-script-hint">{t("goal.script.hint")}</p>
      </div>
      <fieldset class="field">
        <legend class="field-head"><span>{t("goal.script.voice")}</span></legend>
        <div class="segments">
          {choices.map((one) => (
            <label key={one} class={one === voice ? "on" : ""}>
              <input type="radio" name="goal-voice" checked={one === voice} onChange={() => choose(one)} />
              <span>{t(`goal.script.${one}`)}</span>
            </label>
          ))}
        </div>
      </fieldset>
      {voice === "file" && <VoiceFile pointer={`${O}/audio/url`} />}
      {voice === "spoken" && <p class="hint">{t("goal.script.spoken.hint")}</p>}
    </Panel>
  );
}
