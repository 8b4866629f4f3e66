// Operators' calls, for keys with the scope `admin`.

import { call, BASE, query, type PageQuery } from "./api";
import { isAdmin } from "./session";
import type { Page } from "./types";

const ADMIN = BASE + "/admin";

export interface Queue {
  paused: boolean;
  pausedSince: string | null;
  oldestAgeSeconds: number | null;
  depth: { kind: string; state: string; count: number; oldestAgeSeconds: number }[];
  users: { userName: string; ready: number; running: number }[];
  running: {
    workId: number; kind: string; userName: string; taskNo: string | null; itemNo: number | null; worker: string;
    runningSeconds: number; leaseSeconds: number; attempts: number; lostLeases: number;
  }[];
}

export interface Worker {
  name: string;
  host: string;
  version: string;
  slots: number;
  running: number;
  kinds: string[];
  draining: boolean;
  alive: boolean;
  startedAt: string;
  seenAt: string;
}

export interface User {
  userId: number;
  name: string;
  balance: number;
  held: number;
  tasks: number;
  createTime: string;
}

export interface NewUser {
  userId: number;
  name: string;
  apiKey: string;
  webhookSecret: string;
}

export interface FailedItem {
  taskNo: string;
  itemNo: number;
  userName: string;
  code: string;
  message: string;
  input: string | null;
  retryable: boolean;
  finishTime: string | null;
}

export const admin = {
  queue: (signal?: AbortSignal) => call<Queue>(`${ADMIN}/queue`, { signal }),
  pause: (paused: boolean) => call<unknown>(`${ADMIN}/queue/${paused ? "pause" : "resume"}`, { method: "POST" }),
  workers: (signal?: AbortSignal) => call<{ list: Worker[] }>(`${ADMIN}/workers`, { signal }),
  users: (params: PageQuery & { search: string }, signal?: AbortSignal) => call<Page<User>>(`${ADMIN}/users${query({ ...params })}`, { signal }),
  addUser: (body: { name: string; points: number }) => call<NewUser>(`${ADMIN}/users`, { method: "POST", body }),
  grant: (body: { userId: number; points: number; remark: string }) => call<unknown>(`${ADMIN}/grants`, { method: "POST", body }),
  failures: (params: PageQuery & { code: string }, signal?: AbortSignal) => call<Page<FailedItem>>(`${ADMIN}/failures${query({ ...params })}`, { signal }),
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
