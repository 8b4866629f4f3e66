// Summary of the table: errors, the choice for insufficient points, price and the submit button.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { ApiFailure } from "../../lib/api";
import type { LibraryFile } from "../../lib/assets";
import { balance } from "../../lib/balance";
import { count } from "../../lib/format";
import { noteMedia } from "../../lib/media";
import { messageText } from "../../lib/service-message";
import { batches, type Template } from "../../lib/templates";
import { go } from "../../router";
import { Button, ErrorBox, explain, Notice } from "../../ui/basic";
import { PriceFooter } from "../../ui/price-footer";
import { Icon } from "../../ui/icon";
import { MissingPoints } from "../../ui/missing-points";
import { toast } from "../../ui/toast";
import { bodyOf, cellErrors, type CellError, type CheckResult, type TableState } from "./table-state";
import type { LinkCheck } from "./link-check";

const SHOWN_ERRORS = 8;
const CONFLICT = 40900;

interface Props {
  template: Template;
  tableState: TableState;
  checked: CheckResult & { again: () => void; note: (next: Partial<CheckResult>) => void };
  pending: number;
  links: LinkCheck;
  goTo: (row: number, column: number) => void;
}

function shortBy({ estimate }: CheckResult): number {
  const available = balance.value?.balance ?? null;
  return estimate !== null && available !== null ? estimate.estimatedDotCount - available : 0;
}

export function FillSummary({ template, tableState, checked, links, pending, goTo }: Props) {
  const { estimate } = checked;
  const short = shortBy(checked);
  return (
    <div class="panel summary">
      {estimate ? (
        <dl class="facts"><div><dt>{t("fill.facts.rows")}</dt><dd>{count(estimate.totalRows)}</dd></div><div><dt>{t("fill.facts.videos")}</dt><dd>{count(estimate.totalItems)}</dd></div></dl>
      ) : <p class="hint">{pending > 0 ? t("fill.price.uploading", { n: pending }) : checked.busy ? t("loading") : checked.wrong === 0 && checked.failure === null ? t("fill.price.none") : ""}</p>}
      <WrongCells template={template} tableState={tableState} checked={checked} goTo={goTo} />
      <Links links={links} />
      {checked.failure !== null && <ErrorBox error={checked.failure} retry={checked.again} />}
      {short > 0 && <MissingPoints>{t("fill.short", { n: short })}</MissingPoints>}
      <PartialChoice tableState={tableState} />
      {estimate && estimate.warnings.length > 0 && (
        <Notice tone="warn" title={t("fill.remarks")}><ul>{estimate.warnings.slice(0, SHOWN_ERRORS).map((warning) => <li key={warning.path + warning.message}>{messageText(warning, warning.path)}</li>)}</ul></Notice>
      )}
      <label class="field"><span class="field-head">{t("fill.name")}</span>
        <input class="input" value={tableState.name} placeholder={template.name} maxLength={120} onInput={(event) => tableState.setName(event.currentTarget.value)} /></label>
    </div>
  );
}

export function FillFooter({ template, tableState, checked }: Pick<Props, "template" | "tableState" | "checked">) {
  const { estimate } = checked;
  const available = balance.value?.balance ?? null;
  const price = (
    <p class={`price ${checked.busy ? "old" : ""}`} aria-live="polite" data-testid="batch-price">
      {estimate ? <><strong>{count(estimate.estimatedDotCount)}</strong> {t("points.unit", { n: estimate.estimatedDotCount })}</> : <span class="muted">–</span>}
    </p>
  );
  return (
    <PriceFooter label={t("fill.summary")} price={price} note={available !== null && <span class="muted small">{t("fill.balance", { n: available })}</span>}>
      <Submit template={template} tableState={tableState} checked={checked} short={shortBy(checked)} />
    </PriceFooter>
  );
}

