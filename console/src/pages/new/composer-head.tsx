// Head of the page, with undo, redo and reset.

import { useLayoutEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button, Dialog, PageHead } from "../../ui/basic";
import { announce } from "../../ui/toast";
import { SaveStatus } from "./draft-state";
import { draft, redo, reset, steps, undo } from "./state";

export function ComposerHead() {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  useStepKeys();
  return (
    <PageHead title={t(draft.value._goal === undefined ? "new.title" : `goal.${draft.value._goal}`)} lead={<SaveStatus />}>
      <Button icon="undo" label={t("undo.back.key")} disabled={steps.value.back === 0} onClick={back} />
      <Button icon="forth" label={t("undo.forth.key")} disabled={steps.value.forth === 0} onClick={forth} />
      <Button icon="trash" onClick={() => setAsking(true)}>{t("new.reset")}</Button>
      <Dialog title={t("new.reset.sure")} open={asking} close={close}>
        <p>{t("new.reset.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="danger" onClick={() => { reset(); close(); }}>{t("new.reset")}</Button>
        </div>
      </Dialog>
    </PageHead>
  );
}

function back(): void {
  undo();
  announce(t("undo.did"));
}

function forth(): void {
  redo();
  announce(t("undo.redid"));
}

/** The browser undoes text that is not part of the draft. */
function ofBrowser(target: EventTarget | null): boolean {
  const field = (target as HTMLElement | null)?.closest<HTMLElement>("input, textarea");
  const typed = field?.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])") ?? false;
  return typed && (field?.id.startsWith("f-") !== true || (field as HTMLInputElement).type === "url");
}

/** Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y; the command key on a Mac. */
function useStepKeys(): void {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || ofBrowser(event.target)) return;
      const key = event.key.toLowerCase();
      if (key === "z") event.shiftKey ? forth() : back();
      else if (key === "y") forth();
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}
