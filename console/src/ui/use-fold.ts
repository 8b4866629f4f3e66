// A fold that opens by itself where something in it is wrong, and does not close by itself once that is mended.

import { useEffect, useState } from "preact/hooks";

/** Properties of a `<details>`. */
export function useFold(open: boolean, wrong: boolean) {
  const [unfolded, setUnfolded] = useState(open);
  useEffect(() => {
    if (wrong) setUnfolded(true);
  }, [wrong]);
  return { open: unfolded || wrong, onToggle: (event: { currentTarget: HTMLDetailsElement; target: EventTarget | null }) => {
    if (event.target === event.currentTarget) setUnfolded(event.currentTarget.open);
  } };
}
