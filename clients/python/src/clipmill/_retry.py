"""When a call is made again, and how long to wait before it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from .errors import retry_after


@dataclass(frozen=True)
class Retry:
    """Calls that may be repeated are, after lost connections, 429 and 5xx."""

    attempts: int = 4
    """How often a call is made at most; 1 means never again."""
    first_pause: float = 0.5
    """Seconds before the second attempt; doubled before each further one."""
    longest_pause: float = 60.0
    """A `Retry-After` beyond this is not waited for: the error is raised."""

    def pause_after(self, attempt: int, response: httpx.Response | None) -> float | None:
        """Seconds to wait after the attempt of this number (from 1), or None when its outcome counts."""
        if response is not None and response.status_code not in (429, 500, 502, 503, 504):
            return None
        if attempt >= self.attempts:
            return None
        asked = retry_after(response) if response is not None else None
        if asked is not None and asked > self.longest_pause:
            return None
        return max(asked or 0.0, jittered(min(self.first_pause * 2 ** (attempt - 1), self.longest_pause)))


def poll_pauses() -> Iterator[float]:
    """Pauses between looks at a task: soon at first, every five seconds later."""
    pause = 0.5
    while True:
        yield jittered(pause)
        pause = min(pause * 1.4, 5.0)


def jittered(seconds: float) -> float:
    """Up to a quarter more, so that many clients do not come back all at once."""
    return seconds * random.uniform(1.0, 1.25)
