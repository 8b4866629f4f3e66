// Routes of templates and batches.

import "../../styles/batches.css";
import { register, t } from "../../i18n";
import { batchWords } from "../../i18n/batches";
import { go, place } from "../../router";
import { PageHead, Tabs } from "../../ui/basic";
import { FillPage } from "../templates/fill";
import { TemplateList } from "../templates/list";
import { TemplatePage } from "../templates/template";
import { BatchPage } from "./batch";
import { BatchList } from "./list";
import { TableOpener } from "./open-table";

register(batchWords);

type Tab = "batches" | "templates";

export function Batches() {
  const [area, number, more] = place.value.parts;
  if (area === "templates" && number !== undefined && more === "fill") return <FillPage key={number} templateNo={number} />;
  if (area === "templates" && number !== undefined) return <TemplatePage key={number} templateNo={number} />;
  if (number !== undefined) return <BatchPage key={number} batchNo={number} />;
  const tab: Tab = area === "templates" ? "templates" : "batches";
  return (
    <TableOpener head={(button) => <PageHead title={t("nav.batches")} lead={t("batches.lead")}>{button}</PageHead>}>
      <Tabs<Tab> label={t("nav.batches")} value={tab} choose={(next) => go(`/${next}`, { replace: true })}
        tabs={[{ id: "batches", title: t("batches.tab.list") }, { id: "templates", title: t("batches.tab.templates") }]} />
      <div class="batch-tab" role="tabpanel" aria-labelledby={`tab-${tab}`}>{tab === "templates" ? <TemplateList /> : <BatchList />}</div>
    </TableOpener>
  );
}
