// Selection of several clips and actions on them: by mouse (checkbox, Shift for a range) and by keyboard (Space on a
// checkbox, Ctrl+A, Delete, Escape).

import { computed, signal } from "@preact/signals";
import { useLayoutEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { allClips, clipLists, moveClip, newId, removeClips, updateById, type Clip } from "../../lib/draft";
import { assign, setOf } from "../../lib/draft-parts";
import { cancelUpload } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { announce } from "../../ui/toast";
import { previewedClip } from "./clip-name";
import { optionScope } from "./option-scope";
import { change, draft, kind, schemaAt } from "./state";

const selectedIds = signal<ReadonlySet<string>>(new Set());
let anchor: string | null = null;

/** The selected clips in order, without clips that were removed from the draft. */
export const selectedClips = computed<Clip[]>(() => (selectedIds.value.size === 0 ? [] : allClips(draft.value).filter((clip) => selectedIds.value.has(clip._id))));

export function selectClips(ids: Iterable<string>): void {
  selectedIds.value = new Set(ids);
}

export function idsBetween(ids: readonly string[], from: string, to: string): string[] {
  const places = [ids.indexOf(from), ids.indexOf(to)];
  return places.includes(-1) ? [to] : ids.slice(Math.min(...places), Math.max(...places) + 1);
}

/** Selects or deselects a clip; with `range`, all clips since the previous one. */
export function toggleClip(id: string, on: boolean, range: boolean): void {
  const ids = range && anchor !== null ? idsBetween(allClips(draft.value).map((clip) => clip._id), anchor, id) : [id];
  const next = new Set(selectedIds.value);
  for (const one of ids) if (on) next.add(one); else next.delete(one);
  anchor = id;
  selectedIds.value = next;
}

export const isSelected = (id: string) => selectedIds.value.has(id);

export function SelectCheckbox({ clip, name }: { clip: Clip; name: string }) {
  const on = isSelected(clip._id);
  return (
    <label class={`tick ${on ? "on" : ""}`}>
      <input type="checkbox" checked={on} aria-label={t("select.clip", { name })}
        onClick={(event) => toggleClip(clip._id, event.currentTarget.checked, event.shiftKey)} />
      <span aria-hidden="true"><Icon name="check" size={14} /></span>
    </label>
  );
}

function removeSelected(): void {
  const clips = selectedClips.value;
  if (clips.length === 0) return;
  clips.forEach((clip) => clip._upload !== undefined && cancelUpload(clip._upload));
  change((before) => removeClips(before, new Set(clips.map((clip) => clip._id))));
  selectClips([]);
  announce(t("select.removed", { n: clips.length }));
}

/** Creates a separate option set for the selected videos, as a copy of their current options. */
function ownOptions(): void {
  const ids = selectedClips.value.map((clip) => clip._id);
  const set = newId();
  change((before) => {
    const sets = new Set(selectedClips.value.map((clip) => setOf(before, clip as unknown as Record<string, unknown>)));
    const [only] = sets;
    const options = sets.size === 1 && only != null ? before._sets?.[only] : (before.params.options as Record<string, unknown> | undefined);
    return assign({ ...before, _sets: { ...before._sets, [set]: options ?? {} } }, ids, set);
  });
  optionScope.value = set;
  previewedClip.value = ids[0] ?? null;
  selectClips([]);
  document.querySelector(".options")?.scrollIntoView({ block: "start" });
}

/** Ctrl+A, Delete and Escape, except in text fields. */
function useKeys(): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      const at = event.target as HTMLElement;
      if (at.closest("dialog, textarea, select, input:not([type=checkbox])")) return;
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a" && at.closest(".board")) selectClips(allClips(draft.value).map((clip) => clip._id));
      else if (event.key === "Delete" && selectedClips.value.length > 0) removeSelected();
      else if (event.key === "Escape" && selectedClips.value.length > 0) selectClips([]);
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

/** Actions for the selected clips, visible while there is a selection. */
export function SelectionBar() {
  useKeys();
  const clips = selectedClips.value;
  const all = allClips(draft.value).length;
  if (clips.length === 0) return null;
  return (
    <div class="bulk" role="region" aria-label={t("select.bar")}>
      <strong>{t("select.n", { n: clips.length })}</strong>
      <Button kind="quiet" onClick={() => selectClips(clips.length < all ? allClips(draft.value).map((clip) => clip._id) : [])}>
        {t(clips.length < all ? "select.all" : "select.none")}
      </Button>
      {kind.value === "videoDeduplication" ? <><Copies clips={clips} /><Button icon="settings" onClick={ownOptions}>{t("select.own")}</Button></> : <MoveTo clips={clips} />}
      <Button kind="danger" icon="trash" onClick={removeSelected}>{t("select.remove", { n: clips.length })}</Button>
      <p class="hint">{t("select.hint")}</p>
    </div>
  );
}

function Copies({ clips }: { clips: readonly Clip[] }) {
  const [first] = clips;
  const same = clips.every((clip) => clip.copies === first?.copies);
  const { minimum = 1, maximum = 100 } = schemaAt("/params/videoList/0/copies");
  const set = (text: string) => {
    const copies = text === "" ? undefined : Number(text);
    change((before) => clips.reduce((rest, { _id }) => updateById(rest, _id, (clip) => ({ ...clip, copies })), before), undefined, { together: "copies" });
  };
  return (
    <label class="inline-field"><span>{t("select.copies")}</span>
      <input class="input numeric" type="number" min={minimum} max={maximum} value={same ? String(first?.copies ?? 1) : ""} placeholder="…"
        id="f-bulk-copies" onInput={(event) => set(event.currentTarget.value)} />
    </label>
  );
}

function MoveTo({ clips }: { clips: readonly Clip[] }) {
  const [to, setTo] = useState("");
  const rows = clipLists(draft.value);
  if (rows.length < 2) return null;
  const go = (listId: string) => {
    setTo("");
    const index = rows.find((row) => row.id === listId)?.clips.length ?? 0;
    const rest = clips.filter((clip) => !rows.find((row) => row.id === listId)?.clips.some((one) => one._id === clip._id));
    change((before) => rest.reduce((next, clip, place) => moveClip(next, clip._id, listId, index + place), before));
    selectClips([]);
  };
  return (
    <label class="inline-field"><span>{t("select.move")}</span>
      <select class="input bulk-move" value={to} onChange={(event) => go(event.currentTarget.value)}>
        <option value="">…</option>
        {rows.map((row, place) => <option key={row.id} value={row.id}>{t(kind.value === "proVideoMix" ? "board.scene" : "board.group", { n: place + 1 })}</option>)}
      </select>
    </label>
  );
}
