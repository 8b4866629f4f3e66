// Users with their points and keys; adding users and switching them off and on.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { admin, type NewUser, type User } from "../../lib/admin";
import { count, dateTime } from "../../lib/format";
import { Button, CopyButton, Dialog, Empty, ErrorBox, explain, Notice, Pager, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";
import { FormField, useForm } from "./form";
import { InviteDialog } from "./invite-dialog";
import { KeysDialog } from "./keys-dialog";
import { PointsDialog } from "./points-dialog";
import { SwitchDialog } from "./switch-dialog";

const PAGE_SIZE = 20;

export function Users() {
  const [search, setSearch] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const [adding, setAdding] = useState(false);
  const [dialog, setDialog] = useState<{ what: "points" | "keys" | "invite" | "off"; user: User } | null>(null);
  const users = useLoad((signal) => admin.users({ search, pageNo, pageSize: PAGE_SIZE }, signal), [search, pageNo]);
  const closed = () => { setDialog(null); users.reload(); };
  return (
    <section class="panel">
      <header class="panel-head">
        <input class="input users-search" type="search" value={search} placeholder={t("users.search")} aria-label={t("users.search")}
          onInput={(event) => { setSearch(event.currentTarget.value); setPageNo(1); }} />
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>{t("users.add")}</Button>
      </header>
      {users.error !== null && <ErrorBox error={users.error} retry={users.reload} />}
      {users.value === null && users.loading && <Skeleton />}
      {users.value?.total === 0 && <Empty icon="person" title={t("users.empty")} />}
      {users.value && users.value.total > 0 && (
        <Table label={t("operate.users")} rows={users.value.list} keyOf={(user) => user.userId} columns={[
          { title: t("users.name"), cell: (user) => <><strong>{user.name}</strong> <span class="muted small">#{user.userId}</span></> },
          { title: t("users.points"), numeric: true, cell: (user) => count(user.balance) },
          { title: t("users.held"), numeric: true, cell: (user) => count(user.held) },
          { title: t("nav.tasks"), numeric: true, cell: (user) => count(user.tasks) },
          { title: t("users.created"), cell: (user) => <span class="nowrap">{dateTime(user.createTime)}</span> },
          { title: t("users.state"), cell: (user) => <UserState user={user} /> },
          { title: t("users.actions"), hidden: true, numeric: true, cell: (user) => (
            <span class="row-buttons">
              <Button icon="coin" onClick={() => setDialog({ what: "points", user })}>{t("users.points.change")}</Button>
              <Button icon="code" onClick={() => setDialog({ what: "keys", user })}>{t("users.keys")}</Button>
              {user.offSince === null && <Button icon="link" onClick={() => setDialog({ what: "invite", user })}>{t("invite.open")}</Button>}
              {user.offSince === null ? <Button kind="quiet" onClick={() => setDialog({ what: "off", user })}>{t("users.switch.off")}</Button>
                : <Button kind="primary" onClick={() => switchOn(user, users.reload)}>{t("users.switch.on")}</Button>}
            </span>
          ) },
        ]} />
      )}
      {users.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={users.value.total} go={setPageNo} />}
      {adding && <AddUser close={() => { setAdding(false); users.reload(); }} />}
      {dialog?.what === "points" && <PointsDialog user={dialog.user} close={closed} />}
      {dialog?.what === "keys" && <KeysDialog user={dialog.user} close={closed} />}
      {dialog?.what === "invite" && <InviteDialog user={dialog.user} close={closed} />}
      {dialog?.what === "off" && <SwitchDialog user={dialog.user} close={closed} />}
    </section>
  );
}

function UserState({ user }: { user: User }) {
  if (user.offSince === null) return <span class="badge good"><span class="dot" />{t("users.on")}</span>;
  return <><span class="badge bad" title={dateTime(user.offSince)}><span class="dot" />{t("users.off")}</span><br /><span class="muted small break">{user.offReason}</span></>;
}

async function switchOn(user: User, then: () => void): Promise<void> {
  try {
    await admin.switchOn(user.userId);
    toast("good", t("on.done", { name: user.name }));
  } catch (error) {
    toast("bad", explain(error));
  }
  then();
}

function AddUser({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [points, setPoints] = useState("0");
  const [newUser, setNewUser] = useState<NewUser | null>(null);
  const form = useForm(() => admin.addUser({ name, points: Number(points) }), setNewUser);
  return (
    <Dialog title={t("users.add")} open close={close}>
      {newUser ? (
        <div class="key-values">
          <Notice tone="good">{t("users.added", { name: newUser.name })}</Notice>
          {([["users.key", newUser.apiKey], ["users.secret", newUser.webhookSecret]] as const).map(([word, value]) => (
            <div key={word} class="field"><div class="field-head"><span>{t(word)}</span><CopyButton text={value} /></div><code class="code">{value}</code></div>
          ))}
          <div class="dialog-actions"><Button kind="primary" onClick={close}>{t("action.close")}</Button></div>
        </div>
      ) : (
        <form onSubmit={form.submit}>
          <FormField name={t("users.add.name")} value={name} set={setName} field="/name" error={form.error} required />
          <FormField name={t("users.add.points")} value={points} set={setPoints} field="/points" error={form.error} numeric required />
          <div class="dialog-actions"><Button onClick={close}>{t("action.cancel")}</Button><Button kind="primary" type="submit" busy={form.busy}>{t("users.add")}</Button></div>
        </form>
      )}
    </Dialog>
  );
}
