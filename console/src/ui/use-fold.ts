// A fold that opens automatically when its content has an error, and stays open after the error is fixed.

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
