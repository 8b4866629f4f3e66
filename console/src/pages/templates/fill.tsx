// Fills a template with a table: paste, open or type rows, check and preview them, submit them as a batch.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { detectFileKind } from "../../lib/file-kind";
import { takePendingFiles } from "../../lib/pending-files";
import { doubtfulHeadings } from "../../lib/headings";
import { filesOf, isFileType, isListType, joinCell, splitCell } from "../../lib/lists";
import { loadSchemas } from "../../lib/schema";
import { downloadBlob } from "../../lib/downloads";
import { fillDown, intoColumns, isBlank, overlay, parseCells, rowsAt, toCsv } from "../../lib/spreadsheet";
import { readTable } from "../../lib/table-file";
import { templates, type Template } from "../../lib/templates";
import { namesOf } from "../../lib/upload-names";
import { link } from "../../router";
import { Button, Dialog, ErrorBox, PageHead, Skeleton } from "../../ui/basic";
import { Dropzone, isTouched, useFileInput } from "../../ui/dropzone";
import { Icon } from "../../ui/icon";
import { ScrollBox } from "../../ui/scroll-box";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { FillFooter, FillSummary } from "./fill-summary";
import { blankRow, MAX_ROWS, namesIn, placeFiles, useCheck, useTable, useUploads, type TableState } from "./table-state";
import { HeadingsDialog, type Doubt } from "./headings-dialog";
import { namesAny } from "./library-names";
import { useLinkCheck, withLinkErrors } from "./link-check";
import { RowPreview } from "./row-preview";
import { Sheet } from "./sheet";

export function FillPage({ templateNo }: { templateNo: string }) {
  const loaded = useLoad((signal) => Promise.all([templates.get(templateNo, undefined, signal), loadSchemas()]).then(([template]) => template), [templateNo]);
  const template = loaded.value;
  const tableState = useTable(template);
  if (template === null || !tableState.ready) return loaded.error ? <ErrorBox error={loaded.error} retry={loaded.reload} /> : <Skeleton rows={4} height={80} />;
  return <FillForm template={template} tableState={tableState} />;
}

