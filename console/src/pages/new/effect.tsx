// Choice of an effect and of looks by animated previews.

import { both, t } from "../../i18n";
import { label } from "../../i18n/fields";
import { effects, looks, previewImage } from "../../lib/catalogue";
import { FieldErrors, fieldId, NumberField } from "./fields";
import { setAt, valueAt } from "./state";

const VALUE = "/params/options/effect/value";

export function EffectPicker() {
  const value = valueAt(VALUE) as string | undefined;
  return (
    <>
      <fieldset class="field">
        <legend class="unseen">{label(VALUE)}</legend>
        <div class="picker" id={fieldId(VALUE)} tabIndex={-1}>
          <label class={`pick none ${value === undefined ? "on" : ""}`}>
            <input type="radio" name="effect" checked={value === undefined} onChange={() => setAt(VALUE, undefined)} />
            <span class="pick-picture" />
            <span class="pick-name">{t("options.noeffect")}</span>
          </label>
          {(effects.value ?? []).map((entry) => (
            <label key={entry.name} class={`pick ${value === entry.name ? "on" : ""}`} title={both(entry.description)}>
              <input type="radio" name="effect" checked={value === entry.name} onChange={() => setAt(VALUE, entry.name)} />
              <img class="pick-picture" src={previewImage(entry)} alt="" loading="lazy" />
              <span class="pick-name">{both(entry.title)}</span>
            </label>
          ))}
        </div>
        <FieldErrors pointer={VALUE} />
      </fieldset>
      {value !== undefined && (
        <div class="grid-fields">
          <NumberField pointer="/params/options/effect/trans" />
          <NumberField pointer="/params/options/effect/duration" />
          <NumberField pointer="/params/options/effect/position" />
        </div>
      )}
    </>
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
