// A grid of cells of one size; only rows in view are in the page. It scrolls with the page.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visibleRows } from "../lib/window";

interface Props<T> {
  items: readonly T[];
  minWidth: number;
  rowHeight: number;
  gap?: number;
  label: string;
  keyOf: (item: T) => string | number;
  render: (item: T, index: number) => ComponentChildren;
}

export function VirtualGrid<T>({ items, minWidth, rowHeight, gap = 12, label, keyOf, render }: Props<T>) {
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
