// Operators' calls, for keys with the scope `admin`.

import { call, BASE, query, type PageQuery } from "./api";
import type { Page, TaskSummary } from "./types";

const ADMIN = BASE + "/admin";

export interface Queue {
  paused: boolean;
  pausedSince: string | null;
  pauseReason: string | null;
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
  offSince: string | null;
  offReason: string | null;
}

export interface Key {
  keyId: number;
  prefix: string;
  scopes: string[];
  createTime: string;
  expireTime: string | null;
  revokeTime: string | null;
  lastUseTime: string | null;
  current: boolean;
}

export interface NewKey {
  keyId: number;
  apiKey: string;
}

export interface Cause {
  code: string;
  items: number;
  tasks: number;
  users: number;
  lastTime: string;
}

export interface UsageSum {
  points: number;
  outputs: number;
  outputSeconds: number;
}

export interface UserUsage extends UsageSum {
  userId: number;
  userName: string;
  storedBytes: number;
}

interface Dates {
  from: string;
  to: string;
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

/** A task of any user, without links to its files. */
export interface UserTask extends TaskSummary {
  userId: number;
  userName: string;
  failures: FailedItem[];
}

export const admin = {
  queue: (signal?: AbortSignal) => call<Queue>(`${ADMIN}/queue`, { signal }),
  pause: (reason: string) => call<unknown>(`${ADMIN}/queue/pause`, { method: "POST", body: { reason } }),
  resume: () => call<unknown>(`${ADMIN}/queue/resume`, { method: "POST" }),
  workers: (signal?: AbortSignal) => call<{ list: Worker[] }>(`${ADMIN}/workers`, { signal }),
  users: (params: PageQuery & { search: string }, signal?: AbortSignal) => call<Page<User>>(`${ADMIN}/users${query({ ...params })}`, { signal }),
  addUser: (body: { name: string; points: number }) => call<NewUser>(`${ADMIN}/users`, { method: "POST", body }),
  grant: (body: { userId: number; points: number; remark: string }) => call<unknown>(`${ADMIN}/grants`, { method: "POST", body }),
  deduct: (body: { userId: number; points: number; remark: string }) => call<unknown>(`${ADMIN}/deductions`, { method: "POST", body }),
  switchOff: (userId: number, body: { reason: string; cancel: boolean }) =>
    call<{ cancelled: number }>(`${ADMIN}/users/${userId}/off`, { method: "POST", body }),
  switchOn: (userId: number) => call<unknown>(`${ADMIN}/users/${userId}/on`, { method: "POST" }),
  keys: (userId: number, signal?: AbortSignal) => call<{ list: Key[] }>(`${ADMIN}/users/${userId}/keys`, { signal }),
  issueKey: (userId: number, body: { scopes: readonly string[]; expireTime: string | null }) =>
    call<NewKey>(`${ADMIN}/users/${userId}/keys`, { method: "POST", body }),
  revokeKey: (keyId: number) => call<unknown>(`${ADMIN}/keys/${keyId}`, { method: "DELETE" }),
  causes: (dates: Dates, signal?: AbortSignal) => call<{ list: Cause[]; total: number }>(`${ADMIN}/failures/causes${query({ ...dates })}`, { signal }),
  usage: (params: PageQuery & Dates & { search: string }, signal?: AbortSignal) =>
    call<Page<UserUsage> & { sum: UsageSum }>(`${ADMIN}/usage${query({ ...params })}`, { signal }),
  task: (taskNo: string, signal?: AbortSignal) => call<UserTask>(`${ADMIN}/tasks/${taskNo}`, { signal }),
  failures: (params: PageQuery & { code: string; search: string }, signal?: AbortSignal) => call<Page<FailedItem>>(`${ADMIN}/failures${query({ ...params })}`, { signal }),
};
