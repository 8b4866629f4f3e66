// The balance of the signed-in user, shown on every page, and whether the key has the scope `admin`.

import { computed, signal } from "@preact/signals";
import { api, ApiFailure } from "./api";
import { apiKey, isAdmin, knownUserName } from "./session";
import type { Balance } from "./types";

export const balance = signal<Balance | null>(null);

/** Length of the beginning of a key that identifies it in lists of keys. */
const PREFIX = 12;

/** The signed-in user: the name, or the beginning of the key until the service has sent it. */
export const who = computed(() => {
  return balance.value?.account?.userName ?? knownUserName.value ?? `${(apiKey.value ?? "").slice(0, PREFIX)}…`;
});

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
