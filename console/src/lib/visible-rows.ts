// The visible rows of a long list, which are the only rows in the page.

export interface VisibleRows {
  first: number;
  /** Index after the last row. */
  end: number;
  /** Height of the omitted rows above and below. */
  before: number;
  after: number;
}

/** `scrolled` is the distance from the list's top to the top of the view; negative if the list starts below it. */
export function visibleRows(rows: number, rowHeight: number, scrolled: number, viewHeight: number, spare = 4): VisibleRows {
  const first = Math.min(Math.max(0, Math.floor(scrolled / rowHeight) - spare), Math.max(0, rows - 1));
  const end = Math.min(rows, Math.ceil((scrolled + viewHeight) / rowHeight) + spare);
  const last = Math.max(first, end);
  return { first, end: last, before: first * rowHeight, after: (rows - last) * rowHeight };
}
