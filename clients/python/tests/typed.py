"""Checked by mypy, not run: typed access to callbacks, errors in tables, and rows of a batch."""

from typing import assert_type

from clipmill import AsyncClient, CallbackEvent, Client, Event, InvalidRequest
from clipmill.models import Batch, Catalogue, FieldError, PageBatchRow, Probe, Task, VoiceCatalogue


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
    assert_type(client.batch_rows(number, state="failed"), PageBatchRow)
    assert_type(await asynchronous.batch_rows(number, state="failed"), PageBatchRow)
    client.batch_rows(number, state="faild")  # type: ignore[arg-type]
    assert_type(client.wait_all(["VP01"]), list[Task])
    assert_type(await asynchronous.wait_all(["VP01"]), list[Task])
    assert_type(client.effects(), Catalogue)
    assert_type(await asynchronous.effects(), Catalogue)
    assert_type(client.probe("upload://1"), Probe)
    assert_type(await asynchronous.probe("upload://1"), Probe)
    assert_type(client.voices(), VoiceCatalogue)
    assert_type(await asynchronous.speak("Hello.", voice="en-us", speed=1.1), bytes)


async def live_events(client: Client, asynchronous: AsyncClient, number: str) -> None:
    for event in client.watch(number):
        assert_type(event, Event)
    async for event in asynchronous.watch(number):
        assert_type(event, Event)
