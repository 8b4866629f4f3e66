// Pages that are loaded when somebody opens them, so that the first page is there sooner.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBox, Skeleton } from "./basic";

/** A component whose code comes when it is shown for the first time. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let known: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, setState] = useState<{ Page: ComponentType<P> | null; error: unknown; turn: number }>({ Page: known, error: null, turn: 0 });
    useEffect(() => {
      if (known !== null) return;
      load().then(
        (loaded) => { known = loaded; setState((before) => ({ ...before, Page: loaded, error: null })); },
        (error: unknown) => setState((before) => ({ ...before, error })),
      );
    }, [state.turn]);
    if (state.Page !== null) return <state.Page {...props} />;
    if (state.error !== null) return <ErrorBox error={state.error} retry={() => setState((before) => ({ ...before, error: null, turn: before.turn + 1 }))} />;
    return <Skeleton />;
  };
}
