// A dialog for choosing uploaded files. Loaded on first use:
// `const files = await (await import("…/ui/library-picker")).openLibrary({ kind: ["video", "picture"] })`.

import { render } from "preact";
import { useState } from "preact/hooks";
import { t } from "../i18n";
import { bytes, clock } from "../lib/format";
import { noteMedia } from "../lib/media";
import { assets, type FileKind, type LibraryFile } from "../lib/assets";
import AudioPlayer from "./audio-player";
import { Button, Dialog, Empty, ErrorBox, Pager, Skeleton } from "./basic";
import { FilePicture, fileTitle, FileWords, KindChoice, NameSearch } from "./library-grid";
import { useLoad } from "./use-load";

export interface PickerOptions {
  /** Allowed kinds; all kinds if absent. */
  kind?: FileKind | readonly FileKind[];
  /** Whether several files can be chosen; true if absent. */
  several?: boolean;
}

/** Returns the chosen files in order, or an empty list if the dialog was closed. Also stores their names and durations. */
export function openLibrary(wish: PickerOptions = {}): Promise<LibraryFile[]> {
  return new Promise((resolve) => {
    const host = document.createElement("div");
    document.body.append(host);
    const before = document.activeElement;
    const end = (files: LibraryFile[]) => {
      render(null, host);
      host.remove();
      if (before instanceof HTMLElement) before.focus();
      for (const file of files) {
        noteMedia(file.url, { name: fileTitle(file), ...(file.duration ? { duration: file.duration } : {}),
          ...(file.media?.video ? { width: file.media.video.width, height: file.media.video.height } : {}) });
      }
      resolve(files);
    };
    render(<Picker wish={wish} end={end} />, host);
  });
}

const PAGE_SIZE = 24;

function Picker({ wish, end }: { wish: PickerOptions; end: (files: LibraryFile[]) => void }) {
  const [q, setQ] = useState("");
  const kinds = wish.kind === undefined ? null : [wish.kind].flat() as readonly FileKind[];
  const [kind, setKind] = useState<string>(kinds?.[0] ?? "");
  const [pageNo, setPageNo] = useState(1);
  const [selected, setSelected] = useState<readonly LibraryFile[]>([]);
  const files = useLoad((signal) => assets.files({ q, kind, pageNo, pageSize: PAGE_SIZE }, signal), [q, kind, pageNo]);
  const isSingle = wish.several === false;
  const toggle = (file: LibraryFile) => {
    const others = selected.filter((one) => one.url !== file.url);
    const next = isSingle ? [file] : [...selected, file];
    setSelected(others.length < selected.length ? others : next);
  };
  const list = files.value?.list ?? [];
  const emptyWord = q === "" && kind === "" ? "library.empty" : q === "" && kind === "audio" ? "shelf.empty" : "library.empty.filtered";
  return (
    <Dialog title={t(kinds?.[0] === "audio" ? "shelf.title" : "library.pick.title")} open close={() => end([])} wide>
      <div class="filters">
        <NameSearch q={q} set={(next) => { setQ(next); setPageNo(1); }} />
        {kinds?.length !== 1 && <KindChoice kind={kind} set={(next) => { setKind(next); setPageNo(1); }} {...(kinds === null ? {} : { of: kinds })} />}
      </div>
      {files.error !== null && <ErrorBox error={files.error} retry={files.reload} />}
      {files.value === null && files.loading && <Skeleton rows={2} height={150} />}
      {files.value?.total === 0 && <Empty icon="library" title={t(emptyWord)} />}
      {kind === "audio" ? <AudioShelf files={list} selected={selected} toggle={isSingle ? (file) => end([file]) : toggle} />
        : <FileCards files={list} selected={selected} toggle={toggle} />}
      {files.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={files.value.total} go={setPageNo} />}
      <div class="dialog-actions picking-actions">
        <Button onClick={() => end([])}>{t("action.cancel")}</Button>
        {!(isSingle && kind === "audio") && <Button kind="primary" disabled={selected.length === 0} onClick={() => end([...selected])}>{t("library.pick.go", { n: selected.length })}</Button>}
      </div>
    </Dialog>
  );
}

interface FilesProps {
  files: readonly LibraryFile[];
  selected: readonly LibraryFile[];
  toggle: (file: LibraryFile) => void;
}

function FileCards({ files, selected, toggle }: FilesProps) {
  return (
    <ul class="library picking" aria-label={t("library.title")}>
      {files.map((file) => {
        const place = selected.findIndex((one) => one.url === file.url);
        return (
          <li key={file.url} class={`file-card ${place >= 0 ? "on" : ""}`}>
            <button type="button" class="file-open" aria-pressed={place >= 0} onClick={() => toggle(file)}>
              <span class="unseen">{t("library.pick.file", { name: fileTitle(file) })}</span>
              <FilePicture file={file} />
              {place >= 0 && <span class="pick-place" aria-hidden="true">{place + 1}</span>}
            </button>
            <FileWords file={file} />
          </li>
        );
      })}
    </ul>
  );
}

/** Audio has no image, but can be played before it is chosen. */
function AudioShelf({ files, selected, toggle }: FilesProps) {
  return (
    <ul class="shelf" aria-label={t("shelf.title")}>
      {files.map((file) => {
        const name = fileTitle(file);
        const isSelected = selected.some((one) => one.url === file.url);
        return (
          <li key={file.url} class={isSelected ? "on" : ""}>
            <AudioPlayer url={file.url} name={name} />
            <span class="shelf-words"><strong class="break">{name}</strong>
              <span class="small muted">{[...((file.duration ?? 0) > 0 ? [clock(file.duration ?? 0)] : []), bytes(file.sizeBytes)].join(" · ")}</span></span>
            <Button aria-pressed={isSelected} label={t("shelf.use.of", { name })} onClick={() => toggle(file)}>{t("shelf.use")}</Button>
          </li>
        );
      })}
    </ul>
  );
}
