// The points of the signed-in user, as every page shows them, and whether the key is an operator's.

import { signal } from "@preact/signals";
import { api, ApiFailure } from "./api";
import { isAdmin } from "./session";
import type { Balance } from "./types";

export const balance = signal<Balance | null>(null);

export async function refreshBalance(): Promise<void> {
  try {
    balance.value = await api.balance();
    isAdmin.value = balance.value.scopes.includes("admin");
  } catch (error) {
    // The points are shown as unknown; the page that needs them shows what is wrong. A key without the scope `read` is an
    // operator's or a program's.
    isAdmin.value ??= error instanceof ApiFailure && error.data?.scope === "read";
  }
}
