// Short messages at the edge of the page, and a live region for screen readers.

import { signal } from "@preact/signals";
import { t } from "../i18n";
import { Button } from "./basic";
import { Icon } from "./icon";

interface Toast {
  id: number;
  tone: "good" | "bad" | "info";
  text: string;
}

const toasts = signal<readonly Toast[]>([]);
const announcement = signal("");
let counter = 0;

export function toast(tone: Toast["tone"], text: string): void {
  counter += 1;
  const id = counter;
  toasts.value = [...toasts.value.slice(-2), { id, tone, text }];
  setTimeout(() => dismiss(id), tone === "bad" ? 12_000 : 5000);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((item) => item.id !== id);
}

/** For screen readers only. */
export function announce(text: string): void {
  announcement.value = text;
}

export function Toasts() {
  return (
    <>
      <div class="toasts" role="status" aria-live="polite">
        {toasts.value.map((item) => (
          <div key={item.id} class={`toast ${item.tone}`}>
            <Icon name={item.tone === "bad" ? "error" : item.tone === "good" ? "check" : "info"} />
            <span>{item.text}</span>
            <Button kind="quiet" icon="close" label={t("action.close")} onClick={() => dismiss(item.id)} />
          </div>
        ))}
      </div>
      <div class="unseen" role="status" aria-live="assertive">{announcement.value}</div>
    </>
  );
}
