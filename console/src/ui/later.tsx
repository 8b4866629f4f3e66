// Parts whose script is loaded when they are first shown.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Shows nothing until the part is here. One that could not be loaded is asked for again when it is shown next. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, setReady] = useState(loaded !== undefined);
    useEffect(() => {
      if (loaded !== undefined) return;
      load().then((part) => {
        loaded = part;
        setReady(true);
      }, () => undefined);
    }, []);
    const Part = loaded;
    return Part === undefined ? null : <Part {...props} />;
  };
}
