// A grid of cells of one size; only rows in view are in the page. It scrolls with the page.

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { visibleRows } from "../lib/window";

interface Props<T> {
  items: readonly T[];
  minWidth: number;
  rowHeight: number;
  gap?: number;
  label: string;
  keyOf: (item: T) => string | number;
  render: (item: T, index: number) => ComponentChildren;
  /** The cell that must be in view whenever this changes; what covers the top of the window is `covered` high. */
  reveal?: number | undefined;
  covered?: () => number;
}

export function VirtualGrid<T>({ items, minWidth, rowHeight, gap = 12, label, keyOf, render, reveal, covered }: Props<T>) {
  const ref = useRef<HTMLUListElement>(null);
  const [view, setView] = useState({ columns: 1, scrolled: 0, height: 1200 });

  useEffect(() => {
    const measure = () => {
      const box = ref.current?.getBoundingClientRect();
      if (box === undefined) return;
      const columns = Math.max(1, Math.floor((box.width + gap) / (minWidth + gap)));
      const scrolled = Math.max(0, -box.top);
      setView((before) => {
        const near = Math.abs(before.scrolled - scrolled) < rowHeight;
        return before.columns === columns && near && before.height === innerHeight ? before : { columns, scrolled, height: innerHeight };
      });
    };
    measure();
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
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
  const part = visibleRows(rows, rowHeight + gap, view.scrolled, view.height);
  const first = part.first * view.columns;
  return (
    <ul ref={ref} class="virtual" aria-label={label}
      style={{ paddingTop: `${part.before}px`, paddingBottom: `${part.after}px`, gap: `${gap}px`,
        gridTemplateColumns: `repeat(${view.columns}, minmax(0, 1fr))`, gridAutoRows: `${rowHeight}px` }}>
      {items.slice(first, part.end * view.columns).map((item, index) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + index + 1}>{render(item, first + index)}</li>
      ))}
    </ul>
  );
}
