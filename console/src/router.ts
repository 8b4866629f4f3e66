// Client-side routing with the browser's history, so that pages can be reloaded, bookmarked and shared.

import { signal } from "@preact/signals";

export const ROOT = "/console";

export interface Place {
  /** Below the console's root, e.g. `["tasks", "VP…"]`. */
  parts: string[];
  search: URLSearchParams;
}

export function parsePlace(pathname: string, search: string): Place {
  const parts = pathname.startsWith(ROOT) ? pathname.slice(ROOT.length).split("/").filter((part) => part !== "") : [];
  return { parts: parts.map(decoded), search: new URLSearchParams(search) };
}

export const place = signal<Place>(parsePlace(location.pathname, location.search));

/** The last URL of the task list, with its page and filters. */
export const listPlace = signal("/tasks");

function read(): void {
  place.value = parsePlace(location.pathname, location.search);
}

addEventListener("popstate", read);

/** Whether the heading of the next page gets the focus, so that screen readers continue there. */
let focusesHeading = false;

/** Focuses the heading of a page that was opened with `heading`, unless the user has moved on. */
export function focusHeading(heading: HTMLElement | null): void {
  if (!focusesHeading || heading === null) return;
  focusesHeading = false;
  const { activeElement } = document;
  if (activeElement === null || activeElement === document.body || activeElement.id === "main") heading.focus({ preventScroll: true });
}

export function go(path: string, options: { replace?: boolean; heading?: boolean } = {}): void {
  focusesHeading = options.heading === true;
  const url = ROOT + path;
  if (options.replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  read();
  if (!options.replace) scrollTo(0, 0);
}

/** Properties of an internal link. The browser handles clicks with a modifier key. */
export function link(path: string): { href: string; onClick: (event: MouseEvent) => void } {
  return {
    href: ROOT + path,
    onClick: (event) => {
      if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      go(path);
    },
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
