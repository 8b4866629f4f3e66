// Unfinished drafts: those of the server, and those that only this browser has.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { unsavedDrafts } from "../../lib/draft-storage";
import { ago, dateTime } from "../../lib/format";
import { draftsChanged, MAX_DRAFTS, savedDrafts } from "../../lib/saved-drafts";
import { isTaskType } from "../../lib/task-types";
import { link } from "../../router";
import { Button, Dialog, explain } from "../../ui/basic";
import { Icon, type IconName } from "../../ui/icon";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";

/** More are behind a button. */
const FEW = 6;
/** From this number on, the page mentions the limit. */
const MANY = 90;

const ICONS: Readonly<Record<string, IconName>> = { baseVideoMix: "film", proVideoMix: "scenes", videoDeduplication: "shuffle" };

interface Entry {
  /** Its number, or the ID in this browser. */
  reference: string;
  name: string;
  taskType: string;
  updateTime: string | null;
  isLocal: boolean;
}

export function Drafts() {
  const page = useLoad((signal) => savedDrafts.list(signal), [draftsChanged.value]);
  const [showsAll, setShowsAll] = useState(false);
  const [deleting, setDeleting] = useState<Entry | null>(null);
  // Drafts that could not be saved earlier.
  useEffect(() => {
    if (unsavedDrafts().length > 0) void import("../new/saving").then(({ flush }) => flush());
  }, []);
  const list = entries(page.value?.list ?? []);
  if (list.length === 0) return null;
  const total = page.value?.total ?? 0;
  return (
    <section class="drafts" aria-labelledby="drafts">
      <h2 id="drafts">{t("drafts.title")}</h2>
      {total >= MANY && <p class="hint">{t("drafts.most", { n: total, most: MAX_DRAFTS })}</p>}
      <ul class="draft-list">
        {list.slice(0, showsAll ? undefined : FEW).map((entry) => (
          <li key={entry.reference} class="draft-card">
            <a class="draft-link" {...link(`/new/draft/${encodeURIComponent(entry.reference)}`)}>
              <span class="kind-icon"><Icon name={ICONS[entry.taskType] ?? "film"} size={20} /></span>
              <span class="draft-words">
                <strong>{entry.name}</strong>
                <span class="muted small">
                  {isTaskType(entry.taskType) && t(`type.${entry.taskType}`)}
                  {entry.updateTime !== null && <> · <time dateTime={entry.updateTime} title={dateTime(entry.updateTime)}>{t("drafts.changed", { when: ago(entry.updateTime) })}</time></>}
                </span>
                {entry.isLocal && <span class="badge warn"><span class="dot" aria-hidden="true" />{t("drafts.local")}</span>}
              </span>
            </a>
            <Button kind="quiet" icon="trash" label={t("drafts.delete", { name: entry.name })} onClick={() => setDeleting(entry)} />
          </li>
        ))}
      </ul>
      {list.length > FEW && !showsAll && <Button onClick={() => setShowsAll(true)}>{t("drafts.all", { n: list.length })}</Button>}
      {deleting && <DeleteDialog entry={deleting} close={() => setDeleting(null)} />}
    </section>
  );
}

function entries(saved: readonly { draftNo: string; name: string; taskType?: string | null; updateTime: string }[]): Entry[] {
  const unsaved = unsavedDrafts();
  const numbers = new Set(saved.map(({ draftNo }) => draftNo));
  const local = unsaved.filter(({ draftNo }) => draftNo === null || !numbers.has(draftNo)).map(({ id, name, taskType }) => (
    { reference: id, name: name || t(`type.${taskType}`), taskType, updateTime: null, isLocal: true }));
  return [...local, ...saved.map(({ draftNo, name, taskType, updateTime }) => (
    { reference: draftNo, name, taskType: taskType ?? "", updateTime, isLocal: unsaved.some((draft) => draft.draftNo === draftNo) }))];
}

function DeleteDialog({ entry, close }: { entry: Entry; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const remove = async () => {
    setBusy(true);
    try {
      const { deleteDraft } = await import("../new/saving");
      await deleteDraft(entry.reference);
      toast("good", t("drafts.deleted"));
    } catch (error) {
      toast("bad", explain(error));
    }
    close();
  };
  return (
    <Dialog title={t("drafts.delete.sure")} open close={close}>
      <p>{t("drafts.delete.lead", { name: entry.name })}</p>
      <div class="dialog-actions">
        <Button onClick={close}>{t("action.cancel")}</Button>
        <Button kind="danger" busy={busy} onClick={() => void remove()}>{t("drafts.delete.go")}</Button>
      </div>
    </Dialog>
  );
}
