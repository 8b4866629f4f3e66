"""Tasks, points, catalogues and callbacks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, cast

from . import _calls, _waiting
from ._async_base import AsyncBase
from ._async_paging import AsyncListing
from ._calls import FINAL, Call
from ._events import Event
from ._retry import ONCE
from .errors import ConnectionFailed, TaskFailed
from .models import (
    Balance,
    Batch,
    Callback,
    CallbackTest,
    CaptionStyleCatalogue,
    Catalogue,
    DiversityPair,
    Estimate,
    EventType,
    FontCatalogue,
    Output,
    PointsRecord,
    RecordType,
    Submission,
    Submit,
    Task,
    TaskRequest,
    TaskTypeName,
    VoiceCatalogue,
)


class AsyncTasks(AsyncBase):
    """The calls of a client that concern tasks and the account."""

    # Tasks

    async def submit(self, request: Submission, *, client_task_id: str | None = None) -> Submit:
        """Submits a task. If the response is lost, retries with the same `clientTaskId`, which never costs twice.

        If neither the argument nor the request has an ID, one is generated: calling `submit` twice creates two tasks.

        Args:
            request: The request, or `{"template": number, "values": {…}}`.
            client_task_id: Your own ID of the task; replaces `clientTaskId` of the request.
        """
        call = _calls.submit(request, client_task_id)
        try:
            return cast(Submit, await self.call(call))
        except ConnectionFailed as error:
            error.client_task_id = call.json["clientTaskId"]
            raise

    async def estimate(self, request: Submission, *, preflight: bool = False) -> Estimate:
        """Estimates the price and the outputs of a submission.

        Args:
            request: The request, as for `submit`.
            preflight: Whether to probe the files, for an exact estimate.
        """
        return cast(Estimate, await self.call(_calls.estimate(request, preflight)))

    async def status(self, task_no: str) -> Task:
        """The state of a task, with its items.

        Args:
            task_no: Number of the task.
        """
        return cast(Task, await self.call(_calls.of_task("status", task_no)))

    async def request(self, task_no: str) -> TaskRequest:
        """The request of a task, for changing and submitting it again.

        Args:
            task_no: Number of the task.
        """
        return cast(TaskRequest, await self.call(_calls.of_task("request", task_no)))

    def diversity(self, task_no: str, *, page_size: int = 1000) -> AsyncListing[DiversityPair]:
        """All pairs of outputs with their shared footage, those that share most first.

        Args:
            task_no: Number of the task.
            page_size: Pairs per call, at most 2,000.
        """
        call = _calls.listed(f"video-process/diversity/{task_no}")
        return self._listing(call, lambda pair: tuple(pair["items"]), page_size)

    async def rename(self, task_no: str, *, name: str | None = None, labels: list[str] | None = None) -> Task:
        """Renames a task or changes its labels. Omitted values are unchanged.

        Args:
            task_no: Number of the task.
            name: The new name; an empty one clears it.
            labels: The new labels; an empty list clears them.
        """
        return cast(Task, await self.call(_calls.rename(task_no, name, labels)))

    async def cancel(self, task_no: str) -> Task:
        """Cancels a task; raises Conflict (40901) if it has already ended.

        Args:
            task_no: Number of the task.
        """
        return cast(Task, await self.call(_calls.of_task("cancel", task_no, "POST")))

    async def wait(
        self, task_no: str, *, timeout: float | None = None, on_change: Callable[[Task], None] | None = None
    ) -> Task:
        """Returns the task once it has ended, in any final state.

        For many tasks use `wait_all`: it makes far fewer calls.

        Args:
            task_no: Number of the task.
            timeout: Seconds after which WaitTimeout is raised; the task continues.
            on_change: Receives the task at each change of state or percentage.
        """
        steps = _waiting.wait(_calls.of_task("status", task_no), task_no, timeout, on_change)
        return cast(Task, await self._drive(steps))

    async def wait_all(
        self,
        task_nos: Iterable[str],
        *,
        timeout: float | None = None,
        on_change: Callable[[Task], None] | None = None,
    ) -> list[Task]:
        """Returns tasks in the order given, once all have ended, in any final state.

        Polls pages of 100 tasks and stays below the rate limit of the key. Raises WaitAllTimeout, which has the tasks
        that have ended by then.

        Args:
            task_nos: Numbers of the tasks.
            timeout: Seconds after which WaitAllTimeout is raised; the tasks continue.
            on_change: Receives a task at each change of state or percentage, without items until it has ended.
        """
        return cast(list[Task], await self._drive(_waiting.wait_all(task_nos, timeout, on_change)))

    async def wait_for_batch(
        self, batch_no: str, *, timeout: float | None = None, on_change: Callable[[Batch], None] | None = None
    ) -> Batch:
        """Returns the batch once it has ended, in any final state.

        Args:
            batch_no: Number of the batch.
            timeout: Seconds after which WaitTimeout is raised; the batch continues.
            on_change: Receives the batch at each change of state or percentage.
        """
        steps = _waiting.wait(_calls.batch(batch_no), batch_no, timeout, on_change)
        return cast(Batch, await self._drive(steps))

    async def _drive(self, steps: _waiting.Steps) -> Any:
        outcome: _waiting.Outcome = None
        try:
            while True:
                step = steps.send(outcome)
                outcome = None
                if isinstance(step, float):
                    await asyncio.sleep(step)
                    continue
                try:
                    outcome = await self.send(step, retry=ONCE)
                except _waiting.TEMPORARY as error:
                    outcome = error
        except StopIteration as end:
            return end.value

    async def run(
        self,
        request: Submission,
        *,
        client_task_id: str | None = None,
        timeout: float | None = None,
        on_change: Callable[[Task], None] | None = None,
    ) -> Task:
        """Submits and waits. Raises TaskFailed unless the task is completed. Check `failedItems` in any case.

        Args:
            request: The request, as for `submit`.
            client_task_id: Your own ID of the task, as for `submit`.
            timeout: Seconds after which WaitTimeout is raised; the task continues.
            on_change: Receives the task at each change of state or percentage.
        """
        submitted = await self.submit(request, client_task_id=client_task_id)
        task = await self.wait(submitted["taskNo"], timeout=timeout, on_change=on_change)
        if task["status"] != FINAL:
            raise TaskFailed(task)
        return task

    def watch(self, task_no: str) -> AsyncIterator[Event]:
        """Live events until the task has ended; resumes interrupted connections without gaps.

        Args:
            task_no: Number of the task.
        """
        return self._events(_calls.of_task("events", task_no).path)

    def watch_batch(self, batch_no: str) -> AsyncIterator[Event]:
        """Live events until the batch has ended; resumes interrupted connections.

        Args:
            batch_no: Number of the batch.
        """
        return self._events(f"{_calls.batch(batch_no).path}/events")

    def tasks(
        self,
        *,
        status: int | None = None,
        task_type: TaskTypeName | None = None,
        q: str | None = None,
        label: str | None = None,
        from_time: str | None = None,
        to_time: str | None = None,
        page_size: int = 100,
    ) -> AsyncListing[Task]:
        """Tasks, the newest first, without their items.

        Args:
            status: Only tasks in this state.
            task_type: Only tasks of this type.
            q: Prefixes of words in names, numbers and IDs; every word must match.
            label: Only tasks with this label.
            from_time: Only tasks submitted at this time or later: RFC 3339, or a date (UTC).
            to_time: Only tasks submitted before this time.
            page_size: Tasks per call, at most 100.
        """
        filters = {"status": status, "taskType": task_type, "q": q, "label": label, "from": from_time, "to": to_time}
        call = _calls.listed("video-process/list", **filters)
        return self._listing(call, lambda task: task["taskNo"], page_size)

    def outputs(
        self,
        *,
        q: str | None = None,
        label: str | None = None,
        task_type: TaskTypeName | None = None,
        from_time: str | None = None,
        to_time: str | None = None,
        page_size: int = 100,
    ) -> AsyncListing[Output]:
        """The finished videos of all tasks, those of the newest task first; at most 10,000.

        Args:
            q: Only outputs of tasks that match, as for `tasks`.
            label: Only outputs of tasks with this label.
            task_type: Only outputs of tasks of this type.
            from_time: Only outputs of tasks submitted at this time or later: RFC 3339, or a date (UTC).
            to_time: Only outputs of tasks submitted before this time.
            page_size: Outputs per call, at most 100.
        """
        filters = {"q": q, "label": label, "taskType": task_type, "from": from_time, "to": to_time}
        call = _calls.listed("video-process/outputs", **filters)
        return self._listing(call, lambda output: (output["taskNo"], output["itemNo"]), page_size)

    # Points, catalogues, callbacks

    async def balance(self, *, details: bool = False) -> Balance:
        """The points of the account.

        Args:
            details: Whether to add the scopes of the key and the operator's contact, as `account`.
        """
        call = Call("GET", _calls.plain("balance").path, {"details": "true"} if details else {})
        return cast(Balance, await self.call(call))

    def records(
        self, *, type: RecordType | None = None, task_no: str | None = None, page_size: int = 100
    ) -> AsyncListing[PointsRecord]:
        """Movements of points, the newest first.

        Args:
            type: Only records of this type.
            task_no: Only records of this task.
            page_size: Records per call, at most 100.
        """
        call = _calls.listed("video-process/records", type=type, taskNo=task_no)
        return self._listing(call, lambda record: record["recordNo"], page_size)

    async def effects(self) -> Catalogue:
        """Effects for clips."""
        return cast(Catalogue, await self.call(_calls.plain("effects")))

    async def looks(self) -> Catalogue:
        """Colour looks."""
        return cast(Catalogue, await self.call(_calls.plain("looks")))

    async def transitions(self) -> Catalogue:
        """Transitions between clips."""
        return cast(Catalogue, await self.call(_calls.plain("transitions")))

    async def fonts(self) -> FontCatalogue:
        """Fonts for captions."""
        return cast(FontCatalogue, await self.call(_calls.plain("fonts")))

    async def caption_styles(self) -> CaptionStyleCatalogue:
        """Named styles of captions."""
        return cast(CaptionStyleCatalogue, await self.call(_calls.plain("caption-styles")))

    async def voices(self) -> VoiceCatalogue:
        """Voices for spoken texts, the default first; the list is empty if the service speaks no texts."""
        return cast(VoiceCatalogue, await self.call(_calls.plain("voices")))

    async def callback(self, task_no: str) -> Callback:
        """The delivery status of a task's callback, with every attempt.

        Args:
            task_no: Number of the task.
        """
        return cast(Callback, await self.call(_calls.of_task("callbacks", task_no)))

    async def redeliver_callback(self, task_no: str) -> Callback:
        """Delivers the callback of a task once more.

        Args:
            task_no: Number of the task.
        """
        return cast(Callback, await self.call(_calls.redeliver(task_no)))

    async def test_callback(self, url: str, *, type: EventType | None = None) -> CallbackTest:
        """Sends one signed sample to a URL and returns the response of the receiver.

        Args:
            url: The URL of the receiver.
            type: The event to simulate. Default: `task.completed`.
        """
        return cast(CallbackTest, await self.call(_calls.test_callback(url, type)))
