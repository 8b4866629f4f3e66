// The choice of a template that a table fills. Its texts are registered by the dialogs that show it.

import { useEffect } from "preact/hooks";
import { t } from "../i18n";
import { columnsOf } from "../lib/headings";
import { namesOf } from "../lib/upload-names";
import { readTable } from "../lib/table-file";
import { templates, type TemplateOverview } from "../lib/templates";
import { ErrorBox, Skeleton } from "./basic";
import { useLoad } from "./use-load";

/** A template, and whether the other files fill its table. */
export interface ChosenTemplate {
  templateNo: string;
  withMedia: boolean;
}

const MAX_TEMPLATES = 100;
/** Templates whose columns are compared with the headings of the table. */
const COMPARED = 20;

/** The template that a table fills: at first, the one whose columns match best. */
export function TemplateChoice({ tables, media, choice, set }: {
  tables: readonly File[]; media: readonly File[]; choice: ChosenTemplate | null | undefined; set: (choice: ChosenTemplate | null) => void;
}) {
  const loaded = useLoad(() => Promise.all([templates.list({ pageSize: MAX_TEMPLATES }), cellsOf(tables)]).then(async ([{ list }, cells]) => (
    { list, cells, best: await bestMatch(list, cells[0] ?? []) })), []);
  const { list = [], cells = [], best } = loaded.value ?? {};
  useEffect(() => {
    if (loaded.value !== null) set(best === undefined ? null : { templateNo: best, withMedia: namesMedia(cells, media) });
  }, [loaded.value]);
  if (loaded.error !== null) return <ErrorBox error={loaded.error} retry={loaded.reload} />;
  if (loaded.value === null) return <Skeleton rows={1} />;
  return (
    <fieldset class="drop-group">
      <legend>{t("dropped.of", { kind: t("dropped.table"), names: namesOf(tables) })}</legend>
      {list.length === 0 ? <p>{t("dropped.template.missing")}</p> : (
        <>
          <label class="field"><span class="field-head">{t("dropped.template")}</span>
            <select class="input" value={choice?.templateNo ?? ""} onChange={(event) => {
              const templateNo = event.currentTarget.value;
              set(templateNo === "" ? null : { templateNo, withMedia: choice?.withMedia ?? namesMedia(cells, media) });
            }}>
              {list.map((template) => <option key={template.templateNo} value={template.templateNo}>{template.name}</option>)}
              <option value="">{t("dropped.template.none")}</option>
            </select></label>
          {choice && media.length > 0 && (
            <label class="check"><input type="checkbox" checked={choice.withMedia} onChange={() => set({ ...choice, withMedia: !choice.withMedia })} />
              <span>{t("dropped.with")}</span></label>
          )}
          <p class="hint">{t("dropped.template.hint")}</p>
        </>
      )}
    </fieldset>
  );
}

const cellsOf = async (tables: readonly File[]) => (await Promise.all(tables.map(readTable))).flatMap((cells) => cells ?? []);

/** Whether any cell names one of the files. */
function namesMedia(cells: readonly string[][], media: readonly File[]): boolean {
  const names = new Set(media.flatMap(({ name }) => [name.toLowerCase(), name.toLowerCase().replace(/\.[^.]+$/, "")]));
  return cells.some((row) => row.some((cell) => names.has(cell.trim().toLowerCase())));
}

async function bestMatch(list: readonly TemplateOverview[], headings: readonly string[]): Promise<string | undefined> {
  const compared = list.length === 1 ? [] : list.slice(0, COMPARED);
  const matches = await Promise.all(compared.map(({ templateNo }) => templates.get(templateNo).then(({ variables }) => (
    columnsOf(headings, variables).filter((place) => place >= 0).length / Math.max(1, variables.length)), () => 0)));
  const best = matches.indexOf(Math.max(...matches));
  return list[Math.max(0, best)]?.templateNo;
}
