"""Tests against a running service. CLIENT_TEST has its URL, a key, the secret, a clip."""

import asyncio
import io
import os
import queue
import shutil
import threading
import tracemalloc
import wave
import zipfile
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

import clipmill
from clipmill import AsyncClient, Client, Retry, Speech
from clipmill.models import BaseVideoMixRequest

pytestmark = pytest.mark.skipif("CLIENT_TEST" not in os.environ, reason="no service was named")
BASE, KEY, SECRET, CLIP = os.environ.get("CLIENT_TEST", "|||").split("|")


def mix(url: str, **more: Any) -> BaseVideoMixRequest:
    request: BaseVideoMixRequest = {
        "taskType": "baseVideoMix",
        "params": {
            "videoList": [{"videos": [{"url": url}], "totalDuration": 1}],
            "options": {"resolution": "720:1280", "resolutionMode": "crop", "preset": "draft"},
        },
    }
    return request | more  # type: ignore[return-value, operator]


@pytest.fixture
def receiver():
    """A URL that receives callbacks, and the queue of received ones."""
    received: queue.Queue = queue.Queue()

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            received.put((self.rfile.read(int(self.headers["content-length"])), dict(self.headers)))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", received
    server.shutdown()


def test_from_folder_to_files_and_callback(tmp_path, receiver):
    (tmp_path / "clips" / "day").mkdir(parents=True)
    shutil.copy(CLIP, tmp_path / "clips" / "day" / "one.mp4")
    (tmp_path / "clips" / "captions.srt").write_text("1\n00:00:00,000 --> 00:00:01,000\nhello\n")
    address, received = receiver
    with Client(BASE, KEY) as client:
        uploads = client.upload_folder(tmp_path / "clips")
        assert set(uploads) == {"captions.srt", "day/one.mp4"}
        assert uploads["day/one.mp4"]["media"]["video"]["codec"] == "h264"
        assert client.upload_folder(tmp_path / "clips") == uploads
        request = mix(uploads["day/one.mp4"]["url"], callbackUrl=address)
        estimate = client.estimate(request)
        heard = []
        task = client.run(request, timeout=300, on_change=lambda task: heard.append(task["status"]))
        assert heard[-1] == 3 and task["consumedDotCount"] <= estimate["estimatedDotCount"]
        video, cover = client.download(task, tmp_path / "out", covers=True)
        assert video.stat().st_size == task["items"][0]["sizeBytes"] and cover.read_bytes()[:2] == b"\xff\xd8"
        events = list(client.watch(task["taskNo"]))
        assert events[-1].ends and [event.data["itemNo"] for event in events if event.name == "item"] == [1]
        assert client.request(task["taskNo"])["taskType"] == "baseVideoMix"
        with pytest.raises(clipmill.Conflict) as raised:
            client.cancel(task["taskNo"])
        assert raised.value.code == 40901
        body, headers = received.get(timeout=120)
        assert clipmill.verify_callback(body, headers, SECRET)["data"]["taskNo"] == task["taskNo"]
        assert client.callback(task["taskNo"])["status"] in ("sending", "delivered")


def test_a_submission_with_a_lost_response_costs_once():
    class Lossy(httpx.HTTPTransport):
        lost = 0

        def handle_request(self, request):
            response = super().handle_request(request)
            if request.url.path.endswith("/submit") and self.lost < 2:
                self.lost += 1
                response.read()
                raise httpx.ReadError("the answer was lost")
            return response

    transport = Lossy()
    with Client(BASE, KEY, transport=transport, retry=Retry(first_pause=0.01)) as client:
        before = client.tasks().total()
        submitted = client.submit(mix(client.upload(CLIP)["url"]))
        assert transport.lost == 2 and submitted["duplicate"]
        assert client.tasks().total() == before + 1
        holds = list(client.records(type="hold", task_no=submitted["taskNo"]))
        assert [-record["dotCount"] for record in holds][-1:] == [submitted["estimatedDotCount"]]
        client.wait(submitted["taskNo"], timeout=300)
        assert next(iter(client.outputs(page_size=1)))["taskNo"] == submitted["taskNo"]


