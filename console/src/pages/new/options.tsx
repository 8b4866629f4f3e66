// The options of each task type, in folding sections.

import type { ComponentChildren } from "preact";
import { t, type Word } from "../../i18n";
import { Icon, type IconName } from "../../ui/icon";
import { sectionsOf, wordsOf } from "../../i18n/fields";
import { hasNeeded, NEEDS, SWITCHES } from "../../lib/draft";
import type { Schema } from "../../lib/schema";
import { SPEECH_FIELDS } from "../../lib/voices";
import { errorsAt, kind, schemaAt, valueAt } from "./state";
import { ChoiceField, ChoiceOrColourField, ColourField, NumberField, OptionalNumber, RangeField, SelectField, SwitchField, TextField, Toggled } from "./fields";
import { FileField, FileListField, type Accept } from "./files";
import { Cover } from "./cover";
import { EffectList, EffectPicker, LookStrip } from "./effect";
import { lazy } from "../../ui/lazy";
import { useFold } from "../../ui/use-fold";
import { FontField } from "./font";
import { Overlays } from "./overlays";
import { ScopeBar } from "./option-sets";
import { VoiceField } from "./spoken-text";
import { TransitionPicker } from "./transition";

const O = "/params/options";
const Captions = lazy(() => import("./captions").then((module) => module.Captions));
const VoicePool = lazy(() => import("./voice-pool").then((module) => module.VoicePool));

/** Whether an option is set. */
function isSet(pointer: string): boolean {
  const value = valueAt(pointer);
  const switched = SWITCHES[pointer.split("/").at(-1) ?? ""];
  if (switched !== undefined) return (value as Record<string, unknown> | undefined)?.[switched] === true;
  const needed = NEEDS[pointer.split("/").at(-1) ?? ""];
  if (needed !== undefined) return hasNeeded(value, needed);
  if (value !== null && typeof value === "object") return Object.keys(value).length > 0;
  return value !== undefined && value !== false;
}

function Section({ word, icon, owns, open = false, children }: {
  word: Word; icon: IconName; owns: readonly string[]; open?: boolean; children: ComponentChildren;
}) {
  const on = owns.filter(isSet).length;
  const hasErrors = [...errorsAt.value.keys()].some((path) => owns.some((own) => path === own || path.startsWith(own + "/")));
  return (
    <details class={`section ${hasErrors ? "wrong" : ""}`} {...useFold(open, hasErrors)}>
      <summary>
        <Icon name={icon} />
        <span class="section-title">{t(word)}</span>
        {hasErrors ? <span class="badge bad"><Icon name="error" size={14} /></span> : on > 0 && <span class="count">{t("options.on", { n: on })}</span>}
        <span class="fold"><Icon name="down" /></span>
      </summary>
      <div class="section-body">{children}</div>
    </details>
  );
}

const ICONS: Readonly<Record<string, IconName>> = {
  colour: "palette", geometry: "refresh", time: "clock", layers: "image", effect: "sparkle", picture: "film", sound: "music", subtitle: "text",
};
const ORDER = ["colour", "geometry", "time", "layers", "effect", "picture", "sound", "subtitle"];

export function Options() {
  const sections = sectionsOf(kind.value);
  const names = Object.keys(sections).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
  return (
    <>
      <ScopeBar />
      {names.map((name, index) => (
        <Section key={name} word={`section.${name}` as Word} icon={ICONS[name] ?? "settings"} owns={owned(name)} open={index === 0}>
          <Controls pointers={owned(name)} />
        </Section>
      ))}
    </>
  );
}

/** Options without a section in the service's table. */
const BESIDE: Readonly<Record<string, readonly string[]>> = { sound: [`${O}/voicePool`], picture: [`${O}/preset`] };

function owned(section: string): string[] {
  const listed = sectionsOf(kind.value)[section] ?? [];
  return [...listed, ...(BESIDE[section] ?? []).filter((pointer) => schemaAt(pointer).type !== undefined && !listed.includes(pointer))];
}

/** The preset has a picker. */
const looks = (pointer: string) => shownMembers(`${pointer}/style`).filter((member) => !member.endsWith("/preset"));
const controls = (pointers: readonly string[]) => <Controls pointers={pointers} />;

/** Fields with a custom control. */
const SPECIAL: Readonly<Record<string, () => ComponentChildren>> = {
  [`${O}/effect`]: () => <EffectPicker />,
  [`${O}/effects`]: () => <EffectList />,
  [`${O}/cover`]: () => <Cover controls={controls} />,
  [`${O}/transition`]: () => <TransitionPicker />,
  [`${O}/overlays`]: () => <Overlays controls={controls} />,
  [`${O}/subtitle`]: () => <Captions pointer={`${O}/subtitle`} voice={`${O}/audio`} controls={controls} styles={looks(`${O}/subtitle`)} />,
  [`${O}/voicePool`]: () => <VoicePool controls={controls} styles={(pointer) => looks(pointer)} />,
  [`${O}/isFilter`]: () => (
    <>
      <SwitchField pointer={`${O}/isFilter`} />
      {valueAt(`${O}/isFilter`) === true && <LookStrip />}
    </>
  ),
  [`${O}/background`]: () => (valueAt(`${O}/resolutionMode`) ?? "none") === "none" && <ChoiceOrColourField pointer={`${O}/background`} />,
};

