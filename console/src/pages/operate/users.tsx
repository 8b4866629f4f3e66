// Users: who there is, how many points they have, adding one, granting points.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { admin, type NewUser, type User } from "../../lib/admin";
import { ApiFailure } from "../../lib/api";
import { count, dateTime } from "../../lib/format";
import { Button, CopyButton, Dialog, Empty, ErrorBox, explain, Notice, Pager, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { Table } from "../../ui/table";
import { toast } from "../../ui/toast";
import { useLoad } from "../../ui/use-load";

const PAGE_SIZE = 20;

export function Users() {
  const [search, setSearch] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const [adding, setAdding] = useState(false);
  const [granting, setGranting] = useState<User | null>(null);
  const users = useLoad((signal) => admin.users({ search, pageNo, pageSize: PAGE_SIZE }, signal), [search, pageNo]);
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
          { title: "", numeric: true, cell: (user) => <Button icon="coin" onClick={() => setGranting(user)}>{t("grant.open")}</Button> },
        ]} />
      )}
      {users.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={users.value.total} go={setPageNo} />}
      {adding && <AddUser close={() => { setAdding(false); users.reload(); }} />}
      {granting && <Grant user={granting} close={() => { setGranting(null); users.reload(); }} />}
    </section>
  );
}

/** What is wrong with a field of a small form. */
function wrongAt(error: unknown, field: string): string | null {
  return error instanceof ApiFailure ? (error.fieldErrors.find(({ path }) => path === field)?.message ?? null) : null;
}

function FormField({ name, value, set, field, error, numeric = false }: {
  name: string; value: string; set: (value: string) => void; field: string; error: unknown; numeric?: boolean;
}) {
  const wrong = wrongAt(error, field);
  const id = `form${field.replace("/", "-")}`;
  return (
    <div class="field">
      <div class="field-head"><label for={id}>{name}</label></div>
      <input id={id} class="input" value={value} inputMode={numeric ? "numeric" : "text"} autocomplete="off" aria-invalid={wrong !== null}
        aria-describedby={wrong === null ? undefined : `${id}-error`} onInput={(event) => set(event.currentTarget.value)} />
      {wrong && <p class="field-error" id={`${id}-error`} role="alert"><Icon name="error" size={15} /><span>{wrong}</span></p>}
    </div>
  );
}

/** Sends a form and keeps what was wrong with it. */
function useForm<T>(send: () => Promise<T>, done: (answer: T) => void) {
  const [state, setState] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  const submit = async (event: Event) => {
    event.preventDefault();
    setState({ busy: true, error: null });
    try {
      done(await send());
      setState({ busy: false, error: null });
    } catch (error) {
      setState({ busy: false, error });
      if (!(error instanceof ApiFailure) || error.fieldErrors.length === 0) toast("bad", explain(error));
    }
  };
  return { ...state, submit };
}

function AddUser({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [points, setPoints] = useState("1000");
  const [made, setMade] = useState<NewUser | null>(null);
  const form = useForm(() => admin.addUser({ name, points: Number(points) }), setMade);
  return (
    <Dialog title={t("users.add")} open close={close}>
      {made ? (
        <div class="key-values">
          <Notice tone="good">{t("users.added", { name: made.name })}</Notice>
          {([["users.key", made.apiKey], ["users.secret", made.webhookSecret]] as const).map(([word, value]) => (
            <div key={word} class="field"><div class="field-head"><span>{t(word)}</span><CopyButton text={value} /></div><code class="code">{value}</code></div>
          ))}
          <div class="dialog-actions"><Button kind="primary" onClick={close}>{t("action.close")}</Button></div>
        </div>
      ) : (
        <form onSubmit={form.submit}>
          <FormField name={t("users.add.name")} value={name} set={setName} field="/name" error={form.error} />
          <FormField name={t("users.add.points")} value={points} set={setPoints} field="/points" error={form.error} numeric />
          <div class="dialog-actions"><Button onClick={close}>{t("action.cancel")}</Button><Button kind="primary" type="submit" busy={form.busy}>{t("users.add")}</Button></div>
        </form>
      )}
    </Dialog>
  );
}

function Grant({ user, close }: { user: User; close: () => void }) {
  const [points, setPoints] = useState("1000");
  const [remark, setRemark] = useState("");
  const form = useForm(() => admin.grant({ userId: user.userId, points: Number(points), remark }), () => {
    toast("good", t("grant.done", { n: Number(points) }));
    close();
  });
  return (
    <Dialog title={t("grant.title", { name: user.name })} open close={close}>
      <form onSubmit={form.submit}>
        <FormField name={t("grant.points")} value={points} set={setPoints} field="/points" error={form.error} numeric />
        <FormField name={t("grant.remark")} value={remark} set={setRemark} field="/remark" error={form.error} />
        <div class="dialog-actions"><Button onClick={close}>{t("action.cancel")}</Button><Button kind="primary" type="submit" busy={form.busy}>{t("grant.go")}</Button></div>
      </form>
    </Dialog>
  );
}
