// Cards of library files, for the library page and the picker.

import type { ComponentChildren } from "preact";
import { t } from "../i18n";
import { ago, bytes, clock } from "../lib/format";
import { FILE_KINDS, type FileKind, type LibraryFile } from "../lib/assets";
import { TypedInput } from "./filter-bar";
import type { IconName } from "./icon";
import { SignedImage } from "./signed-image";

export const fileTitle = (file: LibraryFile): string => file.name ?? t("library.unnamed");

const ICONS: Record<FileKind, IconName> = { video: "film", picture: "image", audio: "music" };
const iconOf = (file: LibraryFile): IconName => (file.kind === null ? "text" : ICONS[file.kind]);

export function FilePicture({ file }: { file: LibraryFile }) {
  return (
    <span class="item-picture">
      <SignedImage path={file.thumbnail} icon={iconOf(file)} />
      {(file.duration ?? 0) > 0 && <span class="clip-length">{clock(file.duration ?? 0)}</span>}
    </span>
  );
}

export function FileWords({ file, children }: { file: LibraryFile; children?: ComponentChildren }) {
  const { video } = file.media ?? {};
  const facts = [file.kind === null ? t("library.other") : null, video ? `${video.width} × ${video.height}` : null, bytes(file.sizeBytes)];
  return (
    <span class="file-words">
      <strong title={fileTitle(file)}>{fileTitle(file)}</strong>
      <span class="small muted">{facts.filter((fact) => fact !== null).join(" · ")}</span>
      <span class="small muted">{file.usedTime === null ? t("library.uploaded", { time: ago(file.createTime) }) : t("library.used", { time: ago(file.usedTime) })}</span>
      {children}
    </span>
  );
}

export function KindChoice({ kind, set, of = ["", ...FILE_KINDS] }: { kind: string; set: (kind: string) => void; of?: readonly ("" | FileKind)[] }) {
  return (
    <div class="segments" role="group" aria-label={t("library.kind")}>
      {of.map((option) => (
        <button key={option} type="button" class={option === kind ? "on" : ""} aria-pressed={option === kind} onClick={() => set(option)}>
          {option === "" ? t("filter.all") : t(`library.kind.${option}`)}
        </button>
      ))}
    </div>
  );
}

export function NameSearch({ q, set }: { q: string; set: (q: string) => void }) {
  return <TypedInput type="search" value={q} set={set} label={t("library.search")} placeholder={t("library.search")} />;
}
