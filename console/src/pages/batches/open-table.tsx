// Opens a table on the pages of batches and templates: it is dropped or chosen, then its template.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { register, t } from "../../i18n";
import { dropDialogWords } from "../../i18n/dropped";
import { useOf } from "../../lib/dropped-files";
import { setPendingFiles } from "../../lib/pending-files";
import { go } from "../../router";
import { Button, Dialog } from "../../ui/basic";
import { Dropzone, useFileInput } from "../../ui/dropzone";
import { TemplateChoice, type ChosenTemplate } from "../../ui/template-choice";
import { toast } from "../../ui/toast";
import { namesOf } from "../../lib/upload-names";

register(dropDialogWords);

/** `head` gets the button; tables can be dropped on everything. */
export function TableOpener({ head, children }: { head: (button: ComponentChildren) => ComponentChildren; children: ComponentChildren }) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const take = (dropped: File[]) => {
    if (dropped.some((file) => useOf(file) === "table")) setFiles(dropped);
    else if (dropped.length > 0) toast("bad", t("dropped.table.none", { names: namesOf(dropped) }));
  };
  const { input, choose } = useFileInput(".csv,.tsv,.xlsx,.xlsm,text/csv", true, take, t("fill.csv"));
  return (
    <Dropzone class="open-table" take={take}>
      {head(<>{input}<Button icon="table" onClick={choose}>{t("fill.csv")}</Button></>)}
      {children}
      {files.length > 0 && <TableDialog files={files} close={() => setFiles([])} />}
    </Dropzone>
  );
}

function TableDialog({ files, close }: { files: readonly File[]; close: () => void }) {
  const [choice, setChoice] = useState<ChosenTemplate | null | undefined>(undefined);
  const tables = files.filter((file) => useOf(file) === "table");
  const media = files.filter((file) => !tables.includes(file));
  const submit = (event: Event) => {
    event.preventDefault();
    if (!choice) return;
    setPendingFiles(choice.templateNo, choice.withMedia ? files : tables);
    go(`/templates/${choice.templateNo}/fill`, { heading: true });
  };
  return (
    <Dialog title={t("fill.csv")} open close={close}>
      <form class="drop-groups" onSubmit={submit}>
        <TemplateChoice tables={tables} media={media} choice={choice} set={setChoice} />
        <div class="dialog-actions">
          <Button onClick={close}>{t("action.cancel")}</Button>
          <Button kind="primary" type="submit" busy={choice === undefined} disabled={choice === null}>{t("dropped.go.batch")}</Button>
        </div>
      </form>
    </Dialog>
  );
}
