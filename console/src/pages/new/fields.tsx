// Controls of request fields. Each is bound to a pointer: its value is in the draft, its range and default come from the
// API description, and its errors from the estimate.

import type { ComponentChildren } from "preact";
import { choice, hint, label } from "../../i18n/fields";
import { t } from "../../i18n";
import { onGrid, type Schema } from "../../lib/schema";
import { Icon } from "../../ui/icon";
import { messageText } from "../../lib/service-message";
import { joinColour, splitColour } from "../../lib/colour";
import { errorsAt, schemaAt, setAt, valueAt } from "./state";

export function fieldId(pointer: string): string {
  return "f" + pointer.replaceAll("/", "-");
}

/** Focuses a field that a change has just added. */
export function focusField(pointer: string): void {
  setTimeout(() => document.getElementById(fieldId(pointer))?.focus());
}

/** The errors of a field. */
export function FieldErrors({ pointer }: { pointer: string }) {
  const errors = errorsAt.value.get(pointer) ?? [];
  if (errors.length === 0) return null;
  return (
    <div class="field-error" id={`${fieldId(pointer)}-error`} role="alert">
      <Icon name="error" size={15} />
      <span>{errors.map((error) => <span key={error.message}>{messageText(error, pointer)}</span>)}</span>
    </div>
  );
}

export function described(pointer: string, hinted: boolean): { "aria-describedby"?: string; "aria-invalid"?: "true" } {
  const hasErrors = errorsAt.value.has(pointer);
  const ids = [hinted ? `${fieldId(pointer)}-hint` : "", hasErrors ? `${fieldId(pointer)}-error` : ""].filter((id) => id !== "");
  return { ...(ids.length > 0 ? { "aria-describedby": ids.join(" ") } : {}), ...(hasErrors ? { "aria-invalid": "true" } : {}) };
}

export function Field({ pointer, children, title, aside }: {
  pointer: string; children: ComponentChildren; title?: string; aside?: ComponentChildren;
}) {
  const help = hint(pointer);
  return (
    <div class={`field ${errorsAt.value.has(pointer) ? "wrong" : ""}`}>
      <div class="field-head"><label for={fieldId(pointer)}>{title ?? label(pointer)}</label>{aside}</div>
      {children}
      {help && <p class="hint" id={`${fieldId(pointer)}-hint`}>{help}</p>}
      <FieldErrors pointer={pointer} />
    </div>
  );
}

/** ID of the list of suggested colours. */
export const BRAND_COLOURS = "brand-colours";

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);

function setNumber(pointer: string, text: string): void {
  if (text.trim() === "") return setAt(pointer, undefined);
  const value = Number(text);
  setAt(pointer, Number.isFinite(value) ? value : text);
}

/** The typed text, even if it is not a valid number. */
function textOf(value: unknown, fallback: unknown): string {
  if (value === undefined) return fallback === undefined ? "" : String(fallback);
  return String(value);
}

/** Slider and number input, for a field with minimum and maximum. */
export function NumberField({ pointer, title }: { pointer: string; title?: string }) {
  const schema = schemaAt(pointer);
  const value = valueAt(pointer);
  const { minimum: min = 0, maximum: max = 100 } = schema;
  const wide = max - min > 1000;
  const current = numberOf(value) ?? numberOf(schema.default) ?? min;
  const coarse = schema["x-step"] ?? (schema.type === "integer" || max - min > 30 ? 1 : 0.1);
  return (
    <Field pointer={pointer} {...(title === undefined ? {} : { title })} aside={<Reset pointer={pointer} />}>
      <div class="number">
        {!wide && (
          <input class="slider" type="range" min={min} max={max} step={coarse} value={current} aria-label={title ?? label(pointer)}
            style={{ "--fill": `${((current - min) / (max - min)) * 100}%` }} tabIndex={-1} aria-hidden="true"
            onInput={(event) => setAt(pointer, onGrid(schema, Number(event.currentTarget.value)))} />
        )}
        <NumberInput pointer={pointer} schema={schema} />
      </div>
    </Field>
  );
}

