// Delivery attempts of the task's callback.

import { t, type Word } from "../../i18n";
import { api } from "../../lib/api";
import { dateTime } from "../../lib/format";
import { Button, ErrorBox, explain, Skeleton } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";

export function CallbackPanel({ taskNo, ended }: { taskNo: string; ended: boolean }) {
  const log = useLoad((signal) => api.callbacks(taskNo, signal), [taskNo, ended], 15_000);
  const redeliver = async () => {
    try {
      await api.redeliver(taskNo);
      toast("good", t("task.callback.sent"));
    } catch (error) {
      toast("bad", explain(error));
    }
    log.reload();
  };
  if (log.value?.status === "none") return null;
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("task.callback")}</h2>
        {log.value && ended && <Button icon="send" onClick={redeliver}>{t("task.callback.redeliver")}</Button>}
      </header>
      {log.error !== null && <ErrorBox error={log.error} retry={log.reload} />}
      {log.value === null && log.loading && <Skeleton rows={1} />}
      {log.value && (
        <>
          <p class="small"><span class={`badge ${tones[log.value.status] ?? "wait"}`}><span class="dot" />{t(`task.callback.${log.value.status}` as Word)}</span> <span class="mono break">{log.value.url}</span></p>
          {log.value.nextAttemptTime && <p class="hint">{t("task.callback.next", { time: dateTime(log.value.nextAttemptTime) })}</p>}
          <ol class="attempts">
            {log.value.attempts.map((attempt, index) => (
              <li key={attempt.time}>
                <span>{t("task.callback.attempt", { n: index + 1 })}</span>
                <span class={`mono ${attempt.error === null ? "good-text" : "bad-text"}`}>{attempt.status ?? t("task.callback.noanswer")}</span>
                <span class="muted small">{dateTime(attempt.time)}{attempt.durationMs !== null && `, ${attempt.durationMs} ms`}</span>
                {attempt.error !== null && <span class="small">{attempt.error}</span>}
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

const tones: Record<string, string> = { delivered: "good", failed: "bad", sending: "run" };
