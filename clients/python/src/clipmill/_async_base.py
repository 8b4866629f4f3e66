"""Calls, retries and streams of the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self

import httpx
from httpx_sse import EventSource
from tenacity import AsyncRetrying

from . import _calls, _files
from ._async_paging import AsyncListing
from ._calls import Call
from ._events import SILENCE_S, Event
from ._page import LARGEST_PAGE
from ._retry import Retry, jittered
from .errors import ConnectionFailed, api_error


class AsyncBase:
    """The connection to a service."""

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        language: str | None = None,
        timeout: float = 60.0,
        retry: Retry = Retry(),
        transport: httpx.AsyncBaseTransport | None = None,
    ) -> None:
        """Creates a client; no call is made.

        Args:
            base_url: The URL of the service. Default: the environment variable `CLIPMILL_URL`.
            api_key: The API key. Default: the environment variable `CLIPMILL_API_KEY`.
            language: Language of messages: `en` or `zh`.
            timeout: Seconds without data after which a connection is considered lost.
            retry: How often and how fast calls are repeated.
            transport: A transport of httpx, for instance for a proxy.
        """
        self._base = _calls.setting(base_url, "base_url", "CLIPMILL_URL").rstrip("/")
        self._headers = _calls.headers(_calls.setting(api_key, "api_key", "CLIPMILL_API_KEY"), language)
        self._retry = retry
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=False)
        # Links are signed; the key is sent only to the service, not to its storage.
        self._files = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=True)
        self._uploaded = _files.Uploaded()

    async def __aenter__(self) -> Self:
        """Returns the client itself."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the client."""
        await self.close()

    async def close(self) -> None:
        """Closes all connections. The client cannot be used afterwards."""
        await self._http.aclose()
        await self._files.aclose()

    async def call(self, call: Call) -> Any:
        """Makes any call and returns the `data` of its response.

        Args:
            call: Method, path and content of the call.
        """
        return _calls.data(await self.send(call))

    async def send(
        self,
        call: Call,
        content: Callable[[], Any] | None = None,
        headers: dict[str, str] | None = None,
        *,
        retry: Retry | None = None,
    ) -> httpx.Response:
        """Makes a call with retries where they are safe and useful; returns a successful response.

        Args:
            call: Method, path and content of the call.
            content: Returns the body for each attempt, in place of `call.json`.
            headers: Further headers.
            retry: Overrides the policy of the client.
        """
        return await self._retrying(retry, call.repeatable)(self._attempt, call, content, headers)

    def _retrying(self, retry: Retry | None = None, repeatable: bool = True) -> AsyncRetrying:
        return AsyncRetrying(sleep=asyncio.sleep, **(retry or self._retry).policy(repeatable))

    async def _attempt(
        self, call: Call, content: Callable[[], Any] | None, headers: dict[str, str] | None
    ) -> httpx.Response:
        body = content() if content else None
        try:
            response = await self._http.request(
                call.method,
                self._base + call.path,
                params=call.params or None,
                json=call.json,
                content=body,
                headers=self._headers | (headers or {}),
            )
        except httpx.TransportError as error:
            raise ConnectionFailed(f"{call.method} {call.path}: {error}") from error
        finally:
            if body is not None:
                await body.aclose()
        if not response.is_success:
            raise api_error(response)
        return response

    def _listing(
        self, call: Call, key: Callable[[Any], Any], page_size: int | None = LARGEST_PAGE
    ) -> AsyncListing[Any]:
        return AsyncListing(self.call, call, page_size, key)

    async def _events(self, path: str) -> AsyncIterator[Event]:
        """The events of a stream; resumes it after interruptions."""
        last_id, empty = "", 0
        while True:
            response: httpx.Response = await self._retrying()(self._open_events, path, last_id)
            empty += 1
            try:
                if response.status_code == 204:
                    return
                async for sent in EventSource(response).aiter_sse():
                    last_id = sent.id or last_id
                    if sent.data:
                        event, empty = Event.of(sent), 0
                        yield event
                        if event.ends:
                            return
            except httpx.TransportError as error:
                if empty >= self._retry.attempts:
                    raise ConnectionFailed(f"{path}: {error}") from error
            finally:
                await response.aclose()
            if empty >= self._retry.attempts:
                raise ConnectionFailed(f"{path}: {empty} streams in succession ended without an event")
            await asyncio.sleep(jittered(self._retry.first_pause))

    async def _open_events(self, path: str, last_id: str) -> httpx.Response:
        headers = self._headers | {"Accept": "text/event-stream"} | ({"Last-Event-ID": last_id} if last_id else {})
        request = self._http.build_request("GET", self._base + path, headers=headers, timeout=SILENCE_S)
        try:
            response = await self._http.send(request, stream=True)
            if not response.is_success:
                await response.aread()
        except httpx.TransportError as error:
            raise ConnectionFailed(f"{path}: {error}") from error
        if not response.is_success:
            raise api_error(response)
        return response