export function NumberInput({ pointer, schema = schemaAt(pointer), name, placeholder }: {
  pointer: string; schema?: Schema; name?: string; placeholder?: string;
}) {
  const value = valueAt(pointer);
  return (
    <input id={fieldId(pointer)} class="input numeric" type="number" inputMode="decimal" min={schema.minimum} max={schema.maximum}
      step={schema["x-step"] ?? (schema.type === "integer" ? 1 : "any")} value={textOf(value, schema.default)}
      placeholder={placeholder} aria-label={name} {...described(pointer, hint(pointer) !== undefined)}
      onInput={(event) => setNumber(pointer, event.currentTarget.value)} />
  );
}

const FEW = "/params/generateCount";
const MANY = "/params/outputCount";

/** The requested number of videos, from either of two fields. */
export function outputCount(): number {
  return numberOf(valueAt(MANY)) ?? numberOf(valueAt(FEW)) ?? 1;
}

/** Sets the number of videos: one field up to its maximum, the other one beyond it. */
export function OutputCount({ title = label(FEW) }: { title?: string }) {
  const { minimum: min = 1, maximum: max = 200 } = schemaAt(MANY);
  const maxCount = schemaAt(FEW).maximum ?? 5;
  const pointer = valueAt(MANY) === undefined ? FEW : MANY;
  const set = (text: string) => {
    const count = text === "" ? undefined : Number(text);
    const isFew = count === undefined || count <= maxCount;
    setAt(FEW, isFew ? count : undefined);
    setAt(MANY, isFew ? undefined : count);
  };
  return (
    <Field pointer={pointer} title={title}>
      <input id={fieldId(pointer)} class="input numeric" type="number" inputMode="numeric" min={min} max={max} step={1}
        value={textOf(valueAt(pointer), undefined)} {...described(pointer, false)} onInput={(event) => set(event.currentTarget.value)} />
    </Field>
  );
}

/** An optional number. */
export function OptionalNumber({ pointer, placeholder }: { pointer: string; placeholder?: string }) {
  return (
    <Field pointer={pointer} aside={<Reset pointer={pointer} />}>
      <NumberInput pointer={pointer} {...(placeholder === undefined ? {} : { placeholder })} />
    </Field>
  );
}

function Reset({ pointer }: { pointer: string }) {
  if (valueAt(pointer) === undefined) return null;
  const word = t("options.reset");
  return (
    <button type="button" class="reset" title={word} aria-label={`${label(pointer)}: ${word}`} onClick={() => setAt(pointer, undefined)}>
      <Icon name="redo" size={14} />
    </button>
  );
}

/** Minimum and maximum of a random value. `words` is the name in the labels. */
export function RangeField({ low, high, words }: { low: string; high: string; words: string }) {
  const schema = schemaAt(low);
  const { minimum: min = 0, maximum: max = 1 } = schema;
  const ends = [low, high].map((pointer) => numberOf(valueAt(pointer)) ?? numberOf(schemaAt(pointer).default) ?? min) as [number, number];
  const place = (value: number) => ((value - min) / (max - min)) * 100;
  const name = label(words);
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  const track = { "--from": `${place(from)}%`, "--to": `${place(to)}%` };
  const changed = valueAt(low) !== undefined || valueAt(high) !== undefined;
  return (
    <fieldset class={`field range-field ${errorsAt.value.has(low) || errorsAt.value.has(high) ? "wrong" : ""}`}>
      <legend class="field-head"><span>{name}</span>
        {changed && (
          <button type="button" class="reset" title={t("options.reset")} aria-label={`${name}: ${t("options.reset")}`}
            onClick={() => { setAt(low, undefined); setAt(high, undefined); }}><Icon name="redo" size={14} /></button>
        )}
      </legend>
      <div class="range">
        <NumberInput pointer={low} name={t("options.from", { label: name })} />
        <div class="double" style={track}>
          {[low, high].map((pointer, which) => (
            <input key={pointer} type="range" min={min} max={max} step={schema["x-step"] ?? stepFor(min, max)} value={ends[which]}
              tabIndex={-1} aria-hidden="true" onInput={(event) => slide(pointer, schema, Number(event.currentTarget.value), ends, which)} />
          ))}
        </div>
        <NumberInput pointer={high} name={t("options.to", { label: name })} />
      </div>
      <FieldErrors pointer={low} />
      <FieldErrors pointer={high} />
    </fieldset>
  );
}

