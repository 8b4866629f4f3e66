"""Uploads, previews and downloads."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import cast

import httpx

from . import _asyncio, _calls, _files
from ._async_body import AsyncBody, AsyncSource, name_of
from ._async_library import AsyncLibrary
from ._async_tasks import AsyncTasks
from ._calls import API, Call
from ._content import Preview, Speech
from ._files import OnProgress
from ._retry import ONCE
from .errors import (
    ApiError,
    ConnectionFailed,
    DownloadFailed,
    NotAllowed,
    NotFound,
    UploadIncomplete,
    api_error,
)
from .models import Probe, Submission, Task, TaskRequest, Upload


class AsyncTransfer(AsyncTasks, AsyncLibrary):
    """The calls of a client that send or receive files."""

    # Uploads

    async def upload(
        self, source: AsyncSource, *, name: str | None = None, on_progress: OnProgress | None = None
    ) -> Upload:
        """Uploads a file; use the returned `url` in a request. The file is sent in chunks, whatever its size.

        A path that this client has uploaded before is not sent again while the file has not changed and the service
        still stores the upload. Content that can be read only once (a pipe, an iterator) is not retried.

        Args:
            source: A path, bytes, a binary file, or chunks of bytes.
            name: The name of the upload. Default: the name of the file.
            on_progress: Receives the number of bytes sent and the total, or None if the total is unknown. A retry
                starts from 0.
        """
        if not isinstance(source, (str, Path)):
            return await self._upload(source, name or name_of(source), on_progress)
        path = Path(source)
        key = _files.key_of(path)
        upload = self._uploaded.get(key)
        if upload is None or not await self._is_stored(upload):
            upload = await self._upload(path, name or path.name, on_progress)
            self._uploaded.remember(key, upload)
        return upload

    async def upload_folder(
        self,
        folder: str | Path,
        pattern: str = "**/*",
        *,
        concurrency: int = 4,
        on_progress: OnProgress | None = None,
    ) -> dict[str, Upload]:
        """Uploads the files of a folder side by side: path relative to the folder → upload.

        When some fail, the others are sent all the same; then UploadIncomplete is raised, and the same call again
        sends the missing files.

        Args:
            folder: The folder; hidden files and folders are skipped.
            pattern: The files to send, as for `Path.glob`.
            concurrency: How many files are sent at a time.
            on_progress: Receives the number of bytes sent and the total of all files.
        """
        files = _files.files_below(Path(folder), pattern)
        progress = _files.FolderProgress(files.values(), on_progress)

        async def one(path: Path) -> Upload | Exception:
            try:
                upload = await self.upload(path, on_progress=progress.of(path))
                progress.done(path)
                return upload
            except Exception as error:
                return error

        outcomes = dict(zip(files, await _asyncio.map_concurrently(one, files.values(), concurrency)))
        failed = {name: outcome for name, outcome in outcomes.items() if isinstance(outcome, Exception)}
        done = {name: outcome for name, outcome in outcomes.items() if not isinstance(outcome, Exception)}
        if failed:
            raise UploadIncomplete(done, failed)
        return done

    async def _is_stored(self, upload: Upload) -> bool:
        """Whether the service still has an upload; it may have been deleted, or have expired."""
        try:
            await self.uploaded(upload["url"])
        except (NotAllowed, NotFound):
            # A key without the scope `read` cannot check, so the file is sent again.
            return False
        return True

    async def _upload(self, source: AsyncSource, name: str | None, on_progress: OnProgress | None) -> Upload:
        body = AsyncBody(source, on_progress)
        headers = {"Content-Type": "application/octet-stream"}
        if body.size is not None:
            headers["Content-Length"] = str(body.size)
        call = Call("POST", f"{API}/uploads", {"fileName": name} if name else {}, repeatable=body.repeatable)
        retry = None if body.repeatable else ONCE
        return cast(Upload, _calls.data(await self.send(call, body.chunks, headers, retry=retry)))

    # Previews

    async def probe(self, url: str) -> Probe:
        """The properties of a file for a request.

        Args:
            url: An upload or a web address.
        """
        return cast(Probe, await self.call(_calls.probe(url)))

    async def thumbnail(self, url: str, *, at_seconds: float | None = None, width: int | None = None) -> Preview:
        """A frame of a file, as JPEG.

        Args:
            url: An upload or a web address.
            at_seconds: Time of the frame. Default: near the beginning.
            width: Maximum width in pixels.
        """
        return Preview.of(await self.send(_calls.rendered("thumbnail", url=url, atSeconds=at_seconds, width=width)))

    async def preview(
        self,
        request: Submission,
        *,
        item_no: int | None = None,
        clip: int | None = None,
        at_seconds: float | None = None,
        width: int | None = None,
    ) -> Preview:
        """One frame of an output, as JPEG; free.

        Args:
            request: The request, as for `submit`.
            item_no: Number of the output.
            clip: Clip or scene of the output, from 0; `at_seconds` then counts from its beginning.
            at_seconds: Time of the frame in the output.
            width: Maximum width in pixels.
        """
        call = _calls.rendered("preview", request=request, itemNo=item_no, clip=clip, atSeconds=at_seconds, width=width)
        return Preview.of(await self.send(call))

    async def preview_clip(
        self,
        request: TaskRequest,
        *,
        item_no: int | None = None,
        clip: int | None = None,
        at_seconds: float | None = None,
        seconds: float | None = None,
    ) -> Preview:
        """A few seconds of an output with audio, as a small MP4; free.

        Args:
            request: The request, as for `submit`.
            item_no: Number of the output.
            clip: Clip or scene of the output, from 0; `at_seconds` then counts from its beginning.
            at_seconds: Start of the clip in the output.
            seconds: Length of the clip.
        """
        call = _calls.rendered(
            "preview/clip", request=request, itemNo=item_no, clip=clip, atSeconds=at_seconds, seconds=seconds
        )
        return Preview.of(await self.send(call))

    async def sound(self, url: str, *, at_seconds: float | None = None, seconds: float | None = None) -> Preview:
        """Up to a minute of a file's audio, as AAC in MP4.

        Args:
            url: An upload or a web address.
            at_seconds: Start of the excerpt.
            seconds: Length of the excerpt.
        """
        return Preview.of(await self.send(_calls.rendered("sound", url=url, atSeconds=at_seconds, seconds=seconds)))

    async def speak(self, text: str, *, voice: str | None = None, speed: float | None = None) -> Speech:
        """A spoken text, as WAV.

        Priced by `pointsPer1000Characters` of `voices`. While the audio is kept, the same text, voice and speed is free.

        Args:
            text: Up to 500 characters.
            voice: A name of `voices`. Default: the first one.
            speed: 0.5 to 2.
        """
        # Repeatable, because the service keeps the audio: it charges a text once.
        return Speech.of(await self.send(_calls.rendered("speech", text=text, voice=voice, speed=speed)))

    # Downloads

    async def download(
        self, task: Task | str, folder: str | Path = ".", *, covers: bool = False, concurrency: int = 4
    ) -> list[Path]:
        """Downloads a task's results; verifies length and SHA-256 of each before it gets its name.

        Files have the names set by the service, such as `Summer sale – 1.mp4`; no file is overwritten. Results that
        are already in the folder are not fetched again; interrupted downloads resume.

        Args:
            task: The task or its number.
            folder: Where to put the files; it is created if necessary.
            covers: Whether to download the cover images, too.
            concurrency: How many files are downloaded at a time.
        """
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        current = await self.status(task) if isinstance(task, str) else task
        files = list(_files.wanted(current, place, covers))
        present = await asyncio.to_thread(_files.present, files, place)

        async def one(file: _files.Wanted) -> Path:
            return present[file] if file in present else await self._download(current["taskNo"], file)

        return await _asyncio.map_concurrently(one, files, concurrency)

    async def batch_results(self, batch_no: str) -> str:
        """The result of each row as CSV: row, taskNo, item, url, error.

        Args:
            batch_no: Number of the batch.
        """
        response = await self.send(Call("GET", f"{API}/batches/{batch_no}/results.csv"))
        return response.content.decode("utf-8-sig")

    async def download_batch(self, batch_no: str, into: str | Path) -> Path:
        """All videos of a batch as one zip of any size. The file appears only when it is complete.

        Args:
            batch_no: Number of the batch.
            into: The file, which is overwritten, or a folder: there the file gets the name set by the service, and
                does not overwrite another.
        """
        return await self._download_zip(f"{API}/batches/{batch_no}/download", f"{batch_no}.zip", into)

    async def download_timeline(self, task_no: str, item_no: int, into: str | Path) -> Path:
        """An output as a project for an editing program: one zip with an OpenTimelineIO file and the original files.

        Args:
            task_no: Number of the task.
            item_no: Number of the item.
            into: The file or folder, as for `download_batch`.
        """
        path = f"{API}/video-process/timeline/{task_no}/{item_no}?format=otio"
        return await self._download_zip(path, f"{task_no}-{item_no}.zip", into)

    async def _download_zip(self, address: str, usual_name: str, into: str | Path) -> Path:
        path = Path(into)
        is_folder = path.is_dir()
        partial = path / f"{usual_name}.part" if is_folder else path.with_name(path.name + ".part")
        partial.parent.mkdir(parents=True, exist_ok=True)
        try:
            disposition: str | None = await self._retrying()(self._fetch_zip, self._base + address, partial)
        except ConnectionFailed as error:
            raise DownloadFailed(path, str(error)) from error
        if not is_folder:
            return partial.replace(path)
        return _files.add(partial, path, _files.named(disposition, usual_name))

    async def _fetch_zip(self, url: str, partial: Path) -> str | None:
        """One attempt; returns the header with the name of the file."""
        try:
            async with self._http.stream("GET", url, headers=self._headers) as response:
                if not response.is_success:
                    await response.aread()
                    raise api_error(response)
                with _files.whole(partial) as part:
                    async for chunk in response.aiter_bytes():
                        await asyncio.to_thread(part.write, chunk)
        except httpx.TransportError as error:
            raise ConnectionFailed(f"the connection was lost: {error}") from error
        return cast("str | None", response.headers.get("content-disposition"))

    async def _download(self, task_no: str, file: _files.Wanted) -> Path:
        url = file.url

        async def attempt() -> str | None:
            nonlocal url
            try:
                return await self._fetch(url, file)
            except NotAllowed:
                if url != file.url:
                    raise
                # The link has expired; the status has a fresh one.
                url = file.fresh_url(await self.status(task_no))
                return await self._fetch(url, file)

        try:
            disposition: str | None = await self._retrying()(attempt)
        except (ApiError, ConnectionFailed) as error:
            raise DownloadFailed(file.folder / file.numbered, str(error)) from error
        return await asyncio.to_thread(file.finish, disposition)

    async def _fetch(self, url: str, file: _files.Wanted) -> str | None:
        """One attempt; returns the header with the name of the file."""
        try:
            async with self._files.stream("GET", url, headers=file.range()) as response:
                # 416: the file has no more bytes; finishing checks whether it is complete.
                if response.status_code != 416:
                    if not response.is_success:
                        await response.aread()
                        raise api_error(response)
                    with file.partial.open("ab" if response.status_code == 206 else "wb") as part:
                        async for chunk in response.aiter_bytes():
                            await asyncio.to_thread(part.write, chunk)
        except httpx.TransportError as error:
            raise ConnectionFailed(f"the connection was lost: {error}") from error
        return cast("str | None", response.headers.get("content-disposition"))
