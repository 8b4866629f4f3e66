// Operations pages: queue, workers, users, usage and failures. They require a key with the scope `admin`.

import { t, type Word } from "../../i18n";
import { isAdmin } from "../../lib/session";
import { go, place } from "../../router";
import { Empty, PageHead, Skeleton, Tabs } from "../../ui/basic";
import { Failures } from "./failures";
import { Invitations } from "./invitations";
import { QueuePage } from "./queue";
import { UsagePage } from "./usage";
import { UserTaskPage } from "./user-task";
import { Users } from "./users";
import { Workers } from "./workers";

const TABS = ["queue", "workers", "users", "invitations", "usage", "failures"] as const;
type Tab = (typeof TABS)[number];

export function Operate() {
  const tab = TABS.find((name) => name === place.value.parts[1]) ?? "queue";
  if (isAdmin.value === null) return <Skeleton />;
  if (!isAdmin.value) return <Empty icon="gauge" title={t("operate.denied")}>{t("operate.denied.lead")}</Empty>;
  const [, page, taskNo] = place.value.parts;
  if (page === "tasks" && taskNo !== undefined) return <UserTaskPage key={taskNo} taskNo={taskNo} />;
  return (
    <>
      <PageHead title={t("operate.title")} />
      <Tabs<Tab> label={t("operate.title")} value={tab} choose={(next) => go(`/operate/${next}`, { replace: true })}
        tabs={TABS.map((id) => ({ id, title: t(`operate.${id}` as Word) }))} />
      <div class="operate" role="tabpanel" aria-labelledby={`tab-${tab}`}>
        {tab === "queue" && <QueuePage />}
        {tab === "workers" && <Workers />}
        {tab === "users" && <Users />}
        {tab === "invitations" && <Invitations />}
        {tab === "usage" && <UsagePage />}
        {tab === "failures" && <Failures />}
      </div>
    </>
  );
}
