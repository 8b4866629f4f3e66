// New task: clips, options, preview and price.

import "../../styles/composer.css";
import { useEffect } from "preact/hooks";
import { t } from "../../i18n";
import { ApiFailure } from "../../lib/api";
import { loadCatalogues, loadVoiceCatalogues } from "../../lib/catalogue";
import { loadSchemas, schemas } from "../../lib/schema";
import { goalDraft } from "../../lib/goals";
import { GOAL_TYPES, isGoal, isTaskType, TASK_TYPES } from "../../lib/task-types";
import type { TaskType } from "../../lib/types";
import { go, link, place } from "../../router";
import { Dropzone } from "../../ui/dropzone";
import { Empty, ErrorBox, Skeleton } from "../../ui/basic";
import { Icon, type IconName } from "../../ui/icon";
import { ScrollBox } from "../../ui/scroll-box";
import { useLoad } from "../../ui/use-load";
import { Board } from "./board";
import { Combinations } from "./combinations";
import { autoSaveCaptions } from "./caption-files";
import { RequestDetails } from "./request-details";
import { OutputCount } from "./fields";
import { openId } from "./drafts";
import { DraftNotices } from "./draft-state";
import { GoalPanel, takeAll } from "./goal-panel";
import { ComposerHead } from "./composer-head";
import { TaskNaming } from "./task-naming";
import { Options } from "./options";
import { Preview } from "./preview";
import { clipCount, draft, keepPriced, kind, openKind, setAt, startDraft } from "./state";
import { flush, openSaved, refresh } from "./saving";
import { PriceFoot, Summary } from "./summary";
import { openList, takeFiles } from "./take-files";
import { UseBrand } from "./use-brand";

const icons: Record<TaskType, IconName> = { baseVideoMix: "film", proVideoMix: "scenes", videoDeduplication: "shuffle" };

export function NewTask() {
  const [, type, reference] = place.value.parts;
  return type === "draft" && reference !== undefined ? <OpenDraft key={reference} reference={reference} /> : <Composer />;
}

/** Opens a draft of the list. */
function OpenDraft({ reference }: { reference: string }) {
  const opened = useLoad(() => openSaved(reference).then((taskType) => go(`/new/${taskType}`, { replace: true, heading: true })), []);
  const isMissing = opened.error instanceof ApiFailure && opened.error.status === 404;
  if (isMissing) return <Empty icon="film" title={t("draft.missing")} action={<a class="button primary" {...link("/")}>{t("error.home")}</a>}>{t("draft.missing.lead")}</Empty>;
  return opened.error ? <ErrorBox error={opened.error} retry={opened.reload} /> : <Skeleton rows={3} height={140} />;
}

function Composer() {
  const requestedType = place.value.parts[1];
  const effect = place.value.search.get("effect");
  const loaded = useLoad(() => loadSchemas(), []);
  // The page does not wait for the catalogues.
  useLoad(() => loadCatalogues(), []);
  useLoad(() => loadVoiceCatalogues(), []);

  useEffect(() => {
    if (isGoal(requestedType)) {
      startDraft(goalDraft(requestedType));
      return go(`/new/${GOAL_TYPES[requestedType]}`, { replace: true });
    }
    if (!isTaskType(requestedType)) return requestedType === "draft" ? undefined : go("/", { replace: true });
    openKind(requestedType);
    void refresh(openId.peek());
    if (effect === null) return;
    setAt("/params/options/effect/value", effect);
    setAt("/params/options/effect/trans", 80);
    setAt("/params/options/effect/duration", 3);
    go(`/new/${requestedType}`, { replace: true });
  }, [requestedType, effect]);
  useEffect(() => keepPriced(), []);
  // The list of drafts is up to date on the next page.
  useEffect(() => () => void flush(), []);
  useEffect(() => autoSaveCaptions(), []);

  const goal = draft.value._goal;
  if (loaded.error) return <><ComposerHead /><ErrorBox error={loaded.error} retry={loaded.reload} /></>;
  if (schemas.value === null) return <><ComposerHead /><Skeleton rows={3} height={140} /></>;
  return (
    <Dropzone class="compose new" take={(files) => (goal === "many" ? takeAll(files, "dropped") : void takeFiles(openList(), files, "dropped"))}>
      <div class="compose-main">
        <ComposerHead />
        <DraftNotices />
        {goal === undefined && <Kinds />}
        <GoalPanel key={openId.value} />
        <TaskNaming />
        {/* The panel of this goal distributes the first clips. */}
        {(goal !== "many" || clipCount.value > 0) && <Board />}
        {kind.value === "proVideoMix" && (goal !== "many" || clipCount.value > 0) && (
          <section class="panel"><header class="panel-head"><h2>{t("section.combine")}</h2></header>
            {goal !== "many" && <OutputCount />}<Combinations />
          </section>
        )}
        <section class="panel options" aria-label={t("options.title")}>
          <header class="panel-head"><h2 tabIndex={-1}>{t("options.title")}</h2><UseBrand /></header>
          <Options key={openId.value} />
          <RequestDetails />
        </section>
      </div>
      <aside class="compose-side">
        <ScrollBox><Preview /><Summary /></ScrollBox>
        <PriceFoot />
      </aside>
    </Dropzone>
  );
}

function Kinds() {
  return (
    <fieldset class="kinds">
      <legend class="unseen">{t("new.kind")}</legend>
      {TASK_TYPES.map((name) => (
        <label key={name} class={`kind ${kind.value === name ? "on" : ""}`}>
          <input type="radio" name="kind" checked={kind.value === name} onChange={() => go(`/new/${name}`, { replace: true })} />
          <span class="kind-icon"><Icon name={icons[name]} size={22} /></span>
          <span class="kind-words"><strong>{t(`type.${name}`)}</strong><span>{t(`type.${name}.lead`)}</span></span>
        </label>
      ))}
    </fieldset>
  );
}
