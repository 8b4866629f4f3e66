// A table. On a phone, each row becomes a list of cells, so that none is cut off.

import type { ComponentChildren } from "preact";

export interface Column<T> {
  title: string;
  numeric?: boolean;
  /** Shows the title only to screen readers. */
  hidden?: boolean;
  cell: (row: T) => ComponentChildren;
}

export function Table<T>({ label, columns, rows, keyOf }: {
  label: string; columns: readonly Column<T>[]; rows: readonly T[]; keyOf: (row: T) => string | number;
}) {
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table class="table">
        <thead><tr>{columns.map((column, place) => <th key={place} scope="col" class={column.numeric ? "numeric" : ""}>{column.hidden ? <span class="unseen">{column.title}</span> : column.title}</th>)}</tr></thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>{columns.map((column, place) => <td key={place} class={column.numeric ? "numeric" : ""} data-title={column.hidden ? undefined : column.title}>{column.cell(row)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
