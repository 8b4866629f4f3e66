// A complete task number with a link and a copy button.

import { t } from "../../i18n";
import { link } from "../../router";
import { CopyButton } from "../../ui/basic";

export function TaskNumber({ taskNo, itemNo }: { taskNo: string; itemNo: number | null }) {
  return (
    <>
      <a class="mono break" {...link(`/operate/tasks/${taskNo}`)}>{taskNo}</a>{itemNo !== null && ` / ${itemNo}`}
      <CopyButton small text={taskNo} label={t("failures.copy", { taskNo })} />
    </>
  );
}
