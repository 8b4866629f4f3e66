// Loads data for a page, with error and reload.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { ApiFailure } from "../lib/api";

const AWAY_MS = 3000;

export interface Loaded<T> {
  value: T | null;
  error: unknown;
  loading: boolean;
  reload: () => void;
}

/**
 * Loads when `inputs` change, and keeps the previous value meanwhile. With `everyMs`, it reloads while the page is
 * visible.
 */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[], everyMs?: number): Loaded<T> {
  const [state, setState] = useState<{ value: T | null; error: unknown; loading: boolean }>({ value: null, error: null, loading: true });
  const [reloadCount, setReloadCount] = useState(0);
  const latest = useRef(load);
  latest.current = load;

  useEffect(() => {
    const stop = new AbortController();
    setState((before) => ({ ...before, loading: true }));
    latest.current(stop.signal).then(
      (value) => !stop.signal.aborted && setState({ value, error: null, loading: false }),
      (error: unknown) => !stop.signal.aborted && setState((before) => ({ ...before, error, loading: false })),
    );
    return () => stop.abort();
  }, [...inputs, reloadCount]);

  // Retries until the service responds.
  const isUnreachable = state.error instanceof ApiFailure && (state.error.offline || state.error.status >= 502);
  useEffect(() => {
    if (!isUnreachable || state.loading) return;
    const timer = setTimeout(() => setReloadCount((n) => n + 1), AWAY_MS);
    return () => clearTimeout(timer);
  }, [isUnreachable, state.loading]);

  useEffect(() => {
    if (everyMs === undefined) return;
    const timer = setInterval(() => document.visibilityState === "visible" && setReloadCount((n) => n + 1), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);

  return { ...state, reload: useCallback(() => setReloadCount((n) => n + 1), []) };
}
