// Whether the side column is beside the page; the same width as in compose.css.

import { useEffect, useState } from "preact/hooks";

export function useWide(): boolean {
  const [query] = useState(() => matchMedia("(min-width: 1181px)"));
  const [wide, setWide] = useState(query.matches);
  useEffect(() => {
    const change = () => setWide(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, [query]);
  return wide;
}
