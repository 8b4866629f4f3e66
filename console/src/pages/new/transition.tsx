// Choice of transitions by animated previews.

import { both, t } from "../../i18n";
import { label } from "../../i18n/fields";
import { previewImage, transitions } from "../../lib/catalogue";
import { FieldErrors, fieldId, NumberField } from "./fields";
import { setAt, valueAt } from "./state";

const OPTION = "/params/options/transition";
const NAMES = `${OPTION}/names`;

function choose(names: readonly string[]): void {
  if (names.length === 0) setAt(OPTION, undefined);
  else setAt(NAMES, names);
}

export function TransitionPicker() {
  const selected = (valueAt(NAMES) as string[] | undefined) ?? [];
  const toggle = (name: string) => choose(selected.includes(name) ? selected.filter((other) => other !== name) : [...selected, name]);
  const pictures = transitions.value ?? [];
  return (
    <>
      <fieldset class="field">
        <legend>{label(OPTION)}</legend>
        <p class="hint">{t("options.transitions", { n: selected.length })}</p>
        <div class="picker" id={fieldId(NAMES)} tabIndex={-1}>
          <label class={`pick none ${selected.length === 0 ? "on" : ""}`}>
            <input type="checkbox" checked={selected.length === 0} onChange={() => choose([])} />
            <span class="pick-picture" />
            <span class="pick-name">{t("options.cuts")}</span>
          </label>
          {pictures.map((entry) => (
            <label key={entry.name} class={`pick ${selected.includes(entry.name) ? "on" : ""}`} title={both(entry.description)}>
              <input type="checkbox" checked={selected.includes(entry.name)} onChange={() => toggle(entry.name)} />
              <img class="pick-picture" src={previewImage(entry)} alt="" loading="lazy" />
              <span class="pick-name">{both(entry.title)}</span>
            </label>
          ))}
        </div>
        <FieldErrors pointer={NAMES} />
      </fieldset>
      {selected.length > 0 && <NumberField pointer={`${OPTION}/duration`} />}
    </>
  );
}
