"""Waiting for tasks and batches, independent of the transport: both clients run the same steps.

A step is a call to make or a number of seconds to sleep. The driver sends back the response or the error of the call.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterable, Mapping
from datetime import datetime, timedelta
from math import ceil
from typing import Any, NoReturn

import httpx

from . import _calls
from ._calls import FINAL, Call
from ._retry import jittered, poll_pauses
from .errors import ConnectionFailed, ServiceUnavailable, TooManyRequests, WaitAllTimeout, WaitTimeout
from .models import Task

UNREACHABLE_S = 300.0
"""How long waiting tolerates a service that does not respond, for instance during an upgrade."""

PAGE = 100
"""The largest page of a list."""

Temporary = ConnectionFailed | ServiceUnavailable | TooManyRequests
TEMPORARY = (ConnectionFailed, ServiceUnavailable, TooManyRequests)
"""Errors after which the same call may succeed later."""

Outcome = httpx.Response | Temporary | None
Steps = Generator[Call | float, Outcome, Any]


class Pacer:
    """Keeps polling below the rate limit of the key; a quarter of the burst remains for other calls."""

    UNKNOWN_S = 0.2
    """Interval of calls to a service that does not report its limit."""

    def __init__(self) -> None:
        self._pause = 0.0
        self._since = time.monotonic()

    def note(self, headers: Mapping[str, str]) -> None:
        """Reads the headers `RateLimit-Policy` and `RateLimit` of a response."""
        self._since = time.monotonic()
        try:
            burst, seconds = _parameter(headers["ratelimit-policy"], "q"), _parameter(headers["ratelimit-policy"], "w")
            remaining = _parameter(headers["ratelimit"], "r")
            self._pause = max(0.0, burst / 4 + 1 - remaining) * seconds / burst
        except (KeyError, ValueError, ZeroDivisionError):
            self._pause = self.UNKNOWN_S

    def pause(self) -> float:
        """Seconds until the next call fits."""
        return max(0.0, self._pause - (time.monotonic() - self._since))


def _parameter(header: str, name: str) -> float:
    for part in header.split(";"):
        key, _, value = part.strip().partition("=")
        if key == name:
            return float(value)
    raise KeyError(name)


class _Clock:
    """The deadline of a wait, and since when the service has not responded."""

    def __init__(self, timeout: float | None):
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._responded = time.monotonic()

    def remaining(self) -> float:
        return float("inf") if self._deadline is None else self._deadline - time.monotonic()

    def responded(self) -> None:
        self._responded = time.monotonic()

    def pause_after(self, error: Temporary, pause: float) -> float:
        """Seconds until the next attempt; raises the error of a service that has been unavailable for too long."""
        if isinstance(error, TooManyRequests):
            self.responded()
        if time.monotonic() - self._responded > UNREACHABLE_S:
            raise error
        requested = None if isinstance(error, ConnectionFailed) else error.retry_after
        return max(pause, requested + jittered(pause) - pause if requested else 0.0)


def wait(call: Call, number: str, timeout: float | None, on_change: Callable[[Any], None] | None) -> Steps:
    """Repeats a call for a task or a batch until it has ended."""
    clock = _Clock(timeout)
    seen: Any = None
    for pause in poll_pauses():
        outcome = yield call
        try:
            now = _data(outcome)
            clock.responded()
            if on_change and has_moved(seen, now):
                on_change(now)
            seen = now
            if now["status"] >= FINAL:
                return now
        except TEMPORARY as error:
            pause = clock.pause_after(error, pause)
        if clock.remaining() <= 0:
            break
        yield min(pause, clock.remaining())
    raise WaitTimeout(number, seen)


def wait_all(task_nos: Iterable[str], timeout: float | None, on_change: Callable[[Task], None] | None) -> Steps:
    """Polls pages of the list until all tasks have ended."""
    wanted = list(task_nos)
    waiting = _Waiting(wanted, _Clock(timeout), on_change)
    for pause in poll_pauses():
        yield from waiting.poll()
        if not waiting.open:
            break
        if waiting.clock.remaining() <= 0:
            waiting.give_up()
        yield min(pause, waiting.clock.remaining())
    return [waiting.ended[number] for number in wanted]


class _Waiting:
    """Tasks that are awaited in one call."""

    def __init__(self, wanted: list[str], clock: _Clock, on_change: Callable[[Task], None] | None):
        self.clock = clock
        self.open: dict[str, Task | None] = dict.fromkeys(wanted)
        self.ended: dict[str, Task] = {}
        self._on_change = on_change
        self._pacer = Pacer()

    def poll(self) -> Steps:
        """Requests the state of every open task once."""
        missing = set(self.open)
        # Tasks that are far apart in the list need fewer calls one by one.
        pages = ceil(len(missing) / PAGE) + 1 + len(missing) // 10 if len(missing) > 2 else 0
        window = self._window()
        for page_no in range(1, pages + 1):
            page = yield from self._ask(_calls.page("list", page_no, PAGE, **window))
            for task in page["list"]:
                number = task["taskNo"]
                if number in missing:
                    missing.discard(number)
                    # Lists omit the items, so an ended task is read individually.
                    if task["status"] >= FINAL:
                        task = yield from self._ask(_calls.of_task("status", number))
                    self._note(number, task)
            if not missing or len(page["list"]) < PAGE:
                break
        for number in [number for number in self.open if number in missing]:
            self._note(number, (yield from self._ask(_calls.of_task("status", number))))

    def give_up(self) -> NoReturn:
        raise WaitAllTimeout(self.open, self.ended)

    def _note(self, number: str, task: Task) -> None:
        before = self.open[number]
        if task["status"] >= FINAL:
            del self.open[number]
            self.ended[number] = task
        else:
            self.open[number] = task
        if self._on_change and has_moved(before, task):
            self._on_change(task)

    def _window(self) -> dict[str, str]:
        """The time range in which the open tasks were submitted, once all of them have been seen."""
        times = [task and task.get("createTime") for task in self.open.values()]
        if not times or not all(times):
            return {}
        last = datetime.fromisoformat(max(str(time) for time in times)) + timedelta(seconds=1)
        return {"from": min(str(time) for time in times), "to": last.isoformat()}

    def _ask(self, call: Call) -> Steps:
        """The data of a response, repeating the call as often as necessary."""
        for pause in poll_pauses():
            yield from self._sleep(self._pacer.pause())
            outcome = yield call
            try:
                data = _data(outcome)
                assert isinstance(outcome, httpx.Response)
                self._pacer.note(outcome.headers)
                self.clock.responded()
                return data
            except TEMPORARY as error:
                yield from self._sleep(self.clock.pause_after(error, pause))

    def _sleep(self, seconds: float) -> Steps:
        remaining = self.clock.remaining()
        if seconds > 0:
            yield max(0.0, min(seconds, remaining))
        if seconds > remaining:
            self.give_up()


def _data(outcome: Outcome) -> Any:
    if isinstance(outcome, httpx.Response):
        return _calls.data(outcome)
    assert outcome is not None
    raise outcome


def has_moved(before: Any, after: Any) -> bool:
    """Whether a task or a batch is in another state or has made progress."""
    if before is None:
        return True
    return bool((before["status"], before["progressPercent"]) != (after["status"], after["progressPercent"]))
