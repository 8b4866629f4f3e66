// The operator's calls, for keys with that scope.

import { call, BASE, query } from "./api";
import { isAdmin } from "./session";
import type { Page } from "./types";

const ADMIN = BASE + "/admin";

/** What the service tells of its queue; parts that an installation does not tell are left out. */
export interface Queue {
  paused?: boolean;
  oldestAgeSeconds?: number | null;
  depth?: unknown;
  running?: Record<string, unknown>[];
}

export type Fields = Record<string, unknown>;

export const admin = {
  queue: (signal?: AbortSignal) => call<Queue>(`${ADMIN}/queue`, { signal }),
  pause: (paused: boolean) => call<unknown>(`${ADMIN}/queue/${paused ? "pause" : "resume"}`, { method: "POST" }),
  workers: (signal?: AbortSignal) => call<Fields | Fields[]>(`${ADMIN}/workers`, { signal }),
  users: (params: { pageNo: number; pageSize: number; search: string }, signal?: AbortSignal) =>
    call<Page<Fields>>(`${ADMIN}/users${query(params)}`, { signal }),
  addUser: (body: { name: string; points?: number }) => call<Fields>(`${ADMIN}/users`, { method: "POST", body }),
  grant: (body: { userId: number; points: number; remark: string }) => call<Fields>(`${ADMIN}/grants`, { method: "POST", body }),
  failures: (params: { pageNo: number; pageSize: number }, signal?: AbortSignal) =>
    call<Page<Fields>>(`${ADMIN}/failures${query(params)}`, { signal }),
};

/** Asks once whether this key opens the operator's pages. */
export async function askAdmin(): Promise<void> {
  if (isAdmin.value !== null) return;
  try {
    await admin.queue();
    isAdmin.value = true;
  } catch {
    isAdmin.value = false;
  }
}
