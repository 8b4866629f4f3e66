// Lists, issues and revokes the keys of a user. A new key is shown only once.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { admin, type Key, type NewKey, type User } from "../../lib/admin";
import { ago, dateTime } from "../../lib/format";
import { Button, CopyButton, Dialog, ErrorBox, explain, Notice, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { useForm } from "./form";
import { ScopeChoice } from "./scope-choice";

const ENDS = ["never", "30", "90", "365"] as const;
const DAY_MS = 86_400_000;

export function KeysDialog({ user, close }: { user: User; close: () => void }) {
  const keys = useLoad((signal) => admin.keys(user.userId, signal), [user.userId]);
  const [issuing, setIssuing] = useState(false);
  const [revoking, setRevoking] = useState<Key | null>(null);
  if (issuing) return <IssueKey user={user} close={() => { setIssuing(false); keys.reload(); }} />;
  if (revoking !== null) return <RevokeKey key_={revoking} close={() => { setRevoking(null); keys.reload(); }} />;
  return (
    <Dialog title={t("keys.title", { name: user.name })} open close={close} wide>
      {keys.error !== null && <ErrorBox error={keys.error} retry={keys.reload} />}
      {keys.value === null && keys.loading && <Skeleton rows={3} />}
      {keys.value?.list.length === 0 && <p class="muted">{t("keys.empty")}</p>}
      {keys.value && keys.value.list.length > 0 && (
        <Table label={t("keys.title", { name: user.name })} rows={keys.value.list} keyOf={(key) => key.keyId} columns={[
          { title: t("keys.begin"), cell: (key) => <><code class="nowrap">{key.prefix}…</code>{key.current && <><br /><span class="muted small">{t("keys.current")}</span></>}</> },
          { title: t("keys.scopes"), cell: (key) => <span class="nowrap">{key.scopes.map((scope) => t(`scope.${scope}` as Word)).join(", ")}</span> },
          { title: t("keys.state"), cell: (key) => <KeyState key_={key} /> },
          { title: t("keys.used"), cell: (key) => <span class="nowrap">{key.lastUseTime === null ? t("keys.never") : ago(key.lastUseTime)}</span> },
          { title: t("users.actions"), hidden: true, numeric: true, cell: (key) => isGood(key) && !key.current && (
            <Button kind="quiet" icon="trash" label={t("keys.revoke.named", { prefix: key.prefix })} onClick={() => setRevoking(key)} />
          ) },
        ]} />
      )}
      <div class="dialog-actions">
        <Button onClick={close}>{t("action.close")}</Button>
        <Button kind="primary" icon="plus" onClick={() => setIssuing(true)}>{t("keys.issue")}</Button>
      </div>
    </Dialog>
  );
}

export function isGood(key: Key, now = Date.now()): boolean {
  return key.revokeTime === null && (key.expireTime === null || Date.parse(key.expireTime) > now);
}

function KeyState({ key_: key }: { key_: Key }) {
  if (key.revokeTime !== null) return <span class="badge bad"><span class="dot" />{t("keys.revoked")}</span>;
  if (!isGood(key)) return <span class="badge off"><span class="dot" />{t("keys.expired")}</span>;
  const until = key.expireTime === null ? t("keys.good") : t("keys.good.until", { when: dateTime(key.expireTime) });
  return <span class="badge good"><span class="dot" />{until}</span>;
}

function IssueKey({ user, close }: { user: User; close: () => void }) {
  const [scopes, setScopes] = useState<readonly string[]>(["read", "submit"]);
  const [end, setEnd] = useState<(typeof ENDS)[number]>("never");
  const [newKey, setNewKey] = useState<NewKey | null>(null);
  const expireTime = end === "never" ? null : new Date(Date.now() + Number(end) * DAY_MS).toISOString();
  const form = useForm(() => admin.issueKey(user.userId, { scopes, expireTime }), setNewKey);
  if (newKey !== null) {
    return (
      <Dialog title={t("keys.title", { name: user.name })} open close={close}>
        <div class="key-values">
          <Notice tone="good">{t("keys.issued")}</Notice>
          <div class="field"><div class="field-head"><span>{t("users.key")}</span><CopyButton text={newKey.apiKey} /></div><code class="code">{newKey.apiKey}</code></div>
          <div class="dialog-actions"><Button kind="primary" onClick={close}>{t("action.close")}</Button></div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("keys.issue")} open close={close}>
      <form class="form-grid" onSubmit={form.submit}>
        <ScopeChoice scopes={scopes} set={setScopes} />
        <label class="field"><span class="field-head">{t("keys.end")}</span>
          <select class="input" value={end} onChange={(event) => setEnd(event.currentTarget.value as typeof end)}>
            {ENDS.map((one) => <option key={one} value={one}>{t(`keys.end.${one}` as Word)}</option>)}
          </select>
        </label>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" busy={form.busy} disabled={scopes.length === 0}>{t("keys.issue")}</Button>
        </div>
      </form>
    </Dialog>
  );
}

function RevokeKey({ key_: key, close }: { key_: Key; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      await admin.revokeKey(key.keyId);
      toast("good", t("keys.revoked.done"));
    } catch (error) {
      toast("bad", explain(error));
    }
    close();
  };
  return (
    <Dialog title={t("keys.revoke")} open close={close}>
      <p>{t("keys.revoke.sure", { prefix: key.prefix })}</p>
      <div class="dialog-actions">
        <Button onClick={close}>{t("action.cancel")}</Button>
        <Button kind="danger" busy={busy} onClick={revoke}>{t("keys.revoke.go")}</Button>
      </div>
    </Dialog>
  );
}
