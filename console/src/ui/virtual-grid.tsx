// A grid of equal cells that scrolls with the page. Only visible rows are rendered.

import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { visibleRows } from "../lib/visible-rows";

interface Props<T> {
  items: readonly T[];
  minWidth: number;
  rowHeight: number;
  gap?: number;
  label: string;
  keyOf: (item: T) => string | number;
  render: (item: T, index: number) => ComponentChildren;
  /** Additional rows above and below the visible ones. */
  spare?: number;
  /** The list element, with further attributes in `class` and `data`. */
  list?: RefObject<HTMLUListElement | null>;
  class?: string;
  data?: Readonly<Record<`data-${string}`, string>>;
  /** Cells do not change while this returns true, for example during a drag. */
  held?: () => boolean;
  /** Scrolls this cell into view when it changes; `covered` is the covered height at the top of the window. */
  reveal?: number | undefined;
  covered?: () => number;
}

export function VirtualGrid<T>({
  items, minWidth, rowHeight, gap = 12, label, keyOf, render, spare, list, class: extra = "", data, held, reveal, covered,
}: Props<T>) {
  const own = useRef<HTMLUListElement>(null);
  const ref = list ?? own;
  const [view, setView] = useState({ columns: 1, scrolled: 0, height: 1200 });

  useEffect(() => {
    const measure = () => {
      const box = ref.current?.getBoundingClientRect();
      if (box === undefined || held?.()) return;
      const columns = Math.max(1, Math.floor((box.width + gap) / (minWidth + gap)));
      const scrolled = -box.top;
      setView((before) => {
        const isNear = Math.abs(before.scrolled - scrolled) < rowHeight;
        return before.columns === columns && isNear && before.height === innerHeight ? before : { columns, scrolled, height: innerHeight };
      });
    };
    measure();
    // The list can move without a scroll event when content above it changes.
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
    observer.observe(document.body);
    addEventListener("scroll", measure, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener("scroll", measure);
    };
  }, [minWidth, gap, rowHeight]);

  const first0 = useRef(true);
  useLayoutEffect(() => {
    const box = ref.current?.getBoundingClientRect();
    // No scrolling when the page opens.
    if (reveal === undefined || box === undefined || first0.current) { first0.current = false; return; }
    const top = box.top + Math.floor(reveal / view.columns) * (rowHeight + gap);
    const above = (covered?.() ?? 0) + gap;
    if (top < above) scrollBy(0, top - above);
    else if (top + rowHeight > innerHeight - gap) scrollBy(0, top + rowHeight - innerHeight + gap);
  }, [reveal]);

  const rows = Math.ceil(items.length / view.columns);
  const part = visibleRows(rows, rowHeight + gap, view.scrolled, view.height, spare);
  const first = part.first * view.columns;
  return (
    <ul ref={ref} class={`virtual ${extra}`} aria-label={label} {...data}
      style={{ paddingTop: `${part.before}px`, paddingBottom: `${part.after}px`, gap: `${gap}px`,
        gridTemplateColumns: `repeat(${view.columns}, minmax(0, 1fr))`, gridAutoRows: `${rowHeight}px` }}>
      {items.slice(first, part.end * view.columns).map((item, index) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + index + 1}>{render(item, first + index)}</li>
      ))}
    </ul>
  );
}
