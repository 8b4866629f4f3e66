// The scrolling part of a side column. A hint at its end shows that there is more content.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../i18n";
import { Icon } from "./icon";

const NEAR_PX = 8;
/** Part of the visible height that a click scrolls by. */
const PART = 0.7;

export function ScrollBox({ children }: { children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  const measure = () => {
    const { scrollTop, clientHeight, scrollHeight } = box.current ?? { scrollTop: 0, clientHeight: 0, scrollHeight: 0 };
    setMore(scrollTop + clientHeight < scrollHeight - NEAR_PX);
  };
  const scroll = () => box.current?.scrollBy({ top: box.current.clientHeight * PART, behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" });
  useLayoutEffect(() => {
    const sizes = new ResizeObserver(measure);
    for (const element of [box.current, ...(box.current?.children ?? [])]) if (element) sizes.observe(element);
    return () => sizes.disconnect();
  }, []);
  return (
    <div class={`compose-scroll ${more ? "has-more" : ""}`} ref={box} onScroll={measure}>
      {children}
      {/* For the pointer only: with the keyboard, the focus scrolls. */}
      {more && <div class="scroll-more" aria-hidden="true"><span onClick={scroll}><Icon name="down" size={16} />{t("scroll.more")}</span></div>}
    </div>
  );
}