function FillForm({ template, tableState }: { template: Template; tableState: TableState }) {
  const files = useUploads();
  const links = useLinkCheck(template, tableState.rows);
  const checkResult = withLinkErrors(useCheck(template, tableState, files.pending), links.errors);
  const [selectedRow, setSelectedRow] = useState(0);
  const [target, setTarget] = useState<{ row: number; column: number } | null>(null);
  const [doubts, setDoubts] = useState<readonly Doubt[]>([]);
  const [doubt] = doubts;
  const { rows, setRows } = tableState;
  const width = template.variables.length;
  const hasFiles = template.variables.some(({ type }) => isFileType(type));
  const table = useRef(rows);
  table.current = rows;
  /** Whether the first wrong cell of imported rows gets the focus. */
  const seeksError = useRef(false);
  useEffect(() => {
    if (!seeksError.current || checkResult.busy) return;
    const [first] = checkResult.errors;
    if (first === undefined && checkResult.estimate === null) return;
    seeksError.current = false;
    if (first === undefined) return;
    if (document.activeElement?.matches("input, textarea, select")) return;
    setTarget({ row: first.row, column: Math.max(0, template.variables.findIndex(({ name }) => name === first.column)) });
  }, [checkResult.busy, checkResult.errors]);

  /** Appends imported rows and reports their number. */
  const add = async (cells: string[][]) => {
    const { rows: found, unknown, isHeaded } = intoColumns(cells, template.variables);
    const headings = doubtfulHeadings(cells, template.variables, isHeaded);
    if (headings !== null && !(headings.byFilesOnly && await namesFile(headings.names))) return setDoubts((before) => [...before, { cells, headings }]);
    if (unknown.length > 0) toast("bad", t("fill.unknown", { names: unknown.slice(0, 8).join(", ") }));
    append(found);
  };
  /** A first row with names of library files is not a heading. */
  const namesFile = (names: readonly string[]) => {
    const places = template.variables.flatMap(({ type }, place) => (isFileType(type) ? filesOf(names[place] ?? "", type) : []));
    return namesAny(places, new AbortController().signal).catch(() => false);
  };
  const append = (newRows: readonly string[][]) => {
    if (newRows.length === 0) return toast("bad", t("fill.notable"));
    const filledRows = table.current.filter((row) => !isBlank(row));
    if (filledRows.length + newRows.length > MAX_ROWS) toast("bad", t("fill.toomany", { n: MAX_ROWS }));
    setRows(() => [...filledRows, ...newRows].slice(0, MAX_ROWS), true);
    toast("good", t("fill.took", { n: Math.min(newRows.length, MAX_ROWS - filledRows.length) }));
    setSelectedRow(filledRows.length);
    seeksError.current = !isTouched();
  };
  const settle = () => setDoubts((before) => before.slice(1));
  const paste = (row: number, column: number, cells: string[][]) => {
    if (intoColumns(cells, template.variables).isHeaded || (column === 0 && rows.slice(row).every(isBlank))) return void add(cells);
    if (row + cells.length > MAX_ROWS) toast("bad", t("fill.toomany", { n: MAX_ROWS }));
    setRows((before) => overlay(before, { row, column }, cells, width, MAX_ROWS), true);
  };
  const take = async (dropped: readonly File[]) => {
    const kinds = await Promise.all(dropped.map(detectFileKind));
    const [tables = [], media = [], documents = []] = ([["table", "workbook"], ["media"], ["document"]] as const)
      .map((wanted: readonly string[]) => dropped.filter((_, index) => wanted.includes(kinds[index] ?? "")));
    const readTables = await Promise.all(tables.map(async (file) => ({ file, cells: await readTable(file) })));
    const unreadable = readTables.flatMap(({ file, cells }) => (cells === null ? [file] : []));
    if (unreadable.length > 0) toast("bad", t("fill.workbook", { names: namesOf(unreadable) }));
    if (documents.length > 0) toast("bad", t("fill.document", { names: namesOf(documents) }));
    for (const { cells } of readTables) if (cells !== null) await add(cells);
    if (media.length > 0 && hasFiles) placeFiles(media, template, tableState, files.note);
  };
  useEffect(() => {
    const pending = takePendingFiles(template.templateNo);
    if (pending.length > 0) void take(pending);
  }, []);
  /** Further files fill the cells below; a list takes all of them. */
  const pick = async (row: number, column: number) => {
    const { openLibrary } = await import("../../ui/library-picker");
    const picked = await openLibrary();
    const urls = picked.map((file) => file.url);
    if (isListType(template.variables[column]?.type)) {
      setRows((before) => before.map((cells, at) => (at === row ? cells.map((cell, place) => (place === column ? joinCell([...splitCell(cell), ...urls]) : cell)) : cells)), true);
    } else if (picked.length > 0) setRows((before) => fillDown(before, { row, column }, urls, width, MAX_ROWS), true);
  };
  const rowProblem = checkResult.errors.find((error) => error.row === selectedRow)?.message ?? (namesIn(rows.slice(selectedRow, selectedRow + 1), template.variables).length > 0 ? "" : null);

  return (
    <div class="compose fill">
      <Dropzone class="compose-main fill-main" take={(dropped) => void take(dropped)}>
        <div>
          <a class="back" {...link(`/templates/${template.templateNo}`)}><Icon name="left" size={16} />{template.name}</a>
          <PageHead title={t("fill.title", { name: template.name })} lead={t("fill.lead")} />
        </div>
        <section class="panel">
          <Tools template={template} tableState={tableState} hasFiles={hasFiles} add={(cells) => void add(cells)} take={(dropped) => void take(dropped)} />
          <Sheet variables={template.variables} rows={rows} errors={checkResult.errors} chosen={selectedRow} choose={setSelectedRow} target={target} paste={paste}
            pick={(row, column) => void pick(row, column)} named={checkResult.typed}
            edit={(row, column, value) => setRows((before) => before.map((cells, at) => (at === row ? cells.map((cell, place) => (place === column ? value : cell)) : cells)))}
            remove={(row) => { setRows((before) => before.filter((_, at) => at !== row), true); setSelectedRow(Math.max(0, Math.min(selectedRow, rows.length - 2))); }} />
          <div class="sheet-foot">
            <Button icon="plus" disabled={rows.length >= MAX_ROWS} onClick={() => { setRows((before) => [...before, blankRow(width)]); setTarget({ row: rows.length, column: 0 }); }}>{t("fill.row.add")}</Button>
            {hasFiles && <p class="hint">{t("fill.files.drop")}</p>}
          </div>
        </section>
      </Dropzone>
      <aside class="compose-side">
        <ScrollBox>
          <RowPreview template={template} rows={rows} row={Math.min(selectedRow, rows.length - 1)} wrong={rowProblem} busy={files.pending > 0} choose={(row) => { setSelectedRow(row); setTarget({ row, column: 0 }); }} />
          <FillSummary template={template} tableState={tableState} checked={checkResult} links={links} pending={files.pending} goTo={(row, column) => setTarget({ row, column })} />
        </ScrollBox>
        <FillFooter template={template} tableState={tableState} checked={checkResult} />
      </aside>
      {doubt && (
        <HeadingsDialog key={doubts.length} doubt={doubt} variables={template.variables} close={settle}
          match={(places) => { append(rowsAt(doubt.cells, places, template.variables)); settle(); }}
          asRow={() => { append(doubt.cells.filter((row) => !isBlank(row)).map((row) => template.variables.map((_, place) => row[place] ?? ""))); settle(); }} />
      )}
    </div>
  );
}

