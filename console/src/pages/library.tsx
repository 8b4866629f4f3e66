// Uploaded files: search, view, rename, delete.

import { useState } from "preact/hooks";
import { t, type Word } from "../i18n";
import { ApiFailure, localLink } from "../lib/api";
import { FILE_KINDS, assets, type LibraryFile } from "../lib/assets";
import { go, link, place } from "../router";
import { Button, Dialog, Empty, ErrorBox, explain, Notice, PageHead, Pager, Skeleton } from "../ui/basic";
import { Icon } from "../ui/icon";
import { FilePicture, fileTitle, FileWords, KindChoice, NameSearch } from "../ui/library-grid";
import { SignedImage } from "../ui/signed-image";
import { toast } from "../ui/toast";
import { useLoad } from "../ui/use-load";

const PAGE_SIZE = 24;

type Doing = { act: "look" | "rename" | "delete"; file: LibraryFile };

export function Library() {
  const { search } = place.value;
  const q = search.get("q") ?? "";
  const kind = (FILE_KINDS as readonly string[]).includes(search.get("kind") ?? "") ? (search.get("kind") ?? "") : "";
  const requestedPage = Math.floor(Number(search.get("page") ?? 1));
  const pageNo = requestedPage >= 1 && requestedPage <= 1e6 ? requestedPage : 1;
  const [doing, setDoing] = useState<Doing | null>(null);
  const files = useLoad((signal) => assets.files({ q, kind, pageNo, pageSize: PAGE_SIZE }, signal), [q, kind, pageNo]);
  const set = (change: Record<string, string>) => {
    const next = new URLSearchParams(search);
    next.delete("page");
    for (const [name, value] of Object.entries(change)) value === "" || value === "1" && name === "page" ? next.delete(name) : next.set(name, value);
    go(`/library${next.size > 0 ? `?${next}` : ""}`, { replace: true });
  };
  const total = files.value?.total ?? 0;
  const last = Math.max(1, Math.ceil(total / PAGE_SIZE));
  if (files.value !== null && !files.loading && pageNo > last) queueMicrotask(() => set({ page: String(last) }));
  const close = (changed: boolean) => { setDoing(null); if (changed) files.reload(); };
  return (
    <>
      <PageHead title={t("library.title")} lead={t("library.lead")}>
        <a class="button primary" {...link("/new")}><Icon name="plus" /><span>{t("nav.new")}</span></a>
      </PageHead>
      <div class="filters find" role="search">
        <NameSearch q={q} set={(next) => set({ q: next })} />
        <KindChoice kind={kind} set={(next) => set({ kind: next })} />
      </div>
      {files.error !== null && <ErrorBox error={files.error} retry={files.reload} />}
      {files.value === null && files.loading && <Skeleton rows={3} height={180} />}
      {files.value && total === 0 && (q !== "" || kind !== "" ? <Empty icon="search" title={t("library.empty.filtered")} action={<Button onClick={() => go("/library", { replace: true })}>{t("tasks.empty.clear")}</Button>} />
        : <Empty icon="library" title={t("library.empty")}>{t("library.empty.lead")}</Empty>)}
      <ul class="library" aria-label={t("library.title")}>
        {(files.value?.list ?? []).map((file) => <Card key={file.url} file={file} act={(act) => setDoing({ act, file })} />)}
      </ul>
      {files.value && <Pager pageNo={pageNo} pageSize={PAGE_SIZE} total={total} go={(page) => set({ page: String(page) })} />}
      {doing?.act === "look" && <Look file={doing.file} close={() => close(false)} />}
      {doing?.act === "rename" && <Rename file={doing.file} close={close} />}
      {doing?.act === "delete" && <Delete file={doing.file} close={close} />}
    </>
  );
}

function Card({ file, act }: { file: LibraryFile; act: (act: Doing["act"]) => void }) {
  const name = fileTitle(file);
  return (
    <li class="file-card">
      <button type="button" class="file-open" onClick={() => act("look")}><span class="unseen">{t("library.open", { name })}</span><FilePicture file={file} /></button>
      <FileWords file={file} />
      <span class="file-actions">
        <a class="button quiet only-icon" href={localLink(file.fileUrl)} download={name} aria-label={`${t("library.save")}: ${name}`} title={t("library.save")}><Icon name="download" /></a>
        <Button kind="quiet" icon="edit" label={`${t("library.rename")}: ${name}`} onClick={() => act("rename")} />
        <Button kind="quiet" icon="trash" label={`${t("library.delete")}: ${name}`} onClick={() => act("delete")} />
      </span>
    </li>
  );
}

