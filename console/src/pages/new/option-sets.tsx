// Separate options: the choice of the visible option set, and the videos that have one.

import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import { newId, type Clip } from "../../lib/draft";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { assign, setOf, videosOf } from "../../lib/draft-parts";
import { Button } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { clipName, previewedClip } from "./clip-name";
import { optionScope } from "./option-scope";
import { change, content, draft, kind } from "./state";

type Json = Record<string, unknown>;

const videos = () => videosOf(content.value);
/** Whether clips, not groups, can have separate options. */
const areClips = () => TASK_TYPE_INFO[kind.value].clips === null;

function videoName(video: Json): string {
  return areClips() ? clipName(video as unknown as Clip) : t("board.group", { n: videos().indexOf(video) + 1 });
}

function sets(): Map<string, Json[]> {
  const videosBySet = new Map<string, Json[]>();
  for (const video of videos()) {
    const set = setOf(content.value, video);
    if (set !== null) videosBySet.set(set, [...(videosBySet.get(set) ?? []), video]);
  }
  return videosBySet;
}

/** Shows the options of a set, and one of its videos in the preview. */
function showSet(set: string | null, video: Json | undefined): void {
  optionScope.value = set;
  const { clips } = TASK_TYPE_INFO[kind.value];
  const first = clips === null ? video : (video?.[clips] as Json[] | undefined)?.[0];
  previewedClip.value = String(first?._id ?? "") || null;
}

export function ScopeBar() {
  const videosBySet = sets();
  const isStale = optionScope.value !== null && !videosBySet.has(optionScope.value);
  useEffect(() => {
    if (isStale) optionScope.value = null;
  }, [isStale, kind.value]);
  if (videosBySet.size === 0) return null;
  const scopeVideos = optionScope.value === null ? undefined : videosBySet.get(optionScope.value);
  const others = videos().find((video) => setOf(content.value, video) === null);
  const end = () => change((before) => assign(before, (scopeVideos ?? []).map((video) => String(video._id)), null));
  return (
    <div class="scope">
      <div class="scope-tabs" role="group" aria-label={t("own.scope")}>
        <Choice set={null} words={t("own.others")} open={() => showSet(null, others)} />
        {[...videosBySet].map(([set, some]) => (
          <Choice key={set} set={set} words={some.length === 1 && some[0] ? videoName(some[0]) : t("own.some", { n: some.length })} open={() => showSet(set, some[0])} />
        ))}
      </div>
      {scopeVideos && (
        <p class="hint scope-hint">
          {t("own.hint", { n: scopeVideos.length })}
          <Button kind="quiet" icon="redo" onClick={end}>{t("own.end")}</Button>
        </p>
      )}
    </div>
  );
}

function Choice({ set, words, open }: { set: string | null; words: string; open: () => void }) {
  const on = optionScope.value === set;
  return <button type="button" class={on ? "on" : ""} aria-pressed={on} title={words} onClick={open}>{words}</button>;
}

/** Opens the separate options of a video, and creates them if needed. */
export function OwnButton({ id, name }: { id: string; name: string }) {
  const video = videos().find((one) => one._id === id);
  const set = setOf(content.value, video);
  const open = () => {
    const next = set ?? newId();
    if (set === null) {
      const options = (draft.value.params.options as Json | undefined) ?? {};
      change((before) => assign({ ...before, _sets: { ...before._sets, [next]: options } }, [id], next));
    }
    showSet(next, video);
    document.querySelector(".options")?.scrollIntoView({ block: "start" });
  };
  return <Button icon="settings" kind={set === null ? "quiet" : "plain"} label={t("own.of", { name })} aria-pressed={set !== null} onClick={open} />;
}

/** Marks clips with separate options. */
export function OwnBadge({ clip }: { clip: Clip }) {
  if (!areClips() || setOf(content.value, clip as unknown as Json) === null) return null;
  return <span class="own-badge"><Icon name="settings" size={12} />{t("own.badge")}</span>;
}
