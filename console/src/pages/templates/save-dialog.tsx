// Saves the current task as a template; the user chooses the values that differ from video to video.

import "../../styles/batches.css";
import { useEffect, useMemo, useState } from "preact/hooks";
import { register, t, type Word } from "../../i18n";
import { batchWords } from "../../i18n/batches";
import { label, titleOf } from "../../i18n/fields";
import { ApiFailure } from "../../lib/api";
import { isFileType } from "../../lib/lists";
import { messageText } from "../../lib/service-message";
import { getIn, parsePointer } from "../../lib/pointer";
import { fileName } from "../../lib/upload-names";
import type { Schema } from "../../lib/schema";
import type { FieldError, TaskType } from "../../lib/types";
import { choiceName, FILE, findPlaces, isClip, templates, findWrittenVariables, type Place, type Template, type TemplateOverview, type VariableType, type WrittenVariable } from "../../lib/templates";
import { go } from "../../router";
import { Button, Dialog, explain, Notice } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { toTemplate, newChoice, earlierChoices, earlierDeclarations, FROM_TEMPLATE, nameWithoutVariables, whereOf, choiceErrors, type Choice, type Choices, type WrittenChoices } from "./variable-choices";

register(batchWords);

/** Maximum number of visible fields per section. */
const MAX_SHOWN = 100;
const LISTED = 100;

const GROUPS: readonly { word: Word; has: (type: VariableType) => boolean }[] = [
  { word: "save.links", has: isFileType },
  { word: "save.texts", has: (type) => type === "text" || type === "texts" },
  { word: "save.numbers", has: (type) => type === "number" || type === "color" || type === "choice" },
];

