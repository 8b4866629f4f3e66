"""Files on this machine: which to upload, which were uploaded already, and how downloads are checked."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from .errors import DownloadFailed
from .models import Item, Task, Upload

CHUNK = 1 << 20

Key = tuple[str, int, int]


@dataclass
class Uploaded:
    """What this client has uploaded, so that nothing is sent twice while it lives."""

    _known: dict[Key, Upload] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Key) -> Upload | None:
        with self._lock:
            return self._known.get(key)

    def remember(self, key: Key, upload: Upload) -> None:
        with self._lock:
            self._known[key] = upload


def key_of(path: Path) -> Key:
    """Another size or time of change means other content."""
    facts = path.stat()
    return str(path.resolve()), facts.st_size, facts.st_mtime_ns


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that is there only once all of it is written."""
    partial = path.with_name(path.name + ".part")
    with partial.open("wb") as part:
        yield part
    partial.replace(path)


def files_below(folder: Path, pattern: str) -> dict[str, Path]:
    """The files of a folder by their path relative to it; hidden ones are left out."""
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is not a folder")
    found = {path.relative_to(folder).as_posix(): path for path in sorted(folder.glob(pattern)) if path.is_file()}
    return {name: path for name, path in found.items() if not any(part.startswith(".") for part in name.split("/"))}


@dataclass(frozen=True)
class Wanted:
    """One file to download."""

    item_no: int
    url: str
    path: Path
    size: int | None
    sha256: str | None
    cover: bool

    @property
    def partial(self) -> Path:
        return self.path.with_name(self.path.name + ".part")

    def range(self) -> dict[str, str]:
        """The header that asks only for what an earlier attempt has not brought."""
        have = self.partial.stat().st_size if self.partial.is_file() else 0
        return {"Range": f"bytes={have}-"} if have else {}

    def fresh_url(self, task: Task) -> str:
        """The link to the same file in a newer answer."""
        for one in wanted(task, self.path.parent, self.cover):
            if (one.item_no, one.cover) == (self.item_no, self.cover):
                return one.url
        return self.url

    def is_there(self) -> bool:
        """Whether an earlier call downloaded the whole file."""
        return self.size is not None and self.path.is_file() and self._wrong(self.path) is None

    def finish(self) -> Path:
        """Takes a complete file into its place."""
        wrong = self._wrong(self.partial)
        if wrong:
            self.partial.unlink()
            raise DownloadFailed(self.path, wrong)
        self.partial.replace(self.path)
        return self.path

    def _wrong(self, path: Path) -> str | None:
        length = path.stat().st_size
        if self.size is not None and length != self.size:
            return f"{length} bytes came instead of {self.size}"
        if self.sha256 is not None:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != self.sha256:
                    return "the content is not what was described"
        return None


def wanted(task: Task, folder: Path, covers: bool) -> Iterator[Wanted]:
    """The files of a task that can be downloaded now, with names as in the service's archives."""
    for item in task.get("items") or []:
        yield from _of_item(task["taskNo"], item, folder, covers)


def _of_item(task_no: str, item: Item, folder: Path, covers: bool) -> Iterator[Wanted]:
    name = f"{task_no}-{item['itemNo']}"
    url, cover = item.get("url"), item.get("coverUrl")
    if url:
        yield Wanted(item["itemNo"], url, folder / f"{name}.mp4", item.get("sizeBytes"), item.get("sha256"), False)
    if covers and cover:
        yield Wanted(item["itemNo"], cover, folder / f"{name}.jpg", None, None, True)
