// One video of a task in the list.

import { t, type Word } from "../../i18n";
import { localLink } from "../../lib/api";
import { clock } from "../../lib/format";
import type { Item } from "../../lib/types";
import { Progress } from "../../ui/basic";
import { Icon } from "../../ui/icon";

export function ItemCard({ item, chosen, choose }: { item: Item; chosen: boolean; choose: () => void }) {
  const name = t("task.item", { n: item.itemNo });
  return (
    <button type="button" class={`item-card ${chosen ? "on" : ""} s${item.status}`} aria-pressed={chosen} onClick={choose}>
      <span class="item-picture">
        {item.coverUrl ? <img src={localLink(item.coverUrl)} alt="" loading="lazy" />
          : <Icon name={item.error ? "error" : item.status === 2 ? "film" : "clock"} size={24} />}
        {item.duration !== null && <span class="clip-length">{clock(item.duration)}</span>}
      </span>
      <span class="item-line"><strong>{name}</strong>
        {item.status === 2 ? <Progress value={item.progressPercent} status={2} label={name} />
          : <span class={`small ${item.error ? "bad-text" : "muted"}`}>{t(`state.${item.status}` as Word)}</span>}
      </span>
    </button>
  );
}
