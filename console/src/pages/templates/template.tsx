// One template: variables, versions and actions.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { fromRequest } from "../../lib/draft";
import { decimal, dateTime } from "../../lib/format";
import { deleteTable } from "../../lib/table-storage";
import { isFileType } from "../../lib/lists";
import { fileName } from "../../lib/upload-names";
import { templates, type Template, type Variable } from "../../lib/templates";
import { go, link } from "../../router";
import { Button, Code, Dialog, ErrorBox, explain, Notice, PageHead, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { Table } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { startDraft } from "../new/drafts";
import { FROM_TEMPLATE, withDefaults } from "./variable-choices";

/** Number of stored versions. */
const KEPT_VERSIONS = 50;

export function TemplatePage({ templateNo }: { templateNo: string }) {
  const [version, setVersion] = useState<number | undefined>(undefined);
  const newest = useLoad((signal) => templates.get(templateNo, undefined, signal), [templateNo]);
  const selected = useLoad((signal) => templates.get(templateNo, version, signal), [templateNo, version, newest.value?.version]);
  const template = selected.value ?? newest.value;
  if (template === null) return newest.error ? <ErrorBox error={newest.error} retry={newest.reload} /> : <Skeleton rows={3} height={90} />;
  const last = newest.value?.version ?? template.version;
  const versions = Array.from({ length: Math.min(last, KEPT_VERSIONS) }, (_, index) => last - index);
  return (
    <>
      <Head template={template} />
      {template.version < last && (
        <Notice tone="info" action={<Button onClick={() => void restore(template, last, () => { setVersion(undefined); newest.reload(); })}>{t("templates.version.restore")}</Button>}>
          <p>{t("templates.version.old", { n: template.version, newest: last })}</p>
        </Notice>
      )}
      <section class="panel">
        <header class="panel-head"><h2>{t("templates.variables")}</h2>
          {last > 1 && (
            <label class="filter"><span>{t("templates.versions")}</span>
              <select class="input" value={String(version ?? last)} onChange={(event) => setVersion(Number(event.currentTarget.value))}>
                {versions.map((n) => <option key={n} value={n}>{n}</option>)}
              </select>
            </label>
          )}
        </header>
        {template.variables.length === 0 ? <p class="muted">{t("templates.variables.none")}</p> : <Variables list={template.variables} />}
      </section>
      <details class="panel engineering"><summary>{t("templates.request")}</summary><Code label={t("templates.request")} text={JSON.stringify(template.request, null, 2)} /></details>
    </>
  );
}

/** Saves an earlier version as the latest one. */
async function restore(template: Template, newest: number, then: () => void): Promise<void> {
  try {
    const { name, request, variables } = template;
    await templates.replace(template.templateNo, { name, request, variables, version: newest });
    toast("good", t("templates.version.restored", { n: newest + 1 }));
    then();
  } catch (error) {
    toast("bad", explain(error));
  }
}

function Head({ template }: { template: Template }) {
  const [asking, setAsking] = useState(false);
  const remove = async () => {
    try {
      await templates.remove(template.templateNo);
      deleteTable(template.templateNo);
      toast("good", t("templates.deleted"));
      go("/templates");
    } catch (error) {
      toast("bad", explain(error));
      setAsking(false);
    }
  };
  const open = () => {
    const draft = fromRequest(withDefaults(template));
    sessionStorage.setItem(FROM_TEMPLATE, template.templateNo);
    startDraft(draft);
    go(`/new/${draft.taskType}`);
  };
  return (
    <>
      <a class="back" {...link("/templates")}><Icon name="left" size={16} />{t("templates.all")}</a>
      <PageHead title={<span class="break">{template.name}</span>} lead={<>{t("templates.version", { n: template.version })} · <time dateTime={template.updateTime}>{dateTime(template.updateTime)}</time></>}>
        <Button icon="trash" onClick={() => setAsking(true)}>{t("templates.delete")}</Button>
        <Button icon="redo" onClick={open}>{t("templates.draft")}</Button>
        <a class="button primary" {...link(`/templates/${template.templateNo}/fill`)}><Icon name="table" /><span>{t("templates.fill")}</span></a>
      </PageHead>
      <Dialog title={t("templates.delete.sure", { name: template.name })} open={asking} close={() => setAsking(false)}>
        <p>{t("templates.delete.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={() => setAsking(false)}>{t("action.cancel")}</Button>
          <Button kind="danger" onClick={() => void remove()}>{t("templates.delete")}</Button>
        </div>
      </Dialog>
    </>
  );
}

function Variables({ list }: { list: readonly Variable[] }) {
  return (
    <Table label={t("templates.variables")} rows={list} keyOf={(variable) => variable.name} columns={[
      { title: t("var.column"), cell: (variable) => <><strong class="break">{variable.name}</strong>{variable.label && <><br /><span class="muted small">{variable.label}</span></>}</> },
      { title: t("var.type"), cell: (variable) => <span class="nowrap">{t(`var.type.${variable.type}` as Word)}</span> },
      { title: t("var.default"), cell: (variable) => <Default variable={variable} /> },
      { title: t("var.limits"), cell: (variable) => <span class="muted small">{limitsOf(variable)}</span> },
    ]} />
  );
}

function Default({ variable }: { variable: Variable }) {
  if (variable.default === undefined || variable.default === null) return <span class="badge wait">{t("var.required")}</span>;
  const { default: value, type } = variable;
  const text = (Array.isArray(value) ? value : [value]).map((one) => (isFileType(type) ? fileName(String(one)) : String(one))).join(" | ");
  return <span class="break">{text === "" ? "–" : text}</span>;
}

export function limitsOf(variable: Variable): string {
  const { minimum: min, maximum: max, maxLength, choices, minItems, maxItems } = variable;
  const isDefined = (value: number | null | undefined): value is number => value !== null && value !== undefined;
  if (choices && choices.length > 0) return choices.join(", ");
  if (isDefined(min) && isDefined(max)) return t("var.limit.range", { min: decimal(min, 2), max: decimal(max, 2) });
  if (isDefined(min)) return t("var.limit.min", { min: decimal(min, 2) });
  if (isDefined(max)) return t("var.limit.max", { max: decimal(max, 2) });
  const limits = [
    ...(isDefined(minItems) ? [t("var.limit.items.min", { n: minItems })] : []),
    ...(isDefined(maxItems) ? [t("var.limit.items.max", { n: maxItems })] : []),
    ...(isDefined(maxLength) ? [t("var.limit.length", { n: maxLength })] : []),
  ];
  return limits.join(", ");
}