export function SaveDialog({ request, root, close }: { request: Record<string, unknown>; root: Schema; close: () => void }) {
  const where = (pointer: string) => whereOf(pointer, request.taskType as TaskType, {
    group: (n) => t(request.taskType === "proVideoMix" ? "board.scene.new" : "board.group", { n }), clip: (n) => t("save.clip", { n }),
    entry: (entry, n) => entryName(request, entry, n),
  });
  const places = useMemo(() => findPlaces(request, root, where).map((place) => (place.title === FILE ? { ...place, title: t("save.file") } : place)), [request, root]);
  const writtenVariables = useMemo(() => findWrittenVariables(request, root), [request, root]);
  const existing = useLoad((signal) => templates.list({ pageSize: LISTED }, signal), []);
  const [old, setOld] = useState<Template | null>(null);
  const [name, setName] = useState(typeof request.name === "string" ? nameWithoutVariables(request.name) ?? t(`type.${request.taskType}` as Word) : "");
  const [choices, setChoices] = useState<Choices>(new Map());
  const [declared, setDeclared] = useState<WrittenChoices>(() => earlierDeclarations(writtenVariables, null));
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<FieldError[]>([]);

  const replace = async (templateNo: string) => {
    if (templateNo === "") return setOld(null);
    try {
      const template = await templates.get(templateNo);
      setOld(template);
      setName(template.name);
      setChoices(earlierChoices(template, places));
      setDeclared(earlierDeclarations(writtenVariables, template));
    } catch (error) {
      toast("bad", explain(error));
    }
  };
  useEffect(() => {
    const from = sessionStorage.getItem(FROM_TEMPLATE);
    if (from !== null && existing.value?.list.some((one) => one.templateNo === from)) void replace(from);
  }, [existing.value]);

  const columns = new Set([...[...choices.values()].map((one) => one.name), ...declared.keys()]).size;
  const hasErrors = [...choices.values(), ...[...declared].map(([name, one]) => ({ name, ...one }))].some((one) => Object.keys(choiceErrors(one)).length > 0);
  const save = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setErrors([]);
    const body = toTemplate(name.trim(), request, choices, places, declared, old, new Map(writtenVariables.map((one) => [one.name, one.suggested])));
    try {
      const saved = old === null ? await templates.add(body) : await templates.replace(old.templateNo, { ...body, version: old.version });
      toast("good", t("save.done", { name: saved.name }));
      sessionStorage.removeItem(FROM_TEMPLATE);
      close();
      go(`/templates/${saved.templateNo}/fill`);
    } catch (error) {
      setErrors(error instanceof ApiFailure ? error.fieldErrors : []);
      if (!(error instanceof ApiFailure) || error.fieldErrors.length === 0) toast("bad", explain(error));
    }
    setBusy(false);
  };
  return (
    <Dialog title={t("save.title")} open close={close} wide>
      <form onSubmit={save} class="save-template">
        <p class="muted">{t("save.lead")}</p>
        <div class="field-pair">
          {(existing.value?.total ?? 0) > 0 && <SaveAs list={existing.value?.list ?? []} value={old?.templateNo ?? ""} set={(next) => void replace(next)} />}
          <label class="field"><span class="field-head">{t("save.name")}</span>
            <input class="input" value={name} maxLength={120} required onInput={(event) => setName(event.currentTarget.value)} /></label>
        </div>
        <Places places={places} choices={choices} set={setChoices} written={writtenVariables} declared={declared} where={where}
          declare={(variable, declaration) => setDeclared(new Map(declared).set(variable, declaration))} />
        <p class="hint">{t("save.hint", { braces: "{{price}}" })} {[...choices.values()].some((one) => isFileType(one.type)) && t("save.duration")}</p>
        {errors.length > 0 && <Notice tone="bad" title={t("save.wrong")}><ul>{errors.slice(0, 8).map((error) => <li key={error.path + error.message}>{titleOf(error.path.replace(/^\/request(?=\/)/, ""))}: {messageText(error)}</li>)}</ul></Notice>}
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" busy={busy} disabled={columns === 0 || hasErrors || name.trim() === ""}>{columns === 0 ? t("save.none.chosen") : t("save.go", { n: columns })}</Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Texts and logos are numbered separately. */
function entryName(request: Record<string, unknown>, pointer: string, n: number): string {
  const path = parsePointer(pointer);
  if (path.at(-2) !== "overlays") return `${label(`/${path.slice(0, -1).join("/")}`)} ${n}`;
  const before = (getIn(request, path.slice(0, -1)) as { type?: string }[]).slice(0, n);
  const isText = before.at(-1)?.type === "text";
  return t(isText ? "save.text.n" : "save.logo.n", { n: before.filter(({ type }) => (type === "text") === isText).length });
}

function SaveAs({ list, value, set }: { list: readonly TemplateOverview[]; value: string; set: (templateNo: string) => void }) {
  return (
    <label class="field"><span class="field-head">{t("save.as")}</span>
      <select class="input" value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{t("save.as.new")}</option>
        {list.map((one) => <option key={one.templateNo} value={one.templateNo}>{t("save.as.version", { name: one.name })}</option>)}
      </select>
    </label>
  );
}

function Places({ places, choices, set, written, declared, declare, where }: {
  places: readonly Place[]; choices: Choices; set: (next: Choices) => void;
  written: readonly WrittenVariable[]; declared: WrittenChoices; declare: (name: string, declaration: Pick<Choice, "type" | "fallback">) => void; where: (pointer: string) => string;
}) {
  const [search, setSearch] = useState("");
  const query = search.trim().toLowerCase();
  const matches = (place: Place) => choices.has(place.pointer) || `${place.title} ${place.where} ${formatPlace(place)}`.toLowerCase().includes(query);
  const put = (pointer: string, choice: Choice | null) => {
    const next = new Map(choices);
    if (choice === null) next.delete(pointer);
    else next.set(pointer, choice);
    set(next);
  };
  return (
    <>
      {places.length > 12 && <input class="input" type="search" value={search} placeholder={t("save.search")} aria-label={t("save.search")} onInput={(event) => setSearch(event.currentTarget.value)} />}
      {GROUPS.map(({ word, has }) => {
        const matchingPlaces = places.filter((place) => has(place.suggested.type) && matches(place));
        const writtenVariables = written.filter(({ suggested }) => has(suggested.type));
        const open = word !== "save.numbers" || writtenVariables.length > 0 || query !== "" || matchingPlaces.some((place) => choices.has(place.pointer));
        return (
          <details key={word} class="save-group" open={open}>
            <summary>{t(word)} <span class="muted">{matchingPlaces.length + writtenVariables.length}</span></summary>
            {matchingPlaces.length + writtenVariables.length === 0 && <p class="muted small">{t("save.none")}</p>}
            <ul class="save-places">
              {writtenVariables.map((one) => <WrittenLine key={one.name} variable={one} where={where(one.pointer)} choice={{ name: one.name, ...(declared.get(one.name) ?? { type: "text", fallback: null }) }} declare={declare} />)}
              {matchingPlaces.slice(0, MAX_SHOWN).map((place) => (
                <PlaceLine key={place.pointer} place={place} choice={choices.get(place.pointer) ?? null}
                  twice={[...choices].some(([pointer, one]) => pointer !== place.pointer && one.name === choices.get(place.pointer)?.name)}
                  put={(choice) => put(place.pointer, choice)} begin={() => put(place.pointer, newChoice(place, choices, [...declared.keys()]))} />
              ))}
            </ul>
            {matchingPlaces.length > MAX_SHOWN && <p class="muted small">{t("save.more", { n: matchingPlaces.length - MAX_SHOWN })}</p>}
          </details>
        );
      })}
    </>
  );
}

function formatPlace(place: Place): string {
  if (place.suggested.type === "url") return fileName(String(place.value));
  return place.suggested.type === "choice" ? choiceName(place.pointer, place.value) : String(place.value);
}

function PlaceLine({ place, choice, twice, put, begin }: {
  place: Place; choice: Choice | null; twice: boolean; put: (choice: Choice | null) => void; begin: () => void;
}) {
  return (
    <li class={choice === null ? "" : "on"}>
      <label class="check">
        <input type="checkbox" checked={choice !== null} onChange={() => (choice === null ? begin() : put(null))} />
        <span><strong>{place.title}</strong> {place.where && <span class="muted small">{place.where}</span>}<br /><span class="muted small break">{formatPlace(place)}</span></span>
      </label>
      {choice !== null && <Declaration id={`var${place.pointer.replaceAll("/", "-")}`} suggested={place.suggested.type} pointer={place.pointer} present={{ value: String(place.value), shown: formatPlace(place) }} choice={choice} twice={twice} put={put} />}
    </li>
  );
}

/** A variable that the task contains; it can be renamed only there. */
function WrittenLine({ variable, where, choice, declare }: {
  variable: WrittenVariable; where: string; choice: Choice; declare: (name: string, declaration: Pick<Choice, "type" | "fallback">) => void;
}) {
  const { name, value, pointer, suggested } = variable;
  return (
    <li class="on">
      <p><strong class="break">{name}</strong> <span class="muted small">{[label(pointer), where].filter((part) => part !== "").join(" · ")}</span><br /><span class="muted small break">{value}</span></p>
      <Declaration id={`written-${name}`} suggested={suggested.type} pointer={pointer} present={null} choice={choice} twice={false} put={({ type, fallback }) => declare(name, { type, fallback })} />
    </li>
  );
}

/** `present` is the current value; null for a variable that the task contains by name. */
function Declaration({ id, suggested, pointer, present, choice, twice, put }: {
  id: string; suggested: VariableType; pointer: string; present: { value: string; shown: string } | null; choice: Choice; twice: boolean; put: (choice: Choice) => void;
}) {
  const errors = choiceErrors(choice);
  const types: VariableType[] = [...new Set<VariableType>([suggested, choice.type, "text", ...(present === null && suggested === "text" ? ["number" as const] : []), ...(isClip(pointer) ? ["urls" as const] : [])])];
  const mode = choice.fallback === null ? "none" : choice.fallback === present?.value ? "keep" : "own";
  return (
    <div class="declaration">
      {present !== null && <div class="field">
        <label class="field-head" for={id}>{t("save.var.name")}</label>
        <input id={id} class="input" value={choice.name} aria-invalid={errors.name === true} aria-describedby={errors.name || twice ? `${id}-said` : undefined}
          onInput={(event) => put({ ...choice, name: event.currentTarget.value.trimStart() })} />
        {(errors.name || twice) && <p id={`${id}-said`} class={errors.name ? "field-error" : "hint"}>{t(errors.name ? "save.var.wrong" : "save.var.twice")}</p>}
      </div>}
      <label class="field"><span class="field-head">{t("var.type")}</span>
        <select class="input" value={choice.type} onChange={(event) => put({ ...choice, type: event.currentTarget.value as VariableType })}>
          {types.map((type) => <option key={type} value={type}>{t(`var.type.${type}` as Word)}</option>)}
        </select>
      </label>
      <label class="field"><span class="field-head">{t("save.var.default")}</span>
        <select class="input" value={mode} onChange={(event) => {
          const next = event.currentTarget.value;
          put({ ...choice, fallback: next === "none" ? null : next === "keep" ? present?.value ?? "" : "" });
        }}>
          <option value="none">{t("save.var.default.none")}</option>
          {present !== null && <option value="keep">{t("save.var.default.keep", { value: present.shown.slice(0, 40) })}</option>}
          <option value="own">{t(present === null ? "save.var.default.this" : "save.var.default.own")}</option>
        </select>
      </label>
      {mode === "own" && (
        <label class="field"><span class="field-head">{t("save.var.value")}</span>
          <input class="input" value={choice.fallback ?? ""} aria-invalid={errors.value === true} onInput={(event) => put({ ...choice, fallback: event.currentTarget.value })} />
        </label>
      )}
    </div>
  );
}
