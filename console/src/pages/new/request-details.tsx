// For developers: the request as JSON and curl, opening a request, seed, client task ID and callback.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { fromRequest } from "../../lib/draft";
import { go } from "../../router";
import { Button, Code, CopyButton, Dialog, Tabs } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { useFold } from "../../ui/use-fold";
import { OptionalNumber, TextField } from "./fields";
import { curlText, errorsAt, replaceDraft, requestText } from "./state";

const OWN = ["/params/seed", "/callbackUrl", "/clientTaskId", "/maxPoints"];

export function RequestDetails() {
  const [dialog, setDialog] = useState<"request" | "paste" | null>(null);
  const close = () => setDialog(null);
  const hasErrors = OWN.some((pointer) => errorsAt.value.has(pointer));
  return (
    <details class={`section engineers ${hasErrors ? "wrong" : ""}`} {...useFold(false, hasErrors)}>
      <summary>
        <Icon name="code" />
        <span class="section-title">{t("engineers.title")}</span>
        <span class="fold"><Icon name="down" /></span>
      </summary>
      <div class="section-body">
        <div class="add-buttons start">
          <Button icon="code" onClick={() => setDialog("request")}>{t("request.show")}</Button>
          <Button icon="upload" onClick={() => setDialog("paste")}>{t("request.paste")}</Button>
        </div>
        <div class="grid-fields">
          <OptionalNumber pointer="/params/seed" />
          <TextField pointer="/clientTaskId" />
          <OptionalNumber pointer="/maxPoints" />
        </div>
        <TextField pointer="/callbackUrl" placeholder="https://" />
      </div>
      <RequestDialog open={dialog === "request"} close={close} />
      <PasteDialog open={dialog === "paste"} close={close} />
    </details>
  );
}

function RequestDialog({ open, close }: { open: boolean; close: () => void }) {
  const [form, setForm] = useState<"json" | "curl">("json");
  const text = form === "json" ? requestText.value : curlText.value;
  return (
    <Dialog title={t("request.title")} open={open} close={close} wide>
      <div class="row between">
        <Tabs label={t("request.title")} value={form} choose={setForm}
          tabs={[{ id: "json", title: t("request.json") }, { id: "curl", title: t("request.curl") }]} />
        <CopyButton text={text} />
      </div>
      <Code text={text} label={form === "json" ? t("request.json") : t("request.curl")} />
    </Dialog>
  );
}

function PasteDialog({ open, close }: { open: boolean; close: () => void }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const use = (event: Event) => {
    event.preventDefault();
    try {
      const draft = fromRequest(JSON.parse(text));
      replaceDraft(draft);
      go(`/new/${draft.taskType}`, { replace: true });
      setText("");
      setWrong(null);
      close();
    } catch (error) {
      setWrong(t("request.paste.wrong", { why: error instanceof SyntaxError ? error.message : "" }));
    }
  };
  return (
    <Dialog title={t("request.paste")} open={open} close={close} wide>
      <form onSubmit={use}>
        <label class="field-head" for="paste">{t("request.paste.lead")}</label>
        <textarea id="paste" class="input mono" rows={12} value={text} spellcheck={false} aria-invalid={wrong !== null}
          onInput={(event) => setText(event.currentTarget.value)} />
        {wrong && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{wrong}</span></p>}
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit">{t("request.paste.go")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
