// The table: a row per video, a column per variable. Only visible rows are rendered.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { cellOf, isFileType, isListType, splitCell } from "../../lib/lists";
import { fileName } from "../../lib/upload-names";
import { parseCells } from "../../lib/spreadsheet";
import type { Variable } from "../../lib/templates";
import { visibleRows } from "../../lib/visible-rows";
import { Button } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { cellId, type CellError } from "./table-state";
import { isFileName } from "./library-names";

const ROW_HEIGHT = 42;
const HEAD_HEIGHT = 44;

interface Props {
  variables: readonly Variable[];
  rows: readonly (readonly string[])[];
  errors: readonly CellError[];
  chosen: number;
  choose: (row: number) => void;
  edit: (row: number, column: number, value: string) => void;
  paste: (row: number, column: number, cells: string[][]) => void;
  remove: (row: number) => void;
  /** Opens the library picker for a cell. */
  pick: (row: number, column: number) => void;
  /** Called when a cell with a file name loses the focus. */
  named: () => void;
  /** The cell to focus; each new object focuses it again. */
  target: { row: number; column: number } | null;
}

export function Sheet({ variables, rows, errors, chosen, choose, edit, paste, remove, pick, named, target }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const focusTarget = useRef<string | null>(null);
  /** The cell with the focus, if it was wrong when it got the focus. */
  const wrongCell = useRef<string | null>(null);
  const [view, setView] = useState({ scrolled: 0, height: 480 });
  const part = visibleRows(rows.length, ROW_HEIGHT, view.scrolled, view.height, 6);
  const errorsByRow = byRow(errors);

  useLayoutEffect(() => {
    if (target !== null) focus(target.row, target.column);
  }, [target]);
  useLayoutEffect(() => {
    if (focusTarget.current === null) return;
    const cell = box.current?.querySelector<HTMLElement>(`[data-cell="${focusTarget.current}"]`);
    if (cell) { focusTarget.current = null; cell.focus({ preventScroll: false }); if (cell instanceof HTMLInputElement) cell.select(); }
  });

  /** Works for cells that are not rendered yet. */
  function focus(row: number, column: number): void {
    if (box.current === null || row < 0 || row >= rows.length) return;
    focusTarget.current = cellId(row, column);
    const top = row * ROW_HEIGHT;
    const { scrollTop, clientHeight } = box.current;
    if (top < scrollTop || top + ROW_HEIGHT > scrollTop + clientHeight - HEAD_HEIGHT) box.current.scrollTop = Math.max(0, top - clientHeight / 2);
    measure();
  }
  function measure(): void {
    const element = box.current;
    if (element !== null) setView({ scrolled: element.scrollTop, height: element.clientHeight });
  }
  const move = (event: KeyboardEvent, row: number, column: number) => {
    const step = event.key === "ArrowDown" || (event.key === "Enter" && !event.shiftKey) ? 1 : event.key === "ArrowUp" || event.key === "Enter" ? -1 : 0;
    if (step === 0 || event.isComposing) return;
    event.preventDefault();
    // Enter in a corrected cell leads to the next wrong one.
    const next = event.key === "Enter" && !event.shiftKey && wrongCell.current === cellId(row, column) ? nextError(errors, variables, row, column) : null;
    if (next !== null) focus(next.row, next.column);
    else focus(row + step, column);
  };
  const noteWrong = (event: FocusEvent) => {
    const cell = event.target as HTMLElement;
    wrongCell.current = cell.getAttribute("aria-invalid") === "true" ? cell.getAttribute("data-cell") : null;
  };
  const pasted = (event: ClipboardEvent, row: number, column: number) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!/[\t\n\r]/.test(text.replace(/[\r\n]+$/, ""))) return;
    event.preventDefault();
    paste(row, column, parseCells(text, "\t"));
  };

  return (
    <div ref={box} class="sheet" role="region" aria-label={t("fill.table")} tabIndex={0} onScroll={measure} onFocusIn={noteWrong}>
      <table aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <th scope="col" class="sheet-no"><span class="unseen">{t("batch.row")}</span></th>
            {variables.map((variable) => (
              <th key={variable.name} scope="col"><span class="sheet-head">{variable.label ?? variable.name}</span>
                <span class="muted sheet-kind">{t(`var.type.${variable.type}` as Word)}{(variable.default ?? null) === null && <> · {t("var.required")}</>}</span></th>
            ))}
          </tr>
        </thead>
        <tbody>
          {part.before > 0 && <tr aria-hidden="true" style={{ height: `${part.before}px` }}><td colSpan={variables.length + 1} /></tr>}
          {rows.slice(part.first, part.end).map((row, index) => (
            <Row key={part.first + index} at={part.first + index} row={row} variables={variables} wrong={errorsByRow.get(part.first + index) ?? []}
              chosen={chosen === part.first + index} choose={choose} edit={edit} move={move} pasted={pasted} remove={remove} pick={pick} named={named} />
          ))}
          {part.after > 0 && <tr aria-hidden="true" style={{ height: `${part.after}px` }}><td colSpan={variables.length + 1} /></tr>}
        </tbody>
      </table>
    </div>
  );
}

/** The next cell with an error, from this cell on. */
function nextError(errors: readonly CellError[], variables: readonly Variable[], row: number, column: number): { row: number; column: number } | null {
  const places = errors.map((error) => ({ row: error.row, column: Math.max(0, variables.findIndex(({ name }) => name === error.column)) }));
  return places.sort((a, b) => a.row - b.row || a.column - b.column).find((place) => place.row > row || (place.row === row && place.column > column)) ?? null;
}

