// Switches a user off, with a reason and an option to cancel the user's tasks.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { admin, type User } from "../../lib/admin";
import { Button, Dialog } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { FormField, useForm } from "./form";

export function SwitchDialog({ user, close }: { user: User; close: () => void }) {
  const [reason, setReason] = useState("");
  const [cancel, setCancel] = useState(false);
  const form = useForm(() => admin.switchOff(user.userId, { reason, cancel }), ({ cancelled }) => {
    toast("good", t(cancelled > 0 ? "off.done.cancelled" : "off.done", { name: user.name, n: cancelled }));
    close();
  });
  return (
    <Dialog title={t("off.title", { name: user.name })} open close={close}>
      <form class="form-grid" onSubmit={form.submit}>
        <p>{t("off.lead")}</p>
        <FormField name={t("off.reason")} value={reason} set={setReason} field="/reason" error={form.error} required maxLength={200} />
        <label class="check">
          <input type="checkbox" checked={cancel} onChange={(event) => setCancel(event.currentTarget.checked)} />
          <span>{t("off.cancel")}<br /><span class="muted small">{t("off.cancel.hint")}</span></span>
        </label>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="danger" type="submit" busy={form.busy} disabled={reason.trim() === ""}>{t("off.go")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
