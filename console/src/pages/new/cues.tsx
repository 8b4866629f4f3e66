// The list of cues with times and text. The preview shows the cue that is being edited.

import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n";
import { cueError, newCue, formatTime, parseTime, type Cue } from "../../lib/captions";
import { Button } from "../../ui/basic";
import { previewFrame, previewSecond } from "./preview-state";
import { introSeconds } from "./timeline-now";

type Put = (cues: readonly Cue[], together?: string) => void;

export function CueList({ cues, put }: { cues: readonly Cue[]; put: Put }) {
  const set = (id: string, part: Partial<Cue>) => put(cues.map((cue) => (cue._id === id ? { ...cue, ...part } : cue)), `${id}-${Object.keys(part).join()}`);
  const after = (cue: Cue) => {
    const next = cues[cues.indexOf(cue) + 1];
    const end = next !== undefined && next.start > cue.end ? Math.min(next.start, cue.end + 2) : cue.end + 2;
    const cueAfter = newCue(cue.end, end);
    put(cues.flatMap((one) => (one === cue ? [one, cueAfter] : [one])));
    setTimeout(() => document.querySelector<HTMLElement>(`[data-cue="${cueAfter._id}"] textarea`)?.focus(), 30);
  };
  return (
    <>
      {previewSecond.value !== null && previewFrame.value !== null && <img class="cue-frame" src={previewFrame.value} alt={t("captions.frame")} />}
      <ol class={`cues ${cues.length > 100 ? "many" : ""}`} aria-label={t("captions.cues")} tabIndex={0}>
        {cues.map((cue, place) => (
          <CueRow key={cue._id} cue={cue} n={place + 1} set={(part) => set(cue._id, part)} after={() => after(cue)} remove={() => put(cues.filter((one) => one !== cue))} />
        ))}
      </ol>
    </>
  );
}

function CueRow({ cue, n, set, after, remove }: { cue: Cue; n: number; set: (part: Partial<Cue>) => void; after: () => void; remove: () => void }) {
  const timeError = cueError(cue);
  const show = () => (previewSecond.value = introSeconds() + (timeError === null ? (cue.start + cue.end) / 2 : cue.start));
  const id = `f-${cue._id}`;
  return (
    <li class={`cue ${timeError ? "wrong" : ""}`} data-cue={cue._id} onFocusIn={show}>
      <span class="cue-times">
        <TimeInput id={`${id}-start`} value={cue.start} name={t("captions.start", { n })} set={(start) => set({ start })} wrong={timeError !== null} />
        <span aria-hidden="true">–</span>
        <TimeInput id={`${id}-end`} value={cue.end} name={t("captions.end", { n })} set={(end) => set({ end })} wrong={timeError !== null} />
      </span>
      <textarea id={`${id}-text`} class="input" rows={cue.text.includes("\n") ? 2 : 1} value={cue.text} aria-label={t("captions.text", { n })} maxLength={2000}
        onInput={(event) => set({ text: event.currentTarget.value })} />
      <span class="cue-actions">
        <Button kind="quiet" icon="plus" label={t("captions.after", { n })} onClick={after} />
        <Button kind="quiet" icon="close" label={t("captions.cut", { n })} onClick={remove} />
      </span>
      {timeError && <p class="field-error" role="alert">{t("captions.times")}</p>}
    </li>
  );
}

/** A time field; arrow keys change it by 0.1 s. */
function TimeInput({ id, value, name, set, wrong }: { id: string; value: number; name: string; set: (value: number) => void; wrong: boolean }) {
  const [text, setText] = useState(formatTime(value));
  useEffect(() => {
    if (parseTime(text) !== value) setText(formatTime(value));
  }, [value]);
  const type = (next: string) => {
    setText(next);
    const time = parseTime(next);
    if (time !== null) set(time);
  };
  const step = (event: KeyboardEvent) => {
    const by = event.key === "ArrowUp" ? 0.1 : event.key === "ArrowDown" ? -0.1 : 0;
    if (by === 0) return;
    event.preventDefault();
    set(Math.max(0, Math.round((value + by) * 1000) / 1000));
  };
  return (
    <input id={id} class="input numeric cue-time" inputMode="decimal" value={text} aria-label={name} aria-invalid={wrong || parseTime(text) === null ? "true" : undefined}
      onInput={(event) => type(event.currentTarget.value)} onBlur={() => setText(formatTime(value))} onKeyDown={step} />
  );
}
