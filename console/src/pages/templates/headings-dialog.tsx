// Asks which columns unclear headings refer to, or whether they are a row.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import type { Headings } from "../../lib/headings";
import type { Variable } from "../../lib/templates";
import { Button, Dialog } from "../../ui/basic";

export interface Doubt {
  cells: string[][];
  headings: Headings;
}

export function HeadingsDialog({ doubt, variables, match, asRow, close }: {
  doubt: Doubt; variables: readonly Variable[]; match: (places: readonly number[]) => void; asRow: () => void; close: () => void;
}) {
  const { names, sure } = doubt.headings;
  const [places, setPlaces] = useState<readonly number[]>(doubt.headings.places);
  const nameOf = (place: number) => variables[place]?.label ?? variables[place]?.name ?? "";
  return (
    <Dialog title={t("fill.head.title")} open close={close} wide>
      <form onSubmit={(event) => { event.preventDefault(); match(places); }}>
        <p class="muted">{t("fill.head.lead")}</p>
        <ul class="head-matches">
          {names.map((name, at) => {
            const guess = doubt.headings.places[at] ?? -1;
            if (name === "") return null;
            return (
              <li key={at}>
                <label class="field">
                  <span class="field-head">{sure[at] ? name : guess < 0 ? t("fill.head.unknown", { name }) : t("fill.head.near", { name, guess: nameOf(guess) })}</span>
                  <select class="input" value={String(places[at] ?? -1)} onChange={(event) => setPlaces(places.map((place, index) => (index === at ? Number(event.currentTarget.value) : place)))}>
                    <option value="-1">{t("fill.head.skip")}</option>
                    {variables.map((variable, place) => <option key={variable.name} value={String(place)}>{nameOf(place)}</option>)}
                  </select>
                </label>
              </li>
            );
          })}
        </ul>
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button onClick={asRow}>{t("fill.head.row")}</Button>
          <Button kind="primary" type="submit" disabled={places.every((place) => place < 0)}>{t("fill.head.go")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
