"""Checked by mypy, not run: typed access to callbacks, errors in tables, and rows of a batch."""

import io
from collections.abc import AsyncIterator
from typing import assert_type

from clipmill import (
    AsyncClient,
    AsyncListing,
    CallbackEvent,
    Client,
    Event,
    InvalidRequest,
    Listing,
    Preview,
    Speech,
)
from clipmill.models import (
    Batch,
    BatchRow,
    Catalogue,
    FieldError,
    LibraryFile,
    Output,
    Probe,
    Task,
    VoiceCatalogue,
)


def callbacks(event: CallbackEvent) -> str:
    if event["type"] == "batch.completed" or event["type"] == "batch.failed" or event["type"] == "batch.cancelled":
        assert_type(event["data"], Batch)
        return event["data"]["batchNo"]
    assert_type(event["data"], Task)
    return event["data"]["taskNo"]


def wrong_cells(error: InvalidRequest) -> list[tuple[int, str | None]]:
    errors: list[FieldError] = error.errors
    return [(wrong["row"], wrong.get("column")) for wrong in errors if "row" in wrong]


async def responses(client: Client, asynchronous: AsyncClient, number: str) -> None:
    assert_type(client.batch_rows(number, state="failed"), Listing[BatchRow])
    assert_type(asynchronous.batch_rows(number, state="failed"), AsyncListing[BatchRow])
    client.batch_rows(number, state="faild")  # type: ignore[arg-type]
    assert_type(client.wait_all(["VP01"]), list[Task])
    assert_type(await asynchronous.wait_all(["VP01"]), list[Task])
    assert_type(client.effects(), Catalogue)
    assert_type(await asynchronous.effects(), Catalogue)
    assert_type(client.probe("upload://1"), Probe)
    assert_type(await asynchronous.probe("upload://1"), Probe)
    assert_type(client.voices(), VoiceCatalogue)
    assert_type(await asynchronous.speak("Hello.", voice="en-us", speed=1.1), Speech)
    assert_type(client.preview({"template": "TP01"}), Preview)
    assert_type(client.preview({"template": "TP01"}).at_seconds, float | None)


async def lists(client: Client, asynchronous: AsyncClient) -> None:
    for task in client.tasks(task_type="baseVideoMix"):
        assert_type(task, Task)
    async for output in asynchronous.outputs():
        assert_type(output, Output)
    assert_type([record["dotCount"] for record in client.records(type="hold")], list[int])
    assert_type((await asynchronous.uploads().page(2))["list"], list[LibraryFile])
    assert_type(client.shares("VP01").total(), int)
    client.records(type="holds")  # type: ignore[arg-type]


async def chunks() -> AsyncIterator[bytes]:
    yield b""


async def sources(client: Client, asynchronous: AsyncClient) -> None:
    client.upload(io.BytesIO(), on_progress=lambda sent, total: print(sent, total))
    client.upload([b"a", b"b"], name="a.srt")
    await asynchronous.upload(chunks(), name="a.srt")
    client.upload(chunks())  # type: ignore[arg-type]


async def live_events(client: Client, asynchronous: AsyncClient, number: str) -> None:
    for event in client.watch(number):
        assert_type(event, Event)
    async for event in asynchronous.watch(number):
        assert_type(event, Event)
