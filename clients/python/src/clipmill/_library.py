# Generated from _async_library.py by scripts/generate-clients.sh; do not edit.
"""Uploads, templates, batches, shares, drafts and the brand: calls of one request and one response each."""

from __future__ import annotations

from typing import cast

from . import _calls
from ._base import Base
from ._calls import API, Call
from ._paging import Listing
from .models import (
    Batch,
    BatchCallback,
    BatchEstimate,
    BatchRow,
    Brand,
    BrandRequest,
    ChangedDraft,
    Draft,
    DraftOverview,
    LibraryFile,
    MediaKindName,
    NewBatch,
    NewDraft,
    NewTemplate,
    RowFilterName,
    SavedTemplate,
    Share,
    ShareFeedback,
    SubmittedBatch,
    TaskToShare,
    Template,
    TemplateOverview,
)


class Library(Base):
    """The calls of a client that concern uploads, templates, batches, shares, drafts and the brand."""

    # Uploaded files

    def uploads(
        self,
        *,
        q: str | None = None,
        kind: MediaKindName | None = None,
        sha256: str | None = None,
        page_size: int = 100,
    ) -> Listing[LibraryFile]:
        """The uploaded files, the latest first; each content once.

        Args:
            q: Only files whose name contains this.
            kind: Only files of this kind: `video`, `picture` or `audio`.
            sha256: Only the file with this content.
            page_size: Files per call, at most 100.
        """
        call = _calls.listed("uploads", q=q, kind=kind, sha256=sha256)
        return self._listing(call, lambda file: file["url"], page_size)

    def uploaded(self, url: str) -> LibraryFile:
        """The details of an upload.

        Args:
            url: The `upload://` URL of the file.
        """
        return cast(LibraryFile, self.call(Call("GET", f"{API}/uploads/{_calls.upload_id(url)}")))

    def rename_upload(self, url: str, name: str) -> LibraryFile:
        """Changes the name of an upload.

        Args:
            url: The `upload://` URL of the file.
            name: The new name.
        """
        call = Call("PATCH", f"{API}/uploads/{_calls.upload_id(url)}", json={"name": name})
        return cast(LibraryFile, self.call(call))

    def delete_upload(self, url: str) -> None:
        """Deletes a file with all its uploads; raises Conflict while it is in use.

        Args:
            url: The `upload://` URL of the file.
        """
        self.call(Call("DELETE", f"{API}/uploads/{_calls.upload_id(url)}"))

    # Templates

    def templates(self, *, q: str | None = None, page_size: int = 100) -> Listing[TemplateOverview]:
        """Templates, the most recently changed first, without their requests.

        Args:
            q: Only templates whose name contains this.
            page_size: Templates per call, at most 100.
        """
        return self._listing(_calls.listed("templates", q=q), lambda template: template["templateNo"], page_size)

    def template(self, template_no: str, *, version: int | None = None) -> Template:
        """A template with its request and variables.

        Args:
            template_no: Number of the template.
            version: Default: the newest version.
        """
        call = Call("GET", f"{API}/templates/{template_no}", {"version": version} if version else {})
        return cast(Template, self.call(call))

    def add_template(self, template: NewTemplate) -> SavedTemplate:
        """Saves a request with variables. Not retried after a lost response, which could create two templates.

        Args:
            template: Name, request and variables.
        """
        return cast(SavedTemplate, self.call(Call("POST", f"{API}/templates", json=template, repeatable=False)))

    def replace_template(self, template_no: str, template: NewTemplate) -> SavedTemplate:
        """Saves the next version of a template.

        Args:
            template_no: Number of the template.
            template: The new content; with `version`, raises Conflict unless that is still the newest.
        """
        call = Call("PUT", f"{API}/templates/{template_no}", json=template, repeatable=False)
        return cast(SavedTemplate, self.call(call))

    def delete_template(self, template_no: str) -> None:
        """Deletes a template.

        Args:
            template_no: Number of the template.
        """
        self.call(Call("DELETE", f"{API}/templates/{template_no}"))

    # Batches

    def estimate_batch(self, batch: NewBatch) -> BatchEstimate:
        """Estimates the price of a batch. The `errors` of InvalidRequest list every invalid row and column.

        Args:
            batch: The batch, as for `submit_batch`.
        """
        return cast(BatchEstimate, self.call(Call("POST", f"{API}/batches/estimate", json=batch)))

    def submit_batch(self, batch: NewBatch) -> SubmittedBatch:
        """Submits a task for each row. Retried after a lost response: its `clientBatchId` never costs twice.

        Args:
            batch: A template or a request, and the rows.
        """
        return cast(SubmittedBatch, self.call(Call("POST", f"{API}/batches", json=batch)))

    def batches(self, *, page_size: int = 100) -> Listing[Batch]:
        """Batches, the newest first.

        Args:
            page_size: Batches per call, at most 100.
        """
        return self._listing(_calls.listed("batches"), lambda batch: batch["batchNo"], page_size)

    def batch(self, batch_no: str) -> Batch:
        """State and progress of a batch.

        Args:
            batch_no: Number of the batch.
        """
        return cast(Batch, self.call(_calls.batch(batch_no)))

    def batch_rows(
        self, batch_no: str, *, state: RowFilterName | None = None, page_size: int = 100
    ) -> Listing[BatchRow]:
        """The rows of a batch in order, with their tasks.

        Args:
            batch_no: Number of the batch.
            state: Only rows in this state; `failed`: rejected rows, and rows with failed videos.
            page_size: Rows per call, at most 100.
        """
        call = _calls.listed(f"batches/{batch_no}/rows", state=state)
        return self._listing(call, lambda row: row["row"], page_size)

    def pause_batch(self, batch_no: str) -> Batch:
        """Pauses a batch: no further tasks are created.

        Args:
            batch_no: Number of the batch.
        """
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/pause")))

    def resume_batch(self, batch_no: str) -> Batch:
        """Resumes a paused batch.

        Args:
            batch_no: Number of the batch.
        """
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/resume")))

    def cancel_batch(self, batch_no: str) -> Batch:
        """Cancels all undelivered videos; raises Conflict if the batch has ended.

        Args:
            batch_no: Number of the batch.
        """
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/cancel")))

    def retry_batch_row(self, batch_no: str, row: int) -> Batch:
        """Retries a failed row, which becomes a new task in place of its earlier one.

        Returns the batch, which is open again; raises Conflict if the row has not failed.

        Args:
            batch_no: Number of the batch.
            row: Number of the row, from 1.
        """
        return cast(Batch, self.call(Call("POST", f"{API}/batches/{batch_no}/rows/{row}/retry")))

    def batch_callback(self, batch_no: str) -> BatchCallback:
        """The delivery status of a batch's callback, with every attempt.

        Args:
            batch_no: Number of the batch.
        """
        return cast(BatchCallback, self.call(Call("GET", f"{API}/batches/{batch_no}/callbacks")))

    def redeliver_batch_callback(self, batch_no: str) -> BatchCallback:
        """Delivers the callback of a batch once more.

        Args:
            batch_no: Number of the batch.
        """
        return cast(BatchCallback, self.call(Call("POST", f"{API}/batches/{batch_no}/callbacks/redeliver")))

    # Shares

    def share(
        self,
        task_no: str,
        *,
        items: list[int] | None = None,
        expires_at: str | None = None,
        title: str | None = None,
        message: str | None = None,
        feedback: bool | None = None,
    ) -> Share:
        """Creates a page with a task's videos. Everyone with its `url` can see it without a key.

        Args:
            task_no: Number of the task.
            items: Numbers of the items to show. Default: all.
            expires_at: When the page expires, RFC 3339. Default: with the files.
            title: Title of the page.
            message: Text on the page.
            feedback: Whether viewers can pick videos and comment. Default: no.
        """
        call = _calls.share(
            f"share/{task_no}", items=items, expiresAt=expires_at, title=title, message=message, feedback=feedback
        )
        return cast(Share, self.call(call))

    def share_tasks(
        self,
        tasks: list[TaskToShare],
        *,
        expires_at: str | None = None,
        title: str | None = None,
        message: str | None = None,
        feedback: bool | None = None,
    ) -> Share:
        """Creates a page with videos of several tasks.

        Args:
            tasks: Each `{"taskNo": …, "items": […]}`; without `items`, all videos of the task.
            expires_at: When the page expires, RFC 3339. Default: with the files.
            title: Title of the page.
            message: Text on the page.
            feedback: Whether viewers can pick videos and comment. Default: no.
        """
        call = _calls.share("share", tasks=tasks, expiresAt=expires_at, title=title, message=message, feedback=feedback)
        return cast(Share, self.call(call))

    def shares(self, task_no: str) -> Listing[Share]:
        """The pages that show videos of a task.

        Args:
            task_no: Number of the task.
        """
        return self._listing(_calls.listed(f"share/{task_no}"), lambda share: share["shareId"], None)

    def revoke_share(self, task_no: str, share_id: int) -> None:
        """Removes a page immediately.

        Args:
            task_no: Number of the task.
            share_id: `shareId` of the page.
        """
        self.call(Call("DELETE", f"{API}/share/{task_no}/{share_id}"))

    def share_feedback(self, task_no: str, share_id: int) -> ShareFeedback:
        """The videos that viewers of a page picked, and their comments.

        Args:
            task_no: Number of a task on the page.
            share_id: `shareId` of the page.
        """
        return cast(ShareFeedback, self.call(Call("GET", f"{API}/share/{task_no}/{share_id}/feedback")))

    def delete_comment(self, task_no: str, share_id: int, comment_id: int) -> None:
        """Deletes a comment of a viewer.

        Args:
            task_no: Number of a task on the page.
            share_id: `shareId` of the page.
            comment_id: `commentId` of the comment.
        """
        self.call(Call("DELETE", f"{API}/share/{task_no}/{share_id}/comments/{comment_id}"))

    # Drafts and the brand

    def drafts(self, *, page_size: int = 100) -> Listing[DraftOverview]:
        """Drafts, the most recently changed first, without their bodies.

        Args:
            page_size: Drafts per call, at most 100.
        """
        return self._listing(_calls.listed("drafts"), lambda draft: draft["draftNo"], page_size)

    def draft(self, draft_no: str) -> Draft:
        """A draft with its body.

        Args:
            draft_no: Number of the draft.
        """
        return cast(Draft, self.call(Call("GET", f"{API}/drafts/{draft_no}")))

    def add_draft(self, draft: NewDraft) -> DraftOverview:
        """Saves an unfinished request. Not retried after a lost response, which could create two drafts.

        Args:
            draft: Name and body.
        """
        return cast(DraftOverview, self.call(Call("POST", f"{API}/drafts", json=draft, repeatable=False)))

    def replace_draft(self, draft_no: str, draft: ChangedDraft) -> DraftOverview:
        """Saves a change of a draft. Not retried after a lost response, because the repetition would be a conflict.

        Args:
            draft_no: Number of the draft.
            draft: The new content; raises Conflict unless its `updateTime` is still that of the stored draft.
        """
        call = Call("PUT", f"{API}/drafts/{draft_no}", json=draft, repeatable=False)
        return cast(DraftOverview, self.call(call))

    def delete_draft(self, draft_no: str) -> None:
        """Deletes a draft.

        Args:
            draft_no: Number of the draft.
        """
        self.call(Call("DELETE", f"{API}/drafts/{draft_no}"))

    def brand(self) -> Brand:
        """The user's logo, fonts, colours, intro, outro and caption style."""
        return cast(Brand, self.call(Call("GET", f"{API}/brand")))

    def replace_brand(self, brand: BrandRequest) -> Brand:
        """Saves the brand as a whole.

        Args:
            brand: The new content; absent fields are cleared.
        """
        return cast(Brand, self.call(Call("PUT", f"{API}/brand", json=brand)))
