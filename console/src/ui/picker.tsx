// A choice by images that is one stop of the Tab key. Arrow keys, Home, End and typed letters move in it, Space chooses.

import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { both, t } from "../i18n";
import { previewImage } from "../lib/catalogue";
import { keyTarget, TypeAhead } from "../lib/grid-keys";
import type { CatalogueEntry } from "../lib/types";
import { MovingImage } from "./moving-image";
import { useVisible } from "./use-visible";

export interface PickerEntry {
  /** Name in the request; empty for no choice. */
  name: string;
  title: string;
  description?: string;
  /** Address of the image; without it, a pattern is shown. */
  image?: string;
}

export const pickOf = (entry: CatalogueEntry): PickerEntry => (
  { name: entry.name, title: both(entry.title), description: both(entry.description), image: previewImage(entry) });

interface Props {
  id: string;
  picks: readonly PickerEntry[];
  chosen: readonly string[];
  choose: (name: string) => void;
  /** Several can be chosen. Otherwise the arrow keys also choose. */
  several?: boolean;
  /** Images move only under the pointer and with the focus. */
  still?: boolean;
  class?: string;
}

export function Picker({ id, picks, chosen, choose, several = false, still = false, class: extra = "" }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const typeAhead = useRef(new TypeAhead());
  const [visited, setVisited] = useState<string | null>(null);
  const current = picks.find(({ name }) => name === visited) ?? picks.find(({ name }) => chosen.includes(name)) ?? picks[0];
  const inputs = () => [...(box.current?.querySelectorAll("input") ?? [])];

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const all = inputs();
    const at = all.indexOf(event.target as HTMLInputElement);
    if (at < 0) return;
    typeAhead.current.expire(event.timeStamp);
    const isLetter = [...event.key].length === 1 && (event.key !== " " || typeAhead.current.isTyping);
    const names = () => picks.map(({ name, title }) => [title, name]);
    const target = isLetter ? typeAhead.current.next(event.key, names(), at, event.timeStamp) : keyTarget(event.key, at, all.length, columnsOf(all));
    if (!isLetter && target === null) return;
    if (!isLetter) typeAhead.current.reset();
    event.preventDefault();
    if (target === null || target === at) return;
    all[target]?.focus();
    if (!several) choose(picks[target]?.name ?? "");
  };

  return (
    <>
      <p class="unseen" id={`${id}-keys`}>{t(several ? "picker.keys.several" : "picker.keys")}</p>
      <div ref={box} class={`picker ${extra}`} id={id} tabIndex={-1} onKeyDown={press}>
        {picks.map((pick) => {
          const on = chosen.includes(pick.name);
          return (
            <label key={pick.name} class={`pick ${pick.image === undefined ? "none" : ""} ${on ? "on" : ""}`} title={pick.description}>
              <input type={several ? "checkbox" : "radio"} name={several ? undefined : id} checked={on} tabIndex={pick === current ? 0 : -1}
                aria-describedby={`${id}-keys`} onFocus={() => setVisited(pick.name)} onChange={() => choose(pick.name)} />
              <Picture pick={pick} still={still} />
              <span class="pick-name">{pick.title}</span>
            </label>
          );
        })}
      </div>
    </>
  );
}

/** The number of choices in the first row. */
function columnsOf(inputs: readonly HTMLElement[]): number {
  const top = inputs[0]?.getBoundingClientRect().top;
  const next = inputs.findIndex((input) => input.getBoundingClientRect().top !== top);
  return next < 1 ? inputs.length : next;
}

function Picture({ pick: { image }, still }: { pick: PickerEntry; still: boolean }): ComponentChildren {
  if (image === undefined) return <span class="pick-picture" />;
  return still ? <MovingImage class="pick-picture" src={image} /> : <VisibleImage class="pick-picture" src={image} />;
}

/** An image that is loaded when it is in view. */
function VisibleImage({ src, class: extra }: { src: string; class: string }) {
  const { ref, visible } = useVisible<HTMLImageElement>();
  return <img ref={ref} class={extra} {...(visible ? { src } : {})} alt="" />;
}
