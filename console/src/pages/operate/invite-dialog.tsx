// Invites a person to sign in as a user. The link is shown only once.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { admin, SCOPES, type NewInvitation, type User } from "../../lib/admin";
import { dateTime } from "../../lib/format";
import { Button, CopyButton, Dialog, Notice } from "../../ui/basic";
import { useForm } from "./form";
import { ScopeChoice } from "./scope-choice";

const HOURS = [1, 24, 72] as const;

export function InviteDialog({ user, close }: { user: User; close: () => void }) {
  const [scopes, setScopes] = useState<readonly string[]>(SCOPES.filter((scope) => scope !== "admin"));
  const [hours, setHours] = useState(24);
  const [invitation, setInvitation] = useState<NewInvitation | null>(null);
  const form = useForm(() => admin.invite({ userId: user.userId, scopes, hours }), setInvitation);
  if (invitation !== null) {
    return (
      <Dialog title={t("invite.title", { name: user.name })} open close={close}>
        <div class="key-values">
          <Notice tone="good">{t("invite.made", { when: dateTime(invitation.expireTime) })}</Notice>
          <div class="field"><div class="field-head"><span>{t("invite.link")}</span><CopyButton text={invitation.url} /></div><code class="code">{invitation.url}</code></div>
          <div class="dialog-actions"><Button kind="primary" onClick={close}>{t("action.close")}</Button></div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={t("invite.title", { name: user.name })} open close={close}>
      <p class="hint">{t("invite.lead", { name: user.name })}</p>
      <form class="form-grid" onSubmit={form.submit}>
        <ScopeChoice scopes={scopes} set={setScopes} />
        <label class="field"><span class="field-head">{t("invite.hours")}</span>
          <select class="input" value={String(hours)} onChange={(event) => setHours(Number(event.currentTarget.value))}>
            {HOURS.map((n) => <option key={n} value={n}>{t(`invite.hours.${n}` as Word)}</option>)}
          </select>
        </label>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" icon="link" busy={form.busy} disabled={scopes.length === 0}>{t("invite.go")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
