// The notice that points are missing. Points may have been granted meanwhile, so it can read them again.

import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { refreshBalance } from "../lib/balance";
import { Button, Notice } from "./basic";

export function Short({ children }: { children: ComponentChildren }) {
  return <Notice tone="warn" action={<Button icon="refresh" onClick={() => void refreshBalance()}>{t("action.refresh")}</Button>}>{children}</Notice>;
}
