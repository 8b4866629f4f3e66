// Whether the draft is saved on the server, and what to do if not.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { ApiFailure } from "../../lib/api";
import { pendingUploads } from "../../lib/draft";
import type { DraftId } from "../../lib/draft-storage";
import { MAX_DRAFTS } from "../../lib/saved-drafts";
import { Button, explain, Notice } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { change, draft, openId } from "./drafts";
import { keepBoth, retrySave, saveStateOf, useOther } from "./saving";

const TOO_MANY = 40911;

/** Below the heading. */
export function SaveStatus() {
  const state = saveStateOf(openId.value)?.is;
  const pending = pendingUploads(draft.value).length;
  const words = state === "saved" ? t("draft.saved") : state === "saving" ? t("draft.saving") : state === "local" || state === "conflict" ? t("drafts.local") : "";
  return <span class="save-status" data-testid="save-status">{words !== "" && <span>{words}</span>}{pending > 0 && <span>{t("draft.uploading", { n: pending })}</span>}</span>;
}

/** Notices about drafts that need a decision. */
export function DraftNotices() {
  const state = saveStateOf(openId.value);
  const { _waiting: waiting = 0 } = draft.value;
  if (state?.is === "conflict") return <Conflict />;
  return (
    <>
      {state?.is === "local" && (
        <Notice tone="warn" title={t("draft.local")} action={<Button icon="refresh" onClick={() => retrySave(openId.value)}>{t("draft.retry")}</Button>}>
          <p>{reasonText(state.reason)}</p>
        </Notice>
      )}
      {waiting > 0 && (
        <Notice tone="info" title={t("draft.waiting", { n: waiting })} action={<Button kind="quiet" icon="close" label={t("action.close")} onClick={() => change(({ _waiting: _, ...rest }) => rest)} />}>
          <p>{t("draft.waiting.lead", { n: waiting })}</p>
        </Notice>
      )}
    </>
  );
}

function reasonText(reason: unknown): string {
  if (!(reason instanceof ApiFailure)) return explain(reason);
  if (reason.code === TOO_MANY) return t("draft.local.full", { most: Number(reason.data?.limit ?? MAX_DRAFTS) });
  return reason.status === 413 ? t("draft.local.large") : explain(reason);
}

function Conflict() {
  const [busy, setBusy] = useState(false);
  const resolve = async (way: (id: DraftId) => Promise<void>) => {
    setBusy(true);
    await way(openId.value).catch((error: unknown) => toast("bad", explain(error)));
    setBusy(false);
  };
  return (
    <Notice tone="warn" title={t("draft.conflict")}>
      <p>{t("draft.conflict.lead")}</p>
      <span class="add-buttons start">
        <Button kind="primary" icon="copy" disabled={busy} onClick={() => void resolve(keepBoth)}>{t("draft.conflict.both")}</Button>
        <Button icon="refresh" busy={busy} onClick={() => void resolve(useOther)}>{t("draft.conflict.other")}</Button>
      </span>
    </Notice>
  );
}
