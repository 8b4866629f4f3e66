// An image that requires the key, loaded when it becomes visible.

import { useEffect, useRef, useState } from "preact/hooks";
import { authHeaders } from "../lib/api";
import { Icon, type IconName } from "./icon";

export function SignedImage({ path, icon, width = 320 }: { path: string | null; icon: IconName; width?: number }) {
  const ref = useRef<HTMLSpanElement>(null);
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    if (path === null || ref.current === null) return;
    const stop = new AbortController();
    let objectUrl: string | null = null;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      // Uploads never change, so the browser may cache their thumbnails.
      fetch(`${path}?width=${width}`, { headers: authHeaders(), signal: stop.signal })
        .then((response) => (response.ok ? response.blob() : null))
        .then((blob) => { if (blob !== null && !stop.signal.aborted) { objectUrl = URL.createObjectURL(blob); setImage(objectUrl); } })
        .catch(() => undefined);
    }, { rootMargin: "200px" });
    observer.observe(ref.current);
    return () => { observer.disconnect(); stop.abort(); if (objectUrl !== null) URL.revokeObjectURL(objectUrl); };
  }, [path, width]);
  return <span class="signed-image" ref={ref}>{image === null ? <Icon name={icon} size={26} /> : <img src={image} alt="" />}</span>;
}
