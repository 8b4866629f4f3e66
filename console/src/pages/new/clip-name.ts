// The name of a clip, and the clip that the preview shows.

import { signal } from "@preact/signals";
import { t } from "../../i18n";
import { clipUrl, type Clip } from "../../lib/draft";
import { nameOf } from "../../lib/media";
import { uploads } from "../../lib/uploads";

/** ID of the clip that the preview shows. */
export const previewedClip = signal<string | null>(null);

export function clipName(clip: Clip): string {
  const job = clip._upload === undefined ? undefined : uploads.value.get(clip._upload);
  return job?.name ?? clip.sceneName ?? (nameOf(clipUrl(clip)) || t("clips.title"));
}
