// Operators' calls, for keys with the scope `admin`.

import { call, BASE, query, type PageQuery } from "./api";
import type * as models from "../../../clients/typescript/src/models";
import type { Page, Sent, TaskSummary } from "./types";

const ADMIN = BASE + "/admin";

export type Queue = Sent<models.Queue>;
export type Worker = Sent<models.Worker>;
export type User = Sent<models.User>;
export type Key = Sent<models.Key>;
export type NewKey = Sent<models.NewKey>;
export type Invitation = Sent<models.Invitation>;
export type NewInvitation = Sent<models.NewInvitation>;
export type Cause = Sent<models.FailureCause>;
export type UsageSum = models.UsageSum;
export type UserUsage = Sent<models.UserUsage>;
export type NewUser = models.NewUser;
export type FailedItem = Sent<models.Failure>;
/** A task of any user, without links to its files. */
export type UserTask = TaskSummary & Pick<Sent<models.UserTask>, "userId" | "userName" | "failures">;

export const SCOPES = ["read", "submit", "admin"] as const;

interface Dates {
  from: string;
  to: string;
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
  invite: (body: { userId: number; scopes: readonly string[]; hours: number }) => call<NewInvitation>(`${ADMIN}/invitations`, { method: "POST", body }),
  invitations: (params: PageQuery, signal?: AbortSignal) => call<Page<Invitation>>(`${ADMIN}/invitations${query({ ...params })}`, { signal }),
  revokeInvitation: (invitationId: number) => call<Invitation>(`${ADMIN}/invitations/${invitationId}`, { method: "DELETE" }),
  causes: (dates: Dates, signal?: AbortSignal) => call<{ list: Cause[]; total: number }>(`${ADMIN}/failures/causes${query({ ...dates })}`, { signal }),
  usage: (params: PageQuery & Dates & { search: string }, signal?: AbortSignal) =>
    call<Page<UserUsage> & { sum: UsageSum }>(`${ADMIN}/usage${query({ ...params })}`, { signal }),
  task: (taskNo: string, signal?: AbortSignal) => call<UserTask>(`${ADMIN}/tasks/${taskNo}`, { signal }),
  failures: (params: PageQuery & { code: string; search: string }, signal?: AbortSignal) => call<Page<FailedItem>>(`${ADMIN}/failures${query({ ...params })}`, { signal }),
};
