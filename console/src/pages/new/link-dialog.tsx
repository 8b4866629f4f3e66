// Dialog for pasting several links.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button, Dialog } from "../../ui/basic";

/** Links separated by lines or spaces; spaces within a link are kept. */
export function linksIn(text: string): string[] {
  return text.split(/\r?\n|\s+(?=(?:https?|upload|result):\/\/)/i).map((link) => link.trim()).filter((link) => link !== "");
}

export function LinkDialog({ open, close, add }: { open: boolean; close: () => void; add: (links: string[]) => void }) {
  const [text, setText] = useState("");
  const links = linksIn(text);
  const go = (event: Event) => {
    event.preventDefault();
    if (links.length === 0) return;
    add(links);
    setText("");
    close();
  };
  return (
    <Dialog title={t("clips.link")} open={open} close={close}>
      <form onSubmit={go}>
        <label class="field-head" for="links">{t("clips.link.label")}</label>
        <textarea id="links" class="input" rows={6} value={text} placeholder={"https://"} spellcheck={false} autoFocus
          onInput={(event) => setText(event.currentTarget.value)} />
        <p class="hint">{t("clips.link.hint")}</p>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" disabled={links.length === 0}>{t("clips.link.go", { n: links.length })}</Button>
        </div>
      </form>
    </Dialog>
  );
}
