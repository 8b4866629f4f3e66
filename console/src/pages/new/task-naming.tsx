// Name and labels of the task.

import { label } from "../../i18n/fields";
import { t } from "../../i18n";
import { labelsIn } from "../../lib/labels";
import { FieldErrors, described, fieldId } from "./fields";
import { change, draft, setAt, valueAt } from "./state";

export function TaskNaming() {
  const labels = draft.value.labels ?? [];
  const write = (text: string) => {
    const next = labelsIn(text);
    change(({ labels: _, ...rest }) => (next.length > 0 ? { ...rest, labels: next } : rest), undefined, { together: "labels" });
  };
  return (
    <section class="names" aria-label={t("names.title")}>
      <div class="field">
        <label class="unseen" for={fieldId("/name")}>{t("names.title")}</label>
        <input id={fieldId("/name")} class="input" value={String(valueAt("/name") ?? "")} placeholder={t("names.title")} maxLength={120}
          {...described("/name", false)} onInput={(event) => setAt("/name", event.currentTarget.value || undefined)} />
        <FieldErrors pointer="/name" />
      </div>
      <div class="field">
        <label class="unseen" for={fieldId("/labels")}>{label("/labels")}</label>
        <input id={fieldId("/labels")} class="input" key={labels.join()} defaultValue={labels.join(", ")} placeholder={t("names.labels")}
          {...described("/labels", false)} onChange={(event) => write(event.currentTarget.value)} />
        <FieldErrors pointer="/labels" />
        {labels.map((_, place) => <FieldErrors key={place} pointer={`/labels/${place}`} />)}
      </div>
    </section>
  );
}
