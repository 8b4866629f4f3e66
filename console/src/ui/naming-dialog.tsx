// Changes the name and labels of a submitted task.

import { useState } from "preact/hooks";
import { t } from "../i18n";
import { api, ApiFailure } from "../lib/api";
import { labelsIn } from "../lib/labels";
import { messageText } from "../lib/service-message";
import type { TaskSummary } from "../lib/types";
import { Button, Dialog, explain } from "./basic";
import { Icon } from "./icon";
import { toast } from "./toast";

type Where = "name" | "labels";

export function NamingDialog({ task, close, named }: { task: Pick<TaskSummary, "taskNo" | "name" | "labels">; close: () => void; named: () => void }) {
  const [name, setName] = useState(task.name ?? "");
  const [labels, setLabels] = useState((task.labels ?? []).join(", "));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await api.rename(task.taskNo, { name: name.trim(), labels: labelsIn(labels) });
      toast("good", t("naming.saved"));
      named();
      close();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  };
  const field = (at: Where, value: string, set: (value: string) => void, rest: { maxLength?: number; autoFocus?: boolean }) => {
    const message = messageAt(error, at);
    return (
      <div class="field">
        <label class="field-head" for={`naming-${at}`}>{t(`naming.${at}`)}</label>
        <input id={`naming-${at}`} class="input" value={value} autocomplete="off" {...rest} aria-invalid={message !== null} aria-describedby={`naming-${at}-about`} onInput={(event) => set(event.currentTarget.value)} />
        <div id={`naming-${at}-about`}>
          {at === "labels" && <p class="hint">{t("naming.labels.hint")}</p>}
          {message !== null && <FieldMessage>{message}</FieldMessage>}
        </div>
      </div>
    );
  };
  return (
    <Dialog title={t("naming.title")} open close={close}>
      <form class="naming" onSubmit={send}>
        {field("name", name, setName, { maxLength: 120, autoFocus: true })}
        {field("labels", labels, setLabels, {})}
        {error !== null && messageAt(error, "name") === null && messageAt(error, "labels") === null && <FieldMessage>{explain(error)}</FieldMessage>}
        <div class="dialog-actions"><Button onClick={close}>{t("action.cancel")}</Button><Button kind="primary" type="submit" busy={busy}>{t("naming.save")}</Button></div>
      </form>
    </Dialog>
  );
}

function FieldMessage({ children }: { children: string }) {
  return <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{children}</span></p>;
}

/** The error of a field, or of one of its entries. */
function messageAt(error: unknown, at: Where): string | null {
  if (!(error instanceof ApiFailure)) return null;
  const fieldError = error.fieldErrors.find(({ path }) => path === `/${at}` || path.startsWith(`/${at}/`));
  return fieldError === undefined ? null : messageText(fieldError, fieldError.path);
}
