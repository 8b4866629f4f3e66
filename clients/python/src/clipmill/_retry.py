"""Retry policy: when a call is repeated, and after which delay."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

import httpx

from .errors import retry_after


@dataclass(frozen=True)
class Retry:
    """Idempotent calls are repeated after lost connections, 429 and 5xx."""

    attempts: int = 4
    """Maximum number of attempts; 1 disables retries."""
    first_pause: float = 0.5
    """Seconds before the second attempt; doubled before each further one."""
    longest_pause: float = 60.0
    """Maximum `Retry-After` to wait for; beyond it the error is raised."""

    def pause_after(self, attempt: int, response: httpx.Response | None) -> float | None:
        """Seconds to wait after the attempt of this number (from 1), or None if the outcome is final."""
        if response is not None and response.status_code not in (429, 500, 502, 503, 504):
            return None
        if attempt >= self.attempts:
            return None
        requested = retry_after(response) if response is not None else None
        if requested is not None and requested > self.longest_pause:
            return None
        return max(requested or 0.0, jittered(min(self.first_pause * 2 ** (attempt - 1), self.longest_pause)))


def poll_pauses() -> Iterator[float]:
    """Intervals between polls of a task: short at first, every five seconds later."""
    pause = 0.5
    while True:
        yield jittered(pause)
        pause = min(pause * 1.4, 5.0)


def jittered(seconds: float) -> float:
    """Adds up to a quarter, so that many clients do not retry at the same time."""
    return seconds * random.uniform(1.0, 1.25)
