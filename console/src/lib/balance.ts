// The balance of the signed-in user, shown on every page, and whether the key has the scope `admin`.

import { signal } from "@preact/signals";
import { api, ApiFailure } from "./api";
import { isAdmin } from "./session";
import type { Balance } from "./types";

export const balance = signal<Balance | null>(null);

export async function refreshBalance(): Promise<void> {
  try {
    balance.value = await api.balance();
    isAdmin.value = balance.value.account?.scopes.includes("admin") ?? false;
  } catch (error) {
    // The balance stays unknown; pages that need it show the error. A key without the scope `read` belongs to an
    // operator or a program.
    isAdmin.value ??= error instanceof ApiFailure && error.data?.scope === "read";
  }
}