function Look({ file, close }: { file: LibraryFile; close: () => void }) {
  const [unplayable, setUnplayable] = useState(false);
  const src = localLink(file.fileUrl);
  const name = fileTitle(file);
  return (
    <Dialog title={name} open close={close} wide>
      <div class="stage look">
        {file.kind === "audio" ? <audio controls src={src} aria-label={name} onError={() => setUnplayable(true)} />
          : file.kind === "video" && !unplayable ? <video controls playsInline src={src} aria-label={name} onError={() => setUnplayable(true)} />
            : <SignedImage path={file.thumbnail} icon="text" width={720} />}
      </div>
      {unplayable && <Notice tone="info">{t("library.unplayable")}</Notice>}
      <FileWords file={file} />
    </Dialog>
  );
}

function Rename({ file, close }: { file: LibraryFile; close: (changed: boolean) => void }) {
  const [name, setName] = useState(file.name ?? "");
  const [error, setError] = useState<string | null>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    try {
      await assets.rename(file.url, name.trim());
      toast("good", t("library.renamed"));
      close(true);
    } catch (failure) {
      setError(explain(failure));
    }
  };
  return (
    <Dialog title={t("library.rename")} open close={() => close(false)}>
      <form onSubmit={send}>
        <label class="field-head" for="file-name">{t("library.rename.name")}</label>
        <input id="file-name" class="input" value={name} maxLength={255} autoFocus aria-invalid={error !== null} onInput={(event) => setName(event.currentTarget.value)} />
        {error !== null && <p class="field-error" role="alert"><Icon name="error" size={15} /><span>{error}</span></p>}
        <div class="dialog-actions"><Button onClick={() => close(false)}>{t("action.cancel")}</Button><Button kind="primary" type="submit" disabled={name.trim() === ""}>{t("library.rename")}</Button></div>
      </form>
    </Dialog>
  );
}

/** What uses a file, by the number in the error, and its page. */
function neededBy(error: unknown): { by: string; word: Word; page?: { path: string; word: Word } } | null {
  if (!(error instanceof ApiFailure) || error.code !== 40904) return null;
  const by = String(error.data?.neededBy ?? "");
  if (by === "brand") return { by: "", word: "library.needed.brand", page: { path: "/brand", word: "library.needed.brand.go" } };
  switch (by.slice(0, 2)) {
    case "VP": return { by, word: "library.needed.task", page: { path: `/tasks/${by}`, word: "library.needed.go" } };
    case "DP": return { by, word: "library.needed.draft", page: { path: `/new/draft/${by}`, word: "library.needed.draft.go" } };
    case "TP": return { by, word: "library.needed.template" };
    default: return { by, word: "library.needed.batch" };
  }
}

function Delete({ file, close }: { file: LibraryFile; close: (changed: boolean) => void }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const name = fileTitle(file);
  const needed = neededBy(error);
  const send = async () => {
    setBusy(true);
    try {
      await assets.remove(file.url);
      toast("good", t("library.deleted"));
      close(true);
    } catch (failure) {
      // The file was already deleted.
      if (failure instanceof ApiFailure && failure.status === 404) return close(true);
      setError(failure);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t("library.delete.sure", { name })} open close={() => close(false)}>
      {needed ? (
        <Notice tone="warn" title={t("library.needed")}><p>{t(needed.word)}</p>
          <p>{needed.page && <a {...link(needed.page.path)}>{t(needed.page.word)}</a>} <span class="mono small">{needed.page && needed.by !== "" ? `…${needed.by.slice(-8)}` : needed.by}</span></p>
        </Notice>
      ) : error !== null ? <Notice tone="bad">{explain(error)}</Notice> : <p>{t("library.delete.lead")}</p>}
      <div class="dialog-actions"><Button onClick={() => close(false)}>{t(needed ? "action.close" : "action.cancel")}</Button>
        {needed === null && <Button kind="danger" busy={busy} onClick={send}>{t("library.delete")}</Button>}</div>
    </Dialog>
  );
}
