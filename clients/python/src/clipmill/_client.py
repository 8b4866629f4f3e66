# Generated from _async_client.py by scripts/generate-clients.sh; do not edit.
"""The client for synchronous programs; `AsyncClient` has the same calls for asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, cast

import httpx

from . import _blocking, _calls, _files, _waiting
from ._calls import API, FINAL, Call
from ._events import SILENCE_S, Event, Reader
from ._library import Library
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
    Callback,
    CallbackTest,
    CaptionStyleCatalogue,
    Catalogue,
    Estimate,
    FontCatalogue,
    PageDiversityPair,
    PageOutput,
    PageRecord,
    PageTask,
    Probe,
    Submission,
    Submit,
    Task,
    TaskRequest,
    Upload,
    VoiceCatalogue,
)


class Client(Library):
    """A client of a clipmill service for one API key. Threads can share it; close it, or use it in a `with`."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        language: str | None = None,
        timeout: float = 60.0,
        retry: Retry = Retry(),
        transport: httpx.BaseTransport | None = None,
    ):
        self._base = base_url.rstrip("/")
        self._headers = _calls.headers(api_key, language)
        self._retry = retry
        self._http = httpx.Client(timeout=timeout, transport=transport, follow_redirects=False)
        # Links are signed; the key is sent only to the service, not to its storage.
        self._files = httpx.Client(timeout=timeout, transport=transport, follow_redirects=True)
        self._uploaded = _files.Uploaded()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._http.close()
        self._files.close()

    # Tasks

    def submit(self, request: Submission, *, client_task_id: str | None = None) -> Submit:
        """Submits a task. If the response is lost, retries with the same `clientTaskId`, which never costs twice.

        If neither the argument nor the request has an ID, one is generated: calling `submit` twice creates two tasks.
        """
        call = _calls.submit(request, client_task_id)
        try:
            return cast(Submit, self.call(call))
        except ConnectionFailed as error:
            error.client_task_id = call.json["clientTaskId"]
            raise

    def estimate(self, request: Submission, *, preflight: bool = False) -> Estimate:
        """Estimates the price and the outputs of a submission; with `preflight`, the files are probed."""
        return cast(Estimate, self.call(_calls.estimate(request, preflight)))

    def status(self, task_no: str) -> Task:
        return cast(Task, self.call(_calls.of_task("status", task_no)))

    def request(self, task_no: str) -> TaskRequest:
        """The request of a task, for changing and submitting it again."""
        return cast(TaskRequest, self.call(_calls.of_task("request", task_no)))

    def diversity(self, task_no: str, *, page_no: int = 1, page_size: int = 100) -> PageDiversityPair:
        """A page of pairs of outputs with their shared footage, those that share most first."""
        return cast(PageDiversityPair, self.call(_calls.diversity(task_no, page_no, page_size)))

    def rename(self, task_no: str, *, name: str | None = None, labels: list[str] | None = None) -> Task:
        """Renames a task or changes its labels. An empty name or list clears; omitted values are unchanged."""
        return cast(Task, self.call(_calls.rename(task_no, name, labels)))

    def cancel(self, task_no: str) -> Task:
        """Cancels a task; Conflict (40901) if it has already ended."""
        return cast(Task, self.call(_calls.of_task("cancel", task_no, "POST")))

    def wait(
        self, task_no: str, *, timeout: float | None = None, on_change: Callable[[Task], None] | None = None
    ) -> Task:
        """Returns the task once it has ended, in any final state. `on_change` receives changes of state or percentage.

        For many tasks use `wait_all`: it makes far fewer calls.
        """
        steps = _waiting.wait(_calls.of_task("status", task_no), task_no, timeout, on_change)
        return cast(Task, self._drive(steps))

    def wait_all(
        self,
        task_nos: Iterable[str],
        *,
        timeout: float | None = None,
        on_change: Callable[[Task], None] | None = None,
    ) -> list[Task]:
        """Returns tasks in the order given, once all have ended, in any final state.

        Polls pages of 100 tasks and stays below the rate limit of the key. Tasks passed to `on_change` have no items
        until they have ended. Raises WaitAllTimeout, which has the tasks that have ended by then.
        """
        return cast(list[Task], self._drive(_waiting.wait_all(task_nos, timeout, on_change)))

    def wait_for_batch(
        self, batch_no: str, *, timeout: float | None = None, on_change: Callable[[Batch], None] | None = None
    ) -> Batch:
        """Returns the batch once it has ended, in any final state."""
        steps = _waiting.wait(_calls.batch(batch_no), batch_no, timeout, on_change)
        return cast(Batch, self._drive(steps))

    def _drive(self, steps: _waiting.Steps) -> Any:
        outcome: _waiting.Outcome = None
        try:
            while True:
                step = steps.send(outcome)
                outcome = None
                if isinstance(step, float):
                    time.sleep(step)
                    continue
                try:
                    outcome = self.send(step, retry=_waiting.ONCE)
                except _waiting.TEMPORARY as error:
                    outcome = error
        except StopIteration as end:
            return end.value

    def run(
        self,
        request: Submission,
        *,
        client_task_id: str | None = None,
        timeout: float | None = None,
        on_change: Callable[[Task], None] | None = None,
    ) -> Task:
        """Submits and waits. Raises TaskFailed unless the task is completed. Check `failedItems` in any case."""
        submitted = self.submit(request, client_task_id=client_task_id)
        task = self.wait(submitted["taskNo"], timeout=timeout, on_change=on_change)
        if task["status"] != FINAL:
            raise TaskFailed(task)
        return task

    def watch(self, task_no: str) -> Iterator[Event]:
        """Live events until the task has ended; resumes interrupted connections without gaps."""
        reader, failures = Reader(), 0
        while True:
            headers = self._headers | ({"Last-Event-ID": reader.last_id} if reader.last_id else {})
            url = f"{self._base}{API}/video-process/events/{task_no}"
            refused: httpx.Response | None = None
            try:
                with self._http.stream("GET", url, headers=headers, timeout=SILENCE_S) as response:
                    if response.status_code == 204:
                        return
                    if response.status_code != 200:
                        response.read()
                        refused = response
                    else:
                        for line in response.iter_lines():
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
            time.sleep(pause or jittered(self._retry.first_pause))

    def tasks(
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
        """A page of tasks, the newest first, without their items. `q`: prefixes of words in names, numbers and IDs;
        `from_time`, `to_time`: time of submission, RFC 3339 or dates (UTC)."""
        filters = {"status": status, "taskType": task_type, "q": q, "label": label, "from": from_time, "to": to_time}
        return cast(PageTask, self.call(_calls.page("list", page_no, page_size, **filters)))

    def outputs(
        self,
        *,
        page_no: int = 1,
        page_size: int = 10,
        q: str | None = None,
        label: str | None = None,
        task_type: str | None = None,
    ) -> PageOutput:
        """A page of the finished videos of all tasks, those of the newest task first."""
        call = _calls.page("outputs", page_no, page_size, q=q, label=label, taskType=task_type)
        return cast(PageOutput, self.call(call))

    # Points, catalogues, callbacks

    def balance(self) -> Balance:
        return cast(Balance, self.call(_calls.plain("balance")))

    def records(
        self, *, page_no: int = 1, page_size: int = 10, type: str | None = None, task_no: str | None = None
    ) -> PageRecord:
        """A page of movements of points, the newest first."""
        return cast(PageRecord, self.call(_calls.page("records", page_no, page_size, type=type, taskNo=task_no)))

    def effects(self) -> Catalogue:
        return cast(Catalogue, self.call(_calls.plain("effects")))

    def looks(self) -> Catalogue:
        return cast(Catalogue, self.call(_calls.plain("looks")))

    def transitions(self) -> Catalogue:
        return cast(Catalogue, self.call(_calls.plain("transitions")))

    def fonts(self) -> FontCatalogue:
        """Fonts for captions."""
        return cast(FontCatalogue, self.call(_calls.plain("fonts")))

    def caption_styles(self) -> CaptionStyleCatalogue:
        """Named styles of captions."""
        return cast(CaptionStyleCatalogue, self.call(_calls.plain("caption-styles")))

    def voices(self) -> VoiceCatalogue:
        """Voices for spoken texts, the default first; the list is empty if the service speaks no texts."""
        return cast(VoiceCatalogue, self.call(_calls.plain("voices")))

    def callback(self, task_no: str) -> Callback:
        """The delivery status of a task's callback, with every attempt."""
        return cast(Callback, self.call(_calls.of_task("callbacks", task_no)))

    def redeliver_callback(self, task_no: str) -> Callback:
        return cast(Callback, self.call(_calls.redeliver(task_no)))

    def test_callback(self, url: str, *, type: str | None = None) -> CallbackTest:
        """Sends one signed sample to a URL and returns the response of the receiver."""
        return cast(CallbackTest, self.call(_calls.test_callback(url, type)))

    # Files

    def upload(self, source: str | Path | bytes | BinaryIO, *, name: str | None = None) -> Upload:
        """Uploads a file (a path, bytes, or an open binary file); use the returned `url` in a request.

        A path that this client has uploaded before is not sent again while the file has not changed and the service
        still stores the upload.
        """
        if isinstance(source, (str, Path)):
            path = Path(source)
            key = _files.key_of(path)
            upload = self._uploaded.get(key)
            if upload is None or not self._is_stored(upload):
                upload = self._upload(lambda: _blocking.content_of(path), key[1], name or path.name)
                self._uploaded.remember(key, upload)
            return upload
        content = source if isinstance(source, bytes) else source.read()
        return self._upload(lambda: content, len(content), name)

    def upload_folder(self, folder: str | Path, pattern: str = "**/*", *, concurrency: int = 4) -> dict[str, Upload]:
        """Uploads the files of a folder side by side: path relative to the folder → upload.

        When some fail, the others are sent all the same; then UploadIncomplete is raised, and the same call again
        sends the missing files.
        """
        files = _files.files_below(Path(folder), pattern)

        def one(path: Path) -> Upload | Exception:
            try:
                return self.upload(path)
            except Exception as error:
                return error

        outcomes = dict(zip(files, _blocking.map_concurrently(one, files.values(), concurrency)))
        failed = {name: outcome for name, outcome in outcomes.items() if isinstance(outcome, Exception)}
        done = {name: outcome for name, outcome in outcomes.items() if not isinstance(outcome, Exception)}
        if failed:
            raise UploadIncomplete(done, failed)
        return done

    def probe(self, url: str) -> Probe:
        """The properties of a file for a request."""
        return cast(Probe, self.call(_calls.probe(url)))

    def preview(self, request: Submission, **options: Any) -> bytes:
        """One frame of an output as JPEG; options: itemNo, clip, atSeconds, width."""
        response = self.send(_calls.preview(request, options))
        return response.content

    def preview_clip(self, request: TaskRequest, **options: Any) -> bytes:
        """A few seconds of an output with audio as a small MP4; options: itemNo, clip, atSeconds, seconds."""
        response = self.send(_calls.preview_clip(request, options))
        return response.content

    def sound(self, url: str, **options: Any) -> bytes:
        """Up to a minute of a file's audio as AAC in MP4; options: atSeconds, seconds."""
        response = self.send(_calls.sound(url, options))
        return response.content

    def speak(self, text: str, *, voice: str | None = None, speed: float | None = None) -> bytes:
        """A text of up to 500 characters, spoken by a voice of `voices`, as WAV. `speed`: 0.5 to 2.

        Priced by `pointsPer1000Characters` of `voices`. While the audio is kept, the same text, voice and speed is free.
        """
        response = self.send(_calls.speech(text, voice, speed))
        return response.content

    def download(
        self, task: Task | str, folder: str | Path = ".", *, covers: bool = False, concurrency: int = 4
    ) -> list[Path]:
        """Downloads a task's results; verifies length and SHA-256 of each before it gets its name.

        Files have the names set by the service, such as `Summer sale – 1.mp4`; no file is overwritten. Results that
        are already in the folder are not fetched again; interrupted downloads resume.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        current = self.status(task) if isinstance(task, str) else task
        files = list(_files.wanted(current, place, covers))
        present = _files.present(files, place)

        def one(file: _files.Wanted) -> Path:
            return present[file] if file in present else self._download(current["taskNo"], file)

        return _blocking.map_concurrently(one, files, concurrency)

    def batch_results(self, batch_no: str) -> str:
        """The result of each row as CSV: row, taskNo, item, url, error."""
        response = self.send(Call("GET", f"{API}/batches/{batch_no}/results.csv"))
        return response.content.decode("utf-8-sig")

    def download_batch(self, batch_no: str, into: str | Path) -> Path:
        """All videos of a batch as one zip of any size. The file appears only when it is complete.

        `into` is the file, which is overwritten, or a folder: there the file gets the name set by the service, and
        does not overwrite another.
        """
        return self._download_zip(f"{API}/batches/{batch_no}/download", f"{batch_no}.zip", into)

    def download_timeline(self, task_no: str, item_no: int, into: str | Path) -> Path:
        """An output as a project for an editing program: one zip with an OpenTimelineIO file and the original files.

        `into` is as for `download_batch`.
        """
        path = f"{API}/video-process/timeline/{task_no}/{item_no}?format=otio"
        return self._download_zip(path, f"{task_no}-{item_no}.zip", into)

    def _download_zip(self, address: str, usual_name: str, into: str | Path) -> Path:
        path, url = Path(into), f"{self._base}{address}"
        is_folder = path.is_dir()
        partial = path / f"{usual_name}.part" if is_folder else path.with_name(path.name + ".part")
        partial.parent.mkdir(parents=True, exist_ok=True)
        attempt = 0
        while True:
            attempt += 1
            response: httpx.Response | None = None
            reason: Exception | None = None
            try:
                with self._http.stream("GET", url, headers=self._headers) as response:
                    if response.is_success:
                        with _files.whole(partial) as part:
                            for chunk in response.iter_bytes():
                                part.write(chunk)
                        if not is_folder:
                            return partial.replace(path)
                        name = _files.named(response.headers.get("content-disposition"), usual_name)
                        return _files.add(partial, path, name)
                    response.read()
            except httpx.TransportError as error:
                reason, response = error, None
            pause = self._retry.pause_after(attempt, response)
            if pause is not None:
                time.sleep(pause)
            elif response is not None:
                raise api_error(response)
            else:
                raise DownloadFailed(path, f"the connection was lost: {reason}") from reason

    # Making calls

    def call(self, call: Call) -> Any:
        """Makes any call and returns the `data` of its response."""
        return _calls.data(self.send(call))

    def send(
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
            body = content() if content else None
            try:
                response = self._http.request(
                    call.method,
                    self._base + call.path,
                    params=call.params or None,
                    json=call.json,
                    content=body,
                    headers=self._headers | (headers or {}),
                )
                if response.is_success:
                    return response
            except httpx.TransportError as error:
                failure = error
            finally:
                if body is not None and hasattr(body, "close"):
                    body.close()
            # Calls that are not idempotent are repeated only if they were certainly rejected.
            safe = call.repeatable or (response is not None and response.status_code == 429)
            pause = (retry or self._retry).pause_after(attempt, response) if safe else None
            if pause is not None:
                time.sleep(pause)
            elif response is not None:
                raise api_error(response)
            else:
                raise ConnectionFailed(f"{call.method} {call.path}: {failure}") from failure

    def _is_stored(self, upload: Upload) -> bool:
        """Whether the service still has an upload; it may have been deleted, or have expired."""
        try:
            self.uploaded(upload["url"])
        except (NotAllowed, NotFound):
            # A key without the scope `read` cannot check, so the file is sent again.
            return False
        return True

    def _upload(self, content: Callable[[], Any], size: int, name: str | None) -> Upload:
        call = Call("POST", f"{API}/uploads", {"fileName": name} if name else {})
        headers = {"Content-Type": "application/octet-stream", "Content-Length": str(size)}
        return cast(Upload, _calls.data(self.send(call, content, headers)))

    def _download(self, task_no: str, file: _files.Wanted) -> Path:
        url, refreshed, attempt = file.url, False, 0
        while True:
            attempt += 1
            reason, response = self._fetch(url, file)
            if reason is None:
                disposition = response.headers.get("content-disposition") if response is not None else None
                return file.finish(disposition)
            if response is not None and response.status_code == 403 and not refreshed:
                # The link has expired; the status has a fresh one.
                url, refreshed = file.fresh_url(self.status(task_no)), True
                continue
            pause = self._retry.pause_after(attempt, response)
            if pause is None:
                raise DownloadFailed(file.folder / file.numbered, reason)
            time.sleep(pause)

    def _fetch(self, url: str, file: _files.Wanted) -> tuple[str | None, httpx.Response | None]:
        """One attempt: the error, or none if the body is complete; and the response."""
        try:
            with self._files.stream("GET", url, headers=file.range()) as response:
                if response.status_code == 416:
                    # The file has no more bytes; finishing checks whether it is complete.
                    return None, response
                if not response.is_success:
                    response.read()
                    return str(api_error(response)), response
                with file.partial.open("ab" if response.status_code == 206 else "wb") as part:
                    for chunk in response.iter_bytes():
                        part.write(chunk)
            return None, response
        except httpx.TransportError as error:
            return f"the connection was lost: {error}", None
