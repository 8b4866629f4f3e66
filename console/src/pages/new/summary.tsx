// Summary of the draft: outputs, errors, price and the submit button.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { api, ApiFailure } from "../../lib/api";
import { balance, refreshBalance } from "../../lib/balance";
import { clock, count } from "../../lib/format";
import { titleOf } from "../../i18n/fields";
import { messageText } from "../../lib/service-message";
import { withoutPart } from "../../lib/draft-parts";
import { retryUpload } from "../../lib/uploads";
import { Button, ErrorBox, explain, Notice } from "../../ui/basic";
import { PriceFooter } from "../../ui/price-footer";
import { Icon } from "../../ui/icon";
import { MissingPoints } from "../../ui/missing-points";
import { toast } from "../../ui/toast";
import { useWide } from "../../ui/use-wide";
import { go } from "../../router";
import { SaveAsTemplate } from "../templates/save-button";
import { fieldId } from "./fields";
import { failedCaptionUpload, savingCaptions } from "./caption-files";
import { identicalVideos, nearlySame } from "./similarity";
import { optionScope } from "./option-scope";
import { openId } from "./drafts";
import { badClips, certainty, change, clipCount, parts, price, pricing, pricingBusy, probing, requestText, reset, setAt, unfinished } from "./state";

export function PriceFoot() {
  const { estimate, errors } = pricing.value;
  const available = balance.value?.balance ?? null;
  const [error] = errors;
  const price = (
    <p class={`price ${pricingBusy.value ? "old" : ""}`} aria-live="polite" data-testid="price">
      {estimate && badClips.value.length === 0 && !noneCanBeMade()
        ? <>{certainty.value !== "real" && `${t(certainty.value === "most" ? "price.most" : "price.about")} `}<strong>{count(estimate.estimatedDotCount)}</strong> {t("points.unit", { n: estimate.estimatedDotCount })}</>
        : <span class="muted">–</span>}
    </p>
  );
  return (
    <PriceFooter label={t("new.price")} reason={disabledReason()} price={error === undefined ? price : <Button kind="quiet" class="bad-text" icon="error" onClick={() => reveal(error.path)}>{t("new.problems.show", { n: errors.length })}</Button>}
      note={available !== null && <span class="muted small">{t("new.price.balance", { n: available })}</span>} actions={useWide() && <Actions />}>
      <Submit />
    </PriceFooter>
  );
}

export function Summary() {
  const { estimate, failure } = pricing.value;
  const wide = useWide();
  const short = shortBy();
  const none = noneCanBeMade();
  return (
    <div class="panel summary">
      {estimate ? <Facts /> : waitingFor() !== "" && <p class="hint">{waitingFor()}</p>}
      {estimate && !none && certainty.value !== "real" && <p class="hint">{t(certainty.value === "most" ? "price.most.why" : "price.about.why")}</p>}
      {short > 0 && <MissingPoints>{t("new.price.short", { n: short })}</MissingPoints>}
      <Problems />
      {failure !== null && <ErrorBox error={failure} retry={() => void price(false)} />}
      {estimate && estimate.warnings.length > 0 && (
        <Notice tone={none ? "bad" : "warn"} title={t(none ? "price.none" : "new.remarks")}>
          <ul>{estimate.warnings.map((warning) => <li key={warning.path + warning.message}>{titleOf(warning.path) !== "" && `${titleOf(warning.path)}: `}{messageText(warning, warning.path)}</li>)}</ul>
        </Notice>
      )}
      <CaptionsFailed />
      <LittleFootage />
      {!wide && <Actions />}
    </div>
  );
}

/** Why nothing can be submitted, in a few words. Errors and unusable clips have buttons that say so. */
function disabledReason(): string {
  if (pricing.value.errors.length > 0 || badClips.value.length > 0) return "";
  if (clipCount.value === 0) return t("new.reason.clips");
  if (unfinished.value > 0) return t("new.reason.uploading", { n: unfinished.value });
  if (noneCanBeMade()) return t("new.reason.none");
  return shortBy() > 0 ? t("new.reason.short", { n: shortBy() }) : "";
}

/** In the footer if the column scrolls, otherwise in the page. */
function Actions() {
  const { estimate, exact } = pricing.value;
  return (
    <>
      {estimate && (exact
        ? certainty.value === "real" && <p class="hint exact"><Icon name="check" size={15} />{t("new.exact.done")}</p>
        : <Button kind="quiet" icon="search" busy={pricingBusy.value} onClick={() => void price(true)}>{t("new.exact")}</Button>)}
      {parts.value.length === 1 && <SaveAsTemplate />}
    </>
  );
}

