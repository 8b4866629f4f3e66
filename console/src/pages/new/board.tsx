// Lists of clips (groups or scenes). Clips are dragged by pointer, or grabbed with Space and moved with arrow keys.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import Sortable from "sortablejs";
import { t } from "../../i18n";
import {
  clipLists, moveClip, moveClipList, newGroup, newScene, removeClipList, type Clip, type Draft, type ClipList,
} from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { getIn, setIn, toPointer } from "../../lib/pointer";
import { Button } from "../../ui/basic";
import { ACCEPT, Dropzone, isTouched, useFileInput } from "../../ui/dropzone";
import { Icon } from "../../ui/icon";
import { announce } from "../../ui/toast";
import { VirtualGrid } from "../../ui/virtual-grid";
import { ClipCard, ClipDetails, detailsPointer } from "./clip-card";
import { clipName } from "./clip-name";
import { FieldErrors, NumberInput, SelectField, described, fieldId } from "./fields";
import { LinkDialog } from "./link-dialog";
import { OwnButton } from "./option-sets";
import { UploadProgress } from "./upload-progress";
import { SceneCaptions, SceneSounds } from "./scene-sounds";
import { SelectionBar } from "./clip-selection";
import { addLinks, change, clipCount, content, draft, kind, mostClips, setAt, valueAt } from "./state";
import { takeFiles } from "./take-files";

/** The clip that the arrow keys move, and the draft that Escape restores. */
const grabbedClip = signal<{ id: string; before: Draft } | null>(null);

/** From this number of clips on, a button leads past them. */
const MANY_CLIPS = 24;

