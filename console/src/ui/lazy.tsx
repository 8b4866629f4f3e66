// Components whose script is loaded on first use.

import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBox, Skeleton } from "./basic";

const AWAY_MS = 3000;

/** Shows `waiting` while the component loads. */
export function lazy<P extends object>(
  load: () => Promise<ComponentType<P>>, waiting: ComponentChildren = <Skeleton rows={4} height={120} />,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function LazyComponent(props: P) {
    const [Page, setPage] = useState<{ is: ComponentType<P> } | null>(loaded && { is: loaded });
    const [error, setError] = useState<unknown>(null);
    const loadComponent = () => load().then((component) => { loaded = component; setPage({ is: component }); setError(null); }, setError);
    useEffect(() => { if (Page === null) void loadComponent(); }, []);
    // Retries until the service responds.
    useEffect(() => {
      if (error === null) return;
      const timer = setTimeout(() => void loadComponent(), AWAY_MS);
      return () => clearTimeout(timer);
    }, [error]);
    if (error !== null && Page === null) return <ErrorBox error={error} retry={() => location.reload()} />;
    return Page === null ? <>{waiting}</> : <Page.is {...props} />;
  };
}
