"""Uploads, templates, batches and shares: calls of one request and one response each, for asyncio."""

from __future__ import annotations

from typing import Any, cast

from . import _calls
from ._calls import API, Call
from .models import (
    Batch,
    BatchCallback,
    BatchEstimate,
    LibraryFile,
    NewBatch,
    NewTemplate,
    PageBatch,
    PageBatchRow,
    PageLibraryFile,
    PageTemplateOverview,
    RowFilterName,
    SavedTemplate,
    Share,
    SubmittedBatch,
    TaskToShare,
    Template,
)


class AsyncLibrary:
    """The calls of a client that do not concern tasks."""

    async def call(self, call: Call) -> Any:
        raise NotImplementedError

    # Uploaded files

    async def uploads(
        self,
        *,
        page_no: int = 1,
        page_size: int = 10,
        q: str | None = None,
        kind: str | None = None,
        sha256: str | None = None,
    ) -> PageLibraryFile:
        call = _calls.listed("uploads", page_no, page_size, q=q, kind=kind, sha256=sha256)
        return cast(PageLibraryFile, await self.call(call))

    async def uploaded(self, url: str) -> LibraryFile:
        return cast(LibraryFile, await self.call(Call("GET", f"{API}/uploads/{_calls.upload_id(url)}")))

    async def rename_upload(self, url: str, name: str) -> LibraryFile:
        call = Call("PATCH", f"{API}/uploads/{_calls.upload_id(url)}", json={"name": name})
        return cast(LibraryFile, await self.call(call))

    async def delete_upload(self, url: str) -> None:
        await self.call(Call("DELETE", f"{API}/uploads/{_calls.upload_id(url)}"))

    # Templates

    async def templates(self, *, page_no: int = 1, page_size: int = 10, q: str | None = None) -> PageTemplateOverview:
        return cast(PageTemplateOverview, await self.call(_calls.listed("templates", page_no, page_size, q=q)))

    async def template(self, template_no: str, *, version: int | None = None) -> Template:
        call = Call("GET", f"{API}/templates/{template_no}", {"version": version} if version else {})
        return cast(Template, await self.call(call))

    async def add_template(self, template: NewTemplate) -> SavedTemplate:
        return cast(SavedTemplate, await self.call(Call("POST", f"{API}/templates", json=template, repeatable=False)))

    async def replace_template(self, template_no: str, template: NewTemplate) -> SavedTemplate:
        call = Call("PUT", f"{API}/templates/{template_no}", json=template, repeatable=False)
        return cast(SavedTemplate, await self.call(call))

    async def delete_template(self, template_no: str) -> None:
        await self.call(Call("DELETE", f"{API}/templates/{template_no}"))

    # Batches

    async def estimate_batch(self, batch: NewBatch) -> BatchEstimate:
        return cast(BatchEstimate, await self.call(Call("POST", f"{API}/batches/estimate", json=batch)))

    async def submit_batch(self, batch: NewBatch) -> SubmittedBatch:
        return cast(SubmittedBatch, await self.call(Call("POST", f"{API}/batches", json=batch)))

    async def batches(self, *, page_no: int = 1, page_size: int = 10) -> PageBatch:
        return cast(PageBatch, await self.call(_calls.listed("batches", page_no, page_size)))

    async def batch(self, batch_no: str) -> Batch:
        return cast(Batch, await self.call(_calls.batch(batch_no)))

    async def batch_rows(
        self, batch_no: str, *, page_no: int = 1, page_size: int = 100, state: RowFilterName | None = None
    ) -> PageBatchRow:
        call = _calls.listed(f"batches/{batch_no}/rows", page_no, page_size, state=state)
        return cast(PageBatchRow, await self.call(call))

    async def pause_batch(self, batch_no: str) -> Batch:
        return cast(Batch, await self.call(Call("POST", f"{API}/batches/{batch_no}/pause")))

    async def resume_batch(self, batch_no: str) -> Batch:
        return cast(Batch, await self.call(Call("POST", f"{API}/batches/{batch_no}/resume")))

    async def cancel_batch(self, batch_no: str) -> Batch:
        return cast(Batch, await self.call(Call("POST", f"{API}/batches/{batch_no}/cancel")))

    async def batch_callback(self, batch_no: str) -> BatchCallback:
        return cast(BatchCallback, await self.call(Call("GET", f"{API}/batches/{batch_no}/callbacks")))

    async def redeliver_batch_callback(self, batch_no: str) -> BatchCallback:
        return cast(BatchCallback, await self.call(Call("POST", f"{API}/batches/{batch_no}/callbacks/redeliver")))

    # Shares

    async def share(self, task_no: str, *, items: list[int] | None = None, expires_at: str | None = None) -> Share:
        return cast(Share, await self.call(_calls.share(task_no, items, expires_at)))

    async def share_tasks(self, tasks: list[TaskToShare], *, expires_at: str | None = None) -> Share:
        """A page with videos of several tasks, each `{"taskNo": …, "items": […]}`; all videos without `items`."""
        return cast(Share, await self.call(_calls.share_tasks(tasks, expires_at)))

    async def shares(self, task_no: str) -> list[Share]:
        return cast(list[Share], await self.call(Call("GET", f"{API}/share/{task_no}")))

    async def revoke_share(self, task_no: str, share_id: int) -> None:
        await self.call(Call("DELETE", f"{API}/share/{task_no}/{share_id}"))
