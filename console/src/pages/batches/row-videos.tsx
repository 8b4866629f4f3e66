// The finished videos of a row, as images that lead to their players.

import { t } from "../../i18n";
import { api } from "../../lib/api";
import type { Item, Task } from "../../lib/types";
import { link } from "../../router";
import { HoverPreview } from "../../ui/hover-preview";
import { Icon } from "../../ui/icon";
import { useLoad } from "../../ui/use-load";
import { useVisible } from "../../ui/use-visible";

/** Further videos are shown as a number. */
const SHOWN = 3;

/** Tasks by number and finished videos, because rows are rendered again whenever the batch changes. */
const tasks = new Map<string, Promise<Task>>();
const MAX_TASKS = 300;

export function taskWith(taskNo: string, completed: number): Promise<Task> {
  const key = `${taskNo} ${completed}`;
  const cached = tasks.get(key);
  if (cached !== undefined) return cached;
  const request = api.task(taskNo);
  tasks.set(key, request);
  request.catch(() => tasks.delete(key));
  const [oldest] = tasks.keys();
  if (tasks.size > MAX_TASKS && oldest !== undefined) tasks.delete(oldest);
  return request;
}

export const finishedItems = (task: Task): Item[] => task.items.filter((item) => item.url !== null || item.coverUrl !== null);

export function RowVideos({ row, taskNo, completed }: { row: number; taskNo: string; completed: number }) {
  const { ref, visible } = useVisible<HTMLSpanElement>();
  const loaded = useLoad(async () => (visible && completed > 0 ? finishedItems(await taskWith(taskNo, completed)) : null), [taskNo, completed, visible]);
  const items = loaded.value ?? [];
  return (
    <span class="row-videos" ref={ref}>
      {items.slice(0, SHOWN).map((item) => (
        <a key={item.itemNo} class="row-video" aria-label={t("batch.row.video", { n: row, item: item.itemNo })} {...link(`/tasks/${taskNo}?video=${item.itemNo}`)}>
          {item.coverUrl === null ? <Icon name="film" /> : <HoverPreview url={item.url} coverUrl={item.coverUrl} />}
        </a>
      ))}
      {items.length === 0 && completed > 0 && <span class="row-video" aria-hidden="true" />}
      {completed === 0 ? "0" : completed > SHOWN && `+${completed - SHOWN}`}
    </span>
  );
}
