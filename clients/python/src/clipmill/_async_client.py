"""The client for programs that use asyncio. See `Client` for the descriptions of the calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, cast

import httpx

from . import _calls, _files, _waiting
from ._async_library import AsyncLibrary
from ._calls import API, FINAL, Call
from ._events import SILENCE_S, Event, Reader
from ._retry import Retry, jittered
from .errors import (
    ConnectionFailed,
    DownloadFailed,
    NotAllowed,
    NotFound,
    TaskFailed,
    UploadIncomplete,
    api_error,
)
from .models import (
    Balance,
    Batch,
    Estimate,
    PageDiversityPair,
    PageOutput,
    PageRecord,
    PageTask,
    Submission,
    Submit,
    Task,
    TaskRequest,
    Upload,
)


class AsyncClient(AsyncLibrary):
    """A client of a clipmill service for one API key, for asyncio."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        language: str | None = None,
        timeout: float = 60.0,
        retry: Retry = Retry(),
        transport: httpx.AsyncBaseTransport | None = None,
    ):
        self._base = base_url.rstrip("/")
        self._headers = _calls.headers(api_key, language)
        self._retry = retry
        self._http = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=False)
        self._files = httpx.AsyncClient(timeout=timeout, transport=transport, follow_redirects=True)
        self._uploaded = _files.Uploaded()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()
        await self._files.aclose()

    async def submit(self, request: Submission, *, client_task_id: str | None = None) -> Submit:
        call = _calls.submit(request, client_task_id)
        try:
            return cast(Submit, await self.call(call))
        except ConnectionFailed as error:
            error.client_task_id = call.json["clientTaskId"]
            raise

    async def estimate(self, request: Submission, *, preflight: bool = False) -> Estimate:
        return cast(Estimate, await self.call(_calls.estimate(request, preflight)))

    async def status(self, task_no: str) -> Task:
        return cast(Task, await self.call(_calls.of_task("status", task_no)))

    async def request(self, task_no: str) -> TaskRequest:
        return cast(TaskRequest, await self.call(_calls.of_task("request", task_no)))

    async def diversity(self, task_no: str, *, page_no: int = 1, page_size: int = 100) -> PageDiversityPair:
        return cast(PageDiversityPair, await self.call(_calls.diversity(task_no, page_no, page_size)))

    async def rename(self, task_no: str, *, name: str | None = None, labels: list[str] | None = None) -> Task:
        """Renames a task or changes its labels. An empty name or list clears; omitted values are unchanged."""
        return cast(Task, await self.call(_calls.rename(task_no, name, labels)))

    async def cancel(self, task_no: str) -> Task:
        return cast(Task, await self.call(_calls.of_task("cancel", task_no, "POST")))

    async def wait(
        self, task_no: str, *, timeout: float | None = None, on_change: Callable[[Task], None] | None = None
    ) -> Task:
        steps = _waiting.wait(_calls.of_task("status", task_no), task_no, timeout, on_change)
        return cast(Task, await self._drive(steps))

    async def wait_all(
        self,
        task_nos: Iterable[str],
        *,
        timeout: float | None = None,
        on_change: Callable[[Task], None] | None = None,
    ) -> list[Task]:
        return cast(list[Task], await self._drive(_waiting.wait_all(task_nos, timeout, on_change)))

    async def wait_for_batch(
        self, batch_no: str, *, timeout: float | None = None, on_change: Callable[[Batch], None] | None = None
    ) -> Batch:
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
                    outcome = await self.send(step, retry=_waiting.ONCE)
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
        submitted = await self.submit(request, client_task_id=client_task_id)
        task = await self.wait(submitted["taskNo"], timeout=timeout, on_change=on_change)
        if task["status"] != FINAL:
            raise TaskFailed(task)
        return task

    async def watch(self, task_no: str) -> AsyncIterator[Event]:
        reader, failures = Reader(), 0
        while True:
            headers = self._headers | ({"Last-Event-ID": reader.last_id} if reader.last_id else {})
            url = f"{self._base}{API}/video-process/events/{task_no}"
            refused: httpx.Response | None = None
            try:
                async with self._http.stream("GET", url, headers=headers, timeout=SILENCE_S) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code != 200:
                        await response.aread()
                        refused = response
                    else:
                        async for line in response.aiter_lines():
                            event = reader.line(line)
                            if event:
                                failures = 0
                                yield event
                                if event.ends:
                                    return
            except httpx.TransportError as error:
                if failures + 1 >= self._retry.attempts:
                    raise ConnectionFailed(f"live events of {task_no}: {error}") from error
            reader.broken()
            failures += 1
            pause = self._retry.pause_after(failures, refused)
            if pause is None and refused is not None:
                raise api_error(refused)
            await asyncio.sleep(pause or jittered(self._retry.first_pause))

    async def tasks(
        self,
        *,
        page_no: int = 1,
        page_size: int = 10,
        status: int | None = None,
        task_type: str | None = None,
        q: str | None = None,
        label: str | None = None,
        from_time: str | None = None,
        to_time: str | None = None,
    ) -> PageTask:
        filters = {"status": status, "taskType": task_type, "q": q, "label": label, "from": from_time, "to": to_time}
        return cast(PageTask, await self.call(_calls.page("list", page_no, page_size, **filters)))

    async def outputs(
        self,
        *,
        page_no: int = 1,
        page_size: int = 10,
        q: str | None = None,
        label: str | None = None,
        task_type: str | None = None,
    ) -> PageOutput:
        call = _calls.page("outputs", page_no, page_size, q=q, label=label, taskType=task_type)
        return cast(PageOutput, await self.call(call))

    async def balance(self) -> Balance:
        return cast(Balance, await self.call(_calls.plain("balance")))

    async def records(
        self, *, page_no: int = 1, page_size: int = 10, type: str | None = None, task_no: str | None = None
    ) -> PageRecord:
        return cast(PageRecord, await self.call(_calls.page("records", page_no, page_size, type=type, taskNo=task_no)))

    async def upload(self, source: str | Path | bytes | BinaryIO, *, name: str | None = None) -> Upload:
        if isinstance(source, (str, Path)):
            path = Path(source)
            key = _files.key_of(path)
            upload = self._uploaded.get(key)
            if upload is None or not await self._is_stored(upload):
                upload = await self._upload(lambda: _chunks(path), key[1], name or path.name)
                self._uploaded.remember(key, upload)
            return upload
        content = source if isinstance(source, bytes) else await asyncio.to_thread(source.read)
        return await self._upload(lambda: content, len(content), name)

    async def upload_folder(
        self, folder: str | Path, pattern: str = "**/*", *, concurrency: int = 4
    ) -> dict[str, Upload]:
        files = _files.files_below(Path(folder), pattern)
        places = asyncio.Semaphore(concurrency)

        async def one(path: Path) -> Upload:
            async with places:
                return await self.upload(path)

        outcomes = await asyncio.gather(*(one(path) for path in files.values()), return_exceptions=True)
        named = dict(zip(files, outcomes))
        failed = {name: outcome for name, outcome in named.items() if isinstance(outcome, Exception)}
        done = {name: outcome for name, outcome in named.items() if not isinstance(outcome, BaseException)}
        if failed:
            raise UploadIncomplete(done, failed)
        return done

    async def download(
        self, task: Task | str, folder: str | Path = ".", *, covers: bool = False, concurrency: int = 4
    ) -> list[Path]:
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        current = await self.status(task) if isinstance(task, str) else task
        files = list(_files.wanted(current, place, covers))
        present = await asyncio.to_thread(_files.present, files, place)
        places = asyncio.Semaphore(concurrency)

        async def one(file: _files.Wanted) -> Path:
            if file in present:
                return present[file]
            async with places:
                return await self._download(known["taskNo"], file)

        return list(await asyncio.gather(*(one(file) for file in files)))

    async def batch_results(self, batch_no: str) -> str:
        response = await self.send(Call("GET", f"{API}/batches/{batch_no}/results.csv"))
        return response.content.decode("utf-8-sig")

    async def download_batch(self, batch_no: str, into: str | Path) -> Path:
        path, url = Path(into), f"{self._base}{API}/batches/{batch_no}/download"
        is_folder = path.is_dir()
        partial = path / f"{batch_no}.zip.part" if is_folder else path.with_name(path.name + ".part")
        partial.parent.mkdir(parents=True, exist_ok=True)
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            reason: Exception | None = None
            try:
                async with self._http.stream("GET", url, headers=self._headers) as response:
                    if response.is_success:
                        with _files.whole(partial) as part:
                            async for chunk in response.aiter_bytes():
                                await asyncio.to_thread(part.write, chunk)
                        if not is_folder:
                            return partial.replace(path)
                        name = _files.named(response.headers.get("content-disposition"), f"{batch_no}.zip")
                        return _files.add(partial, path, name)
                    await response.aread()
            except httpx.TransportError as error:
                reason, response = error, None
            pause = self._retry.pause_after(attempt, response)
            if pause is not None:
                await asyncio.sleep(pause)
            elif response is not None:
                raise api_error(response)
            else:
                raise DownloadFailed(path, f"the connection was lost: {reason}") from reason

    async def call(self, call: Call) -> Any:
        """Makes any call and returns the `data` of its response."""
        return _calls.data(await self.send(call))

    async def send(
        self,
        call: Call,
        content: Callable[[], Any] | None = None,
        headers: dict[str, str] | None = None,
        *,
        retry: Retry | None = None,
    ) -> httpx.Response:
        """Makes a call with retries where they are safe and useful; returns a successful response."""
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            failure: httpx.TransportError | None = None
            try:
                response = await self._http.request(
                    call.method,
                    self._base + call.path,
                    params=call.params or None,
                    json=call.json,
                    content=content() if content else None,
                    headers=self._headers | (headers or {}),
                )
                if response.is_success:
                    return response
            except httpx.TransportError as error:
                failure = error
            safe = call.repeatable or (response is not None and response.status_code == 429)
            pause = (retry or self._retry).pause_after(attempt, response) if safe else None
            if pause is not None:
                await asyncio.sleep(pause)
            elif response is not None:
                raise api_error(response)
            else:
                raise ConnectionFailed(f"{call.method} {call.path}: {failure}") from failure

    async def _is_stored(self, upload: Upload) -> bool:
        try:
            await self.uploaded(upload["url"])
        except (NotAllowed, NotFound):
            return False
        return True

    async def _upload(self, content: Callable[[], Any], size: int, name: str | None) -> Upload:
        call = Call("POST", f"{API}/uploads", {"fileName": name} if name else {})
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        return cast(Upload, _calls.data(await self.send(call, content, headers)))

    async def _download(self, task_no: str, file: _files.Wanted) -> Path:
        url, refreshed, attempt = file.url, False, 0
        while True:
            attempt += 1
            reason, response = await self._fetch(url, file)
            if reason is None:
                disposition = response.headers.get("content-disposition") if response is not None else None
                return await asyncio.to_thread(file.finish, disposition)
            if response is not None and response.status_code == 403 and not refreshed:
                url, refreshed = file.fresh_url(await self.status(task_no)), True
                continue
            pause = self._retry.pause_after(attempt, response)
            if pause is None:
                raise DownloadFailed(file.folder / file.numbered, reason)
            await asyncio.sleep(pause)

    async def _fetch(self, url: str, file: _files.Wanted) -> tuple[str | None, httpx.Response | None]:
        try:
            async with self._files.stream("GET", url, headers=file.range()) as response:
                if response.status_code == 416:
                    return None, response
                if not response.is_success:
                    await response.aread()
                    return str(api_error(response)), response
                with file.partial.open("ab" if response.status_code == 206 else "wb") as part:
                    async for chunk in response.aiter_bytes():
                        await asyncio.to_thread(part.write, chunk)
            return None, response
        except httpx.TransportError as error:
            return f"the connection was lost: {error}", None


async def _chunks(path: Path) -> AsyncIterator[bytes]:
    with path.open("rb") as file:
        while chunk := await asyncio.to_thread(file.read, _files.CHUNK):
            yield chunk
