// The number of a task of any user: whole, to be opened and copied.

import { t } from "../../i18n";
import { link } from "../../router";
import { CopyButton } from "../../ui/basic";

export function TaskNumber({ taskNo, itemNo }: { taskNo: string; itemNo: number | null }) {
  return (
    <>
      <a class="mono break" {...link(`/tasks/${taskNo}`)}>{taskNo}</a>{itemNo !== null && ` / ${itemNo}`}
      <CopyButton small text={taskNo} label={t("failures.copy", { taskNo })} />
    </>
  );
}