const stepFor = (min: number, max: number) => (max - min > 30 ? 1 : 0.1);

/** Limits a thumb to the position of the other one. */
function slide(pointer: string, schema: Schema, value: number, ends: [number, number], which: number): void {
  const bounded = which === 0 ? Math.min(value, ends[1]) : Math.max(value, ends[0]);
  setAt(pointer, onGrid(schema, bounded));
}

/** A choice of a few visible values. `usual` is the effective one if the field has neither a value nor a default. */
export function ChoiceField({ pointer, values, usual, name = (option) => choice(pointer, option) }: {
  pointer: string; values?: readonly (string | number)[]; usual?: string; name?: (option: string | number) => string;
}) {
  const schema = schemaAt(pointer);
  const list = values ?? schema.enum ?? [];
  const value = valueAt(pointer) ?? schema.default ?? usual;
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{label(pointer)}</span></legend>
      <div class="segments" id={fieldId(pointer)} tabIndex={-1}>
        {list.map((option) => (
          <label key={option} class={option === value ? "on" : ""}>
            <input type="radio" name={pointer} checked={option === value} onChange={() => setAt(pointer, option)} />
            <span>{name(option)}</span>
          </label>
        ))}
      </div>
      {hint(pointer) && <p class="hint">{hint(pointer)}</p>}
      <FieldErrors pointer={pointer} />
    </fieldset>
  );
}

/** The colour that is chosen first. */
const FIRST_COLOUR = "#1B1B2F";

/** A choice of names, or an opaque colour. */
export function ChoiceOrColourField({ pointer }: { pointer: string }) {
  const schema = schemaAt(pointer);
  const names: readonly (string | number)[] = schema.anyOf?.[0]?.enum ?? [];
  const value = String(valueAt(pointer) ?? schema.default ?? "");
  const isColour = !names.includes(value);
  return (
    <>
      <ChoiceField pointer={pointer} values={[...names, isColour ? value : FIRST_COLOUR]}
        name={(option) => (names.includes(option) ? choice(pointer, option) : t("options.colour"))} />
      {isColour && (
        <div class="colour">
          <input type="color" class="swatch" list={BRAND_COLOURS} value={splitColour(value).rgb} aria-label={`${label(pointer)}: ${t("options.colour")}`}
            onInput={(event) => setAt(pointer, event.currentTarget.value.toUpperCase())} />
        </div>
      )}
    </>
  );
}

/** A choice of many values; `none` is the name of no choice. */
export function SelectField({ pointer, none = t("options.usual") }: { pointer: string; none?: string }) {
  const schema = schemaAt(pointer);
  const value = String(valueAt(pointer) ?? schema.default ?? "");
  return (
    <Field pointer={pointer}>
      <select id={fieldId(pointer)} class="input" value={value} {...described(pointer, hint(pointer) !== undefined)}
        onChange={(event) => setAt(pointer, (schema.enum ?? []).find((option) => String(option) === event.currentTarget.value))}>
        {schema.default === undefined && <option value="">{none}</option>}
        {(schema.enum ?? []).map((option) => <option key={option} value={option}>{choice(pointer, option)}</option>)}
      </select>
    </Field>
  );
}

export function SwitchField({ pointer, name = pointer }: { pointer: string; name?: string }) {
  const usual = schemaAt(pointer).default === true;
  const on = (valueAt(pointer) ?? usual) === true;
  const help = hint(name);
  return (
    <div class="switch-field">
      <label class="switch">
        <input id={fieldId(pointer)} type="checkbox" role="switch" checked={on} {...described(pointer, help !== undefined)}
          onChange={(event) => setAt(pointer, event.currentTarget.checked === usual ? undefined : event.currentTarget.checked)} />
        <span class="track" aria-hidden="true" />
        <span class="switch-words"><span>{label(name)}</span></span>
      </label>
      {help && <p class="hint" id={`${fieldId(pointer)}-hint`}>{help}</p>}
      <FieldErrors pointer={pointer} />
    </div>
  );
}

