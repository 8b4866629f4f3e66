// A frame of one row's video, rendered by the service.

import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../../i18n";
import { api } from "../../lib/api";
import { isBlank, toValues } from "../../lib/spreadsheet";
import type { Template } from "../../lib/templates";
import { Button, explain } from "../../ui/basic";
import { Icon } from "../../ui/icon";

const DEBOUNCE_MS = 500;
const WIDTH = 480;

/** `wrong` is the reason why a row cannot be previewed; empty if the table explains it. */
export function RowPreview({ template, rows, row, wrong, busy: waits, choose }: {
  template: Template; rows: readonly string[][]; row: number; wrong: string | null; busy: boolean; choose: (row: number) => void;
}) {
  const cells = rows[row];
  const ready = cells !== undefined && !isBlank(cells) && wrong === null && !waits;
  const values = cells === undefined ? {} : (toValues([cells], template.variables).rows[0] ?? {});
  const { image, error, busy } = useRowFrame(template, values, ready);
  const fix = wrong === null ? null : wrong === "" ? t("fill.preview.fix") : t("fill.preview.fix.why", { why: wrong });
  const reason = fix ?? (ready && !busy ? error : null);
  return (
    <section class="panel preview" aria-label={t("fill.preview")}>
      <header class="panel-head"><h2>{t("fill.preview")}</h2>
        <span class="row-stepper">
          <Button kind="quiet" icon="left" label={t("fill.previous")} disabled={row <= 0} onClick={() => choose(row - 1)} />
          <span class="small" aria-live="polite">{t("fill.preview.row", { n: row + 1 })}</span>
          <Button kind="quiet" icon="right" label={t("fill.next")} disabled={row >= rows.length - 1} onClick={() => choose(row + 1)} />
        </span>
      </header>
      <div class="stage row-stage">
        {image !== null && ready ? <img src={image} class={busy ? "old" : ""} alt={t("fill.preview.alt", { n: row + 1 })} />
          : <p class="stage-words" role="status">{busy && ready ? <span class="spinner" /> : <Icon name={reason === null ? "image" : "error"} size={28} />}{reason ?? t(busy && ready ? "loading" : "fill.preview.none")}</p>}
      </div>
    </section>
  );
}

function useRowFrame(template: Template, values: Record<string, string>, ready: boolean) {
  const [state, setState] = useState<{ image: string | null; error: string | null; busy: boolean }>({ image: null, error: null, busy: false });
  const last = useRef<string | null>(null);
  const text = JSON.stringify(values);
  useEffect(() => {
    if (!ready) return setState((before) => ({ ...before, busy: false, error: null }));
    const stop = new AbortController();
    setState((before) => ({ ...before, busy: true }));
    const timer = setTimeout(() => {
      const request = { template: template.templateNo, version: template.version, values: JSON.parse(text) as unknown };
      api.preview({ request, width: WIDTH }, stop.signal).then(
        (blob) => {
          if (last.current !== null) URL.revokeObjectURL(last.current);
          last.current = URL.createObjectURL(blob);
          setState({ image: last.current, error: null, busy: false });
        },
        (error: unknown) => !stop.signal.aborted && setState({ image: null, error: explain(error), busy: false }),
      );
    }, DEBOUNCE_MS);
    return () => { clearTimeout(timer); stop.abort(); };
  }, [text, ready, template.templateNo, template.version]);
  return state;
}
