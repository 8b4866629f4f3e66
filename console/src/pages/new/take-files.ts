// Files that are dropped on a task or chosen for it: videos become clips, and a dialog asks for the use of others.

import { t } from "../../i18n";
import { decodeCaptions, NoCaptions, readCaptions, type Captions } from "../../lib/captions";
import { addClips, clipLists, newId, type Draft } from "../../lib/draft";
import { useOf } from "../../lib/dropped-files";
import { setPendingFiles } from "../../lib/pending-files";
import { getIn, parsePointer, setIn } from "../../lib/pointer";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { namesOf } from "../../lib/upload-names";
import { SPEECH_FIELDS } from "../../lib/voices";
import { go } from "../../router";
import { announce, toast } from "../../ui/toast";
import { openId, upload } from "./drafts";
import { scopedPointer } from "./option-scope";
import { LOGO } from "./overlays";
import type { Choice, Use } from "./file-uses";
import { change, clipsFor, draft, kind, roomIn, schemaAt, type Room } from "./state";

const O = "/params/options";

/** The row for files that are dropped beside the rows: the first empty one, otherwise the last. */
export function openList(): string {
  const lists = clipLists(draft.value);
  return (lists.find((list) => list.clips.length === 0) ?? lists.at(-1))?.id ?? "";
}

/** Images that are chosen with the button of a row are its clips; the use of dropped ones is asked. */
export async function takeFiles(listId: string, files: readonly File[], way: "dropped" | "chosen", room = () => roomIn(listId)): Promise<void> {
  const of = kind.value;
  const known = (pointer: string) => schemaAt(pointer).type !== undefined;
  const usable = {
    clip: true, image: TASK_TYPE_INFO[of].images || known(`${O}/overlays`), audio: known(`${O}/backgroundMusic`), captions: known(`${O}/subtitle`), table: true, unknown: false,
  };
  const kept = files.filter((file) => usable[useOf(file)]);
  const skipped = files.filter((file) => !kept.includes(file));
  if (skipped.length > 0) toast("bad", t("dropped.skipped", { n: skipped.length, names: namesOf(skipped) }));
  const ofUse = (use: string) => kept.filter((file) => useOf(file) === use);
  const [clips, images, audio, captions, tables] = ["clip", "image", "audio", "captions", "table"].map(ofUse) as [File[], File[], File[], File[], File[]];
  const asks = audio.length + captions.length + tables.length > 0 || (way === "dropped" && images.length > 0);
  let choice: Choice = { uses: new Map(), batch: null };
  if (asks) {
    const { askForUses } = await import("./drop-dialog");
    const answer = await askForUses({ audio, images, captions, tables, clips: clips.length, media: kept.filter((file) => !tables.includes(file)) });
    if (answer === null) return;
    choice = answer;
  }
  const { batch } = choice;
  if (batch !== null) {
    setPendingFiles(batch.templateNo, batch.withMedia ? kept : tables);
    if (!batch.withMedia) await apply(listId, kept, choice.uses, room());
    return go(`/templates/${batch.templateNo}/fill`, { heading: true });
  }
  await apply(listId, kept, choice.uses, room());
}

/** Puts files to use as one undo step. Without a choice, videos and images are clips. */
async function apply(listId: string, files: readonly File[], uses: ReadonlyMap<File, Use>, room: Room): Promise<void> {
  const of = openId.value;
  const as = (...wanted: Use[]) => files.filter((file) => wanted.includes(uses.get(file) ?? (["clip", "image"].includes(useOf(file)) ? "clip" : "skip")));
  const [captionFile] = as("captions");
  const captions = captionFile === undefined ? undefined : await captionsOf(captionFile);
  const clips = clipsFor(as("clip"), room);
  const [music, voices, logos] = [as("music"), as("voice", "soundtrack"), as("logo")];
  const steps: ((draft: Draft) => Draft)[] = [(before) => addClips(before, listId, clips)];
  // The other audio of a finished soundtrack would play over it.
  if (as("soundtrack").length > 0) steps.push(...["backgroundMusic", "backgroundMusicPool"].map((name) => setting(name, undefined)), setting("originalVolume", 0));
  if (voices.length > 0) steps.push(...waitForVoices(voices));
  // A script is read by the voice, as if that had been chosen there.
  if (voices.length > 0 && draft.value._goal === "script") steps.push(setting("length", "voice"), setting("subtitle/timing", undefined));
  if (music.length > 0) steps.push(...waitForMusic(music));
  const at = scopedPointer(`${O}/overlays`);
  for (const file of logos) {
    const job = upload(file, of);
    steps.push((before) => setIn(before, ["_adding", job], { at, entry: LOGO }));
  }
  if (captions !== undefined) steps.push(setting("subtitle/_captions", captions));
  const others = music.length + voices.length + logos.length + (captions === undefined ? 0 : 1);
  if (clips.length + others === 0) return;
  change((before) => duckMusic(steps.reduce((next, step) => step(next), before), music.length + voices.length > 0), of);
  announce(t("drop.added", { n: clips.length + others }));
  if (others > 0) toast("good", t("dropped.done", { n: others }));
}

const optionPath = (name: string) => parsePointer(scopedPointer(`${O}/${name}`));
const setting = (name: string, value: unknown) => (before: Draft): Draft => setIn(before, optionPath(name), value);
/** Sets the url of a field after the upload. */
const waiting = (name: string, file: File) => {
  const job = upload(file, openId.value);
  return (before: Draft): Draft => setIn(before, ["_uploads", scopedPointer(`${O}/${name}`)], job);
};

/** Several files are a pool; each video uses one of them. */
function waitForMusic(files: readonly File[]): ((draft: Draft) => Draft)[] {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return [waiting("backgroundMusic/url", only)];
  const at = scopedPointer(`${O}/backgroundMusicPool`);
  return files.map((file) => {
    const job = upload(file, openId.value);
    return (before) => setIn(before, ["_adding", job], { at, entry: {} });
  });
}

function waitForVoices(files: readonly File[]): ((draft: Draft) => Draft)[] {
  const [only] = files;
  if (files.length === 1 && only !== undefined) return [...SPEECH_FIELDS.map((name) => setting(`audio/${name}`, undefined)), waiting("audio/url", only)];
  const pool = optionPath("voicePool");
  const listed = (getIn(draft.value, pool) as unknown[] | undefined) ?? [];
  const added = files.map(() => ({ _id: newId(), audio: {}, subtitle: { style: { weight: "bold" } } }));
  return [setting("voicePool", [...listed, ...added]), ...files.map((file, place) => waiting(`voicePool/${listed.length + place}/audio/url`, file))];
}

/** Speech stays audible over music. */
function duckMusic(next: Draft, changed: boolean): Draft {
  const has = (...names: string[]) => names.some((name) => {
    const at = scopedPointer(`${O}/${name}`);
    return getIn(next, parsePointer(at)) !== undefined || next._uploads?.[at] !== undefined || Object.values(next._adding ?? {}).some((adding) => adding.at === at);
  });
  const isMixed = has("backgroundMusic/url", "backgroundMusicPool") && has("audio/url", "audio/text", "voicePool");
  return changed && isMixed && !has("ducking") ? setting("ducking", true)(next) : next;
}

async function captionsOf(file: File): Promise<Captions | undefined> {
  try {
    return { ...readCaptions(decodeCaptions(await file.arrayBuffer())), name: file.name };
  } catch (error) {
    if (!(error instanceof NoCaptions)) throw error;
    toast("bad", t("captions.wrong", { name: file.name }));
    return undefined;
  }
}
