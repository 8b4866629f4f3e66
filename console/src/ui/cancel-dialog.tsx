// Confirms the cancellation of a task.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { Button, Dialog } from "./basic";

export function CancelDialog({ open, close, cancel }: { open: boolean; close: () => void; cancel: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    await cancel();
    setBusy(false);
    close();
  };
  return (
    <Dialog title={t("tasks.cancel.sure")} open={open} close={close}>
      <p>{t("tasks.cancel.lead")}</p>
      <div class="dialog-actions">
        <Button onClick={close}>{t("tasks.cancel.keep")}</Button>
        <Button kind="danger" busy={busy} onClick={go}>{t("tasks.cancel")}</Button>
      </div>
    </Dialog>
  );
}
