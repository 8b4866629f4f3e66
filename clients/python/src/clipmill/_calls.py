"""The calls of the API and the parsing of their responses, independent of the transport."""

from __future__ import annotations

import os
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

import httpx

from ._version import __version__
from .errors import NotConfigured, ServiceUnavailable, api_error
from .models import Submission

API = "/open-api/v1"
FINAL = 3
"""This state (`completed`) and all higher ones are final."""


@dataclass(frozen=True)
class Call:
    """One call of the API."""

    method: str
    """`GET`, `POST`, `PUT`, `PATCH` or `DELETE`."""
    path: str
    """The path of the URL, such as `/open-api/v1/video-process/balance`."""
    params: dict[str, Any] = field(default_factory=dict)
    """The query."""
    json: Any = None
    """The body."""
    repeatable: bool = True
    """Whether the call is idempotent, so that it can be retried after a lost response."""


def setting(value: str | None, argument: str, variable: str) -> str:
    """An argument of the client, or its default from the environment."""
    chosen = value or os.environ.get(variable)
    if not chosen:
        raise NotConfigured(f"no {argument}: pass it to the client, or set the environment variable {variable}")
    return chosen


def headers(api_key: str, language: str | None) -> dict[str, str]:
    chosen = {"X-API-Key": api_key, "User-Agent": f"clipmill-python/{__version__}"}
    return chosen | ({"Accept-Language": language} if language else {})


def submit(request: Submission, client_task_id: str | None) -> Call:
    """A submission always has a `clientTaskId`, so that it can be repeated if its response was lost."""
    body: Mapping[str, Any] = request
    key = client_task_id or body.get("clientTaskId") or f"py-{uuid.uuid4()}"
    return Call("POST", f"{API}/video-process/submit", json={**body, "clientTaskId": key})


def estimate(request: Submission, preflight: bool) -> Call:
    return Call("POST", f"{API}/video-process/estimate", {"preflight": "true"} if preflight else {}, request)


def of_task(verb: str, task_no: str, method: str = "GET") -> Call:
    return Call(method, f"{API}/video-process/{verb}/{task_no}")


def batch(batch_no: str) -> Call:
    return Call("GET", f"{API}/batches/{batch_no}")


def page(name: str, page_no: int, page_size: int, **filters: Any) -> Call:
    """One page of a list about tasks."""
    call = listed(f"video-process/{name}", **filters)
    return Call(call.method, call.path, {"pageNo": page_no, "pageSize": page_size, **call.params})


def listed(path: str, **filters: Any) -> Call:
    """A list, without the choice of a page."""
    return Call("GET", f"{API}/{path}", {key: value for key, value in filters.items() if value is not None})


def upload_id(url: str) -> str:
    """The last path segment of an upload's own URL, derived from its `upload://` URL."""
    return quote(url.removeprefix("upload://"), safe="")


def plain(name: str) -> Call:
    return Call("GET", f"{API}/video-process/{name}")


def test_callback(url: str, event_type: str | None) -> Call:
    body = {"url": url} | ({"type": event_type} if event_type else {})
    return Call("POST", f"{API}/video-process/callbacks/test", json=body, repeatable=False)


def redeliver(task_no: str) -> Call:
    return Call("POST", f"{API}/video-process/callbacks/{task_no}/redeliver")


def probe(url: str) -> Call:
    return Call("POST", f"{API}/probe", json={"url": url})


def rendered(path: str, **body: Any) -> Call:
    """A call whose response is a frame, a clip or audio."""
    return Call("POST", f"{API}/{path}", json={name: value for name, value in body.items() if value is not None})


def rename(task_no: str, name: str | None, labels: list[str] | None) -> Call:
    wanted = {"name": name, "labels": labels}
    body = {field: value for field, value in wanted.items() if value is not None}
    return Call("PATCH", f"{API}/video-process/{task_no}", json=body)


def share(path: str, **wanted: Any) -> Call:
    body = {name: value for name, value in wanted.items() if value is not None}
    return Call("POST", f"{API}/{path}", json=body, repeatable=False)


def data(response: httpx.Response) -> Any:
    """The `data` of a response, or its error."""
    if not response.is_success:
        raise api_error(response)
    try:
        return response.json()["data"]
    except (ValueError, KeyError, TypeError):
        # The response comes from a captive portal or a proxy, not from the service.
        raise ServiceUnavailable(
            response.status_code, 50000, f"not a response of clipmill: {response.text[:200]!r}", {}, None, None
        ) from None