def test_a_deleted_upload_is_sent_again(tmp_path):
    path = tmp_path / "captions.srt"
    path.write_text("1\n00:00:00,000 --> 00:00:01,000\ndeleted\n")
    with Client(BASE, KEY) as client:
        first = client.upload(path)
        assert client.upload(path) == first
        client.delete_upload(first["url"])
        second = client.upload(path)
        assert second["url"] != first["url"] and client.uploaded(second["url"])["sha256"] == first["sha256"]


def test_lists_are_iterated_over_all_pages(tmp_path, monkeypatch):
    monkeypatch.setenv("CLIPMILL_URL", BASE)
    monkeypatch.setenv("CLIPMILL_API_KEY", KEY)

    async def names():
        async with AsyncClient() as client:
            return [upload["name"] async for upload in client.uploads(q="listed-", page_size=3)]

    with Client() as client:
        for number in range(10):
            # An upload of other content each.
            caption = f"1\n00:00:00,000 --> 00:00:01,000\nlisted {number}\n".encode()
            client.upload(io.BytesIO(caption), name=f"listed-{number}.srt")
        expected = [f"listed-{number}.srt" for number in reversed(range(10))]
        listing = client.uploads(q="listed-", page_size=3)
        assert [upload["name"] for upload in listing] == asyncio.run(names()) == expected
        page = listing.page(4)
        assert (listing.total(), page["total"], [upload["name"] for upload in page["list"]]) == (10, 10, expected[9:])
        for upload in listing:
            client.delete_upload(upload["url"])
        assert listing.total() == 0 and list(listing) == []
        # An account has records from its beginning.
        assert [record["type"] for record in client.records(page_size=1)][-1] == "grant"


