// Creates, lists and revokes links to a page that shows a task's videos without a key, with the feedback of its viewers.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { dateTime } from "../lib/format";
import { assets, type Feedback, type Share, type SharedTask, type SharePage } from "../lib/assets";
import { Button, CopyButton, Dialog, ErrorBox, explain, Skeleton } from "./basic";
import { Icon } from "./icon";
import { ShareFeedback } from "./share-feedback";
import { toast } from "./toast";
import { useLoad } from "./use-load";

type ShareScope = "these" | "all";

/** Maximum number of tasks of one link. */
export const MAX_TASKS = 100;

/** `items` of a task are preselected; null for all items. */
export function ShareDialog({ tasks, close }: { tasks: readonly SharedTask[]; close: () => void }) {
  const taskNo = tasks[0]?.taskNo ?? "";
  const several = tasks.length > 1;
  const shares = useLoad((signal) => assets.shares(taskNo, signal), [taskNo]);
  // For several tasks, only links that cover all of them are listed.
  const activeShares = (shares.value ?? []).filter((share) => share.url !== null && (!several || tasks.every((task) => share.tasks?.some((one) => one.taskNo === task.taskNo))));
  return (
    <Dialog title={t("share.title")} open close={close} wide>
      <p class="hint">{t("share.lead")}</p>
      <ShareForm tasks={tasks} made={shares.reload} />
      {shares.error !== null && <ErrorBox error={shares.error} retry={shares.reload} />}
      {shares.value === null && shares.loading && <Skeleton rows={1} />}
      {activeShares.length > 0 && (
        <>
          <h3>{t("share.links")}</h3>
          <ul class="shares">{activeShares.map((share) => <Link key={share.shareId} share={share} changed={shares.reload} />)}</ul>
        </>
      )}
    </Dialog>
  );
}

const inOrder = (items: readonly number[]): number[] => [...items].sort((a, b) => a - b);
const sum = (tasks: readonly SharedTask[]): number => tasks.reduce((all, { items }) => all + (items?.length ?? 0), 0);

function make(tasks: readonly SharedTask[], what: ShareScope, until: string, page: SharePage): Promise<Share> {
  const rest = until === "" ? page : { ...page, expiresAt: endOf(until) };
  const [first] = tasks;
  if (tasks.length > 1) return assets.shareTasks({ tasks: tasks.map(({ taskNo, items }) => ({ taskNo, items: inOrder(items ?? []) })), ...rest });
  return assets.share(first?.taskNo ?? "", { ...(what === "these" && first?.items ? { items: inOrder(first.items) } : {}), ...rest });
}

const EMPTY_PAGE: Required<SharePage> = { title: "", message: "", feedback: false };

