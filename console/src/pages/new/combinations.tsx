// Combinations that are chosen rather than drawn: a row for each, a clip of each scene.

import { t } from "../../i18n";
import { clipLists } from "../../lib/draft";
import { Button } from "../../ui/basic";
import { clipName } from "./clip-card";
import { FieldErrors } from "./fields";
import { draft, setAt, valueAt } from "./state";

const AT = "/params/combinations";

export function Combinations() {
  const rows = (valueAt(AT) as number[][] | undefined) ?? [];
  const scenes = clipLists(draft.value);
  const ready = scenes.length > 0 && scenes.every((scene) => scene.clips.length > 0);
  const set = (next: number[][]) => setAt(AT, next.length > 0 ? next : undefined);
  return (
    <fieldset class="field">
      <legend class="field-head"><span>{t("combos.title")}</span></legend>
      <p class="hint">{ready ? t("combos.hint") : t("combos.need")}</p>
      {rows.map((row, index) => (
        <div key={index}>
          <div class="combo">
            <span class="combo-name">{t("combos.row", { n: index + 1 })}</span>
            {scenes.map((scene, place) => (
              <select key={scene.id} class="input" value={row[place] ?? 0} aria-label={`${t("combos.row", { n: index + 1 })}, ${t("board.scene", { n: place + 1 })}`}
                onChange={(event) => set(rows.map((other, at) => (at === index ? replaced(other, place, Number(event.currentTarget.value)) : other)))}>
                {scene.clips.map((clip, at) => <option key={clip._id} value={at}>{`${at + 1} · ${clipName(clip)}`}</option>)}
              </select>
            ))}
            <Button kind="quiet" icon="close" label={t("combos.remove", { n: index + 1 })} onClick={() => set(rows.filter((_, at) => at !== index))} />
          </div>
          <FieldErrors pointer={`${AT}/${index}`} />
          {scenes.map((scene, place) => <FieldErrors key={scene.id} pointer={`${AT}/${index}/${place}`} />)}
        </div>
      ))}
      <Button icon="shuffle" disabled={!ready} onClick={() => set([...rows, scenes.map(() => 0)])}>{t("combos.add")}</Button>
      <FieldErrors pointer={AT} />
    </fieldset>
  );
}

function replaced(row: readonly number[], place: number, value: number): number[] {
  const copy = row.slice();
  copy[place] = value;
  return copy;
}
