// Picks and comments of the viewers of a share, for its owner.

import { t } from "../i18n";
import { assets, type Share, type ShareComment } from "../lib/assets";
import { dateTime } from "../lib/format";
import { setSelected, videoKey } from "../lib/video-selection";
import { Button, ErrorBox, explain, Skeleton } from "./basic";
import { toast } from "./toast";
import { useLoad } from "./use-load";

export function ShareFeedback({ share }: { share: Share }) {
  const { value, error, loading, reload } = useLoad((signal) => assets.feedback(share, signal), [share.shareId]);
  // The numbers of videos of several tasks can be equal.
  const name = ({ taskNo, itemNo }: { taskNo: string; itemNo: number }) => t("task.item", { n: itemNo }) + (share.tasks === null ? "" : ` (${taskNo})`);
  const remove = async ({ commentId }: ShareComment) => {
    try {
      await assets.deleteComment(share, commentId);
      toast("good", t("feedback.deleted"));
    } catch (failure) {
      toast("bad", explain(failure));
    }
    reload();
  };
  return (
    <section class="share-feedback" aria-label={t("feedback.title")}>
      <div class="share-feedback-head"><h4>{t("feedback.title")}</h4><Button kind="quiet" icon="redo" busy={loading} onClick={reload}>{t("feedback.refresh")}</Button></div>
      {error !== null && <ErrorBox error={error} retry={reload} />}
      {value === null && loading && <Skeleton rows={1} />}
      {value !== null && value.picks.length === 0 && value.comments.length === 0 && <p class="hint">{t("feedback.none")}</p>}
      {value !== null && value.picks.length > 0 && (
        <div class="share-picks">
          <span><strong>{t("feedback.picks", { n: value.picks.length })}</strong> {value.picks.map(name).join(", ")}</span>
          <Button icon="heart" onClick={() => {
            setSelected(value.picks.map(({ taskNo, itemNo }) => videoKey(taskNo, itemNo)), true);
            toast("good", t("feedback.chosen", { n: value.picks.length }));
          }}>{t("feedback.choose")}</Button>
        </div>
      )}
      {value !== null && value.comments.length > 0 && (
        <>
          <strong>{t("feedback.comments", { n: value.comments.length })}</strong>
          <ul class="share-comments">
            {value.comments.map((comment) => <Comment key={comment.commentId} comment={comment} video={name} remove={() => void remove(comment)} />)}
          </ul>
        </>
      )}
      {value !== null && value.picks.length + value.comments.length > 0 && <p class="hint">{t("feedback.ends")}</p>}
    </section>
  );
}

function Comment({ comment, video, remove }: { comment: ShareComment; video: (of: { taskNo: string; itemNo: number }) => string; remove: () => void }) {
  const { taskNo, itemNo } = comment;
  const name = comment.name ?? t("feedback.anonymous");
  const about = taskNo === null || itemNo === null ? t("feedback.all") : video({ taskNo, itemNo });
  return (
    <li>
      <div>
        <p dir="auto">{comment.text}</p>
        <span class="small muted"><bdi>{name}</bdi> · {about} · {dateTime(comment.createTime)}</span>
      </div>
      <Button kind="quiet" icon="trash" label={t("feedback.delete", { name })} onClick={remove} />
    </li>
  );
}
