// A task of any user: its state and its failures. Its request and files stay with the user.

import { t, type Word } from "../../i18n";
import { admin, type UserTask } from "../../lib/admin";
import { ApiFailure } from "../../lib/api";
import { count, dateTime } from "../../lib/format";
import { itemErrorText, messageText } from "../../lib/service-message";
import { link } from "../../router";
import { Empty, ErrorBox, PageHead, Skeleton, StateBadge } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { Table } from "../../ui/table";
import { useLoad } from "../../ui/use-load";

export function UserTaskPage({ taskNo }: { taskNo: string }) {
  const loaded = useLoad((signal) => admin.task(taskNo, signal), [taskNo]);
  const task = loaded.value;
  if (task === null && loaded.error instanceof ApiFailure && loaded.error.status === 404) {
    return <Empty icon="search" title={t("task.missing")}>{t("operate.task.missing")}</Empty>;
  }
  if (task === null) return loaded.error === null ? <Skeleton rows={3} /> : <ErrorBox error={loaded.error} retry={loaded.reload} />;
  return (
    <>
      <a class="back" {...link("/operate/failures")}><Icon name="left" size={16} />{t("operate.failures")}</a>
      <PageHead title={<>{task.name ?? t(`type.${task.taskType}` as Word)} <StateBadge status={task.status} /></>}
        lead={<>{task.userName} · {t(`type.${task.taskType}` as Word)} · <span class="mono task-no">{task.taskNo}</span></>} />
      <section class="panel"><dl class="facts wide">{factsOf(task).map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl></section>
      {task.failures.length > 0 && (
        <section class="panel">
          <header class="panel-head"><h2>{t("operate.failures")}</h2></header>
          <Table label={t("operate.failures")} rows={task.failures} keyOf={(one) => one.itemNo} columns={[
            { title: t("operate.task.item"), numeric: true, cell: (one) => one.itemNo },
            { title: t("failures.code"), cell: (one) => <>{t(`cause.${one.code}` as Word)}<br /><code class="nowrap muted small">{one.code}</code></> },
            { title: t("failures.message"), cell: (one) => <span class="break failure-message">{itemErrorText(one)}{one.input && <><br /><span class="muted small mono">{one.input}</span></>}</span> },
          ]} />
        </section>
      )}
      {task.warnings.length > 0 && (
        <section class="panel"><header class="panel-head"><h2>{t("task.warnings")}</h2></header>
          <ul class="remarks">{task.warnings.map((warning) => <li key={warning.path + warning.message}>{messageText(warning, warning.path)}</li>)}</ul>
        </section>
      )}
    </>
  );
}

function factsOf(task: UserTask): [string, string][] {
  return [
    [t("task.items"), `${count(task.completedItems)} / ${count(task.totalItems)}`],
    [t("task.spent"), t("points.n", { n: task.consumedDotCount })],
    [t("tasks.created"), dateTime(task.createTime)],
    [t("operate.task.ended"), task.finishTime === null ? "–" : dateTime(task.finishTime)],
  ];
}
