// Which rows of a long list are in view: the others are not in the page at all.

export interface Window {
  first: number;
  /** One past the last. */
  end: number;
  /** Height of what is left out above and below. */
  before: number;
  after: number;
}

/** `scrolled` is how far the list's top is above the view's; below it, it is negative. */
export function visibleRows(rows: number, rowHeight: number, scrolled: number, viewHeight: number, spare = 4): Window {
  const first = Math.min(Math.max(0, Math.floor(scrolled / rowHeight) - spare), Math.max(0, rows - 1));
  const end = Math.min(rows, Math.ceil((scrolled + viewHeight) / rowHeight) + spare);
  const last = Math.max(first, end);
  return { first, end: last, before: first * rowHeight, after: (rows - last) * rowHeight };
}
