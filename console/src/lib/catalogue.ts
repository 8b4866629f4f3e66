// Effects, looks, transitions, caption styles and voices, loaded once.

import { signal } from "@preact/signals";
import { api } from "./api";
import type { CaptionStyle, CatalogueEntry, VoiceCatalogue } from "./types";

export const effects = signal<CatalogueEntry[] | null>(null);
export const looks = signal<CatalogueEntry[] | null>(null);
export const transitions = signal<CatalogueEntry[] | null>(null);
export const captionStyles = signal<CaptionStyle[] | null>(null);
export const voices = signal<VoiceCatalogue | null>(null);

export async function loadCatalogues(): Promise<void> {
  if (effects.value !== null && looks.value !== null && transitions.value !== null) return;
  const [effectList, lookList, transitionList] = await Promise.all([api.effects(), api.looks(), api.transitions()]);
  effects.value = effectList.list;
  looks.value = lookList.list;
  transitions.value = transitionList.list;
}

/** The catalogues of captions and voice-overs, which only the composer needs. */
export async function loadVoiceCatalogues(): Promise<void> {
  if (captionStyles.value !== null && voices.value !== null) return;
  const [styleList, voiceList] = await Promise.all([api.captionStyles(), api.voices()]);
  captionStyles.value = styleList.list;
  voices.value = voiceList;
}

/** The URL of a preview image on this origin, because the service may know itself by another address. */
export function previewImage(entry: Pick<CatalogueEntry, "previewUrl">): string {
  return new URL(entry.previewUrl, location.href).pathname;
}
