// All templates, last changed first, with the number of unsent rows.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { ago, dateTime } from "../../lib/format";
import { unsentTables } from "../../lib/table-storage";
import { isBlank } from "../../lib/spreadsheet";
import { templates } from "../../lib/templates";
import { link } from "../../router";
import { Empty, ErrorBox, Pager, Skeleton } from "../../ui/basic";
import { Icon } from "../../ui/icon";
import { useLoad } from "../../ui/use-load";

const PAGE_SIZE = 20;

export function TemplateList() {
  const [search, setSearch] = useState("");
  const [pageNo, setPageNo] = useState(1);
  const page = useLoad((signal) => templates.list({ q: search, pageNo, pageSize: PAGE_SIZE }, signal), [search, pageNo]);
  const [tables] = useState(unsentTables);
  const unsent = (templateNo: string) => tables.find((table) => table.templateNo === templateNo)?.rows.filter((row) => !isBlank(row)).length ?? 0;
  const list = page.value?.list ?? [];
  return (
    <>
      {((page.value?.total ?? 0) > PAGE_SIZE || search !== "") && (
        <div class="filters"><input class="input" type="search" value={search} placeholder={t("templates.search")} aria-label={t("templates.search")}
          onInput={(event) => { setSearch(event.currentTarget.value); setPageNo(1); }} /></div>
      )}
      {page.error !== null && <ErrorBox error={page.error} retry={page.reload} />}
      {page.value === null && page.loading && <Skeleton rows={4} height={64} />}
      {page.value?.total === 0 && (
        <Empty icon="table" title={t("templates.empty")} action={<a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>}>{t("templates.empty.lead")}</Empty>
      )}
      {list.length > 0 && (
        <ul class="task-list" aria-label={t("templates.title")}>
          {list.map((one) => (
            <li key={one.templateNo} class="task-row template-row">
              <a class="template-link" {...link(`/templates/${one.templateNo}`)}>
                <strong class="break">{one.name}</strong>
                <span class="muted small" title={dateTime(one.updateTime)}>{t("templates.version", { n: one.version })} · {t("templates.changed", { when: ago(one.updateTime) })}</span>
                {unsent(one.templateNo) > 0 && <span class="badge warn"><span class="dot" aria-hidden="true" />{t("templates.waits", { n: unsent(one.templateNo) })}</span>}
              </a>
              <a class="button plain" {...link(`/templates/${one.templateNo}/fill`)} aria-label={`${t("templates.fill")}: ${one.name}`}><Icon name="table" /><span>{t(unsent(one.templateNo) > 0 ? "templates.fill.go" : "templates.fill")}</span></a>
            </li>
          ))}
        </ul>
      )}
      {page.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={page.value.total} go={setPageNo} />}
    </>
  );
}
