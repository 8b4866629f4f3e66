// The notice that points are missing. Points may have been granted meanwhile, so it can read them again.

import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { balance, refreshBalance } from "../lib/balance";
import { Button, Notice } from "./basic";

export function MissingPoints({ children }: { children: ComponentChildren }) {
  return <Notice tone="warn" action={<Button icon="refresh" onClick={() => void refreshBalance()}>{t("action.refresh")}</Button>}>{children} <Contact /></Notice>;
}

/** Where to ask the operator, if the service names it. */
export function Contact() {
  const contact = balance.value?.contact;
  if (!contact) return null;
  const href = /^https?:\/\//i.test(contact) ? contact : contact.includes("@") ? `mailto:${contact}` : null;
  return <span>{t("contact")} {href === null ? contact : <a href={href}>{contact}</a>}</span>;
}
