// A grid of equal cells that scrolls with the page, or in a region of its own. Only visible rows are rendered.

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
  /** A long list scrolls in its own region, so that the content below it stays near. */
  region?: boolean;
  /** Cells do not change while this returns true, for example during a drag. */
  held?: () => boolean;
  /** Scrolls this cell into view when it changes; `covered` is the covered height at the top of the window. */
  reveal?: number | undefined;
  covered?: () => number;
}

export function VirtualGrid<T>({
  items, minWidth, rowHeight, gap = 12, label, keyOf, render, spare, list, class: extra = "", data, region = false, held, reveal, covered,
}: Props<T>) {
  const own = useRef<HTMLUListElement>(null);
  const ref = list ?? own;
  const frame = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ columns: 1, scrolled: 0, height: 1200, isFar: false });

  useEffect(() => {
    const measure = () => {
      const box = ref.current?.getBoundingClientRect();
      if (box === undefined || held?.()) return;
      const columns = Math.max(1, Math.floor((box.width + gap) / (minWidth + gap)));
      const { top, bottom } = frame.current?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
      const [above, below] = [Math.max(0, top), Math.min(innerHeight, bottom)];
      const [scrolled, height] = [above - box.top, Math.max(1, below - above)];
      const isFar = top > 2 * innerHeight || bottom < -innerHeight;
      setView((before) => {
        const isNear = Math.abs(before.scrolled - scrolled) < rowHeight && Math.abs(before.height - height) < rowHeight && before.isFar === isFar;
        return before.columns === columns && isNear ? before : { columns, scrolled, height, isFar };
      });
    };
    measure();
    // The list can move without a scroll event when content above it changes.
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
    observer.observe(document.body);
    addEventListener("resize", measure);
    // Also of regions, because their scroll events do not bubble.
    addEventListener("scroll", measure, { passive: true, capture: true });
    return () => {
      observer.disconnect();
      removeEventListener("resize", measure);
      removeEventListener("scroll", measure, { capture: true });
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
  const part = visibleRows(rows, rowHeight + gap, view.scrolled, view.height, region && view.isFar ? 0 : spare);
  const first = part.first * view.columns;
  const grid = (
    <ul ref={ref} class={`virtual ${extra}`} aria-label={label} {...data}
      style={{ paddingTop: `${part.before}px`, paddingBottom: `${part.after}px`, gap: `${gap}px`,
        gridTemplateColumns: `repeat(${view.columns}, minmax(0, 1fr))`, gridAutoRows: `${rowHeight}px` }}>
      {items.slice(first, part.end * view.columns).map((item, index) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + index + 1}>{render(item, first + index)}</li>
      ))}
    </ul>
  );
  return region ? <div ref={frame} class="virtual-region">{grid}</div> : grid;
}
