// The price and the main button of a page, at the end of the side column or in a bar at the bottom of a narrow window.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  price: ComponentChildren;
  /** Beside the price, if there is space. */
  note?: ComponentChildren;
  children: ComponentChildren;
  /** Why the main button is disabled, beside it in a narrow window, where the explanation is out of view. */
  reason?: string;
  /** Further actions, below the main button. */
  actions?: ComponentChildren;
}

export function PriceFooter({ label, price, note, reason = "", children, actions }: Props) {
  const box = useRef<HTMLElement>(null);
  // Toasts, the selection bar and the end of the page leave this space free.
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const measure = new ResizeObserver(() => style.setProperty("--foot", `${box.current?.offsetHeight ?? 0}px`));
    if (box.current) measure.observe(box.current);
    return () => { measure.disconnect(); style.removeProperty("--foot"); };
  }, []);
  return (
    <section class="panel compose-foot" aria-label={label} ref={box}>
      <div class="price-line">
        <div><span class="panel-label">{label}</span>{price}{reason !== "" && <p class="foot-reason">{reason}</p>}</div>
        {note}
      </div>
      {children}
      {actions && <div class="foot-actions">{actions}</div>}
    </section>
  );
}
