// Choice of transitions by animated previews.

import { t } from "../../i18n";
import { label } from "../../i18n/fields";
import { transitions } from "../../lib/catalogue";
import { Picker, pickOf } from "../../ui/picker";
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
  const picks = [{ name: "", title: t("options.cuts") }, ...(transitions.value ?? []).map(pickOf)];
  return (
    <>
      <fieldset class="field">
        <legend>{label(OPTION)}</legend>
        <p class="hint">{t("options.transitions", { n: selected.length })}</p>
        <Picker id={fieldId(NAMES)} several picks={picks} chosen={selected.length === 0 ? [""] : selected} choose={(name) => (name === "" ? choose([]) : toggle(name))} />
        <FieldErrors pointer={NAMES} />
      </fieldset>
      {selected.length > 0 && <NumberField pointer={`${OPTION}/duration`} />}
    </>
  );
}
