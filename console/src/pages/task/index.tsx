// One task: its videos, random choices, quality checks and errors.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { api, ApiFailure, localLink } from "../../lib/api";
import { addClips, clipLists, fromRequest, newId, urlField } from "../../lib/draft";
import { clock, count, dateTime } from "../../lib/format";
import { noteMedia } from "../../lib/media";
import { messageText } from "../../lib/service-message";
import { isAdmin } from "../../lib/session";
import { selectedVideos, videoKey } from "../../lib/video-selection";
import { isFinal, type Item, type Task as TaskData } from "../../lib/types";
import { go, link, listPlace, place } from "../../router";
import { Button, Empty, ErrorBox, explain, Notice, PageHead, Progress, Skeleton, StateBadge } from "../../ui/basic";
import { CancelDialog } from "../../ui/cancel-dialog";
import { Icon } from "../../ui/icon";
import { toast } from "../../ui/toast";
import { countLabel, Review, type Shot } from "../../ui/review";
import { NamingDialog } from "../../ui/naming-dialog";
import { ShareDialog } from "../../ui/share-dialog";
import { Labels, liveKey } from "../tasks";
import { Similarity } from "./similarity";
import { CallbackPanel } from "./callback";
import { ItemDetail } from "./item-detail";
import { requestPermission, notificationPermission, useCompletionNotice } from "./notification";
import { useTask } from "./use-task";

export function Task({ taskNo }: { taskNo: string }) {
  const watched = useTask(taskNo);
  const { task, error } = watched;
  useCompletionNotice(task);
  if (task === null && error instanceof ApiFailure && error.status === 404) {
    return <Empty icon="search" title={t("task.missing")} action={<a class="button" {...link(listPlace.value)}>{t("task.back")}</a>}>{t(isAdmin.value ? "task.missing.operator" : "task.missing.lead")}</Empty>;
  }
  if (task === null && error) return <ErrorBox error={error} retry={watched.reload} />;
  if (task === null) return <Skeleton rows={3} height={150} />;
  return (
    <>
      <Head task={task} reload={watched.reload} />
      {watched.broken && <Notice tone="warn">{t("task.reconnecting")}</Notice>}
      <Overview task={task} />
      {task.errorMsg && <Notice tone="bad" title={t(`state.${task.status === 3 ? 4 : task.status}` as Word)}><p class="keep-lines">{messageText({ message: task.errorMsg, code: task.errorMsgCode, params: task.errorMsgParams })}</p></Notice>}
      <Videos task={task} />
      <Similarity task={task} />
      <div class="task-more">
        {task.warnings.length > 0 && (
          <section class="panel"><header class="panel-head"><h2>{t("task.warnings")}</h2></header>
            <ul class="remarks">{task.warnings.map((warning) => <li key={warning.path + warning.message}>{messageText(warning, warning.path)}</li>)}</ul>
          </section>
        )}
        <CallbackPanel taskNo={task.taskNo} ended={isFinal(task.status)} />
      </div>
    </>
  );
}

function Head({ task, reload }: { task: TaskData; reload: () => void }) {
  const [cancelling, setCancelling] = useState(false);
  const [sharing, setSharing] = useState(false);
  const [naming, setNaming] = useState(false);
  const cancel = async () => {
    try {
      await api.cancel(task.taskNo);
      toast("good", t("tasks.cancelled"));
    } catch (error) {
      toast("bad", explain(error));
    }
    reload();
  };
  const ready = task.items.filter((item) => item.url !== null).length;
  return (
    <>
      <a class="back" {...link(listPlace.value)}><Icon name="left" size={16} />{t("task.back")}</a>
      <PageHead title={<>{task.name ?? t(`type.${task.taskType}` as Word)} <StateBadge status={task.status} /></>}
        lead={<>{task.name && <>{t(`type.${task.taskType}` as Word)} · </>}<span class="mono task-no">{task.taskNo}</span>{task.clientTaskId && <> · {t("task.yourid")}: {task.clientTaskId}</>}<Labels labels={task.labels} />{" "}<Button kind="quiet" class="rename" icon="edit" label={t("naming.title")} onClick={() => setNaming(true)} /></>}>
        {!isFinal(task.status) && notificationPermission.value === "default" && <Button icon="info" onClick={() => void requestPermission()}>{t("task.notify")}</Button>}
        {!isFinal(task.status) && <Button icon="close" onClick={() => setCancelling(true)}>{t("tasks.cancel")}</Button>}
        {ready > 0 && <ReuseButton task={task} />}
        <Button icon="redo" onClick={() => void editAgain(task.taskNo)}>{t("task.again")}</Button>
        {ready > 0 && <Button icon="share" onClick={() => setSharing(true)}>{t("share.open")}</Button>}
        {ready > 1 && task.downloadUrl && (
          <a class="button primary" href={localLink(task.downloadUrl)} download=""><Icon name="download" /><span>{t("task.zip")}</span></a>
        )}
      </PageHead>
      <CancelDialog open={cancelling} close={() => setCancelling(false)} cancel={cancel} />
      {sharing && <ShareDialog tasks={[{ taskNo: task.taskNo, items: null }]} close={() => setSharing(false)} />}
      {naming && <NamingDialog task={task} close={() => setNaming(false)} named={reload} />}
    </>
  );
}

