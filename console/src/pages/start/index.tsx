// Templates to start from: the user's own, and examples. One opens as a task, or is filled with a table.

import { useEffect, useState } from "preact/hooks";
import { register, t, type Word } from "../../i18n";
import { sampleColumns } from "../../i18n/sample-columns";
import { ago, dateTime } from "../../lib/format";
import { fromRequest } from "../../lib/draft";
import { media } from "../../lib/media";
import { SAMPLE_TEMPLATES, sampleRequest, templateBody, type SampleTemplate } from "../../lib/sample-templates";
import { templates, type Template, type TemplateOverview } from "../../lib/templates";
import { probeUrl } from "../../lib/thumbs";
import { go, link } from "../../router";
import { ErrorBox, explain, PageHead, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { MovingImage } from "../../ui/moving-image";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { startDraft } from "../new/drafts";
import { FROM_TEMPLATE, withDefaults } from "../templates/variable-choices";

register(sampleColumns);

type StartMode = "table" | "template";

/** Each needs a call for its picture. */
const SHOWN = 8;

export function Start({ goal }: { goal: StartMode }) {
  const own = useLoad((signal) => templates.list({ pageSize: SHOWN }, signal), []);
  const list = own.value?.list ?? [];
  return (
    <>
      <PageHead title={t(`start.${goal}.title`)} lead={t(`start.${goal}.lead`)} />
      <section class="start-section" aria-labelledby="start-own">
        <h2 id="start-own">{t("start.own")}</h2>
        {own.error !== null && <ErrorBox error={own.error} retry={own.reload} />}
        {own.value === null && own.loading && <Skeleton rows={1} height={220} />}
        {own.value?.total === 0 && <p class="muted">{t("start.own.none")}</p>}
        {list.length > 0 && <ul class="start-templates">{list.map((one) => <li key={one.templateNo}><OwnCard template={one} goal={goal} /></li>)}</ul>}
        {(own.value?.total ?? 0) > SHOWN && <p><a {...link("/templates")}>{t("start.own.all")}</a></p>}
      </section>
      <section class="start-section" aria-labelledby="start-samples">
        <h2 id="start-samples">{t("start.samples")}</h2>
        <ul class="start-templates">{SAMPLE_TEMPLATES.map((one) => <li key={one.id}><SampleCard sample={one} goal={goal} /></li>)}</ul>
      </section>
    </>
  );
}

function SampleCard({ sample, goal }: { sample: SampleTemplate; goal: StartMode }) {
  const [busy, setBusy] = useState(false);
  const name = t(`sample.${sample.id}`);
  const open = async () => {
    if (goal === "template") return openTask({ ...fromRequest(sampleRequest(sample)), ...(sample.id === "script" || sample.id === "voiceover" ? { _goal: "script" as const } : {}) });
    setBusy(true);
    try {
      const { templateNo } = await templates.add(templateBody(sample, name, (column) => t(`column.${sample.id}.${column}` as Word)));
      toast("good", t("start.added", { name }));
      go(`/templates/${templateNo}/fill`, { heading: true });
    } catch (error) {
      toast("bad", explain(error));
      setBusy(false);
    }
  };
  return (
    <button type="button" class="start-card" disabled={busy} aria-busy={busy} onClick={() => void open()}>
      <MovingImage src={sample.picture} class="start-picture" />
      <span class="goal-words"><strong>{name}</strong><span>{t(`sample.${sample.id}.lead`)}</span></span>
    </button>
  );
}

function openTask(draft: Parameters<typeof startDraft>[0]): void {
  startDraft(draft);
  go(`/new/${draft.taskType}`, { heading: true });
}

/** Files of a request that can be shown, each once. */
function filesOf(value: unknown): string[] {
  if (typeof value === "string") return /^(upload|https?):\/\/[^{}]+$/.test(value) ? [value] : [];
  if (value === null || typeof value !== "object") return [];
  return [...new Set(Object.values(value).flatMap(filesOf))];
}

/** The most files whose thumbnails are shown in turn. */
const PICTURES = 5;

function OwnCard({ template, goal }: { template: TemplateOverview; goal: StartMode }) {
  const full = useLoad((signal) => templates.get(template.templateNo, undefined, signal), [template.templateNo]);
  const files = full.value === null ? [] : filesOf(withDefaults(full.value).params).slice(0, PICTURES);
  useEffect(() => files.forEach(probeUrl), [files.join(" ")]);
  const thumbs = files.flatMap((file) => media.value.get(file)?.thumb ?? []);
  const open = async () => {
    if (goal === "table") return go(`/templates/${template.templateNo}/fill`, { heading: true });
    try {
      const loaded: Template = full.value ?? await templates.get(template.templateNo);
      sessionStorage.setItem(FROM_TEMPLATE, template.templateNo);
      openTask(fromRequest(withDefaults(loaded)));
    } catch (error) {
      toast("bad", explain(error));
    }
  };
  return (
    <button type="button" class="start-card" onClick={() => void open()}>
      <span class="start-picture">
        {thumbs.length === 0 ? <Icon name={goal === "table" ? "table" : "film"} size={34} />
          : <span class="start-slides" style={{ "--slides": thumbs.length }}>{thumbs.map((thumb) => <img key={thumb} src={thumb} alt="" />)}</span>}
      </span>
      <span class="goal-words"><strong class="break">{template.name}</strong><span title={dateTime(template.updateTime)}>{ago(template.updateTime)}</span></span>
    </button>
  );
}
