// Whether an element has been in view, so that its images are not loaded before.

import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

/** Images are requested shortly before they scroll into view, also within a scrolling list. */
const NEAR = "80px";

const waiting = new Map<Element, () => void>();
let observer: IntersectionObserver | undefined;

function observe(element: Element, seen: () => void): () => void {
  observer ??= new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) waiting.get(target)?.();
  }, { rootMargin: NEAR, scrollMargin: NEAR } as IntersectionObserverInit);
  waiting.set(element, seen);
  observer.observe(element);
  return () => {
    waiting.delete(element);
    observer?.unobserve(element);
  };
}

export function useVisible<T extends Element>(): { ref: RefObject<T | null>; visible: boolean } {
  const ref = useRef<T>(null);
  const [visible, setVisible] = useState(false);
  useEffect(() => {
    if (visible || ref.current === null) return;
    return observe(ref.current, () => setVisible(true));
  }, [visible]);
  return { ref, visible };
}
