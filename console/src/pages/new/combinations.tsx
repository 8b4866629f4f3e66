// Manual combinations: a row per video, with one clip of each scene.

import { t } from "../../i18n";
import { clipLists, type ClipList } from "../../lib/draft";
import { Button } from "../../ui/basic";
import { clipName } from "./clip-name";
import { parsePointer, setIn } from "../../lib/pointer";
import { FieldErrors, NumberInput } from "./fields";
import { change, content, valueAt } from "./state";

const COMBINATIONS = "/params/combinations";
const STARTS = "/params/starts";

export function Combinations() {
  const rows = (valueAt(COMBINATIONS) as number[][] | undefined) ?? [];
  const scenes = clipLists(content.value);
  const ready = scenes.length > 0 && scenes.every((scene) => scene.clips.length > 0);
  const starts = valueAt(STARTS) as number[][] | undefined;
  const set = (next: number[][], from = starts) => change((before) => {
    const rows = next.length > 0 ? next : undefined;
    const startTimes = rows && from && rows.map((_, index) => scenes.map((_, place) => from[index]?.[place] ?? 0));
    return setIn(setIn(before, parsePointer(COMBINATIONS), rows), parsePointer(STARTS), startTimes);
  });
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
                onChange={(event) => set(rows.map((other, at) => (at === index ? replaceAt(other, place, Number(event.currentTarget.value)) : other)))}>
                {scene.clips.map((clip, at) => <option key={clip._id} value={at}>{`${at + 1} · ${clipName(clip)}`}</option>)}
              </select>
            ))}
            <Button kind="quiet" icon="close" label={t("combos.remove", { n: index + 1 })} onClick={() => set(rows.filter((_, at) => at !== index), starts?.filter((_, at) => at !== index))} />
          </div>
          {starts && <Starts index={index} scenes={scenes} />}
          <FieldErrors pointer={`${COMBINATIONS}/${index}`} />
          {scenes.map((scene, place) => <FieldErrors key={scene.id} pointer={`${COMBINATIONS}/${index}/${place}`} />)}
        </div>
      ))}
      <span class="add-buttons">
        <Button icon="shuffle" disabled={!ready} onClick={() => set([...rows, scenes.map(() => 0)])}>{t("combos.add")}</Button>
        {rows.length > 0 && <Button icon="clock" onClick={() => set(rows, starts === undefined ? [] : undefined)}>{t(starts === undefined ? "combos.starts" : "combos.starts.end")}</Button>}
      </span>
      <FieldErrors pointer={STARTS} />
      <FieldErrors pointer={COMBINATIONS} />
    </fieldset>
  );
}

/** Start times of the clips of a combination. */
function Starts({ index, scenes }: { index: number; scenes: readonly ClipList[] }) {
  return (
    <div class="combo">
      <span class="combo-name">{t("combos.second")}</span>
      {scenes.map((scene, place) => {
        const pointer = `${STARTS}/${index}/${place}`;
        const name = t("combos.begins", { row: t("combos.row", { n: index + 1 }), scene: t("board.scene", { n: place + 1 }) });
        return <span key={scene.id} class="combo-start"><NumberInput pointer={pointer} name={name} /><FieldErrors pointer={pointer} /></span>;
      })}
    </div>
  );
}

function replaceAt(row: readonly number[], place: number, value: number): number[] {
  const copy = row.slice();
  copy[place] = value;
  return copy;
}
