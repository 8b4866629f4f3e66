// Effects, looks and transitions, loaded once.

import { signal } from "@preact/signals";
import { api } from "./api";
import type { CatalogueEntry } from "./types";

export const effects = signal<CatalogueEntry[] | null>(null);
export const looks = signal<CatalogueEntry[] | null>(null);
export const transitions = signal<CatalogueEntry[] | null>(null);

export async function loadCatalogues(): Promise<void> {
  if (effects.value !== null && looks.value !== null && transitions.value !== null) return;
  const [effectList, lookList, transitionList] = await Promise.all([api.effects(), api.looks(), api.transitions()]);
  effects.value = effectList.list;
  looks.value = lookList.list;
  transitions.value = transitionList.list;
}

/** The URL of a preview image on this origin, because the service may know itself by another address. */
export function previewImage(entry: CatalogueEntry): string {
  return new URL(entry.previewUrl, location.href).pathname;
}