/** Adds the videos, or the chosen ones, to the draft of another task type. */
function ReuseButton({ task }: { task: TaskData }) {
  const next = task.taskType === "videoDeduplication" ? "baseVideoMix" : "videoDeduplication";
  const use = async () => {
    const finished = task.items.filter((item) => item.url !== null);
    const chosen = finished.filter((item) => selectedVideos.value.has(videoKey(task.taskNo, item.itemNo)));
    const clips = (chosen.length > 0 ? chosen : finished).map((item) => {
      const url = `result://${task.taskNo}/${item.itemNo}`;
      const duration = item.duration === null ? {} : { duration: item.duration };
      noteMedia(url, { name: `${task.name ?? task.taskNo}, ${t("task.item", { n: item.itemNo })}`, ...duration, ...(item.coverUrl === null ? {} : { thumb: localLink(item.coverUrl) }) });
      return { _id: newId(), [urlField(next)]: url, ...duration };
    });
    const { change, openKind } = await import("../new/drafts");
    openKind(next);
    change((draft) => addClips(draft, clipLists(draft)[0]?.id ?? "", clips));
    go(`/new/${next}`);
  };
  return <Button icon="film" onClick={() => void use()}>{t(`task.reuse.${next}`)}</Button>;
}

async function editAgain(taskNo: string): Promise<void> {
  try {
    const { clientTaskId: _, ...request } = await api.request(taskNo);
    const { params: { seed, ...params }, ...draft } = fromRequest(request);
    const { startDraft } = await import("../new/drafts");
    // Keeps the random choices until the user draws again.
    startDraft({ ...draft, params, ...(typeof seed === "number" ? { _seed: seed } : {}) });
    go(`/new/${draft.taskType}`);
  } catch (error) {
    toast("bad", error instanceof ApiFailure ? explain(error) : t("task.again.failed"));
  }
}

function Overview({ task }: { task: TaskData }) {
  const facts: [string, string][] = [
    [t("task.items"), `${count(task.completedItems)} / ${count(task.totalItems)}`],
    task.consumedDotCount > 0 || isFinal(task.status)
      ? [t("task.spent"), t("points.n", { n: task.consumedDotCount })] : [t("task.estimated"), t("points.n", { n: task.estimatedDotCount })],
    [t("tasks.created"), dateTime(task.createTime)],
  ];
  if (task.finishTime !== null) {
    const seconds = (new Date(task.finishTime).getTime() - new Date(task.createTime).getTime()) / 1000;
    facts.push([t("task.took"), clock(seconds)]);
  }
  return (
    <section class="panel overview" aria-label={t("tasks.progress")}>
      {!isFinal(task.status) && (
        <div class="overview-progress">
          <Progress value={task.progressPercent} status={task.status} label={t("tasks.progress")} />
          <span class="small">{liveKey(task)}</span>
        </div>
      )}
      <dl class="facts wide">{facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>
    </section>
  );
}

const ALONE = 1;

function shotOf(task: TaskData, item: Item): Shot {
  const name = t("task.item", { n: item.itemNo });
  const isDeleted = item.status === 3 && item.url === null;
  return {
    taskNo: task.taskNo, itemNo: item.itemNo, url: item.url, coverUrl: item.coverUrl, duration: item.duration, name,
    icon: item.error ? "error" : item.status === 2 ? "film" : "clock",
    note: item.status === 2 ? <Progress value={item.progressPercent} status={2} label={name} />
      : <span class={`small ${item.error ? "bad-text" : "muted"}`}>{isDeleted ? t("outputs.gone") : t(`state.${item.status}` as Word)}</span>,
  };
}

/** The list of videos and the selected video. A single video needs no list. */
function Videos({ task }: { task: TaskData }) {
  const requestedVideo = Number(place.value.search.get("video") ?? NaN);
  const best = task.items.find((item) => item.url !== null) ?? task.items[0];
  const item = task.items.find((item) => item.itemNo === requestedVideo) ?? best;
  if (item === undefined) return null;
  const shot = shotOf(task, item);
  const detail = <ItemDetail item={item} task={task} shot={shot} />;
  if (task.items.length <= ALONE) return <div class="videos">{detail}</div>;
  return (
    <Review shots={task.items.map((one) => shotOf(task, one))} at={shot} label={t("task.items")} title={<>{t("task.items")} {countLabel(task.items.length)}</>}
      choose={({ itemNo }) => go(`/tasks/${task.taskNo}?video=${itemNo}`, { replace: true })}>
      {detail}
    </Review>
  );
}
