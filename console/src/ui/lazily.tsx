// Parts of pages that are loaded when they are first shown.

import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBox, Skeleton } from "./basic";

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Lazily(props: P) {
    const [error, setError] = useState<unknown>(null);
    const [, setTurn] = useState(0);
    const fetch = () => {
      setError(null);
      load().then((part) => {
        loaded = part;
        setTurn((n) => n + 1);
      }, setError);
    };
    useEffect(() => {
      if (loaded === null) fetch();
    }, []);
    if (error !== null) return <ErrorBox error={error} retry={() => location.reload()} />;
    const Part = loaded;
    return Part === null ? <Skeleton rows={2} height={90} /> : <Part {...props} />;
  };
}
