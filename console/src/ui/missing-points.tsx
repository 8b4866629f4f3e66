// Notice of missing points. The button reads the balance again, because the operator may have granted points.

import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { balance, refreshBalance } from "../lib/balance";
import { Button, Notice } from "./basic";

export function MissingPoints({ children }: { children: ComponentChildren }) {
  return <Notice tone="warn" action={<Button icon="refresh" onClick={() => void refreshBalance()}>{t("action.refresh")}</Button>}>{children} <Contact /></Notice>;
}

/** Contact of the operator, if configured. */
export function Contact() {
  const contact = balance.value?.account?.contact;
  if (!contact) return null;
  const href = /^https?:\/\//i.test(contact) ? contact : contact.includes("@") ? `mailto:${contact}` : null;
  return <span>{t("contact")} {href === null ? contact : <a href={href}>{contact}</a>}</span>;
}