function ShareForm({ tasks, made }: { tasks: readonly SharedTask[]; made: () => void }) {
  const items = tasks[0]?.items ?? null;
  const [scope, setScope] = useState<ShareScope>(items === null ? "all" : "these");
  const [until, setUntil] = useState("");
  const [page, setPage] = useState(EMPTY_PAGE);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      const share = await make(tasks, scope, until, page);
      if (share.url !== null) await navigator.clipboard?.writeText(share.url).then(() => toast("good", t("share.copied")), () => undefined);
      setScope(items === null ? "all" : "these");
      setUntil("");
      setPage(EMPTY_PAGE);
      made();
    } catch (failure) {
      setError(explain(failure));
    }
    setBusy(false);
  };
  return (
    <form class="share-form" onSubmit={send}>
      {tasks.length > 1 && <p class="share-several"><strong>{t("share.several", { n: sum(tasks), tasks: tasks.length })}</strong></p>}
      {tasks.length === 1 && items !== null && (
        <div class="segments" role="group" aria-label={t("share.what")}>
          {(["these", "all"] as const).map((option) => (
            <label key={option} class={option === scope ? "on" : ""}>
              <input type="radio" name="share-what" checked={option === scope} onChange={() => setScope(option)} />
              <span>{option === "these" ? t("share.these", { n: items.length }) : t("share.all")}</span>
            </label>
          ))}
        </div>
      )}
      <label class="field"><span class="field-head">{t("share.page.title")}</span>
        <input class="input" value={page.title} maxLength={120} autocomplete="off" onInput={(event) => setPage({ ...page, title: event.currentTarget.value })} />
      </label>
      <label class="field"><span class="field-head">{t("share.page.message")}</span>
        <textarea class="input" rows={2} value={page.message} maxLength={500} onInput={(event) => setPage({ ...page, message: event.currentTarget.value })} />
      </label>
      <div class="switch-field">
        <label class="switch"><input type="checkbox" role="switch" checked={page.feedback} aria-describedby="share-feedback" onChange={() => setPage({ ...page, feedback: !page.feedback })} /><span class="track" /><span>{t("share.page.feedback")}</span></label>
        <p class="hint" id="share-feedback">{t("share.page.feedback.hint")}</p>
      </div>
      <label class="filter"><span>{t("share.until")}</span>
        <input class="input" type="date" value={until} aria-describedby="share-until" onInput={(event) => setUntil(event.currentTarget.value)} />
      </label>
      <Button kind="primary" type="submit" icon="link" busy={busy}>{t("share.make")}</Button>
      <p class="hint" id="share-until">{t("share.until.hint")}</p>
      {error !== null && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{error}</span></p>}
    </form>
  );
}

/** Midnight at the end of a local day. */
function endOf(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + 1).toISOString();
}

const lossesOf = ({ picks, comments }: Feedback): string => [
  ...(picks.length > 0 ? [t("share.revoke.picks", { n: picks.length })] : []), ...(comments.length > 0 ? [t("feedback.comments", { n: comments.length })] : []),
].join(t("share.revoke.and"));

function Link({ share, changed }: { share: Share; changed: () => void }) {
  const [busy, setBusy] = useState(false);
  /** The picks and comments that revoking would delete. */
  const [losses, setLosses] = useState<Feedback | null>(null);
  const ask = async () => {
    if (!share.feedback) return revoke();
    setBusy(true);
    try {
      const feedback = await assets.feedback(share);
      if (feedback.picks.length + feedback.comments.length > 0) setLosses(feedback);
      else await revoke();
    } catch (error) {
      toast("bad", explain(error));
      changed();
    }
    setBusy(false);
  };
  const revoke = async () => {
    setBusy(true);
    try {
      await assets.revoke(share);
      toast("good", t("share.revoked"));
    } catch (error) {
      toast("bad", explain(error));
    }
    setBusy(false);
    setLosses(null);
    changed();
  };
  const description = share.tasks !== null ? t("share.of.tasks", { n: share.tasks.length }) : share.items === null ? t("share.all") : t("share.numbers", { list: share.items.join(", ") });
  return (
    <li>
      <div class="share-words">
        {share.title !== null && <strong dir="auto">{share.title}</strong>}
        <a href={share.url ?? ""} target="_blank" rel="noopener noreferrer" class="mono break small">{share.url}</a>
        <span class="small muted">{description} · {share.expiresAt === null ? t("share.with.files") : t("share.ends", { time: dateTime(share.expiresAt) })}</span>
      </div>
      <CopyButton text={share.url ?? ""} />
      <Button icon="trash" busy={busy} onClick={() => void ask()}>{t("share.revoke")}</Button>
      {share.feedback && <ShareFeedback share={share} />}
      {losses !== null && (
        <Dialog title={t("share.revoke.sure")} open close={() => setLosses(null)}>
          <p>{t("share.revoke.lead", { what: lossesOf(losses) })}</p>
          <div class="dialog-actions">
            <Button onClick={() => setLosses(null)}>{t("action.cancel")}</Button>
            <Button kind="danger" busy={busy} onClick={() => void revoke()}>{t("share.revoke.go")}</Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
