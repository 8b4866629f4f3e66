// What the draft would cost and make, what is wrong with it, and the button that sends it.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { api, ApiFailure } from "../../lib/api";
import { balance, refreshBalance } from "../../lib/balance";
import { clock, count } from "../../lib/format";
import { label } from "../../i18n/fields";
import { kindOf } from "../../lib/pointer";
import { Button, ErrorBox, explain, Notice } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { toast } from "../../ui/toast";
import { go } from "../../router";
import { SaveAsTemplate } from "../templates/save-button";
import { fieldId } from "./fields";
import { nearlySame } from "./little-footage";
import { badClips, clipCount, price, pricing, pricingBusy, request, requestText, reset, setAt, unfinished } from "./state";

export function Summary() {
  const { estimate, failure, exact } = pricing.value;
  const available = balance.value?.balance ?? null;
  const short = estimate !== null && available !== null ? estimate.estimatedDotCount - available : 0;
  return (
    <section class="panel summary" aria-label={t("new.price")}>
      <div class="price-line">
        <div>
          <span class="panel-label">{t("new.price")}</span>
          <p class={`price ${pricingBusy.value ? "old" : ""}`} aria-live="polite" data-testid="price">
            {estimate && badClips.value.length === 0 ? <><strong>{count(estimate.estimatedDotCount)}</strong> {t("points.unit", { n: estimate.estimatedDotCount })}</> : <span class="muted">–</span>}
          </p>
        </div>
        {available !== null && <span class="muted small">{t("new.price.balance", { n: available })}</span>}
      </div>
      {estimate ? <Facts /> : <p class="hint">{waitingFor()}</p>}
      {short > 0 && <Notice tone="warn">{t("new.price.short", { n: short })}</Notice>}
      <Problems />
      {failure !== null && <ErrorBox error={failure} retry={() => void price(requestText.value, false)} />}
      {estimate && estimate.warnings.length > 0 && (
        <Notice tone="warn" title={t("new.remarks")}>
          <ul>{estimate.warnings.map((warning) => <li key={warning.path + warning.message}>{warning.message}</li>)}</ul>
        </Notice>
      )}
      <LittleFootage />
      <Submit />
      <SaveAsTemplate />
      {estimate && (exact
        ? <p class="hint exact"><Icon name="check" size={15} />{t("new.exact.done")}</p>
        : <Button kind="quiet" icon="search" busy={pricingBusy.value} onClick={() => void price(requestText.value, true)}>{t("new.exact")}</Button>)}
    </section>
  );
}

/** Said before anything is paid: that two of the videos will be nearly the same, and what to add. */
function LittleFootage() {
  const { estimate } = pricing.value;
  const found = nearlySame(estimate, request.value);
  if (found === null) return null;
  const { pair, part, scene, fromBegin } = found;
  return (
    <Notice tone="warn" title={t("new.alike", { a: pair.items[0], b: pair.items[1], n: `${Math.round(part * 100)} %` })}>
      <ul data-testid="little-footage">
        {scene !== null && <li>{t("new.alike.scene", { name: scene.name, n: scene.clips })}</li>}
        {fromBegin && <li>{t("new.alike.begin")} <Button kind="quiet" onClick={() => setAt("/params/options/clipStart", "shots")}>{t("new.alike.cuts")}</Button></li>}
        <li>{t("new.alike.fewer")}</li>
      </ul>
    </Notice>
  );
}

function waitingFor(): string {
  if (unfinished.value > 0) return t("new.estimate.uploading", { n: unfinished.value });
  return clipCount.value === 0 ? t("new.estimate.hint") : pricingBusy.value ? t("loading") : "";
}

function Facts() {
  const { estimate } = pricing.value;
  if (estimate === null) return null;
  const facts: [string, string][] = [
    [t("new.outputs"), count(estimate.totalItems)],
    [t("new.seconds"), clock(estimate.outputSeconds)],
  ];
  if (estimate.distinctCombinations !== null) facts.push([t("new.combinations"), count(estimate.distinctCombinations)]);
  return <dl class="facts" data-testid="estimate">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Every error once more, leading to its field. */
function Problems() {
  const { errors } = pricing.value;
  if (errors.length === 0) return null;
  return (
    <Notice tone="bad" title={t("new.problems", { n: errors.length })}>
      <ul class="problems">
        {errors.slice(0, 12).map((error) => (
          <li key={error.path + error.message}>
            <a href={`#${fieldId(error.path)}`} onClick={(event) => { event.preventDefault(); reveal(error.path); }}>{titleOf(error.path)}</a>: {error.message}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function titleOf(pointer: string): string {
  const known = label(kindOf(pointer));
  return known === kindOf(pointer) ? pointer : known;
}

/** Opens what folds around a field and puts the focus on it. */
function reveal(pointer: string): void {
  const field = document.getElementById(fieldId(pointer)) ?? document.getElementById(`${fieldId(pointer)}-error`);
  field?.closest("details")?.setAttribute("open", "");
  field?.scrollIntoView({ block: "center" });
  field?.focus();
}

function Submit() {
  const [busy, setBusy] = useState(false);
  const { estimate, of } = pricing.value;
  const bad = badClips.value.length;
  const fresh = estimate !== null && of === requestText.value && bad === 0;
  const submit = async () => {
    setBusy(true);
    try {
      const answer = await api.submit(request.value);
      toast("good", t(answer.duplicate ? "new.duplicate" : "new.submitted"));
      void refreshBalance();
      reset();
      go(`/tasks/${answer.taskNo}`);
    } catch (error) {
      const errors = error instanceof ApiFailure ? error.fieldErrors : [];
      if (errors.length > 0) pricing.value = { ...pricing.value, estimate: null, errors };
      toast("bad", explain(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button kind="primary" class="submit" icon="play" busy={busy} disabled={!fresh} onClick={submit}>
      {busy ? t("new.submit.busy") : bad > 0 ? t("new.submit.bad", { n: bad }) : estimate ? t("new.submit", { n: estimate.totalItems }) : t("new.submit.plain")}
    </Button>
  );
}