function showOptions(): void {
  const heading = document.querySelector<HTMLElement>(".options h2");
  heading?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

export function Board() {
  const rows = clipLists(content.value);
  const details = detailsPointer.value === null ? undefined : (valueAt(detailsPointer.value) as Clip | undefined);
  return (
    <section class="board" aria-label={t("clips.title")}>
      {clipCount.value >= MANY_CLIPS && <Button kind="quiet" class="to-options" icon="down" onClick={showOptions}>{t("board.options")}</Button>}
      <UploadProgress />
      {TASK_TYPE_INFO[kind.value].clips === null ? rows.map((clipList) => <VideoList key={clipList.id} clipList={clipList} />) : (
        <>
          {rows.map((clipList, index) => <ClipListRow key={clipList.id} clipList={clipList} index={index} count={rows.length} />)}
          <AddClipList />
        </>
      )}
      <SelectionBar />
      {details && detailsPointer.value && <ClipDetails clip={details} pointer={detailsPointer.value} />}
    </section>
  );
}

function AddClipList() {
  const pro = kind.value === "proVideoMix";
  const outer = TASK_TYPE_INFO[kind.value].list;
  const add = () => change((before) => {
    const path = ["params", outer];
    const list = (getIn(before, path) as Record<string, unknown>[] | undefined) ?? [];
    return setIn(before, path, [...list, pro ? newScene(list) : newGroup()]);
  });
  return (
    <>
      <Button class="add-clip-list" icon="plus" onClick={add}>{t(pro ? "board.add.scene" : "board.add.group")}</Button>
      <FieldErrors pointer={`/params/${outer}`} />
    </>
  );
}

/** All videos to vary. They cannot be moved, because their order has no effect. */
function VideoList({ clipList }: { clipList: ClipList }) {
  const adding = useFileInput(ACCEPT.any, true, (files) => void takeFiles(clipList.id, files, "chosen"), t("clips.add"));
  return (
    <Dropzone take={(files) => void takeFiles(clipList.id, files, "dropped")} class="clip-list">
      <div class="clip-list-head"><h2>{t("clips.videos")}</h2><Room clipList={clipList} /></div>
      <VirtualGrid items={clipList.clips} minWidth={150} rowHeight={cardHeight()} region label={t("clips.videos")} keyOf={(clip) => clip._id}
        render={(clip, index) => <ClipCard clip={clip} pointer={toPointer([...clipList.clipsPath, index])} />} />
      <AddClips clipList={clipList} adding={adding} large={clipList.clips.length === 0} />
      <FieldErrors pointer={toPointer(clipList.clipsPath)} />
    </Dropzone>
  );
}

/** Number and maximum number of clips in a list. */
function Room({ clipList }: { clipList: ClipList }) {
  const most = mostClips(clipList);
  return <span class="muted small">{t("drop.most", { n: clipList.clips.length, most: Number.isFinite(most) ? most : "–" })}</span>;
}

function listName(clipList: ClipList, index: number): string {
  const name = valueAt(toPointer([...clipList.path, "sceneName"])) as string | undefined;
  return name || t(kind.value === "proVideoMix" ? "board.scene" : "board.group", { n: index + 1 });
}

function ClipListRow({ clipList, index, count }: { clipList: ClipList; index: number; count: number }) {
  const name = listName(clipList, index);
  const pointer = toPointer(clipList.path);
  const pro = kind.value === "proVideoMix";
  const adding = useFileInput(ACCEPT.any, true, (files) => void takeFiles(clipList.id, files, "chosen"), t("clips.add"));
  return (
    <Dropzone take={(files) => void takeFiles(clipList.id, files, "dropped")} class="clip-list">
      <div class="clip-list-head">
        <span class="clip-list-number" aria-hidden="true">{index + 1}</span>
        {pro ? <SceneName pointer={pointer} index={index} /> : <h2>{name}</h2>}
        {pro ? <SceneLength pointer={pointer} /> : <GroupCut pointer={pointer} />}
        <Room clipList={clipList} />
        <span class="clip-list-actions">
          {!pro && <OwnButton id={clipList.id} name={name} />}
          <Button kind="quiet" icon="up" label={t("board.up", { name })} disabled={index === 0} onClick={() => change((d) => moveClipList(d, index, index - 1))} />
          <Button kind="quiet" icon="down" label={t("board.down", { name })} disabled={index === count - 1} onClick={() => change((d) => moveClipList(d, index, index + 1))} />
          <Button kind="quiet" icon="trash" label={t("board.remove", { name })} disabled={count === 1} onClick={() => change((d) => removeClipList(d, clipList.id))} />
        </span>
      </div>
      {["duration", "sceneName", "sceneKey", "totalDuration", pro ? "resources" : "videos", ""].map((field) => (
        <FieldErrors key={field} pointer={field === "" ? pointer : `${pointer}/${field}`} />
      ))}
      <ClipStrip clipList={clipList} name={name} choose={adding.choose} />
      <AddClips clipList={clipList} adding={adding} />
      {pro && <details class="overlay-style"><summary>{t("board.scene.more")}</summary><SelectField pointer={`${pointer}/clipStart`} /></details>}
      {pro && <SceneSounds pointer={pointer} />}
      {pro && <SceneCaptions pointer={pointer} />}
    </Dropzone>
  );
}

function SceneName({ pointer, index }: { pointer: string; index: number }) {
  const at = `${pointer}/sceneName`;
  return (
    <input id={fieldId(at)} class="input clip-list-name" value={String(valueAt(at) ?? "")} placeholder={t("board.scene", { n: index + 1 })} aria-label={`${t("board.scene", { n: index + 1 })}: ${t("board.scene.name")}`}
      {...described(at, false)} onInput={(event) => setAt(at, event.currentTarget.value)} />
  );
}

function SceneLength({ pointer }: { pointer: string }) {
  const followsAudio = valueAt(`${pointer}/length`) === "voice" && ((valueAt(`${pointer}/audioResources`) as unknown[] | undefined) ?? []).length > 0;
  if (followsAudio) return <span class="inline-field">{t("board.scene.audio.length")}</span>;
  return <Inline word={t("board.scene.duration")}><NumberInput pointer={`${pointer}/duration`} /></Inline>;
}

function GroupCut({ pointer }: { pointer: string }) {
  return <Inline word={t("board.cut")}><NumberInput pointer={`${pointer}/totalDuration`} placeholder={t("board.all")} /></Inline>;
}

function Inline({ word, children }: { word: string; children: ComponentChildren }) {
  return <label class="inline-field"><span>{word}</span>{children}<span class="muted">{t("board.seconds")}</span></label>;
}

/** While a clip is being dragged, lists must keep their cells. */
let dragging = false;
const isDragging = () => dragging;

function ClipStrip({ clipList, name, choose }: { clipList: ClipList; name: string; choose: () => void }) {
  const ref = useRef<HTMLUListElement>(null);
  useEffect(() => {
    const list = ref.current;
    if (list === null) return;
    const sortable = Sortable.create(list, {
      group: "clips", animation: 130, forceFallback: true, fallbackOnBody: true, fallbackTolerance: 4,
      draggable: "li", filter: ".clip-actions button:not(.grip), .tick", preventOnFilter: false, delay: 160, delayOnTouchOnly: true,
      ghostClass: "ghost", dragClass: "dragged", onStart: () => (dragging = true), onEnd: onDrop,
    });
    return () => sortable.destroy();
  }, []);
  const empty = clipList.clips.length === 0;
  // The button below the list does the same for the keyboard.
  useEffect(() => {
    const list = ref.current;
    if (!empty || list === null) return;
    list.addEventListener("click", choose);
    return () => list.removeEventListener("click", choose);
  }, [empty, choose]);
  return (
    <VirtualGrid items={clipList.clips} minWidth={148} rowHeight={cardHeight()} spare={1} region label={name} list={ref} held={isDragging}
      class={`strip ${empty ? "is-empty" : ""}`} data={{ "data-clip-list": clipList.id, "data-empty": t(isTouched() ? "clips.tap" : "clips.drop") }} keyOf={(clip) => clip._id}
      render={(clip, index) => (
        <ClipCard clip={clip} pointer={toPointer([...clipList.clipsPath, index])}
          grip={{ grabbed: grabbedClip.value?.id === clip._id, onKeyDown: (event) => handleGripKey(event, clip), onBlur: () => releaseGrip(clip) }} />
      )} />
  );
}

const clipIn = (cell: Element | null | undefined) => cell?.querySelector<HTMLElement>("[data-clip]")?.dataset.clip;

/** Undoes the DOM change of the drag and moves the clip in the draft, which renders the page. */
function onDrop(event: Sortable.SortableEvent): void {
  const { item, from, to, oldIndex } = event;
  dragging = false;
  const id = clipIn(item);
  const listId = to.dataset.clipList;
  // The neighbours determine the position, because a list can have more clips than cells.
  const [after, before] = [clipIn(item.nextElementSibling), clipIn(item.previousElementSibling)];
  item.remove();
  from.insertBefore(item, from.children[oldIndex ?? 0] ?? null);
  const clips = clipLists(draft.value).find((row) => row.id === listId)?.clips ?? [];
  const place = (one: string | undefined) => clips.findIndex((clip) => clip._id === one);
  if (id === undefined || listId === undefined) return;
  change((draft) => moveClip(draft, id, listId, after !== undefined ? place(after) : place(before) + 1));
}

function releaseGrip(clip: Clip): void {
  // A move removes the focus briefly before it returns to the same clip.
  setTimeout(() => {
    const focused = (document.activeElement as HTMLElement | null)?.dataset.grip;
    if (grabbedClip.value?.id === clip._id && focused !== clip._id && focusTarget !== clip._id) grabbedClip.value = null;
  }, 80);
}

function handleGripKey(event: KeyboardEvent, clip: Clip): void {
  const name = clipName(clip);
  const held = grabbedClip.value?.id === clip._id;
  if (event.key === " " || event.key === "Enter") {
    event.preventDefault();
    grabbedClip.value = held ? null : { id: clip._id, before: draft.value };
    announce(t(held ? "say.dropped" : "say.grabbed", { name }));
  } else if (held && event.key === "Escape") {
    event.preventDefault();
    const { before } = grabbedClip.value ?? { before: draft.value };
    grabbedClip.value = null;
    change(() => before);
    announce(t("say.back", { name }));
    focusGrip(clip._id);
  } else if (held && event.key.startsWith("Arrow")) {
    event.preventDefault();
    const target = stepTo(clipLists(draft.value), clip._id, event.key);
    if (target === null) return;
    change((before) => moveClip(before, clip._id, target.clipList.id, target.index));
    announceMove(clip, name);
    focusGrip(clip._id);
  }
}

/** Left and right move within the list, up and down between lists. */
export function stepTo(rows: readonly ClipList[], id: string, key: string): { clipList: ClipList; index: number } | null {
  const row = rows.findIndex((clipList) => clipList.clips.some((clip) => clip._id === id));
  const clipList = rows[row];
  if (clipList === undefined) return null;
  const place = clipList.clips.findIndex((clip) => clip._id === id);
  if (key === "ArrowLeft") return place > 0 ? { clipList, index: place - 1 } : null;
  if (key === "ArrowRight") return place < clipList.clips.length - 1 ? { clipList, index: place + 2 } : null;
  const next = rows[key === "ArrowUp" ? row - 1 : row + 1];
  return next === undefined ? null : { clipList: next, index: Math.min(place, next.clips.length) };
}

function announceMove(clip: Clip, name: string): void {
  const rows = clipLists(draft.value);
  const index = rows.findIndex((clipList) => clipList.clips.some((other) => other._id === clip._id));
  const clipList = rows[index];
  if (clipList === undefined) return;
  const place = clipList.clips.findIndex((other) => other._id === clip._id) + 1;
  announce(t("say.moved", { name, place, count: clipList.clips.length, clipList: listName(clipList, index) }));
}

/** The clip whose handle will be focused. */
let focusTarget: string | null = null;

/** Focuses a clip's handle; its cell may have to be scrolled into view first. */
function focusGrip(id: string, tries = 30): void {
  focusTarget = id;
  setTimeout(() => {
    const grip = document.querySelector<HTMLElement>(`[data-grip="${id}"]`);
    if (grip === null && tries > 0) {
      if (tries % 10 === 0) showPlace(id);
      return focusGrip(id, tries - 1);
    }
    grip?.focus();
    focusTarget = null;
  }, 20);
}

/** Controls are taller for fingers. */
const cardHeight = () => (isTouched() ? 188 : 172);

/** Scrolls to the position of a clip in its list. */
function showPlace(id: string): void {
  const row = clipLists(draft.value).find((clipList) => clipList.clips.some((clip) => clip._id === id));
  const list = document.querySelector(`[data-clip-list="${row?.id}"]`);
  const region = list?.parentElement;
  if (row === undefined || list === null || region == null) return;
  const place = row.clips.findIndex((clip) => clip._id === id) / row.clips.length;
  region.scrollTop = place * list.clientHeight - region.clientHeight / 2;
  region.scrollIntoView({ block: "center" });
}

async function fromLibrary(listId: string): Promise<void> {
  const { openLibrary } = await import("../../ui/library-picker");
  const files = await openLibrary({ kind: TASK_TYPE_INFO[kind.value].images ? ["video", "picture"] : "video" });
  if (files.length > 0) addLinks(listId, files.map((file) => file.url));
}

function AddClips({ clipList, adding, large = false }: { clipList: ClipList; adding: ReturnType<typeof useFileInput>; large?: boolean }) {
  const [linking, setLinking] = useState(false);
  const { input, choose } = adding;
  return (
    <div class={`add-clips ${large ? "large" : ""}`} onClick={(event) => large && event.target === event.currentTarget && choose()}>
      {input}
      {large && <p class="drop-words" onClick={choose}><Icon name="upload" size={22} />{t(isTouched() ? "clips.tap" : "clips.drop")}</p>}
      <span class="add-buttons">
        <Button icon="plus" onClick={choose}>{t("clips.add")}</Button>
        <Button icon="link" onClick={() => setLinking(true)}>{t("clips.link")}</Button>
        <Button icon="library" onClick={() => void fromLibrary(clipList.id)}>{t("library.pick")}</Button>
      </span>
      <LinkDialog open={linking} close={() => setLinking(false)} add={(links) => addLinks(clipList.id, links)} />
    </div>
  );
}
