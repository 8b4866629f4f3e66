// All invitations, newest first, and revoking them.

import { useState } from "preact/hooks";
import { t, type Word } from "../../i18n";
import { admin, type Invitation } from "../../lib/admin";
import { ago, dateTime } from "../../lib/format";
import { go } from "../../router";
import { Button, Dialog, Empty, ErrorBox, explain, Pager, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";

const PAGE_SIZE = 20;

export function Invitations() {
  const [pageNo, setPageNo] = useState(1);
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const page = useLoad((signal) => admin.invitations({ pageNo, pageSize: PAGE_SIZE }, signal), [pageNo]);
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("operate.invitations")}</h2></header>
      {page.error !== null && <ErrorBox error={page.error} retry={page.reload} />}
      {page.value === null && page.loading && <Skeleton />}
      {page.value?.total === 0 && <Empty icon="person" title={t("invitations.empty")} action={<Button onClick={() => go("/operate/users", { replace: true })}>{t("operate.users")}</Button>}>{t("invitations.empty.lead")}</Empty>}
      {page.value && page.value.total > 0 && (
        <Table label={t("operate.invitations")} rows={page.value.list} keyOf={(one) => one.invitationId} columns={[
          { title: t("users.name"), cell: (one) => <span><strong>{one.userName}</strong> <span class="muted small">#{one.userId}</span></span> },
          { title: t("keys.scopes"), cell: (one) => <span class="nowrap">{one.scopes.map((scope) => t(`scope.${scope}` as Word)).join(", ")}</span> },
          { title: t("users.created"), cell: (one) => <span class="nowrap" title={dateTime(one.createTime)}>{ago(one.createTime)}</span> },
          { title: t("keys.state"), cell: (one) => <State of={one} /> },
          { title: t("users.actions"), hidden: true, numeric: true, cell: (one) => isOpen(one) && (
            <Button kind="quiet" icon="trash" label={t("invitations.revoke.named", { name: one.userName })} onClick={() => setRevoking(one)} />
          ) },
        ]} />
      )}
      {page.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={page.value.total} go={setPageNo} />}
      {revoking && <Revoke invitation={revoking} close={() => { setRevoking(null); page.reload(); }} />}
    </section>
  );
}

const isOpen = (one: Invitation, now = Date.now()) => one.useTime === null && one.revokeTime === null && Date.parse(one.expireTime) > now;

function State({ of: one }: { of: Invitation }) {
  if (one.useTime !== null) return <span><span class="badge off"><span class="dot" />{t("invitations.used", { when: ago(one.useTime) })}</span><br /><span class="muted small">{t("invitations.used.key")}</span></span>;
  if (one.revokeTime !== null) return <span class="badge bad"><span class="dot" />{t("keys.revoked")}</span>;
  if (!isOpen(one)) return <span class="badge off"><span class="dot" />{t("keys.expired")}</span>;
  return <span class="badge good"><span class="dot" />{t("keys.good.until", { when: dateTime(one.expireTime) })}</span>;
}

function Revoke({ invitation, close }: { invitation: Invitation; close: () => void }) {
  const [busy, setBusy] = useState(false);
  const revoke = async () => {
    setBusy(true);
    try {
      const { useTime } = await admin.revokeInvitation(invitation.invitationId);
      toast(useTime === null ? "good" : "info", t(useTime === null ? "invitations.revoked" : "invitations.late"));
    } catch (error) {
      toast("bad", explain(error));
    }
    close();
  };
  return (
    <Dialog title={t("invitations.revoke.sure")} open close={close}>
      <p>{t("invitations.revoke.lead", { name: invitation.userName })}</p>
      <div class="dialog-actions">
        <Button onClick={close}>{t("action.cancel")}</Button>
        <Button kind="danger" busy={busy} onClick={() => void revoke()}>{t("keys.revoke")}</Button>
      </div>
    </Dialog>
  );
}