function shortBy(): number {
  const { estimate } = pricing.value;
  return estimate !== null && balance.value !== null ? Math.max(0, estimate.estimatedDotCount - balance.value.balance) : 0;
}

function CaptionsFailed() {
  const job = failedCaptionUpload.value;
  if (job === undefined) return null;
  return <Notice tone="bad" title={t("captions.failed")} action={<Button icon="refresh" onClick={() => retryUpload(job.id)}>{t("clips.retry")}</Button>}><p>{job.error}</p></Notice>;
}

/** Whether no video can be rendered. Then no price is shown, because 0 would be misleading. */
function noneCanBeMade(): boolean {
  const { estimate, exact } = pricing.value;
  return exact && estimate !== null && estimate.estimatedDotCount === 0 && estimate.warnings.length > 0;
}

/** Warns before submission if videos will be identical or nearly the same. */
function LittleFootage() {
  const { estimate } = pricing.value;
  const same = identicalVideos(estimate, parts.value.map((part) => part.request));
  if (same !== null) {
    return (
      <Notice tone="warn" title={same === "all" ? t("new.same.all", { n: estimate?.totalItems ?? 0 }) : t("new.same.some")}>
        <ul data-testid="identical-videos"><li>{t("new.same.vary")}</li><li>{t("new.alike.fewer")}</li></ul>
      </Notice>
    );
  }
  const similarity = nearlySame(estimate, parts.value[0]?.request);
  if (similarity === null) return null;
  const { pair, part, scene, fromBegin } = similarity;
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
    [t(estimate.totalItems > 1 ? "new.seconds.all" : "new.seconds"), clock(estimate.outputSeconds)],
  ];
  if (parts.value.length > 1) facts.unshift([t("tasks.title"), count(parts.value.length)]);
  if (estimate.distinctCombinations !== null) facts.push([t("new.combinations"), count(estimate.distinctCombinations)]);
  return <dl class="facts" data-testid="estimate">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** All errors, with links to their fields. */
function Problems() {
  const { errors } = pricing.value;
  if (errors.length === 0) return null;
  return (
    <Notice tone="bad" title={t("new.problems", { n: errors.length })}>
      <ul class="problems">
        {errors.slice(0, 12).map((error) => (
          <li key={error.path + error.message}>
            <a href={`#${fieldId(error.path)}`} onClick={(event) => { event.preventDefault(); reveal(error.path); }}>{titleOf(error.path)}</a>: {messageText(error, error.path)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Opens the folds around a field and focuses it. */
export function reveal(path: string): void {
  const [, set, rest = ""] = /^\/_sets\/([^/]+)(.*)$/.exec(path) ?? [];
  const pointer = set === undefined ? path : `/params/options${rest}`;
  if (set !== undefined || path.startsWith("/params/options")) optionScope.value = set ?? null;
  setTimeout(() => {
    const field = document.getElementById(fieldId(pointer)) ?? document.getElementById(`${fieldId(pointer)}-error`);
    for (let fold = field?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.setAttribute("open", "");
    field?.scrollIntoView({ block: "center" });
    field?.focus();
  });
}

/** Submits the draft, or part after part. Each submitted part is removed from the draft. */
async function send(): Promise<void> {
  const all = parts.peek();
  const of = openId.peek();
  let done = 0;
  try {
    for (const part of all) {
      const response = await api.submit(part.request);
      done += 1;
      if (all.length === 1) {
        toast("good", t(response.duplicate ? "new.duplicate" : "new.submitted"));
        reset();
        return go(`/tasks/${response.taskNo}`, { heading: true });
      }
      change((before) => withoutPart(before, part), of);
    }
    toast("good", t("own.submitted", { n: all.length }));
    reset();
    go("/tasks", { heading: true });
  } finally {
    void refreshBalance();
    if (done > 0 && done < all.length) toast("info", t("own.half", { done, n: all.length }));
  }
}

function Submit() {
  const [busy, setBusy] = useState(false);
  const { estimate, of } = pricing.value;
  const bad = badClips.value.length;
  const fresh = estimate !== null && of === requestText.value && bad === 0 && !savingCaptions.value && !noneCanBeMade() && shortBy() === 0;
  const submit = async () => {
    setBusy(true);
    try {
      await send();
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
      {busy ? t("new.submit.busy") : bad > 0 ? t(probing.value ? "new.submit.bad.sofar" : "new.submit.bad", { n: bad }) : estimate && !noneCanBeMade() ? t("new.submit", { n: estimate.totalItems }) : t("new.submit.plain")}
    </Button>
  );
}
