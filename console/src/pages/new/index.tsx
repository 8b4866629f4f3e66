// New task: clips, options, what they look like, what they cost.

import { useEffect, useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { fromRequest } from "../../lib/draft";
import { loadCatalogues } from "../../lib/catalogue";
import { loadSchemas, schemas } from "../../lib/schema";
import { TASK_TYPES, type TaskType } from "../../lib/types";
import { go, place } from "../../router";
import { Button, Code, CopyButton, Dialog, ErrorBox, PageHead, Skeleton, Tabs } from "../../ui/basic";
import { Icon, type IconName } from "../../ui/icon";
import { useLoad } from "../../ui/use-load";
import { Board } from "./board";
import { Combinations } from "./combinations";
import { OutputCount } from "./fields";
import { Options } from "./options";
import { Preview } from "./preview";
import { curlText, keepPriced, kind, openKind, replaceDraft, requestText, reset, setAt } from "./state";
import { Summary } from "./summary";

const icons: Record<TaskType, IconName> = { baseVideoMix: "film", proVideoMix: "scenes", videoDeduplication: "shuffle" };

export function NewTask() {
  const wanted = place.value.parts[1];
  const effect = place.value.search.get("effect");
  const loaded = useLoad(() => Promise.all([loadSchemas(), loadCatalogues()]), []);

  useEffect(() => {
    const known = TASK_TYPES.find((name) => name === wanted);
    if (known === undefined) return go(`/new/${kind.value}`, { replace: true });
    openKind(known);
    if (effect === null) return;
    setAt("/params/options/effect/value", effect);
    setAt("/params/options/effect/trans", 80);
    setAt("/params/options/effect/duration", 3);
    go(`/new/${known}`, { replace: true });
  }, [wanted, effect]);
  useEffect(() => keepPriced(), []);

  if (loaded.error) return <><Head /><ErrorBox error={loaded.error} retry={loaded.reload} /></>;
  if (schemas.value === null) return <><Head /><Skeleton rows={3} height={140} /></>;
  return (
    <>
      <Head />
      <Kinds />
      <div class="compose">
        <div class="compose-main">
          <Board />
          {kind.value === "proVideoMix" && (
            <section class="panel"><header class="panel-head"><h2>{t("section.combine")}</h2></header>
              <OutputCount /><Combinations />
            </section>
          )}
          <section class="panel options" aria-label={t("options.title")}>
            <header class="panel-head"><h2>{t("options.title")}</h2></header>
            <Options key={kind.value} />
          </section>
        </div>
        <aside class="compose-side"><Preview /><Summary /></aside>
      </div>
    </>
  );
}

function Head() {
  const [dialog, setDialog] = useState<"request" | "paste" | "reset" | null>(null);
  const close = () => setDialog(null);
  return (
    <PageHead title={t("new.title")}>
      <Button icon="code" onClick={() => setDialog("request")}>{t("request.show")}</Button>
      <Button icon="upload" onClick={() => setDialog("paste")}>{t("request.paste")}</Button>
      <Button icon="trash" onClick={() => setDialog("reset")}>{t("new.reset")}</Button>
      <RequestDialog open={dialog === "request"} close={close} />
      <PasteDialog open={dialog === "paste"} close={close} />
      <Dialog title={t("new.reset.sure")} open={dialog === "reset"} close={close}>
        <p>{t("new.reset.lead")}</p>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="danger" onClick={() => { reset(); close(); }}>{t("new.reset")}</Button>
        </div>
      </Dialog>
    </PageHead>
  );
}

function Kinds() {
  return (
    <fieldset class="kinds">
      <legend class="unseen">{t("new.kind")}</legend>
      {TASK_TYPES.map((name) => (
        <label key={name} class={`kind ${kind.value === name ? "on" : ""}`}>
          <input type="radio" name="kind" checked={kind.value === name} onChange={() => go(`/new/${name}`, { replace: true })} />
          <span class="kind-icon"><Icon name={icons[name]} size={22} /></span>
          <span class="kind-words"><strong>{t(`type.${name}` as Word)}</strong><span>{t(`type.${name}.lead` as Word)}</span></span>
        </label>
      ))}
    </fieldset>
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
