// Invitations in the fragment of the address. The code is removed from the address and the history at once, and is only in
// memory until the user accepts it.

import { signal } from "@preact/signals";
import { BASE, call } from "./api";
import type * as models from "../../../clients/typescript/src/models";

/** The code of an opened invitation. */
export const invitationCode = signal<string | null>(null);

const FRAGMENT = /^#invitation=(.+)$/;

function takeCode(): void {
  const code = FRAGMENT.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  invitationCode.value = code;
}

takeCode();
addEventListener("hashchange", takeCode);

/** Exchanges the code for a key. It works once. */
export const redeem = (code: string) => call<models.RedeemedInvitation>(`${BASE}/invitations/redeem`, { method: "POST", body: { code } });
