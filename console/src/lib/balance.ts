// The points of the signed-in user, as every page shows them.

import { signal } from "@preact/signals";
import { api } from "./api";
import type { Balance } from "./types";

export const balance = signal<Balance | null>(null);

export async function refreshBalance(): Promise<void> {
  try {
    balance.value = await api.balance();
  } catch {
    // The points are shown as unknown; the page that needs them shows what is wrong.
  }
}
