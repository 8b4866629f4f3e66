// Pages and dialogs whose script is fetched when they are first needed.

import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorBox, Skeleton } from "./basic";

/** A component of a module that is fetched when it is shown first; `waiting` stands there until then. */
export function later<P extends object>(
  load: () => Promise<ComponentType<P>>, waiting: ComponentChildren = <Skeleton rows={4} height={120} />,
): ComponentType<P> {
  let loaded: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [Page, setPage] = useState<{ is: ComponentType<P> } | null>(loaded && { is: loaded });
    const [error, setError] = useState<unknown>(null);
    const fetchIt = () => {
      setError(null);
      load().then((found) => { loaded = found; setPage({ is: found }); }, setError);
    };
    useEffect(() => { if (Page === null) fetchIt(); }, []);
    if (error !== null) return <ErrorBox error={error} retry={() => location.reload()} />;
    return Page === null ? <>{waiting}</> : <Page.is {...props} />;
  };
}
