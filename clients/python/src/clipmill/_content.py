"""Audio and frames that the service returns as files."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx


@dataclass(frozen=True)
class Content:
    """A file returned by the service."""

    content: bytes = field(repr=False)
    """The file."""
    content_type: str
    """Its media type, such as `image/jpeg`."""

    def save(self, path: str | Path) -> Path:
        """Writes the file; an existing file is overwritten.

        Args:
            path: Where to write it.
        """
        path = Path(path)
        path.write_bytes(self.content)
        return path

    def __bytes__(self) -> bytes:
        """The file."""
        return self.content


@dataclass(frozen=True)
class Preview(Content):
    """A frame (JPEG), a clip (MP4) or an excerpt of audio (AAC in MP4)."""

    at_seconds: float | None
    """Time of the frame, or start of the clip or excerpt, in the output or file."""
    length_seconds: float | None
    """Length of the whole output or file."""

    @classmethod
    def of(cls, response: httpx.Response) -> Self:
        """The preview in a response.

        Args:
            response: A response whose body has been read.
        """
        times = (_number(response, name) for name in ("x-at-seconds", "x-length-seconds"))
        return cls(response.content, response.headers.get("content-type", ""), *times)


@dataclass(frozen=True)
class Speech(Content):
    """A spoken text (WAV)."""

    dot_count: int | None
    """Points charged; 0 if the service still had the audio."""

    @classmethod
    def of(cls, response: httpx.Response) -> Self:
        """The audio in a response.

        Args:
            response: A response whose body has been read.
        """
        points = _number(response, "x-dot-count")
        return cls(response.content, response.headers.get("content-type", ""), None if points is None else int(points))


def _number(response: httpx.Response, name: str) -> float | None:
    try:
        return float(response.headers[name])
    except (KeyError, ValueError):
        return None
