"""Uploads, templates, batches and shares: calls of one request and one response each."""

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


class Library:
    """The calls of a client that do not concern tasks."""

    def call(self, call: Call) -> Any:
        raise NotImplementedError

    # Uploaded files

    def uploads(
        self,
        *,
        page_no: int = 1,
        page_size: int = 10,
        q: str | None = None,
        kind: str | None = None,
        sha256: str | None = None,
    ) -> PageLibraryFile:
        """A page of the uploaded files, the latest first; each content once. `kind`: video, picture, audio."""
        call = _calls.listed("uploads", page_no, page_size, q=q, kind=kind, sha256=sha256)
        return cast(PageLibraryFile, self.call(call))

    def uploaded(self, url: str) -> LibraryFile:
        """The details of an upload, by its URL."""
        return cast(LibraryFile, self.call(Call("GET", f"{API}/uploads/{_calls.upload_id(url)}")))

    def rename_upload(self, url: str, name: str) -> LibraryFile:
        call = Call("PATCH", f"{API}/uploads/{_calls.upload_id(url)}", json={"name": name})
        return cast(LibraryFile, self.call(call))

    def delete_upload(self, url: str) -> None:
        """Deletes a file with all its uploads; Conflict while it is in use."""
        self.call(Call("DELETE", f"{API}/uploads/{_calls.upload_id(url)}"))

    # Templates

    def templates(self, *, page_no: int = 1, page_size: int = 10, q: str | None = None) -> PageTemplateOverview:
        """A page of templates, the most recently changed first, without their requests."""
        return cast(PageTemplateOverview, self.call(_calls.listed("templates", page_no, page_size, q=q)))

    def template(self, template_no: str, *, version: int | None = None) -> Template:
        """A template with its request and variables; the newest version by default."""
        call = Call("GET", f"{API}/templates/{template_no}", {"version": version} if version else {})
        return cast(Template, self.call(call))

    def add_template(self, template: NewTemplate) -> SavedTemplate:
        """Saves a request with variables. Not retried after a lost response, which could create two templates."""
        return cast(SavedTemplate, self.call(Call("POST", f"{API}/templates", json=template, repeatable=False)))

    def replace_template(self, template_no: str, template: NewTemplate) -> SavedTemplate:
        """Saves the next version of a template; with `version`, Conflict unless that is still the newest."""
        call = Call("PUT", f"{API}/templates/{template_no}", json=template, repeatable=False)
        return cast(SavedTemplate, self.call(call))

    def delete_template(self, template_no: str) -> None:
        self.call(Call("DELETE", f"{API}/templates/{template_no}"))

    # Batches

    def estimate_batch(self, batch: NewBatch) -> BatchEstimate:
        """Estimates the price of a batch; InvalidRequest lists every invalid row and column."""
        return cast(BatchEstimate, self.call(Call("POST", f"{API}/batches/estimate", json=batch)))

    def submit_batch(self, batch: NewBatch) -> SubmittedBatch:
        """Submits a task for each row. Retried after a lost response: its `clientBatchId` never costs twice."""
        return cast(SubmittedBatch, self.call(Call("POST", f"{API}/batches", json=batch)))

    def batches(self, *, page_no: int = 1, page_size: int = 10) -> PageBatch:
        """A page of batches, the newest first."""
        return cast(PageBatch, self.call(_calls.listed("batches", page_no, page_size)))

    def batch(self, batch_no: str) -> Batch:
        """State and progress of a batch."""
        return cast(Batch, self.call(_calls.batch(batch_no)))

    def batch_rows(
        self, batch_no: str, *, page_no: int = 1, page_size: int = 100, state: RowFilterName | None = None
    ) -> PageBatchRow:
        """Rows in order with their tasks; `state` `failed`: rejected rows, and rows with failed videos."""
        return cast(PageBatchRow, self.call(_calls.listed(f"batches/{batch_no}/rows", page_no, page_size, state=state)))

    def pause_batch(self, batch_no: str) -> Batch:
        """Pauses the batch: no further tasks are created."""
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/pause")))

    def resume_batch(self, batch_no: str) -> Batch:
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/resume")))

    def cancel_batch(self, batch_no: str) -> Batch:
        """Cancels all undelivered videos; Conflict if the batch has ended."""
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/cancel")))

    def batch_callback(self, batch_no: str) -> BatchCallback:
        """The delivery status of a batch's callback, with every attempt."""
        return cast(BatchCallback, self.call(Call("GET", f"{API}/batches/{batch_no}/callbacks")))

    def redeliver_batch_callback(self, batch_no: str) -> BatchCallback:
        return cast(BatchCallback, self.call(Call("POST", f"{API}/batches/{batch_no}/callbacks/redeliver")))

    # Shares

    def share(self, task_no: str, *, items: list[int] | None = None, expires_at: str | None = None) -> Share:
        """Creates a page with a task's videos (all, or these items); everyone with its `url` can see it without a key."""
        return cast(Share, self.call(_calls.share(task_no, items, expires_at)))

    def share_tasks(self, tasks: list[TaskToShare], *, expires_at: str | None = None) -> Share:
        """A page with videos of several tasks, each `{"taskNo": …, "items": […]}`; all videos without `items`."""
        return cast(Share, self.call(_calls.share_tasks(tasks, expires_at)))

    def shares(self, task_no: str) -> list[Share]:
        return cast(list[Share], self.call(Call("GET", f"{API}/share/{task_no}")))

    def revoke_share(self, task_no: str, share_id: int) -> None:
        """Removes the page immediately."""
        self.call(Call("DELETE", f"{API}/share/{task_no}/{share_id}"))