def test_uploads_are_streamed_with_progress(tmp_path):
    size = Path(CLIP).stat().st_size
    read, write = os.pipe()
    threading.Thread(target=feed, args=[write]).start()
    with Client(BASE, KEY) as client, Path(CLIP).open("rb") as file, os.fdopen(read, "rb") as pipe:
        heard = []
        first = client.upload(file, on_progress=lambda *now: heard.append(now))
        assert heard[-1] == (size, size) and len(heard) == -(-size // (1 << 18))
        # A pipe: neither its length nor a second attempt is possible.
        heard.clear()
        second = client.upload(pipe, name="piped.mp4", on_progress=lambda *now: heard.append(now))
        assert heard[-1] == (size, None) and second["sha256"] == first["sha256"] and second["sizeBytes"] == size

    async def asynchronous():
        async def chunks():
            with Path(CLIP).open("rb") as file:  # noqa: ASYNC230
                while chunk := file.read(100_000):
                    yield chunk

        async with AsyncClient(BASE, KEY) as client:
            return await client.upload(chunks(), name="chunks.mp4")

    assert asyncio.run(asynchronous())["sha256"] == first["sha256"]


def feed(write):
    """Writes the clip into a pipe."""
    with os.fdopen(write, "wb") as pipe:
        pipe.write(Path(CLIP).read_bytes())


def test_a_large_upload_needs_little_memory(tmp_path):
    """Python allocates less than 8 MiB for an upload of 64 MiB."""
    size = 64 << 20
    path = tmp_path / "large.mp4"
    with path.open("wb") as file:
        file.truncate(size)

    async def asynchronous():
        async with AsyncClient(BASE, KEY) as client:
            return await client.upload(path)

    # Warm-up: modules and connections.
    with Client(BASE, KEY) as client:
        client.balance()
    for upload in (lambda: Client(BASE, KEY).upload(path), lambda: asyncio.run(asynchronous())):
        tracemalloc.start()
        try:
            assert upload()["sizeBytes"] == size
            assert tracemalloc.get_traced_memory()[1] < 8 << 20
        finally:
            tracemalloc.stop()


def test_previews_have_facts(tmp_path):
    with Client(BASE, KEY) as client:
        url = client.upload(CLIP)["url"]
        length = client.probe(url)["media"]["video"]["duration"]
        clip = client.preview_clip(mix(url), seconds=0.5)
        assert (clip.content_type, clip.content[4:8]) == ("video/mp4", b"ftyp")
        assert clip.length_seconds == pytest.approx(1, abs=0.05)
        frame = client.thumbnail(url, at_seconds=2, width=90)
        assert (frame.content_type, frame.content[:2]) == ("image/jpeg", b"\xff\xd8")
        assert frame.save(tmp_path / "frame.jpg").stat().st_size == len(frame.content) and length > 2
        speech = Path(CLIP).with_name("speech.wav")
        excerpt = client.sound(client.upload(speech)["url"], at_seconds=1, seconds=1)
        with wave.open(str(speech)) as audio:
            assert excerpt.length_seconds == pytest.approx(audio.getnframes() / audio.getframerate(), abs=0.05)
        assert (excerpt.content_type, excerpt.at_seconds) == ("audio/mp4", pytest.approx(1, abs=0.05))


def test_errors_say_what_to_fix():
    with Client(BASE, KEY) as client:
        with pytest.raises(clipmill.InvalidRequest) as raised:
            client.submit({"taskType": "baseVideoMix", "params": {"videoList": [], "options": {"fps": 24}}})
        assert {"/params/options/fps"} <= {error["path"] for error in raised.value.errors}
        assert raised.value.code == 40001 and raised.value.request_id
        with pytest.raises(clipmill.NotFound):
            client.status("VP" + "0" * 26)
        with pytest.raises(clipmill.TaskFailed) as failed:
            client.run(mix("http://10.0.0.1/private.mp4"), timeout=300)
        assert failed.value.task["statusName"] == "rejected"
    with Client(BASE, "cm_live_wrong") as stranger, pytest.raises(clipmill.NotAuthenticated):
        stranger.balance()


def test_asyncio(tmp_path):
    async def session():
        async with AsyncClient(BASE, KEY) as client:
            shutil.copy(CLIP, tmp_path / "one.mp4")
            uploads = await client.upload_folder(tmp_path)
            request = mix(uploads["one.mp4"]["url"])
            assert (await client.probe(uploads["one.mp4"]["url"]))["media"]["video"]["codec"] == "h264"
            frame = await client.preview(request, at_seconds=0.5, width=90)
            assert (frame.content[:2], frame.content_type) == (b"\xff\xd8", "image/jpeg")
            assert (frame.at_seconds, frame.length_seconds) == pytest.approx((0.5, 1), abs=0.05)
            assert (await client.effects())["total"] > 0
            submitted = await client.submit(request)
            events = [event async for event in client.watch(submitted["taskNo"])]
            assert events[-1].ends
            task = await client.run(request, timeout=300)
            [path] = await client.download(task["taskNo"], tmp_path / "out")
            assert path.stat().st_size == task["items"][0]["sizeBytes"]
            cancelled = await client.cancel((await client.submit(request | {"params": long(request)}))["taskNo"])
            assert cancelled["statusName"] == "cancelled"
            with pytest.raises(clipmill.WaitTimeout):
                waiting = await client.submit(request | {"params": long(request)})
                try:
                    await client.wait(waiting["taskNo"], timeout=0)
                finally:
                    await client.cancel(waiting["taskNo"])

    asyncio.run(session())


def long(request):
    """The same with more work than ends at once."""
    clips = request["params"]["videoList"][0]["videos"] * 20
    return request["params"] | {"videoList": [{"videos": clips, "totalDuration": 120}]}


def test_from_a_template_and_rows_to_a_zip(tmp_path):
    with Client(BASE, KEY) as client:
        clip = client.upload(CLIP)["url"]
        assert client.uploaded(clip)["url"] == clip
        assert client.rename_upload(clip, "city, renamed.mp4")["name"] == "city, renamed.mp4"
        assert client.uploads(q="renamed").total() == 1
        request = mix("{{clip}}", name="{{title}}", labels=["from python"])
        variables = [{"name": "title", "type": "text"}, {"name": "clip", "type": "url", "default": clip}]
        saved = client.add_template({"name": "Python", "request": dict(request), "variables": variables})
        number = saved["templateNo"]
        assert client.template(number)["variables"][0]["name"] == "title"
        assert [one["templateNo"] for one in client.templates(q="pyth")] == [number]
        with pytest.raises(clipmill.Conflict):
            client.delete_upload(clip)
        batch = {"clientBatchId": "python", "template": number, "rows": [{"title": "one"}, {"title": "two"}]}
        with pytest.raises(clipmill.InvalidRequest) as raised:
            client.estimate_batch(batch | {"rows": [{"title": "one"}, {}]})
        assert (raised.value.errors[0]["row"], raised.value.errors[0]["column"]) == (2, "title")
        price = client.estimate_batch(batch)["estimatedDotCount"]
        submitted = client.submit_batch(batch)
        assert submitted["estimatedDotCount"] == price
        assert client.submit_batch(batch)["batchNo"] == submitted["batchNo"]
        done = client.wait_for_batch(submitted["batchNo"], timeout=300)
        assert (done["statusName"], done["completedItems"]) == ("completed", 2)
        rows = list(client.batch_rows(submitted["batchNo"], page_size=1))
        assert [row["values"]["title"] for row in rows] == ["one", "two"]
        assert client.batch_rows(submitted["batchNo"], state="failed").total() == 0
        numbers = [row["taskNo"] or "" for row in rows]
        ended = client.wait_all(numbers, timeout=60)
        assert [(task["taskNo"], len(task["items"] or [])) for task in ended] == [(number, 1) for number in numbers]
        assert client.tasks(q="tw", label="from python").page()["list"][0]["taskNo"] == rows[1]["taskNo"]
        assert client.batch_results(submitted["batchNo"]).count("/files/") == 2
        archive = client.download_batch(submitted["batchNo"], tmp_path / "june.zip")
        assert len(zipfile.ZipFile(archive).namelist()) == 2
        assert client.batch_callback(submitted["batchNo"])["status"] == "none"
        share = client.share(rows[0]["taskNo"])
        page = share["url"]
        assert page and httpx.get(page).status_code == 200
        assert [one["shareId"] for one in client.shares(rows[0]["taskNo"])] == [share["shareId"]]
        events = list(client.watch_batch(submitted["batchNo"]))
        assert events[-1].ends and events[-1].data["batchNo"] == submitted["batchNo"]
        client.revoke_share(rows[0]["taskNo"], share["shareId"])
        assert httpx.get(page).status_code == 404
        both = client.share_tasks([{"taskNo": row["taskNo"]} for row in rows])
        assert both["url"] and httpx.get(both["url"]).text.count("<video") == 2
        named = client.rename(rows[0]["taskNo"], name="first of all", labels=["renamed"])
        assert (named["name"], named["labels"]) == ("first of all", ["renamed"])
        assert client.tasks(q="first of", label="renamed").total() == 1
        assert client.rename(rows[0]["taskNo"], labels=[])["name"] == "first of all"
        task = client.run({"template": number, "values": {"title": "single"}}, timeout=300)
        assert task["name"] == "single"
        client.delete_template(number)
        with pytest.raises(clipmill.NotFound):
            client.template(number)

    async def asynchronous() -> None:
        async with AsyncClient(BASE, KEY) as client:
            assert (await anext(aiter(client.batches())))["clientBatchId"] == "python"
            archive = await client.download_batch(submitted["batchNo"], tmp_path / "again.zip")
            assert len(zipfile.ZipFile(archive).namelist()) == 2

    asyncio.run(asynchronous())


def test_a_voice_is_chosen_and_speaks():
    async def asynchronous(text: str, voice: str) -> Speech:
        async with AsyncClient(BASE, KEY) as client:
            assert (await client.voices())["list"][0]["name"] == voice
            return await client.speak(text, voice=voice, speed=2)

    with Client(BASE, KEY) as client:
        assert "karaoke-box" in {style["name"] for style in client.caption_styles()["list"]}
        voices = client.voices()
        if not voices.get("service"):
            pytest.skip("the service speaks no texts: espeak-ng is not installed")
        voice = voices["list"][0]["name"]
        slow = client.speak("Hello from Python.", voice=voice)
        fast = asyncio.run(asynchronous("Hello from Python.", voice))
        assert (slow.content_type, client.speak("Hello from Python.", voice=voice).dot_count) == ("audio/wav", 0)
        with wave.open(io.BytesIO(slow.content)) as one, wave.open(io.BytesIO(fast.content)) as other:
            assert 0 < other.getnframes() < 0.8 * one.getnframes()
        with pytest.raises(clipmill.InvalidRequest) as raised:
            client.speak("Hello.", voice="nobody")
        assert raised.value.errors[0]["path"] == "/voice"