/** A switch with a label and a hint, for a field that is not a boolean. */
export function PlainSwitch({ pointer, on, word = label(pointer), set }: { pointer: string; on: boolean; word?: string; set: (on: boolean) => void }) {
  const help = hint(pointer);
  return (
    <div class="switch-field">
      <label class="switch">
        <input type="checkbox" role="switch" checked={on} {...(help === undefined ? {} : { "aria-describedby": `${fieldId(pointer)}-hint` })} onChange={(event) => set(event.currentTarget.checked)} />
        <span class="track" aria-hidden="true" />
        <span class="switch-words"><span>{word}</span></span>
      </label>
      {help && <p class="hint" id={`${fieldId(pointer)}-hint`}>{help}</p>}
    </div>
  );
}

/** An option with a switch; its fields are visible while it is on. */
export function Toggled({ option, field, children }: { option: string; field: string; children: ComponentChildren }) {
  const pointer = `/params/options/${option}`;
  const on = valueAt(`${pointer}/${field}`) === true;
  return (
    <div class={`toggled ${on ? "on" : ""}`}>
      <SwitchField pointer={`${pointer}/${field}`} name={pointer} />
      {on && <div class="toggled-body">{children}</div>}
      <FieldErrors pointer={pointer} />
    </div>
  );
}

export function TextField({ pointer, placeholder }: { pointer: string; placeholder?: string }) {
  return (
    <Field pointer={pointer}>
      <input id={fieldId(pointer)} class="input" type="text" value={String(valueAt(pointer) ?? "")} placeholder={placeholder}
        autocomplete="off" spellcheck={false} {...described(pointer, hint(pointer) !== undefined)}
        onInput={(event) => setAt(pointer, event.currentTarget.value === "" ? undefined : event.currentTarget.value)} />
    </Field>
  );
}

/** A text of several lines. */
export function LinesField({ pointer, rows = 3, aside }: { pointer: string; rows?: number; aside?: ComponentChildren }) {
  return (
    <Field pointer={pointer} aside={aside}>
      <textarea id={fieldId(pointer)} class="input" rows={rows} value={String(valueAt(pointer) ?? "")} {...described(pointer, hint(pointer) !== undefined)}
        onInput={(event) => setAt(pointer, event.currentTarget.value)} />
    </Field>
  );
}

/** A colour, with opacity unless it is `opaque`; it can be empty if the field has no default. */
export function ColourField({ pointer, opaque = false }: { pointer: string; opaque?: boolean }) {
  const schema = schemaAt(pointer);
  const text = String(valueAt(pointer) ?? schema.default ?? "");
  const { rgb, alpha } = splitColour(text);
  const write = (nextRgb: string, nextAlpha: number) => setAt(pointer, joinColour(nextRgb, nextAlpha));
  return (
    <Field pointer={pointer} aside={valueAt(pointer) !== undefined && <Reset pointer={pointer} />}>
      <div class="colour">
        <input type="color" list={BRAND_COLOURS} class={`swatch ${text === "" ? "none" : ""}`} value={rgb} aria-label={label(pointer)}
          onInput={(event) => write(event.currentTarget.value, alpha)} />
        <input id={fieldId(pointer)} class="input" value={text} placeholder={t("options.nocolor")} spellcheck={false}
          {...described(pointer, hint(pointer) !== undefined)}
          onInput={(event) => setAt(pointer, event.currentTarget.value === "" ? undefined : event.currentTarget.value)} />
        {!opaque && <input class="input numeric alpha" type="number" min={0} max={100} value={Math.round(alpha / 2.55)} disabled={text === ""}
          aria-label={`${label(pointer)}: ${t("options.alpha")} %`} title={`${t("options.alpha")} %`}
          onInput={(event) => write(rgb, Math.round(Number(event.currentTarget.value) * 2.55))} />}
      </div>
    </Field>
  );
}
