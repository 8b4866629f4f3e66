// The button that saves the task as a template; the dialog is loaded on first use.

import { useState } from "preact/hooks";
import { t } from "../../i18n";
import { Button } from "../../ui/basic";
import { toRequest } from "../../lib/draft";
import { lazy } from "../../ui/lazy";
import { previewedClip } from "../new/clip-name";
import { clipCount, partShowing, root, unfinished } from "../new/state";

const SaveDialog = lazy(() => import("./save-dialog").then((part) => part.SaveDialog));

export function SaveAsTemplate() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button kind="quiet" icon="table" disabled={clipCount.value === 0 || unfinished.value > 0} onClick={() => setOpen(true)}>{t("template.save")}</Button>
      {open && <SaveDialog request={toRequest(partShowing(previewedClip.value).draft)} root={root.value} close={() => setOpen(false)} />}
    </>
  );
}
