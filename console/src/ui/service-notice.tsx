// Notice on every page if the operator has paused the queue while tasks of this user wait, or has switched off the
// account.

import { t } from "../i18n";
import { api } from "../lib/api";
import { accountOff } from "../lib/session";
import { isFinal } from "../lib/types";
import { Notice } from "./basic";
import { Contact } from "./missing-points";
import { useLoad } from "./use-load";

const REFRESH_MS = 20_000;
/** Waiting tasks are among the newest. */
const PAGE_SIZE = 20;

export function ServiceNotice() {
  const tasks = useLoad((signal) => api.list({ pageSize: PAGE_SIZE }, signal), [], REFRESH_MS);
  if (accountOff.value !== null) return <Notice tone="bad" title={t("account.off")}><p>{accountOff.value} <Contact /></p></Notice>;
  const pausedTask = tasks.value?.list.find((task) => task.paused && !isFinal(task.status));
  if (!pausedTask?.paused) return null;
  return (
    <Notice tone="warn" title={t("waiting.paused")}>
      <p>{pausedTask.paused.reason !== null && t("waiting.reason", { reason: pausedTask.paused.reason })} {t("waiting.keeps")}</p>
    </Notice>
  );
}
