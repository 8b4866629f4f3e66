// Progress of many uploads.

import { t } from "../../i18n";
import { bytes } from "../../lib/format";
import { retryUpload, uploads } from "../../lib/uploads";
import { Button } from "../../ui/basic";
import { unfinished } from "./state";

const FEW = 3;
let most = 0;

export function UploadProgress() {
  const jobs = [...uploads.value.values()];
  const left = unfinished.value;
  most = left === 0 ? 0 : Math.max(most, left);
  if (most <= FEW) return null;
  const failed = jobs.filter((job) => job.error !== null);
  const size = jobs.reduce((sum, job) => sum + job.size - job.sent, 0);
  return (
    <div class="queue" role="status">
      <span>{t("drop.queue", { left, all: most, size: bytes(size) })}</span>
      <span class="queue-bar" aria-hidden="true"><span style={{ transform: `scaleX(${1 - left / most})` }} /></span>
      {failed.length > 0 && <Button icon="refresh" onClick={() => failed.forEach((job) => retryUpload(job.id))}>{t("drop.again", { n: failed.length })}</Button>}
    </div>
  );
}
