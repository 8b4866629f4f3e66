// The user's brand: logo, fonts, colours, intro, outro and caption style. Every change is saved, with a delay.

import { signal } from "@preact/signals";
import type * as models from "../../../clients/typescript/src/models";
import { BASE, call } from "./api";
import { onUserChange } from "./session";
import type { Sent } from "./types";

export type Brand = Sent<models.Brand>;

export const MAX_FONTS = 10;
export const MAX_COLOURS = 20;
const DEBOUNCE_MS = 500;

export const brand = signal<Brand | null>(null);
/** `error` is the failure of the last save. */
export const saving = signal<{ busy: boolean; error: unknown }>({ busy: false, error: null });

let timer: ReturnType<typeof setTimeout> | undefined;
let version = 0;

onUserChange(() => {
  clearTimeout(timer);
  version += 1;
  brand.value = null;
  saving.value = { busy: false, error: null };
});

/** With `fresh`, also changes that were made elsewhere, unless there are unsaved ones here. */
export async function loadBrand({ signal, fresh = false }: { signal?: AbortSignal; fresh?: boolean } = {}): Promise<void> {
  const { busy, error } = saving.value;
  if (brand.value === null || (fresh && !busy && error === null)) brand.value = await call<Brand>(`${BASE}/brand`, { signal });
}

export const hasBrand = ({ logo, fonts, colors, intro, outro, captionPreset }: Brand): boolean => (
  [logo, intro, outro, captionPreset].some((value) => value !== null) || fonts.length + colors.length > 0);

export function changeBrand(next: (before: Brand) => Brand): void {
  if (brand.value === null) return;
  brand.value = next(brand.value);
  saving.value = { busy: true, error: null };
  clearTimeout(timer);
  timer = setTimeout(() => void save(), DEBOUNCE_MS);
}

/** A change during the call is saved by the next one. */
export async function save(): Promise<void> {
  if (brand.value === null) return;
  version += 1;
  const mine = version;
  saving.value = { busy: true, error: null };
  const { updateTime: _, ...body } = brand.value;
  try {
    const { updateTime } = await call<Brand>(`${BASE}/brand`, { method: "PUT", body });
    if (mine !== version) return;
    brand.value = { ...brand.value, updateTime };
    saving.value = { busy: false, error: null };
  } catch (error) {
    if (mine === version) saving.value = { busy: false, error };
  }
}

addEventListener("beforeunload", (event) => {
  if (saving.value.busy) event.preventDefault();
});
