"""Exceptions of the client, with the data that a program needs to handle them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from .models import FieldError, Task, Upload


class ClipmillError(Exception):
    """Base of all errors of this package."""


class NotConfigured(ClipmillError, ValueError):
    """The URL of the service or the API key was neither passed to the client nor set in the environment."""


class ApiError(ClipmillError):
    """The service refused a call. See docs/api/errors.md of the service for the codes."""

    def __init__(
        self,
        status: int,
        code: int,
        message: str,
        data: dict[str, Any],
        request_id: str | None,
        retry_after: float | None,
    ):
        self.status = status
        """The HTTP status."""
        self.code = code
        """The code of the error, such as 40001."""
        self.message = message
        """The message, in the language of the client."""
        self.data = data
        """Facts about the error, which depend on the code."""
        self.request_id = request_id
        """Quote it when you report a problem."""
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, as requested by the service."""
        self.errors: list[FieldError] = data.get("errors") or []
        """Error 40001: every invalid field with its JSON Pointer."""
        super().__init__(self._text())

    def _text(self) -> str:
        fields = "".join(f"\n  {field['path']}: {field['message']}" for field in self.errors)
        return f"{self.code}: {self.message} (request {self.request_id}){fields}"


class InvalidRequest(ApiError):
    """The request must be fixed: 400, 413, 415, 422; see `errors`."""


class NotAuthenticated(ApiError):
    """The key is missing, unknown, revoked or has expired."""


class NotEnoughPoints(ApiError):
    """`data` has `needed` and `available`, or, for code 40201, `price` and `maxPoints`."""


class NotAllowed(ApiError):
    """The key's scopes do not cover the call, or a link has expired."""


class NotFound(ApiError):
    """The user has no such task, or the file no longer exists."""


class Conflict(ApiError):
    """`clientTaskId` was used with another body, the task has ended, or storage is full; see `code` and `data`."""


class TooManyRequests(ApiError):
    """Too many calls, open tasks or streams, even after all retries; see `retry_after`."""


class ServiceUnavailable(ApiError):
    """An error of the service or of a proxy in front of it; the same call may succeed later."""


class ConnectionFailed(ClipmillError):
    """The service could not be reached, or its response was lost, at every attempt.

    After a submission, `client_task_id` is the ID that was sent: submitting again with it never costs twice.
    """

    client_task_id: str | None = None
    """The ID of a submission, to submit it again."""


class TaskFailed(ClipmillError):
    """The task ended in a state other than completed; `task` has the state and the reason."""

    def __init__(self, task: Task):
        self.task = task
        """The task, with state and reason."""
        super().__init__(f"task {task['taskNo']} is {task['statusName']}: {task.get('errorMsg') or 'no reason given'}")


class WaitTimeout(ClipmillError, TimeoutError):
    """A task or batch has not ended within the timeout; it continues. `task` is its last known state."""

    def __init__(self, task_no: str, task: Any):
        self.task_no = task_no
        """Number of the task or batch."""
        self.task = task
        """The task or batch in its last known state; None if it is unknown."""
        state = f"{task['statusName']}, {task['progressPercent']} %" if task else "unknown"
        super().__init__(f"{task_no} has not ended in time ({state})")


class WaitAllTimeout(WaitTimeout):
    """Some tasks have not ended within the timeout; they continue."""

    def __init__(self, open: Mapping[str, Task | None], ended: Mapping[str, Task]):
        self.open = dict(open)
        """Unfinished tasks by number, in their last known state; None if it is unknown."""
        self.ended = dict(ended)
        """Ended tasks by number."""
        super().__init__(*next(iter(open.items())))
        names = ", ".join(list(open)[:3]) + (", …" if len(open) > 3 else "")
        self.args = (f"{len(open)} of {len(open) + len(ended)} tasks have not ended in time: {names}",)


class UploadIncomplete(ClipmillError):
    """Some files could not be uploaded. Repeating the call sends only the missing files."""

    def __init__(self, done: dict[str, Upload], failed: dict[str, Exception]):
        self.done = done
        """Uploads by the path of their file."""
        self.failed = failed
        """Errors by the path of their file."""
        reasons = "".join(f"\n  {name}: {error}" for name, error in failed.items())
        super().__init__(f"{len(failed)} of {len(done) + len(failed)} files could not be uploaded{reasons}")


class DownloadFailed(ClipmillError):
    """A file could not be downloaded, or did not match its description. `path` is its intended path."""

    def __init__(self, path: Path, reason: str):
        self.path = path
        """Where the file would have been stored."""
        super().__init__(f"{path}: {reason}")


class CallbackRefused(ClipmillError, ValueError):
    """A message is not a callback of this service, was altered, or is too old: respond with 400 and ignore it."""


_BY_STATUS: dict[int, type[ApiError]] = {
    401: NotAuthenticated,
    402: NotEnoughPoints,
    403: NotAllowed,
    404: NotFound,
    409: Conflict,
    429: TooManyRequests,
}


def api_error(response: httpx.Response) -> ApiError:
    """The error of a response, including responses of proxies without an envelope. The body must have been read."""
    try:
        body = response.json()
    except ValueError:
        body = None
    if not isinstance(body, dict) or not isinstance(body.get("code"), int):
        text = f"{response.reason_phrase or 'a response that is not JSON'}: {response.text[:200]!r}"
        body = {"code": response.status_code * 100, "msg": text}
    data = body.get("data")
    kind = ServiceUnavailable if response.status_code >= 500 else _BY_STATUS.get(response.status_code, InvalidRequest)
    return kind(
        response.status_code,
        body["code"],
        str(body.get("msg", "")),
        data if isinstance(data, dict) else {},
        response.headers.get("x-request-id"),
        retry_after(response),
    )


def retry_after(response: httpx.Response) -> float | None:
    """The header `Retry-After` in seconds, which the service writes as a number."""
    try:
        return max(0.0, float(response.headers["retry-after"]))
    except (KeyError, ValueError):
        return None
