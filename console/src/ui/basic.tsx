// Basic components of all pages.

import type { ComponentChildren, HTMLAttributes } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ApiFailure } from "../lib/api";
import { failureText } from "../lib/service-message";
import { t, type Word } from "../i18n";
import { focusHeading } from "../router";
import { Icon, type IconName } from "./icon";

interface ButtonProps extends Omit<HTMLAttributes<HTMLButtonElement>, "label" | "role"> {
  kind?: "primary" | "plain" | "quiet" | "danger";
  icon?: IconName;
  busy?: boolean;
  disabled?: boolean;
  type?: "button" | "submit";
  /** For screen readers and as a tooltip, if the button shows only an icon. */
  label?: string;
}

export function Button({ kind = "plain", icon, busy, disabled, label, type = "button", class: extra, children, ...rest }: ButtonProps) {
  const only = label !== undefined && children === undefined;
  return (
    <button {...rest} type={type} class={`button ${kind} ${only ? "only-icon" : ""} ${extra ?? ""}`}
      disabled={disabled || busy} aria-busy={busy} aria-label={label} title={only ? label : undefined}>
      {busy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

const stateTones = ["wait", "wait", "run", "good", "bad", "off", "warn"] as const;

export function StateBadge({ status }: { status: number }) {
  return (
    <span class={`badge ${stateTones[status] ?? "off"}`}>
      <span class="dot" aria-hidden="true" />{t(`state.${status}` as Word)}
    </span>
  );
}

export function Progress({ value, status, label }: { value: number; status: number; label: string }) {
  return (
    <span class={`progress ${stateTones[status] ?? "off"}`} role="progressbar" aria-valuenow={value} aria-valuemin={0}
      aria-valuemax={100} aria-label={label}>
      <span style={{ transform: `scaleX(${value / 100})` }} />
    </span>
  );
}

export function Notice({ tone, title, children, action }: {
  tone: "info" | "warn" | "bad" | "good"; title?: string | undefined; children?: ComponentChildren; action?: ComponentChildren;
}) {
  const icons = { info: "info", warn: "warning", bad: "error", good: "check" } as const;
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      <Icon name={icons[tone]} />
      <div class="notice-text">{title && <strong>{title}</strong>}{children}</div>
      {action}
    </div>
  );
}

export function Empty({ icon, title, children, action }: {
  icon: IconName; title: string; children?: ComponentChildren; action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <span class="empty-icon"><Icon name={icon} size={30} /></span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** A readable message for an error. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiFailure)) return (error as Error)?.message ?? String(error);
  if (error.offline) return t("error.offline");
  if (error.status === 403 && typeof error.data?.scope === "string") return t("error.scope", { scope: t(`scope.${error.data.scope}` as Word) });
  return failureText(error);
}

export function ErrorBox({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  return (
    <Notice tone="bad" title={t("error.page")}
      action={retry && <Button icon="refresh" onClick={retry}>{t("error.retry")}</Button>}>
      <p>{explain(error)}</p>
    </Notice>
  );
}

export function Skeleton({ rows = 4, height = 56 }: { rows?: number; height?: number }) {
  return (
    <div class="skeletons" role="status" aria-label={t("loading")}>
      {Array.from({ length: rows }, (_, index) => <div key={index} class="skeleton" style={{ height: `${height}px` }} />)}
    </div>
  );
}

export function CopyButton({ text, label, small = false }: { text: string; label?: string; small?: boolean }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(text).catch(() => undefined);
    setCopied(true);
    setTimeout(() => setCopied(false), 1600);
  };
  const words = copied ? t("action.copied") : (label ?? t("action.copy"));
  const icon = copied ? "check" : "copy";
  return small ? <Button kind="quiet" icon={icon} label={words} onClick={copy} /> : <Button icon={icon} onClick={copy}>{words}</Button>;
}

export function Code({ text, label }: { text: string; label: string }) {
  return <pre class="code" tabIndex={0} role="region" aria-label={label}><code>{text}</code></pre>;
}

export function Pager({ pageNo, pageSize, total, go }: { pageNo: number; pageSize: number; total: number; go: (page: number) => void }) {
  if (total === 0) return null;
  const [from, to] = [(pageNo - 1) * pageSize + 1, Math.min(total, pageNo * pageSize)];
  return (
    <nav class="pager" aria-label={t("pager.of", { from, to, total })}>
      <span class="muted">{t("pager.of", { from, to, total })}</span>
      <Button icon="left" label={t("pager.previous")} disabled={pageNo <= 1} onClick={() => go(pageNo - 1)} />
      <Button icon="right" label={t("pager.next")} disabled={to >= total} onClick={() => go(pageNo + 1)} />
    </nav>
  );
}

export function Dialog({ title, open, close, children, wide }: {
  title: string; open: boolean; close: () => void; children: ComponentChildren; wide?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  // Before the next paint, so that Escape works as soon as the dialog is visible.
  useLayoutEffect(() => {
    const dialog = ref.current;
    if (open && dialog && !dialog.open) dialog.showModal();
    if (!open && dialog?.open) dialog.close();
  }, [open]);
  if (!open) return null;
  return (
    <dialog ref={ref} class={wide ? "wide" : ""} aria-label={title} onClose={close}
      onClick={(event) => event.target === ref.current && close()}>
      <div class="dialog-body">
        <header><h2>{title}</h2><Button kind="quiet" icon="close" label={t("action.close")} onClick={close} /></header>
        {children}
      </div>
    </dialog>
  );
}

export function PageHead({ title, lead, children }: { title: ComponentChildren; lead?: ComponentChildren; children?: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => focusHeading(heading.current), []);
  return (
    <header class="page-head">
      <div><h1 ref={heading} tabIndex={-1}>{title}</h1>{lead && <p class="lead">{lead}</p>}</div>
      {children && <div class="page-actions">{children}</div>}
    </header>
  );
}

export function Tabs<T extends string>({ tabs, value, choose, label }: {
  tabs: readonly { id: T; title: string }[]; value: T; choose: (id: T) => void; label: string;
}) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = tabs.findIndex((tab) => tab.id === value);
    const next = tabs[(at + step + tabs.length) % tabs.length];
    if (next === undefined) return;
    choose(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
      {tabs.map((tab) => (
        <button key={tab.id} id={`tab-${tab.id}`} type="button" role="tab" aria-selected={tab.id === value}
          tabIndex={tab.id === value ? 0 : -1} onClick={() => choose(tab.id)}>{tab.title}</button>
      ))}
    </div>
  );
}
