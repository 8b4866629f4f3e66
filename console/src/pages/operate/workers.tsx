// Worker processes.

import { t, type Word } from "../../i18n";
import { admin, type Worker } from "../../lib/admin";
import { ago, count, dateTime } from "../../lib/format";
import { Empty, ErrorBox, Skeleton } from "../../ui/basic";
import { Table } from "../../ui/table";
import { useLoad } from "../../ui/use-load";

const REFRESH_MS = 5000;

export function Workers() {
  const workers = useLoad((signal) => admin.workers(signal), [], REFRESH_MS);
  if (workers.value === null) return workers.error ? <ErrorBox error={workers.error} retry={workers.reload} /> : <Skeleton />;
  if (workers.value.list.length === 0) return <Empty icon="server" title={t("workers.empty")}>{t("workers.empty.lead")}</Empty>;
  return (
    <section class="panel">
      <header class="panel-head"><h2>{t("operate.workers")}</h2></header>
      <Table label={t("operate.workers")} rows={workers.value.list} keyOf={(one) => one.name} columns={[
        { title: t("workers.name"), cell: (one) => <><strong class="mono">{one.name}</strong><br /><span class="muted small">{one.host}, {one.version}</span></> },
        { title: t("queue.state"), cell: (one) => <State worker={one} /> },
        { title: t("workers.kinds"), cell: (one) => one.kinds.map((kind) => t(`work.${kind}` as Word)).join(", ") },
        { title: t("workers.busy"), numeric: true, cell: (one) => `${count(one.running)} / ${count(one.slots)}` },
        { title: t("workers.started"), cell: (one) => <span class="nowrap">{dateTime(one.startedAt)}</span> },
        { title: t("workers.seen"), cell: (one) => <span class="nowrap">{ago(one.seenAt)}</span> },
      ]} />
    </section>
  );
}

function State({ worker }: { worker: Worker }) {
  const [tone, word]: [string, Word] = !worker.alive ? ["bad", "workers.gone"] : worker.draining ? ["warn", "workers.draining"] : ["good", "workers.alive"];
  return <span class={`badge ${tone}`}><span class="dot" />{t(word)}</span>;
}
