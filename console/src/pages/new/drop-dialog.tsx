// Asks for the use of dropped files, once for all of them. Loaded on first use.

import { render } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { register, t, type Word } from "../../i18n";
import { dropDialogWords } from "../../i18n/dropped";
import { fieldAt } from "../../lib/schema";
import { TASK_TYPE_INFO } from "../../lib/task-types";
import { namesOf } from "../../lib/upload-names";
import { Button, Dialog } from "../../ui/basic";
import { TemplateChoice } from "../../ui/template-choice";
import type { Choice, Offer, Use } from "./file-uses";
import { kind, root } from "./state";

register(dropDialogWords);

type Kind = "audio" | "image" | "captions";

/** Null if the user cancels. */
export function askForUses(offer: Offer): Promise<Choice | null> {
  return new Promise((resolve) => {
    const host = document.createElement("div");
    document.body.append(host);
    const before = document.activeElement;
    const end = (choice: Choice | null) => {
      render(null, host);
      host.remove();
      if (before instanceof HTMLElement) before.focus();
      resolve(choice);
    };
    render(<DropDialog offer={offer} end={end} />, host);
  });
}

/** The last choice for each kind. */
const lastUse: Partial<Record<Kind, Use>> = {};

const VOICE = /voice|speech|narrat|spoken|vocal|旁白|配音|人声|解说|口播/i;
const LOGO = /logo|watermark|brand|水印|标志|商标/i;

function guess(kind: Kind, file: File, uses: readonly Use[]): Use {
  if (kind === "captions") return "captions";
  if (kind === "audio" && VOICE.test(file.name)) return "voice";
  if (kind === "image" && LOGO.test(file.name) && uses.includes("logo")) return "logo";
  const [first = "skip"] = uses;
  return lastUse[kind] ?? first;
}

function usesOf(of: Kind): Use[] {
  if (of === "audio") return ["music", "voice", "soundtrack", "skip"];
  if (of === "captions") return ["captions", "skip"];
  const hasLogos = fieldAt(root.value, "/params/options/overlays").type !== undefined;
  return [...(TASK_TYPE_INFO[kind.value].images ? ["clip" as const] : []), ...(hasLogos ? ["logo" as const] : []), "skip"];
}

function DropDialog({ offer, end }: { offer: Offer; end: (choice: Choice | null) => void }) {
  const groups = ([["audio", offer.audio], ["image", offer.images], ["captions", offer.captions]] as const).filter(([, files]) => files.length > 0);
  const [uses, setUses] = useState<ReadonlyMap<File, Use>>(() => new Map(groups.flatMap(([of, files]) => (
    files.map((file, place) => [file, of === "captions" && place > 0 ? "skip" : guess(of, file, usesOf(of))] as const)))));
  const [batch, setBatch] = useState<Choice["batch"] | undefined>(offer.tables.length > 0 ? undefined : null);
  const set = (of: Kind, changes: readonly (readonly [File, Use])[]) => {
    const [change] = changes;
    if (change !== undefined && change[1] !== "skip") lastUse[of] = change[1];
    setUses(new Map([...uses, ...changes]));
  };
  const withMedia = batch?.withMedia ?? false;
  const count = offer.clips + [...uses.values()].filter((use) => use !== "skip").length;
  const form = useRef<HTMLFormElement>(null);
  const isReady = batch !== undefined;
  // The button is disabled until the templates are loaded.
  useLayoutEffect(() => {
    if (isReady) form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
  }, [isReady]);
  const submit = (event: Event) => {
    event.preventDefault();
    if (isReady) end({ uses, batch });
  };
  return (
    <Dialog title={t("dropped.title")} open close={() => end(null)} wide>
      <form ref={form} class="drop-groups" onSubmit={submit}>
        {offer.tables.length > 0 && <TemplateChoice tables={offer.tables} media={offer.media} choice={batch} set={setBatch} />}
        {!withMedia && groups.map(([of, files]) => <Group key={of} of={of} files={files} uses={uses} set={(changes) => set(of, changes)} />)}
        {!withMedia && offer.clips > 0 && <p class="muted">{t("dropped.clips", { n: offer.clips })}</p>}
        <div class="dialog-actions">
          <Button onClick={() => end(null)}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" autoFocus busy={!isReady} disabled={batch === null && count === 0}>
            {batch ? t("dropped.go.batch") : t("dropped.go", { n: count })}</Button>
        </div>
      </form>
    </Dialog>
  );
}

const title = (word: Word, files: readonly File[]) => t("dropped.of", { kind: t(word), names: namesOf(files) });

/** The files of one kind: one choice for all of them, or one for each. */
function Group({ of, files, uses, set }: {
  of: Kind; files: readonly File[]; uses: ReadonlyMap<File, Use>; set: (changes: readonly (readonly [File, Use])[]) => void;
}) {
  const options = usesOf(of);
  const chosen = new Set(files.map((file) => uses.get(file)));
  const several = files.length > 1;
  const isCommon = !(of === "captions" && several);
  const hints = options.filter((use) => chosen.has(use)).flatMap((use) => {
    const counted = files.filter((file) => uses.get(file) === use).length > 1 && (use === "music" || use === "voice");
    if (use === "clip" || use === "skip") return [];
    const hint = t(`dropped.hint.${use}${counted ? ".several" : ""}` as Word);
    return [chosen.size > 1 ? t("dropped.of", { kind: t(`dropped.use.${use}`), names: hint }) : hint];
  });
  return (
    <fieldset class="drop-group">
      <legend>{title(`dropped.${of}`, files)}</legend>
      {isCommon && (
        <div class="segments">
          {options.map((use) => (
            <label key={use} class={chosen.size === 1 && chosen.has(use) ? "on" : ""}>
              <input type="radio" name={`drop-${of}`} checked={chosen.size === 1 && chosen.has(use)} onChange={() => set(files.map((file) => [file, use]))} />
              <span>{t(`dropped.use.${use}`)}</span>
            </label>
          ))}
        </div>
      )}
      {several && (
        <details class="overlay-style" open={!isCommon || chosen.size > 1}>
          <summary>{t("dropped.each")}</summary>
          <ul class="drop-files">
            {files.map((file, place) => (
              <li key={place}><label><span class="break">{file.name}</span>
                <select class="input" value={uses.get(file)} onChange={(event) => set(isCommon ? [[file, event.currentTarget.value as Use]] : files.map((one) => [one, one === file ? event.currentTarget.value as Use : "skip"]))}>
                  {options.map((use) => <option key={use} value={use}>{t(`dropped.use.${use}`)}</option>)}
                </select></label></li>
            ))}
          </ul>
        </details>
      )}
      {(isCommon ? hints : [t("dropped.hint.captions.several")]).map((hint) => <p key={hint} class="hint">{hint}</p>)}
    </fieldset>
  );
}
