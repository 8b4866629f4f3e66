// Forms of the operations dialogs: fields with errors, and submission.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { ApiFailure } from "../../lib/api";
import { messageText } from "../../lib/service-message";
import { explain } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { toast } from "../../ui/toast";

/** The error of a field. */
function messageAt(error: unknown, field: string): string | null {
  const fieldError = error instanceof ApiFailure ? error.fieldErrors.find(({ path }) => path === field || path.startsWith(`${field}/`)) : undefined;
  return fieldError === undefined ? null : messageText(fieldError);
}

export function FormField({ name, value, set, field, error, hint, numeric = false, required = false, maxLength }: {
  name: string; value: string; set: (value: string) => void; field: string; error: unknown; hint?: string; numeric?: boolean; required?: boolean; maxLength?: number;
}) {
  const message = messageAt(error, field);
  const id = `form${field.replace("/", "-")}`;
  const described = [message === null ? null : `${id}-error`, hint === undefined ? null : `${id}-hint`].filter(Boolean).join(" ");
  return (
    <div class="field">
      <div class="field-head"><label for={id}>{name}</label>{required && <span class="muted small">{t("form.required")}</span>}</div>
      <input id={id} class="input" value={value} inputMode={numeric ? "numeric" : "text"} autocomplete="off" aria-required={required} aria-invalid={message !== null}
        maxLength={maxLength} aria-describedby={described || undefined} onInput={(event) => set(event.currentTarget.value)} />
      {hint && <p class="hint" id={`${id}-hint`}>{hint}</p>}
      {message && <p class="field-error" id={`${id}-error`} role="alert"><Icon name="error" size={15} /><span>{message}</span></p>}
    </div>
  );
}

/** Submits a form and stores its error. */
export function useForm<T>(send: () => Promise<T>, done: (response: T) => void) {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const submit = async (event: Event) => {
    event.preventDefault();
    setState({ busy: true, error: null });
    try {
      done(await send());
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
      if (!(error instanceof ApiFailure) || error.fieldErrors.length === 0) toast("bad", explain(error));
    }
  };
  return { ...state, submit };
}
