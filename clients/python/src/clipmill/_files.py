"""Files on this machine: selection and bookkeeping of uploads, names and checks of downloads."""

from __future__ import annotations

import filecmp
import functools
import hashlib
import re
import threading
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO
from urllib.parse import unquote

from .errors import DownloadFailed
from .models import Item, Task, Upload

Key = tuple[str, int, int]
OnProgress = Callable[[int, int | None], None]
"""Receives the number of bytes sent, and their total if it is known."""


@dataclass
class Uploaded:
    """The uploads of this client, so that no file is sent twice during its lifetime."""

    _known: dict[Key, Upload] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Key) -> Upload | None:
        with self._lock:
            return self._known.get(key)

    def remember(self, key: Key, upload: Upload) -> None:
        with self._lock:
            self._known[key] = upload


def key_of(path: Path) -> Key:
    """A different size or modification time means different content."""
    facts = path.stat()
    return str(path.resolve()), facts.st_size, facts.st_mtime_ns


class FolderProgress:
    """Adds up the progress of files that are uploaded side by side."""

    def __init__(self, paths: Iterable[Path], on_progress: OnProgress | None) -> None:
        self._sizes = {path: path.stat().st_size for path in paths} if on_progress else {}
        self._sent: dict[Path, int] = {}
        self._on_progress = on_progress
        self._lock = threading.Lock()

    def of(self, path: Path) -> OnProgress:
        """The progress of one file."""
        return lambda sent, _: self._note(path, sent)

    def done(self, path: Path) -> None:
        """A file is stored, even if nothing was sent because it had been uploaded before."""
        if self._sent.get(path) != self._sizes.get(path):
            self._note(path, self._sizes.get(path, 0))

    def _note(self, path: Path, sent: int) -> None:
        if self._on_progress:
            # Files are sent by several threads.
            with self._lock:
                self._sent[path] = sent
                self._on_progress(sum(self._sent.values()), sum(self._sizes.values()))


@contextmanager
def whole(partial: Path) -> Iterator[BinaryIO]:
    """A file that is removed unless it is written completely."""
    try:
        with partial.open("wb") as part:
            yield part
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


MAX_NAME_LENGTH = 200
"""In bytes; file systems allow 255."""
_EXTENDED = re.compile(r"(?:^|;)\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)", re.IGNORECASE)
_PLAIN = re.compile(r'(?:^|;)\s*filename\s*=\s*"?([^";]*)', re.IGNORECASE)
_RESERVED = re.compile(r'[:*?"<>|]')
_DEVICE = re.compile(r"(con|prn|aux|nul|(com|lpt)[0-9¹²³])\s*(\.|$)", re.IGNORECASE)


def named(disposition: str | None, default: str) -> str:
    """The file name of a response if it is a valid plain name; else the default.

    The server cannot choose another folder or file type.
    """
    header = disposition or ""
    extended, plain = _EXTENDED.search(header), _PLAIN.search(header)
    sent = unquote(extended[1], errors="replace") if extended else plain[1] if plain else ""
    text = "".join(character for character in re.split(r"[/\\]", sent)[-1] if _is_shown(character))
    ending = Path(default).suffix
    stem = _RESERVED.sub("-", text).removesuffix(ending).strip(" .")
    if not text.endswith(ending) or not stem:
        return default
    stem = stem.encode()[: MAX_NAME_LENGTH - len(ending)].decode(errors="ignore").strip(" .")
    name = stem + ending
    return f"_{name}" if _DEVICE.match(name) else name


def _is_shown(character: str) -> bool:
    """Rejects control characters and marks that reorder a displayed name; keeps joiners of scripts and emoji."""
    return unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or character in "\u200c\u200d"


def add(partial: Path, folder: Path, name: str, *, same: bool = False) -> Path:
    """Moves a complete file into a folder; if another file has its name, ` (2)` is added.

    With `same`, a file of that name and the same content is kept.
    """
    path, number = folder / name, 1
    while True:
        try:
            # Creating the file reserves the name.
            path.open("xb").close()
        except FileExistsError:
            if same and path.is_file() and filecmp.cmp(partial, path, shallow=False):
                partial.unlink()
                return path
            number += 1
            path = folder / f"{Path(name).stem} ({number}){Path(name).suffix}"
        else:
            try:
                return partial.replace(path)
            except BaseException:
                path.unlink(missing_ok=True)
                raise


def files_below(folder: Path, pattern: str) -> dict[str, Path]:
    """The files of a folder by their path relative to it, without hidden ones."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder")
    paths = {path.relative_to(folder).as_posix(): path for path in sorted(folder.glob(pattern)) if path.is_file()}
    return {name: path for name, path in paths.items() if not any(part.startswith(".") for part in name.split("/"))}


@dataclass(frozen=True)
class Wanted:
    """One file to download. The service may set its name in the response."""

    item_no: int
    url: str
    folder: Path
    numbered: str
    size: int | None
    sha256: str | None
    cover: bool

    @property
    def partial(self) -> Path:
        return self.folder / f"{self.numbered}.part"

    def range(self) -> dict[str, str]:
        """The header that requests only the bytes missing from an earlier attempt."""
        have = self.partial.stat().st_size if self.partial.is_file() else 0
        return {"Range": f"bytes={have}-"} if have else {}

    def fresh_url(self, task: Task) -> str:
        """The link to the same file in a newer response."""
        for one in wanted(task, self.folder, self.cover):
            if (one.item_no, one.cover) == (self.item_no, self.cover):
                return one.url
        return self.url

    def finish(self, disposition: str | None) -> Path:
        """Moves a complete file into place."""
        wrong = self._wrong(self.partial)
        if wrong:
            self.partial.unlink()
            raise DownloadFailed(self.folder / self.numbered, wrong)
        return add(self.partial, self.folder, named(disposition, self.numbered), same=self.sha256 is None)

    def _wrong(self, path: Path) -> str | None:
        length = path.stat().st_size
        if self.size is not None and length != self.size:
            return f"{length} bytes came instead of {self.size}"
        if self.sha256 is not None and _sha256(path) != self.sha256:
            return "the content is not what was described"
        return None


def wanted(task: Task, folder: Path, covers: bool) -> Iterator[Wanted]:
    """The files of a task that are available for download."""
    for item in task.get("items") or []:
        yield from _of_item(task["taskNo"], item, folder, covers)


def present(files: list[Wanted], folder: Path) -> dict[Wanted, Path]:
    """Files downloaded by an earlier call, identified by content, whatever their names; one per output."""
    existing: dict[tuple[str, int], list[Path]] = {}
    for path in sorted(path for path in folder.iterdir() if path.is_file()):
        existing.setdefault((path.suffix, path.stat().st_size), []).append(path)
    digest = functools.cache(_sha256)
    matches: dict[Wanted, Path] = {}
    for file in files:
        if file.size is None or file.sha256 is None:
            continue
        candidates = existing.get((Path(file.numbered).suffix, file.size), [])
        match = next((path for path in candidates if digest(path) == file.sha256), None)
        if match is not None:
            matches[file] = match
            candidates.remove(match)
    return matches


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _of_item(task_no: str, item: Item, folder: Path, covers: bool) -> Iterator[Wanted]:
    name = f"{task_no}-{item['itemNo']}"
    url, cover = item.get("url"), item.get("coverUrl")
    if url:
        yield Wanted(item["itemNo"], url, folder, f"{name}.mp4", item.get("sizeBytes"), item.get("sha256"), False)
    if covers and cover:
        yield Wanted(item["itemNo"], cover, folder, f"{name}.jpg", None, None, True)