function byRow(errors: readonly CellError[]): Map<number, CellError[]> {
  const rows = new Map<number, CellError[]>();
  for (const error of errors) rows.set(error.row, [...(rows.get(error.row) ?? []), error]);
  return rows;
}

interface RowProps {
  at: number;
  row: readonly string[];
  variables: readonly Variable[];
  wrong: readonly CellError[];
  chosen: boolean;
  choose: (row: number) => void;
  edit: (row: number, column: number, value: string) => void;
  move: (event: KeyboardEvent, row: number, column: number) => void;
  pasted: (event: ClipboardEvent, row: number, column: number) => void;
  remove: (row: number) => void;
  pick: (row: number, column: number) => void;
  named: () => void;
}

function Row({ at, row, variables, wrong, chosen, choose, edit, move, pasted, remove, pick, named }: RowProps) {
  const whole = wrong.filter((error) => error.column === null || !variables.some((variable) => variable.name === error.column));
  return (
    <tr class={chosen ? "on" : ""} aria-rowindex={at + 2} style={{ height: `${ROW_HEIGHT}px` }}>
      <th scope="row" class={`sheet-no ${whole.length > 0 ? "wrong" : ""}`} title={whole.map((error) => error.message).join("\n") || undefined}>
        <span class="sheet-tools">
          <button type="button" class="sheet-row" aria-label={t("fill.row.preview", { n: at + 1 })} aria-pressed={chosen} onClick={() => choose(at)}>{whole.length > 0 && <Icon name="error" size={13} />}{at + 1}</button>
          <Button kind="quiet" icon="close" label={t("fill.row.remove", { n: at + 1 })} onClick={() => remove(at)} />
        </span>
      </th>
      {variables.map((variable, column) => (
        <Cell key={variable.name} id={cellId(at, column)} variable={variable} value={row[column] ?? ""} label={t("fill.cell", { n: at + 1, column: variable.label ?? variable.name })}
          wrong={wrong.filter((error) => error.column === variable.name)}
          set={(value) => edit(at, column, value)} focused={() => choose(at)} move={(event) => move(event, at, column)} pasted={(event) => pasted(event, at, column)}
          pick={() => pick(at, column)} named={named} />
      ))}
    </tr>
  );
}

function Cell({ id, variable, value, label, wrong, set, focused, move, pasted, pick, named }: {
  id: string; variable: Variable; value: string; label: string; wrong: readonly CellError[];
  set: (value: string) => void; focused: () => void; move: (event: KeyboardEvent) => void; pasted: (event: ClipboardEvent) => void;
  pick: () => void; named: () => void;
}) {
  const message = wrong.map((error) => error.message).join("\n");
  const isList = isListType(variable.type);
  const [editing, setEditing] = useState(false);
  const file = !isList && value.startsWith("upload://");
  const media = isFileType(variable.type);
  const fallback = variable.default === undefined || variable.default === null ? null : cellOf(variable.default);
  const entries = isList ? splitCell(value).map((entry) => (entry.startsWith("upload://") ? fileName(entry) : entry)) : [];
  const shown = isList && !editing ? entries.join(" | ") : value;
  const common = {
    "data-cell": id, "aria-label": label, "aria-invalid": wrong.length > 0, title: message || (file ? fileName(value) : isList ? entries.join("\n") : value) || undefined,
    "aria-description": message || undefined, onPaste: pasted,
    onFocus: (event: FocusEvent) => {
      if (isList && event.currentTarget instanceof HTMLInputElement) showRaw(event.currentTarget, value);
      setEditing(true);
      focused();
    },
  };
  const keys = (event: KeyboardEvent) => {
    if (file && (event.key === "Delete" || event.key === "Backspace")) { event.preventDefault(); set(""); }
    move(event);
  };
  const isValidChoice = value === "" || (variable.choices ?? []).some((one) => String(one) === value);
  return (
    <td class={`${wrong.length > 0 ? "wrong" : ""} ${media ? "sheet-media" : ""}`}>
      {variable.type === "choice" && isValidChoice
        ? (
          <select {...common} value={value} onChange={(event) => set(event.currentTarget.value)}>
            <option value="">{fallback ?? ""}</option>
            {(variable.choices ?? []).map((one) => <option key={String(one)} value={String(one)}>{String(one)}</option>)}
          </select>
        )
        : <input {...common} class={file ? "sheet-file" : ""} value={file ? fileName(value) : shown} readOnly={file} autocomplete="off" spellcheck={false}
          inputMode={variable.type === "number" ? "decimal" : "text"} placeholder={fallback === null || fallback === "" ? (isList ? t("fill.list.hint") : "") : media && !isList ? fileName(fallback) : fallback}
          onInput={(event) => set(event.currentTarget.value)} onKeyDown={keys} onBlur={() => { setEditing(false); if (media && splitCell(value).some(isFileName)) named(); }} />}
      {media && <Button kind="quiet" icon="library" class="sheet-pick" label={t("fill.pick", { cell: label })} onClick={pick} />}
    </td>
  );
}

/** Shows the text to edit, selected: setting the value loses the selection that Tab made. A click then sets the caret. */
function showRaw(input: HTMLInputElement, value: string): void {
  if (input.value === value) return;
  input.value = value;
  input.select();
}
