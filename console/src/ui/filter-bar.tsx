// Filters of the lists of tasks and videos. Typed text is applied after a short delay.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { TASK_TYPES } from "../lib/task-types";
import type { Filters } from "../lib/task-filters";
import { Icon } from "./icon";

const DEBOUNCE_MS = 300;

export function Select({ name, value, set, options }: {
  name: string; value: string; set: (value: string) => void; options: readonly (readonly [string, string])[];
}) {
  return (
    <label class="filter"><span>{name}</span>
      <select class="input" value={value} onChange={(event) => set(event.currentTarget.value)}>
        <option value="">{t("filter.all")}</option>
        {options.map(([id, title]) => <option key={id} value={id}>{title}</option>)}
      </select>
    </label>
  );
}

export function FilterBar({ filters, set, states = false, children }: {
  filters: Filters; set: (change: Partial<Filters>) => void; states?: boolean; children?: ComponentChildren;
}) {
  // Open if they are set, so that no filter is hidden.
  const [more] = useState(filters.label + filters.from + filters.to !== "");
  return (
    <div class="filters find" role="search">
      <TypedInput value={filters.q} set={(q) => set({ q })} label={t("find.q")} placeholder={t("find.q.hint")} type="search" />
      {states && <Select name={t("tasks.state")} value={filters.status} set={(status) => set({ status })}
        options={[0, 1, 2, 3, 4, 5, 6].map((status) => [String(status), t(`state.${status}` as Word)])} />}
      <Select name={t("tasks.type")} value={filters.taskType} set={(taskType) => set({ taskType })}
        options={TASK_TYPES.map((name) => [name, t(`type.${name}`)])} />
      <details class="more-filters" open={more}>
        <summary>{t("find.more")}<Icon name="down" size={16} /></summary>
        <div class="filters">
          <label class="filter"><span>{t("find.label")}</span><TypedInput value={filters.label} set={(label) => set({ label })} label={t("find.label")} /></label>
          <label class="filter"><span>{t("find.from")}</span>
            <input class="input" type="date" value={filters.from} max={filters.to || undefined} onChange={(event) => set({ from: event.currentTarget.value })} /></label>
          <label class="filter"><span>{t("find.to")}</span>
            <input class="input" type="date" value={filters.to} min={filters.from || undefined} onChange={(event) => set({ to: event.currentTarget.value })} /></label>
        </div>
      </details>
      {children}
    </div>
  );
}

export function TypedInput({ value, set, label, placeholder, type = "text" }: {
  value: string; set: (value: string) => void; label: string; placeholder?: string; type?: "text" | "search";
}) {
  const [text, setText] = useState(value);
  const latest = useRef(set);
  latest.current = set;
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => latest.current(text), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <span class={type === "search" ? "searching" : ""}>
      {type === "search" && <Icon name="search" size={16} />}
      <input class="input" value={text} {...(type === "search" ? { type: "search" as const } : { type: "text" as const })} placeholder={placeholder} aria-label={label} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && latest.current(text)} />
    </span>
  );
}