/** Errors with links to their cells. */
function WrongCells({ template, tableState, checked, goTo }: Pick<Props, "template" | "tableState" | "checked" | "goTo">) {
  if (checked.wrong === 0) return null;
  const columnOf = (name: string | null) => Math.max(0, template.variables.findIndex((variable) => variable.name === name));
  const titleOf = (name: string) => template.variables.find((variable) => variable.name === name)?.label ?? name;
  const use = ({ row, column }: CellError, file?: LibraryFile) => {
    if (file === undefined) return;
    noteMedia(file.url, { name: file.name ?? "" });
    tableState.setRows((before) => before.map((cells, at) => (at === row ? cells.map((cell, place) => (place === columnOf(column) ? file.url : cell)) : cells)), true);
    // The button disappears with its error.
    const rest = checked.errors.filter((error) => error.row !== row || error.column !== column);
    const next = rest.find((error) => error.row > row || (error.row === row && columnOf(error.column) > columnOf(column))) ?? rest[0] ?? { row, column };
    goTo(next.row, columnOf(next.column));
  };
  const rest = checked.wrong - Math.min(SHOWN_ERRORS, checked.errors.length);
  return (
    <Notice tone="bad" title={t("fill.errors", { n: checked.wrong })}>
      <ul class="problems" data-testid="cell-errors">
        {checked.errors.slice(0, SHOWN_ERRORS).map((error, index) => (
          <li key={index}><button type="button" class="link-button" onClick={() => goTo(error.row, columnOf(error.column))}>
            {error.column === null ? t("fill.error.row", { n: error.row + 1 }) : t("fill.error.at", { n: error.row + 1, column: titleOf(error.column) })}</button>: {error.message}
            {error.suggestion && <Button class="suggestion" icon="check" onClick={() => use(error, error.suggestion)}>{t("fill.suggestion", { name: error.suggestion.name ?? "" })}</Button>}</li>
        ))}
      </ul>
      {rest > 0 && <p class="small">{t("fill.error.more", { n: rest })}</p>}
    </Notice>
  );
}

/** Checks every link once. */
function Links({ links }: { links: LinkCheck }) {
  const { all, open, done, of, failure } = links;
  if (all === 0) return null;
  if (done !== null) {
    return (
      <div class="link-check"><span class="small" role="status">{t("fill.links.busy", { done, n: of })}</span>
        <Button kind="quiet" icon="close" onClick={links.stop}>{t("fill.links.stop")}</Button></div>
    );
  }
  return (
    <>
      {failure !== null && <ErrorBox error={failure} retry={links.check} />}
      {open === 0
        ? <p class="hint exact" role="status"><Icon name="check" size={15} />{t("fill.links.good", { n: all })}</p>
        : <Button icon="search" onClick={links.check}>{t("fill.links.check", { n: open })}</Button>}
    </>
  );
}

function PartialChoice({ tableState }: { tableState: TableState }) {
  return (
    <fieldset class="plain-set hold"><legend>{t("fill.hold")}</legend>
      {[false, true].map((partial) => (
        <label key={String(partial)} class="check"><input type="radio" name="hold" checked={tableState.partial === partial} onChange={() => tableState.setPartial(partial)} />
          <span>{t(partial ? "fill.hold.partial" : "fill.hold.all")}</span></label>
      ))}
      <p class="hint">{t("fill.hold.lead")}</p>
    </fieldset>
  );
}

function Submit({ template, tableState, checked, short }: Pick<Props, "template" | "tableState" | "checked"> & { short: number }) {
  const [busy, setBusy] = useState(false);
  const { estimate } = checked;
  const submit = async () => {
    setBusy(true);
    const { body, places } = bodyOf(template, tableState);
    try {
      const response = await batches.submit(body);
      if (response.duplicate) toast("info", t("fill.duplicate"));
      else toast(response.refusedRows > 0 ? "bad" : "good", response.refusedRows > 0 ? t("fill.submitted.part", { n: response.refusedRows }) : t("fill.submitted"));
      tableState.done();
      return go(`/batches/${response.batchNo}`, { heading: true });
    } catch (error) {
      reportErrors(error, places);
    }
    setBusy(false);
  };
  const reportErrors = (error: unknown, places: readonly number[]) => {
    const cells = cellErrors(error, places);
    if (cells !== null) checked.note({ estimate: null, ...cells });
    if (error instanceof ApiFailure && error.code === CONFLICT) {
      tableState.renew();
      return toast("info", t("fill.conflict"));
    }
    toast("bad", cells !== null ? t("fill.errors", { n: cells.wrong }) : error instanceof ApiFailure && error.offline ? t("fill.unsure") : explain(error));
  };
  return (
    <Button kind="primary" class="submit" icon="play" busy={busy} disabled={estimate === null || checked.busy || checked.wrong > 0 || (short > 0 && !tableState.partial)} onClick={() => void submit()}>
      {checked.wrong > 0 ? t("fill.submit.fix", { n: checked.wrong }) : short > 0 && tableState.partial ? t("fill.submit.part") : estimate === null ? t("new.submit.plain") : t("fill.submit", { n: estimate.totalRows })}
    </Button>
  );
}
