// Grants points to a user, or deducts points with a reason.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { admin, type User } from "../../lib/admin";
import { Button, Dialog } from "../../ui/basic";
import { toast } from "../../ui/toast";
import { FormField, useForm } from "./form";

export function PointsDialog({ user, close }: { user: User; close: () => void }) {
  const [take, setTake] = useState(false);
  const [points, setPoints] = useState("");
  const [remark, setRemark] = useState("");
  const amount = Number(points);
  const form = useForm(() => {
    const body = { userId: user.userId, points: amount, remark };
    return take ? admin.deduct(body) : admin.grant(body);
  }, () => {
    toast("good", t(take ? "points.change.taken" : "grant.done", { n: amount }));
    close();
  });
  const after = user.balance + (take ? -amount : amount);
  return (
    <Dialog title={t("points.change.title", { name: user.name })} open close={close}>
      <form class="form-grid" onSubmit={form.submit}>
        <p class="muted">{t("points.change.now", { n: user.balance, held: user.held })}</p>
        <div class="segments" role="group" aria-label={t("points.change.kind")}>
          {[false, true].map((kind) => (
            <button key={String(kind)} type="button" class={take === kind ? "on" : ""} aria-pressed={take === kind} onClick={() => setTake(kind)}>
              {t(kind ? "points.change.take" : "points.change.give")}
            </button>
          ))}
        </div>
        <FormField name={t("grant.points")} value={points} set={setPoints} field="/points" error={form.error} numeric required
          hint={take && after < 0 ? t("points.change.most", { n: user.balance }) : Number.isFinite(after) ? t("points.change.after", { n: after }) : ""} />
        <FormField name={t("points.change.reason")} value={remark} set={setRemark} field="/remark" error={form.error} required={take} maxLength={200} hint={t("points.change.reason.hint")} />
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind={take ? "danger" : "primary"} type="submit" busy={form.busy} disabled={!(amount > 0) || (take && (remark.trim() === "" || after < 0))}>{t(take ? "points.change.take" : "grant.go")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
