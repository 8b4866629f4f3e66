// Reports progress while the user is elsewhere: in the tab's title, to screen readers, and with a notification when the
// task ends.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { isFinal, type Task } from "../../lib/types";
import { announce } from "../../ui/toast";

type NotificationChoice = NotificationPermission | "never";

/** The browser's permission; `never` if notifications are not supported. */
export const notificationPermission = signal<NotificationChoice>("Notification" in window && isSecureContext ? Notification.permission : "never");

export async function requestPermission(): Promise<void> {
  notificationPermission.value = await Notification.requestPermission();
}

/** The tab's title while the page is open. */
export function titleOf(task: Task): string {
  const kind = t(`type.${task.taskType}` as Word);
  const state = isFinal(task.status) ? t(`state.${task.status}` as Word) : `${task.progressPercent} %`;
  return `${state} · ${kind} · clipmill`;
}

/** Updates the title, announces the end of the task, and notifies once if the page is hidden then. */
export function useCompletionNotice(task: Task | null): void {
  const before = useRef<number | null>(null);
  const title = task === null ? null : titleOf(task);
  useEffect(() => {
    if (title === null) return;
    const usual = document.title;
    document.title = title;
    return () => {
      document.title = usual;
    };
  }, [title]);
  useEffect(() => {
    if (task === null) return;
    const ended = before.current !== null && before.current < 3 && isFinal(task.status);
    before.current = task.status;
    if (ended) announce(t("task.ended", { state: t(`state.${task.status}` as Word), n: task.completedItems, all: task.totalItems }));
    if (!ended || !document.hidden || notificationPermission.value !== "granted") return;
    try {
      const notification = new Notification(titleOf(task), { body: t("task.notify.body", { n: task.completedItems, all: task.totalItems }), tag: task.taskNo });
      notification.onclick = () => { window.focus(); notification.close(); };
    } catch {
      // Some browsers allow notifications only for installed pages.
    }
  }, [task?.status]);
}
