// A grid of cells of one size; only rows in view are in the page. It scrolls with the page.

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
  /** Rows beside those in view that are kept ready. */
  spare?: number;
  /** What else the list is and says of itself. */
  list?: RefObject<HTMLUListElement | null>;
  class?: string;
  data?: Readonly<Record<`data-${string}`, string>>;
  /** Cells stay as they are while this says so: somebody drags one of them. */
  held?: () => boolean;
  /** The cell that must be in view whenever this changes; what covers the top of the window is `covered` high. */
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
    // Rows above this list come and go without a scroll.
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
    // What is in view when the page opens stays where it is.
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
