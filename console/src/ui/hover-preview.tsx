// A cover that plays the video without audio while the pointer is over it.

import { useEffect, useRef, useState } from "preact/hooks";
import { localLink } from "../lib/api";

const RESTS_MS = 250;

export function HoverPreview({ url, coverUrl }: { url: string | null; coverUrl: string | null }) {
  const ref = useRef<HTMLSpanElement>(null);
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    // The whole card reacts to the pointer.
    const card = ref.current?.closest("button, a") ?? null;
    if (card === null || url === null || !matchMedia("(hover: hover)").matches || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const enter = () => { timer = setTimeout(() => setPlaying(true), RESTS_MS); };
    const leave = () => { clearTimeout(timer); setPlaying(false); };
    card.addEventListener("pointerenter", enter);
    card.addEventListener("pointerleave", leave);
    return () => { leave(); card.removeEventListener("pointerenter", enter); card.removeEventListener("pointerleave", leave); };
  }, [url]);
  return (
    <span class="moving" ref={ref}>
      {coverUrl !== null && <img src={localLink(coverUrl)} alt="" loading="lazy" />}
      {playing && url !== null && <video src={localLink(url)} muted loop autoPlay playsInline aria-hidden="true" tabIndex={-1} />}
    </span>
  );
}
