# Generated from _async_body.py by scripts/generate-clients.sh; do not edit.
"""The content of an upload, sent in chunks: memory use does not depend on its size."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO, cast

from . import _blocking
from ._files import OnProgress

CHUNK = 1 << 18

Source = str | Path | bytes | BinaryIO | _blocking.Chunks
"""What can be uploaded: a path, bytes, an open binary file, or chunks of bytes."""


class Body:
    """The content of one upload, for any number of attempts unless it can be read only once."""

    def __init__(self, source: Source, on_progress: OnProgress | None) -> None:
        self._source = cast("Any", source)
        self._on_progress = on_progress
        self._start = 0
        self.size: int | None = None
        """In bytes; None if it is known only at the end."""
        self.repeatable = True
        """Whether a further attempt can send the content again."""
        if isinstance(source, (str, Path)):
            self.size = os.stat(source).st_size
        elif isinstance(source, bytes):
            self.size = len(source)
        elif _is_seekable(source):
            self._start = self._source.tell()
            self.size = self._source.seek(0, os.SEEK_END) - self._start
        else:
            self.repeatable = False

    def chunks(self) -> _blocking.Reading:
        """The content from its start. `on_progress` is called for each chunk that has been sent."""
        sent = 0
        with closing(self._read()) as chunks:
            for chunk in chunks:
                if not isinstance(chunk, bytes):
                    raise TypeError(f"the content of an upload must be bytes, not {type(chunk).__name__}")
                yield chunk
                sent += len(chunk)
                if self._on_progress:
                    self._on_progress(sent, self.size)

    def _read(self) -> _blocking.Reading:
        source = self._source
        if isinstance(source, (str, Path)):
            path = Path(source)
            with path.open("rb") as file:
                while chunk := file.read(CHUNK):
                    yield chunk
        elif isinstance(source, bytes):
            for start in range(0, len(source), CHUNK):
                yield source[start : start + CHUNK]
        elif hasattr(source, "read"):
            if self.repeatable:
                source.seek(self._start)
            while chunk := source.read(CHUNK):
                yield chunk
        else:
            for chunk in _blocking.chunks_of(source):
                yield chunk


def _is_seekable(source: Any) -> bool:
    return hasattr(source, "read") and hasattr(source, "seekable") and bool(source.seekable())


def name_of(source: Any) -> str | None:
    """The file name of a path or an open file."""
    if isinstance(source, (str, Path)):
        return Path(source).name
    name = getattr(source, "name", None)
    return Path(name).name if isinstance(name, str) else None