function Tools({ template, tableState, hasFiles, add, take }: {
  template: Template; tableState: TableState; hasFiles: boolean; add: (cells: string[][]) => void; take: (files: File[]) => void;
}) {
  const [pasting, setPasting] = useState(false);
  const csv = useFileInput(".csv,.tsv,.txt,.xlsx,.xlsm,text/csv", false, take, t("fill.csv"));
  const media = useFileInput("video/*,audio/*,image/*,.srt,.vtt", true, take, t("fill.files"));
  const { rows } = tableState;
  return (
    <div class="sheet-tools-line">
      <Button icon="copy" onClick={() => setPasting(true)}>{t("fill.paste")}</Button>
      <Button icon="table" onClick={csv.choose}>{t("fill.csv")}</Button>{csv.input}
      {hasFiles && <><Button icon="upload" onClick={media.choose}>{t("fill.files")}</Button>{media.input}</>}
      <Button kind="quiet" icon="download" onClick={() => downloadBlob(new Blob([toCsv(template.variables, rows.filter((row) => !isBlank(row)))], { type: "text/csv" }), `${template.name}.csv`)}>{t("fill.download")}</Button>
      {tableState.undo && <Button kind="quiet" icon="redo" onClick={tableState.undo}>{t("fill.undo")}</Button>}
      {rows.some((row) => !isBlank(row)) && <Button kind="quiet" icon="trash" onClick={() => tableState.setRows(() => [], true)}>{t("fill.clear")}</Button>}
      {pasting && <PasteDialog add={add} close={() => setPasting(false)} />}
    </div>
  );
}

function PasteDialog({ add, close }: { add: (cells: string[][]) => void; close: () => void }) {
  const [text, setText] = useState("");
  return (
    <Dialog title={t("fill.paste")} open close={close} wide>
      <form onSubmit={(event) => { event.preventDefault(); add(parseCells(text)); close(); }}>
        <p class="muted">{t("fill.paste.lead")}</p>
        <textarea class="input mono" rows={10} value={text} aria-label={t("fill.paste.label")} autoFocus onInput={(event) => setText(event.currentTarget.value)} />
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={text.trim() === ""}>{t("fill.paste.add")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