const isNumber = (schema: Schema) => schema.type === "number" || schema.type === "integer";
const isLong = (schema: Schema) => schema.type === "string" && (schema.enum ?? schema.anyOf?.[0]?.enum ?? []).length > 3;
const isColour = (schema: Schema) => schema.pattern?.startsWith("^#") === true;
/** Low controls are placed side by side. */
function isSmall(pointer: string): boolean {
  const [schema, words] = [schemaAt(pointer), wordsOf(pointer)];
  return isColour(schema) || isLong(schema) || (isNumber(schema) && words.upTo === undefined && words.words === undefined && schema.enum === undefined);
}

function Controls({ pointers }: { pointers: readonly string[] }) {
  const groups: string[][] = [];
  for (const pointer of pointers) {
    const last = groups.at(-1);
    if (isSmall(pointer) && last?.[0] !== undefined && isSmall(last[0])) last.push(pointer);
    else groups.push([pointer]);
  }
  return (
    <>
      {groups.map((group) => {
        const controls = group.map((pointer) => <Control key={pointer} pointer={pointer} />);
        return group.length > 1 ? <div key={group[0]} class="grid-fields">{controls}</div> : controls;
      })}
    </>
  );
}

/** Chooses a control by the field's schema. */
function Control({ pointer }: { pointer: string }) {
  const [schema, words] = [schemaAt(pointer), wordsOf(pointer)];
  const special = SPECIAL[pointer];
  if (special !== undefined) return <>{special()}</>;
  if (pointer.endsWith("/style/font")) return <FontField pointer={pointer} />;
  if (schema.type === "object") return <OptionObject pointer={pointer} />;
  if (schema.type === "boolean") return <SwitchField pointer={pointer} />;
  if (schema.type === "array") return <FileListField pointer={pointer} accept={acceptOf(schema.items?.type === "object" ? `${pointer}/0/url` : `${pointer}/0`)} lead={fieldsOf(leadMembers(pointer), pointer)} more={fieldsOf(moreMembers(pointer), pointer)} />;
  if (words.file !== undefined) return <FileField pointer={pointer} accept={acceptOf(pointer)} />;
  if (isColour(schema)) return <ColourField pointer={pointer} />;
  if (words.upTo !== undefined) return <RangeField low={pointer} high={pointer.replace(/[^/]+$/, words.upTo)} words={pointer} />;
  if (schema.enum !== undefined) return isLong(schema) ? <SelectField pointer={pointer} /> : <ChoiceField pointer={pointer} />;
  if (words.words !== undefined) return <ChoiceField pointer={pointer} values={Object.keys(words.words).map(Number)} />;
  if (isNumber(schema)) return schema.default === undefined ? <OptionalNumber pointer={pointer} /> : <NumberField pointer={pointer} />;
  return <TextField pointer={pointer} />;
}

/** An option with several fields: with a switch, a required file, or neither. */
function OptionObject({ pointer }: { pointer: string }) {
  const { switch: on, needs } = wordsOf(pointer);
  const isVoice = schemaAt(`${pointer}/voice`).type !== undefined;
  const separate = [on ?? needs, ...(isVoice ? SPEECH_FIELDS : [])].map((name) => `${pointer}/${name}`);
  const members = shownMembers(pointer).filter((member) => !separate.includes(member));
  if (on !== undefined) return <Toggled option={pointer.slice(O.length + 1)} field={on}><Controls pointers={members} /></Toggled>;
  if (needs === undefined) return <Controls pointers={members} />;
  const hasValue = hasNeeded(valueAt(pointer), needs);
  return (
    <div class={`toggled ${hasValue ? "on" : ""}`}>
      {isVoice ? <VoiceField pointer={pointer} /> : <Control pointer={`${pointer}/${needs}`} />}
      {hasValue && <Controls pointers={members} />}
    </div>
  );
}

/** Fields that have a control. Upper bounds of ranges and fields without a label have none. */
function shownMembers(pointer: string): string[] {
  const members = Object.keys(schemaAt(pointer).properties ?? {}).map((name) => `${pointer}/${name}`);
  const ends = new Set(members.map((member) => `${pointer}/${wordsOf(member).upTo ?? ""}`));
  return members.filter((member) => !ends.has(member) && (wordsOf(member).label !== undefined || schemaAt(member).type === "object" || wordsOf(pointer).switch === member.split("/").at(-1)));
}

function acceptOf(pointer: string): Accept {
  const file = wordsOf(pointer).file;
  if (file === "Fill") return "fill";
  if (file === "Subtitle") return "subtitle";
  if (file === "Mask") return pointer.includes("/picMask/") ? "picture" : "video";
  return file === "Clip" || file === "Bumper" ? "video" : "sound";
}

/** The time at which a sound is played is always visible. */
const LEAD = /\/0\/at$/;
const leadMembers = (pointer: string) => shownMembers(`${pointer}/0`).filter((member) => LEAD.test(member));
/** Further fields of a file entry, such as volume and fades. */
const moreMembers = (pointer: string) => shownMembers(`${pointer}/0`).filter((member) => !member.endsWith("/url") && !LEAD.test(member));

function fieldsOf(members: readonly string[], pointer: string): ((entry: string) => ComponentChildren) | undefined {
  if (members.length === 0) return undefined;
  return (entry) => <Controls pointers={members.map((member) => member.replace(`${pointer}/0`, entry))} />;
}
