"""Retry policy: when a call is repeated, and after which delay. The repeating itself is done by tenacity."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tenacity import RetryCallState, retry_if_exception, wait_exponential, wait_random

from .errors import ApiError, ConnectionFailed


@dataclass(frozen=True)
class Retry:
    """Idempotent calls are repeated after lost connections, 429, 500 and 502 to 504."""

    attempts: int = 4
    """Maximum number of attempts; 1 disables retries."""
    first_pause: float = 0.5
    """Seconds before the second attempt; doubled before each further one."""
    longest_pause: float = 60.0
    """Maximum `Retry-After` to wait for; beyond it the error is raised."""

    def policy(self, repeatable: bool = True) -> dict[str, Any]:
        """The arguments of tenacity's `Retrying` and `AsyncRetrying`.

        Args:
            repeatable: Whether the call is idempotent. Other calls are repeated only if they were certainly rejected.
        """
        backoff = wait_exponential(multiplier=self.first_pause, max=self.longest_pause)
        # So that many clients do not retry at the same time.
        jitter = wait_random(0, self.first_pause / 4)

        def is_last(state: RetryCallState) -> bool:
            return state.attempt_number >= self.attempts or _requested(state) > self.longest_pause

        def pause(state: RetryCallState) -> float:
            return max(_requested(state), backoff(state) + jitter(state))

        return {
            "stop": is_last,
            "wait": pause,
            "retry": retry_if_exception(may_pass if repeatable else is_rejected),
            "reraise": True,
        }


ONCE = Retry(attempts=1)
"""For calls that are not retried one by one, such as polls: the next poll is the retry."""


def may_pass(error: BaseException) -> bool:
    """Whether the same call may succeed later."""
    if isinstance(error, ApiError):
        return error.status in (429, 500, 502, 503, 504)
    return isinstance(error, ConnectionFailed)


def is_rejected(error: BaseException) -> bool:
    """Whether the service certainly did not perform the call, and may perform it later."""
    return isinstance(error, ApiError) and error.status == 429


def _requested(state: RetryCallState) -> float:
    """`Retry-After` of the last response, in seconds."""
    error = state.outcome.exception() if state.outcome else None
    return (error.retry_after or 0.0) if isinstance(error, ApiError) else 0.0


def poll_pauses() -> Iterator[float]:
    """Intervals between polls of a task: short at first, every five seconds later."""
    pause = 0.5
    while True:
        yield jittered(pause)
        pause = min(pause * 1.4, 5.0)


def jittered(seconds: float) -> float:
    """Adds up to a quarter, so that many clients do not retry at the same time."""
    return seconds * random.uniform(1.0, 1.25)
