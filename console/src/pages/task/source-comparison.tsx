// Compares a result with its source footage at the same time. Uploads are played; for other files, the service renders
// frames, because the console sends no requests to other hosts.

import { useMemo } from "preact/hooks";
import { t } from "../../i18n";
import { api, ApiFailure, localLink } from "../../lib/api";
import { nameOf } from "../../lib/media";
import { assets } from "../../lib/assets";
import { sourceOf, type SourceAt } from "../../lib/sources";
import type { Item } from "../../lib/types";
import { Button, Dialog, ErrorBox, Notice, Skeleton } from "../../ui/basic";
import { SyncedPlayers, fileSide, type Side } from "../../ui/synced-players";
import { useLoad } from "../../ui/use-load";

interface File {
  name: string;
  src: string | null;
  length: number | undefined;
}

/** Maximum number of files that are loaded. */
const MAX = 100;

export function SourceComparison({ item, taskNo, close }: { item: Item; taskNo: string; close: () => void }) {
  const loaded = useLoad((signal) => sources(taskNo, item, signal), [taskNo, item.itemNo]);
  const name = t("task.item", { n: item.itemNo });
  const side = useMemo(() => loaded.value && sourceSide(loaded.value, item.duration ?? 0), [loaded.value, item.duration]);
  return (
    <Dialog title={t("review.source.label", { name })} open close={close} wide>
      {loaded.error !== null && <ErrorBox error={loaded.error} retry={loaded.reload} />}
      {loaded.value === null && loaded.loading && <Skeleton rows={1} height={260} />}
      {loaded.value !== null && side === null && (
        <><Notice tone="info">{t("review.source.none")}</Notice><div class="dialog-actions"><Button onClick={close}>{t("action.close")}</Button></div></>
      )}
      {side && item.url !== null && (
        <SyncedPlayers label={t("review.source.label", { name })} close={close}
          sides={[side, fileSide(name, localLink(item.url), item.duration ?? 0, item.coverUrl ? localLink(item.coverUrl) : undefined)]} />
      )}
    </Dialog>
  );
}

interface Found {
  at: SourceAt | null;
  files: ReadonlyMap<string, File>;
}

async function sources(taskNo: string, item: Item, signal: AbortSignal): Promise<Found> {
  const request = await api.request(taskNo, signal);
  const needed = new Set<string>();
  const first = sourceOf(request, item, (url) => { needed.add(url); return undefined; });
  for (const url of first === null ? [] : urlsOf(first, item.duration ?? 0)) needed.add(url);
  const uploads = [...needed].filter((url) => url.startsWith("upload://")).slice(0, MAX);
  const libraryFiles = await Promise.all(uploads.map((url) => assets.file(url, signal).catch((error: unknown) => {
    // This file was deleted; others may still exist.
    if (error instanceof ApiFailure && error.status === 404) return null;
    throw error;
  })));
  const files = new Map<string, File>();
  libraryFiles.forEach((file, index) => file !== null && files.set(uploads[index] ?? "",
    { name: file.name ?? nameOf(file.url), src: file.kind === "video" ? localLink(file.fileUrl) : null, length: file.duration ?? undefined }));
  return { at: sourceOf(request, item, (url) => files.get(url)?.length), files };
}

/** The files that the output shows. */
function urlsOf(at: SourceAt, length: number): Set<string> {
  return new Set(Array.from({ length: 200 }, (_, index) => at((index * length) / 200)?.url ?? "").filter((url) => url !== ""));
}

function sourceSide({ at, files }: Found, length: number): Side | null {
  if (at === null) return null;
  return {
    label: labelOf(at, files, length),
    // The result is the clock.
    length: Math.max(0, length - 0.01),
    at: (seconds) => {
      const moment = at(Math.min(seconds, length));
      return moment && { src: files.get(moment.url)?.src ?? null, at: moment.at, rate: moment.rate, original: moment.url };
    },
  };
}

/** The file name if there is only one file. */
function labelOf(at: SourceAt, files: ReadonlyMap<string, File>, length: number): string {
  const urls = urlsOf(at, length);
  const [url] = urls;
  return urls.size === 1 && url ? `${t("review.source.is")}: ${files.get(url)?.name ?? nameOf(url)}` : t("review.source.is");
}
