// Choice of effects and of looks by animated previews.

import { both, t } from "../../i18n";
import { hint, label } from "../../i18n/fields";
import { effects, looks, previewImage } from "../../lib/catalogue";
import { newId } from "../../lib/draft";
import { Button } from "../../ui/basic";
import { Picker, pickOf } from "../../ui/picker";
import { useFold } from "../../ui/use-fold";
import { FieldErrors, fieldId, focusField, NumberField } from "./fields";
import { errorsAt, schemaAt, setAt, valueAt } from "./state";

const SINGLE = "/params/options/effect";
const SEVERAL = "/params/options/effects";
/** Clearly visible, unlike the default of a request. */
const NEW = { trans: 50, duration: 2 };

interface Effect {
  _id?: string;
  value?: string;
}

/** The effect of a varied video. */
export function EffectPicker() {
  return (
    <>
      <Effects pointer={SINGLE} none />
      {valueAt(`${SINGLE}/value`) !== undefined && <Amounts pointer={SINGLE} />}
    </>
  );
}

function Effects({ pointer, none = false }: { pointer: string; none?: boolean }) {
  const at = `${pointer}/value`;
  const value = valueAt(at) as string | undefined;
  const picks = [...(none ? [{ name: "", title: t("options.noeffect") }] : []), ...(effects.value ?? []).map(pickOf)];
  return (
    <fieldset class="field">
      <legend class="unseen">{label(at)}</legend>
      <Picker id={fieldId(at)} picks={picks} chosen={[value ?? ""]} choose={(name) => setAt(at, name === "" ? undefined : name)} />
      <FieldErrors pointer={at} />
    </fieldset>
  );
}

function Amounts({ pointer }: { pointer: string }) {
  return (
    <div class="grid-fields">
      <NumberField pointer={`${pointer}/trans`} />
      <NumberField pointer={`${pointer}/duration`} />
      <NumberField pointer={`${pointer}/position`} />
    </div>
  );
}

const all = () => (valueAt(SEVERAL) as Effect[] | undefined) ?? [];
const write = (list: readonly Effect[]) => setAt(SEVERAL, list.length > 0 ? list : undefined);

/** The effects of a mix. */
export function EffectList() {
  const list = all();
  const add = () => {
    write([...list, { _id: newId(), ...NEW } as Effect]);
    focusField(`${SEVERAL}/${list.length}/value`);
  };
  const isComplete = list.every((effect) => effect.value !== undefined);
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{label(SEVERAL)}</span></legend>
      <p class="hint">{hint(SEVERAL)}</p>
      {list.map((effect, index) => (
        <Card key={effect._id ?? index} effect={effect} index={index} remove={() => write(list.filter((_, place) => place !== index))} />
      ))}
      <FieldErrors pointer={SEVERAL} />
      {isComplete && list.length < (schemaAt(SEVERAL).maxItems ?? 5) && <span><Button id={fieldId(SEVERAL)} icon="sparkle" onClick={add}>{t("effects.add")}</Button></span>}
    </fieldset>
  );
}

function Card({ effect, index, remove }: { effect: Effect; index: number; remove: () => void }) {
  const pointer = `${SEVERAL}/${index}`;
  const entry = (effects.value ?? []).find(({ name }) => name === effect.value);
  const name = entry === undefined ? (effect.value ?? t("effects.n", { n: index + 1 })) : both(entry.title);
  const fold = useFold(effect.value === undefined, errorsAt.value.has(`${pointer}/value`));
  return (
    <div class="toggled on overlay" role="group" aria-label={name}>
      <div class="overlay-head">
        <b>{name}</b>
        <Button kind="quiet" icon="close" label={t("clips.remove", { name })} onClick={remove} />
      </div>
      <FieldErrors pointer={pointer} />
      <details class="overlay-style" {...fold}>
        <summary>{t("effects.choose")}</summary>
        <Effects pointer={pointer} />
      </details>
      {effect.value !== undefined && <Amounts pointer={pointer} />}
    </div>
  );
}

export function LookStrip() {
  return (
    <div class="looks-strip">
      <p class="hint">{t("options.looks")}</p>
      <ul>
        {(looks.value ?? []).map((entry) => (
          <li key={entry.name}><img src={previewImage(entry)} alt="" loading="lazy" /><span>{both(entry.title)}</span></li>
        ))}
      </ul>
    </div>
  );
}
