"""Error handling of the client, tested with fabricated responses."""

import asyncio
import base64
import dataclasses
import hashlib
import hmac
import inspect
import io
import json
import time
import urllib.parse
from pathlib import Path

import httpx
import pytest

import clipmill
from clipmill import AsyncClient, AsyncListing, Client, Listing, Preview, Retry, Speech

QUICK = Retry(first_pause=0.001)
REQUEST = {"taskType": "baseVideoMix", "params": {"videoList": [{"videos": [{"url": "upload://1"}]}]}}
SUBMITTED = {"taskNo": "VP01", "taskId": 1, "estimatedDotCount": 1, "totalItems": 1}


def envelope(data, status=200, code=0, msg="success", **headers):
    return httpx.Response(status, json={"code": code, "msg": msg, "data": data}, headers=headers)


class Script:
    """Returns responses in turn; an exception is a lost connection. Records the requests."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []

    def __call__(self, request):
        request.read()
        self.requests.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def client(script, **options):
    return Client("http://service", "key", transport=httpx.MockTransport(script), retry=QUICK, **options)


@pytest.fixture(params=["sync", "async"])
def calling(request):
    """A function that makes a call with a client and fabricated responses."""
    if request.param == "sync":
        return lambda script, call: call(client(script))

    def run(script, call):
        async def answer(sent):
            await sent.aread()
            return script(sent)

        async def session():
            transport = httpx.MockTransport(answer)
            async with AsyncClient("http://service", "key", transport=transport, retry=QUICK) as user:
                return await call(user)

        return asyncio.run(session())

    return run


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A response that is interrupted after its first bytes."""

    def __init__(self, content):
        self.content = content

    def __iter__(self):
        yield self.content
        raise httpx.ReadError("interrupted")

    async def __aiter__(self):
        yield self.content
        raise httpx.ReadError("interrupted")


@pytest.mark.parametrize(
    "first",
    [
        httpx.ReadError("the answer was lost"),
        httpx.ConnectTimeout("nobody there"),
        envelope(None, 503, 50300, "later"),
        httpx.Response(502, text="<html>bad gateway"),
        envelope({"seconds": 0}, 429, 42900, "slower", **{"retry-after": "0"}),
    ],
)
def test_a_submission_is_retried_with_the_same_id(first):
    script = Script(first, envelope(SUBMITTED | {"duplicate": True}))
    assert client(script).submit(REQUEST)["duplicate"]
    keys = [json.loads(request.content)["clientTaskId"] for request in script.requests]
    assert len(keys) == 2 and keys[0] == keys[1] and keys[0].startswith("py-")


def test_each_submission_has_its_own_id_unless_one_is_given():
    script = Script(*[envelope(SUBMITTED) for _ in range(4)])
    user = client(script)
    for options in ({}, {}, {"client_task_id": "mine"}):
        user.submit(REQUEST, **options)
    user.submit(REQUEST | {"clientTaskId": "in the body"})
    generated, again, given, body = [json.loads(request.content)["clientTaskId"] for request in script.requests]
    assert generated != again and (given, body) == ("mine", "in the body")


def test_a_submission_that_stays_lost_reports_its_id():
    script = Script(*[httpx.ReadError("lost")] * 4)
    with pytest.raises(clipmill.ConnectionFailed) as raised:
        client(script).submit(REQUEST)
    assert raised.value.client_task_id == json.loads(script.requests[0].content)["clientTaskId"]


def test_retry_after_is_respected_up_to_the_maximum():
    script = Script(envelope({"seconds": 1}, 429, 42900, **{"retry-after": "1"}), envelope({"balance": 1}))
    began = time.monotonic()
    client(script).balance()
    assert time.monotonic() - began >= 1
    script = Script(envelope({"seconds": 3600}, 429, 42900, **{"retry-after": "3600"}))
    with pytest.raises(clipmill.TooManyRequests) as raised:
        client(script).balance()
    assert raised.value.retry_after == 3600 and len(script.requests) == 1


def test_non_idempotent_calls_are_not_retried():
    script = Script(httpx.ReadError("lost"))
    with pytest.raises(clipmill.ConnectionFailed):
        client(script).test_callback("http://receiver")
    assert len(script.requests) == 1


@pytest.mark.parametrize(
    ("status", "code", "kind"),
    [
        (400, 40001, clipmill.InvalidRequest),
        (401, 40100, clipmill.NotAuthenticated),
        (402, 40200, clipmill.NotEnoughPoints),
        (403, 40300, clipmill.NotAllowed),
        (404, 40400, clipmill.NotFound),
        (409, 40900, clipmill.Conflict),
        (413, 41300, clipmill.InvalidRequest),
    ],
)
def test_errors_have_types(status, code, kind):
    errors = [{"path": "/params", "message": "must be there", "got": None, "allowed": None}]
    script = Script(envelope({"errors": errors, "needed": 5}, status, code, "no", **{"x-request-id": "r-1"}))
    with pytest.raises(kind) as raised:
        client(script).submit(REQUEST)
    error = raised.value
    assert (error.code, error.status, error.request_id, error.data["needed"]) == (code, status, "r-1", 5)
    assert error.errors == errors and "/params: must be there" in str(error) and "r-1" in str(error)
    assert len(script.requests) == 1


def test_waiting_tolerates_an_unavailable_service_for_a_while():
    def task(status, percent):
        return envelope({"taskNo": "VP01", "status": status, "statusName": "x", "progressPercent": percent})

    outage = [httpx.ConnectError("refused"), envelope(None, 429, 42900, "slower", **{"retry-after": "1"})]
    script = Script(task(2, 0), *outage, task(2, 50), task(3, 100))
    heard = []
    client(script).wait("VP01", on_change=lambda task: heard.append(task["progressPercent"]))
    assert heard == [0, 50, 100]
    with pytest.raises(clipmill.WaitTimeout) as raised:
        client(Script(*[task(2, 7)] * 9)).wait("VP01", timeout=0.1)
    assert raised.value.task["progressPercent"] == 7


def stream(text, status=200):
    return httpx.Response(status, text=text, headers={"content-type": "text/event-stream; charset=utf-8"})


def watched(calling, script, call):
    """The events that a call of either client returns."""

    async def listed(user):
        return [event async for event in call(user)]

    return calling(script, lambda c: list(call(c)) if isinstance(c, Client) else listed(c))


def test_live_events_resume_after_an_interruption(calling):
    state = '{"taskNo":"VP01","status":%d}'
    first = f"retry: 1\n\nid: a\nevent: state\ndata: {state % 2}\n\n: still here\n\nid: half\nevent: prog"
    second = f"id: b\nevent: state\ndata: {state % 3}\n\n"
    script = Script(*[stream(text) for text in (first, second)])
    events = watched(calling, script, lambda c: c.watch("VP01"))
    assert [(event.id, event.data["status"]) for event in events] == [("a", 2), ("b", 3)]
    assert [request.headers.get("last-event-id") for request in script.requests] == [None, "a"]
    assert events[-1].ends and not events[0].ends


def test_live_events_of_a_batch_end_with_it(calling):
    script = Script(httpx.ConnectError("refused"), stream('event: state\ndata: {"status":3}\n\n'))
    [event] = watched(calling, script, lambda c: c.watch_batch("BP01"))
    assert event.ends and script.requests[-1].url.path == "/open-api/v1/batches/BP01/events"
    assert watched(calling, Script(httpx.Response(204)), lambda c: c.watch("VP01")) == []


@pytest.mark.parametrize(
    "answer", [lambda: httpx.ReadError("lost"), lambda: stream(""), lambda: httpx.Response(200, text="a portal")]
)
def test_streams_without_events_fail_after_four_attempts(answer, calling):
    script = Script(*[answer() for _ in range(4)])
    with pytest.raises(clipmill.ConnectionFailed):
        watched(calling, script, lambda c: c.watch("VP01"))
    assert len(script.requests) == 4


def test_a_rejected_stream_is_an_error(calling):
    with pytest.raises(clipmill.NotFound):
        watched(calling, Script(envelope(None, 404, 40400, "no")), lambda c: c.watch("VP01"))


CONTENT = b"video" * 1000


def finished(url):
    item = {"itemNo": 1, "url": url, "coverUrl": None, "sizeBytes": len(CONTENT)}
    return {"taskNo": "VP01", "items": [item | {"sha256": hashlib.sha256(CONTENT).hexdigest()}]}


def test_a_download_resumes_with_a_fresh_link(tmp_path, calling):
    script = Script(
        httpx.Response(200, stream=Broken(CONTENT[:100])),
        envelope(None, 403, 40300, "expired"),
        envelope(finished("http://storage/2")),
        httpx.Response(206, content=CONTENT[100:]),
    )
    [path] = calling(script, lambda c: c.download(finished("http://storage/1"), tmp_path))
    assert path.read_bytes() == CONTENT and path.name == "VP01-1.mp4"
    assert [request.headers.get("range") for request in script.requests] == [None, "bytes=100-", None, "bytes=100-"]
    files = [request for request in script.requests if request.url.host == "storage"]
    assert all("x-api-key" not in request.headers for request in files), "the key was shown to the storage"
    # The file exists, so nothing is requested.
    assert calling(Script(), lambda c: c.download(finished("http://storage/3"), tmp_path)) == [path]


@pytest.mark.parametrize("content", [CONTENT[:-1], CONTENT + b"x", b"x" * len(CONTENT)])
def test_a_download_that_does_not_match_its_description_is_discarded(content, tmp_path):
    with pytest.raises(clipmill.DownloadFailed):
        client(Script(httpx.Response(200, content=content))).download(finished("http://storage/1"), tmp_path)
    assert list(tmp_path.iterdir()) == []


def sent(name, content=CONTENT):
    header = f"inline; filename=\"VP01-1.mp4\"; filename*=UTF-8''{urllib.parse.quote(name, safe='')}"
    return httpx.Response(200, content=content, headers={"content-disposition": header})


def several(*numbers):
    """A task with outputs of different content."""
    items = []
    for number in numbers:
        sha256 = hashlib.sha256(CONTENT + bytes([number])).hexdigest()
        size = len(CONTENT) + 1
        items.append(
            {"itemNo": number, "url": f"http://storage/{number}", "sizeBytes": size, "sha256": sha256, "coverUrl": None}
        )
    return {"taskNo": "VP01", "items": items}


def test_a_download_has_the_name_set_by_the_service(tmp_path, downloading):
    (tmp_path / "Summer – 1.mp4").write_bytes(b"of another task")
    name = "Summer – 1.mp4"
    first = downloading([sent(name, CONTENT + b"\1")], several(1), tmp_path)
    assert [path.name for path in first] == ["Summer – 1 (2).mp4"]
    assert (tmp_path / name).read_bytes() == b"of another task"
    # Outputs of one name are kept apart; an existing output is not requested again, whatever its name.
    answers = [sent(name, CONTENT + b"\2"), sent(name, CONTENT + b"\3")]
    first[0].rename(tmp_path / "mine.mp4")
    again = downloading(answers, several(1, 2, 3), tmp_path, concurrency=1)
    assert [path.name for path in again] == ["mine.mp4", "Summer – 1 (2).mp4", "Summer – 1 (3).mp4"]
    assert [path.read_bytes()[-1] for path in again] == [1, 2, 3]
    # Two outputs with the same content have a file each.
    twin = {"taskNo": "VP02", "items": [dict(several(7)["items"][0], itemNo=number) for number in (1, 2)]}
    answers = [sent(f"Twin – {number}.mp4", CONTENT + b"\7") for number in (1, 2)]
    paths = downloading(answers, twin, tmp_path, concurrency=1)
    assert [path.name for path in paths] == ["Twin – 1.mp4", "Twin – 2.mp4"]
    assert downloading([], twin, tmp_path) == paths


def test_covers_are_not_doubled(tmp_path, downloading):
    task = finished("http://storage/1")
    task["items"][0] |= {"url": None, "coverUrl": "http://storage/1.jpg"}
    for content, expected in ((b"one", "Mug – 1.jpg"), (b"one", "Mug – 1.jpg"), (b"other", "Mug – 1 (2).jpg")):
        [path] = downloading([sent("Mug – 1.jpg", content)], task, tmp_path, covers=True)
        assert (path.name, path.read_bytes()) == (expected, content)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("../../etc/cron.mp4", "cron.mp4"),
        ("..\\..\\evil.mp4", "evil.mp4"),
        ("/root/.bashrc.mp4", "bashrc.mp4"),
        ("C:evil.mp4", "C-evil.mp4"),
        ("nul.mp4", "_nul.mp4"),
        ("a\r\nb\0c\u202e.mp4", "abc.mp4"),
        ("x" * 400 + ".mp4", "x" * 196 + ".mp4"),
        ("夏" * 100 + ".mp4", "夏" * 65 + ".mp4"),
        ("evil.exe", "VP01-1.mp4"),
        ("...mp4", "VP01-1.mp4"),
        ("..", "VP01-1.mp4"),
        ("", "VP01-1.mp4"),
    ],
)
def test_a_name_from_the_service_cannot_leave_the_folder(name, expected, tmp_path):
    folder = tmp_path / "folder"
    [path] = client(Script(sent(name))).download(finished("http://storage/1"), folder)
    assert (path.parent, path.name, list(folder.iterdir())) == (folder, expected, [path])
    assert list(tmp_path.iterdir()) == [folder]


class Library:
    """A service that stores uploads by name, each under a new URL."""

    def __init__(self):
        self.stored, self.sent, self.checked, self.refused = {}, [], [], {}

    def __call__(self, request):
        if request.method == "GET":
            number = request.url.path.rsplit("/", 1)[1]
            self.checked.append(number)
            code = self.refused.get("read")
            if code:
                return envelope(None, code, code * 100, "no")
            upload = self.stored.get(f"upload://{number}")
            return envelope(upload) if upload else envelope(None, 404, 40400, "not found")
        name = request.url.params["fileName"]
        self.sent.append(name)
        if name in self.refused:
            return envelope(None, 413, 41300, "too large")
        url = f"upload://{name}-{len(self.sent)}"
        self.stored[url] = {"url": url, "sizeBytes": len(request.content), "sha256": ""}
        return envelope(self.stored[url])


@pytest.fixture
def downloading(calling):
    """Downloads a task from fabricated responses."""
    return lambda answers, *values, **options: calling(Script(*answers), lambda c: c.download(*values, **options))


@pytest.fixture(params=["sync", "async"])
def uploading(request):
    """An upload library, and a function that calls one of its clients."""
    library = Library()
    if request.param == "sync":
        user = client(lambda sent: (sent.read(), library(sent))[1])
        return library, lambda call, *values, **options: getattr(user, call)(*values, **options)

    async def answer(sent):
        await sent.aread()
        return library(sent)

    user = AsyncClient("http://service", "key", transport=httpx.MockTransport(answer), retry=QUICK)
    loop = asyncio.new_event_loop()
    request.addfinalizer(loop.close)
    return library, lambda call, *values, **options: loop.run_until_complete(getattr(user, call)(*values, **options))


def test_repeating_a_folder_upload_sends_only_missing_files(tmp_path, uploading):
    for name in ("a.mp4", "b.mp4", ".hidden"):
        (tmp_path / name).write_bytes(name.encode())
    library, call = uploading
    library.refused["b.mp4"] = 413
    with pytest.raises(clipmill.UploadIncomplete) as raised:
        call("upload_folder", tmp_path)
    assert set(raised.value.done) == {"a.mp4"} and set(raised.value.failed) == {"b.mp4"}
    library.refused.clear()
    library.sent.clear()
    done = call("upload_folder", tmp_path)
    assert set(done) == {"a.mp4", "b.mp4"} and done["a.mp4"] == raised.value.done["a.mp4"]
    assert library.sent == ["b.mp4"]


def test_an_upload_that_was_deleted_or_has_expired_is_sent_again(tmp_path, uploading):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"a")
    library, call = uploading
    first = call("upload", path)
    assert call("upload", path) == first and len(library.sent) == 1
    # Deleted by another client, or removed by the service because no task used it.
    library.stored.clear()
    second = call("upload", path)
    assert second["url"] != first["url"] and second["url"] in library.stored
    assert call("upload", path) == second and len(library.sent) == 2
    # A key without read access cannot check whether the file still exists.
    library.refused["read"] = 403
    assert call("upload", path) != second and len(library.sent) == 3
    # Any other error is reported, because the URL may be invalid.
    library.refused["read"] = 503
    with pytest.raises(clipmill.ServiceUnavailable):
        call("upload", path)


def test_a_retried_upload_sends_the_whole_file_and_closes_it(tmp_path, calling, monkeypatch):
    path = tmp_path / "a.mp4"
    path.write_bytes(b"0123456789" * 250_000)
    files, opened = [], Path.open
    monkeypatch.setattr(Path, "open", lambda *values: files.append(opened(*values)) or files[-1])
    upload = {"url": "upload://1"}
    script = Script(httpx.WriteError("lost"), envelope(None, 503, 50300, "later"), envelope(upload))
    assert calling(script, lambda c: c.upload(path)) == upload
    assert [(request.headers["content-length"], len(request.content)) for request in script.requests] == [
        ("2500000", 2500000)
    ] * 3
    assert len(files) == 3 and all(file.closed for file in files)
    with path.open("rb") as file:
        assert calling(Script(envelope(upload)), lambda c: c.upload(file, name="b.mp4")) == upload


SECRET = "whsec_" + base64.b64encode(b"k" * 24).decode()


def signed(body, secret=SECRET, age=0):
    timestamp = str(int(time.time() - age))
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.digest(key, f"evt_1.{timestamp}.".encode() + body, hashlib.sha256)
    signature = "v1," + base64.b64encode(mac).decode()
    return {"Webhook-Id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": f"v1,b2xk {signature}"}


def test_a_genuine_callback_is_accepted():
    body = b'{"type":"task.completed","timestamp":"t","data":{"taskNo":"VP01"}}'
    event = clipmill.verify_callback(body, signed(body), ["whsec_b3RoZXI=", SECRET])
    assert event["data"]["taskNo"] == "VP01"


@pytest.mark.parametrize(
    ("body", "headers", "secret"),
    [
        (b"{} ", signed(b"{}"), SECRET),
        (b"{}", signed(b"{}", age=301), SECRET),
        (b"{}", signed(b"{}", age=-400), SECRET),
        (b"{}", signed(b"{}"), "whsec_b3RoZXI="),
        (b"{}", {}, SECRET),
        (b"{}", signed(b"{}") | {"webhook-timestamp": "x"}, SECRET),
        (b"{}", signed(b"{}") | {"webhook-signature": ""}, SECRET),
        (b"no json", signed(b"no json"), SECRET),
    ],
)
def test_other_messages_are_refused(body, headers, secret):
    with pytest.raises(clipmill.CallbackRefused):
        clipmill.verify_callback(body, headers, secret)


@pytest.mark.parametrize("secret", ["", "whsec_", "whsec_!"])
def test_an_invalid_secret_is_rejected(secret):
    with pytest.raises(ValueError, match="must have the form"):
        clipmill.verify_callback(b"{}", signed(b"{}"), secret)


def test_calls_send_the_right_requests(calling):
    number, page = "BP01", {"list": [], "total": 0, "pageNo": 1, "pageSize": 10}
    calls = [
        (lambda c: c.uploads(q="a b", kind="video", sha256="ab").page(), page, "GET", "/uploads?pageNo=1&pageSize=100&q=a+b&kind=video&sha256=ab"),
        (lambda c: c.uploaded("upload://x/1"), {}, "GET", "/uploads/x%2F1"),
        (lambda c: c.rename_upload("upload://x", "b"), {}, "PATCH", "/uploads/x"),
        (lambda c: c.delete_upload("upload://x"), None, "DELETE", "/uploads/x"),
        (lambda c: c.templates(q="mug").page(), page, "GET", "/templates?pageNo=1&pageSize=100&q=mug"),
        (lambda c: c.template("TP1", version=2), {}, "GET", "/templates/TP1?version=2"),
        (lambda c: c.add_template({"name": "a", "request": {}}), {}, "POST", "/templates"),
        (lambda c: c.replace_template("TP1", {"name": "a", "request": {}}), {}, "PUT", "/templates/TP1"),
        (lambda c: c.delete_template("TP1"), None, "DELETE", "/templates/TP1"),
        (lambda c: c.drafts().page(), page, "GET", "/drafts?pageNo=1&pageSize=100"),
        (lambda c: c.draft("DP1"), {}, "GET", "/drafts/DP1"),
        (lambda c: c.add_draft({"name": "a", "body": {}}), {}, "POST", "/drafts"),
        (lambda c: c.replace_draft("DP1", {"name": "a", "body": {}, "updateTime": "t"}), {}, "PUT", "/drafts/DP1"),
        (lambda c: c.delete_draft("DP1"), None, "DELETE", "/drafts/DP1"),
        (lambda c: c.brand(), {}, "GET", "/brand"),
        (lambda c: c.replace_brand({"colors": ["#fff"]}), {}, "PUT", "/brand"),
        (lambda c: c.estimate_batch({"clientBatchId": "june"}), {}, "POST", "/batches/estimate"),
        (lambda c: c.submit_batch({"clientBatchId": "june"}), {}, "POST", "/batches"),
        (lambda c: c.batches().page(), page, "GET", "/batches?pageNo=1&pageSize=100"),
        (lambda c: c.batch(number), {}, "GET", "/batches/BP01"),
        (lambda c: c.batch_rows(number, state="refused").page(), page, "GET", "/batches/BP01/rows?pageNo=1&pageSize=100&state=refused"),
        (lambda c: c.pause_batch(number), {}, "POST", "/batches/BP01/pause"),
        (lambda c: c.resume_batch(number), {}, "POST", "/batches/BP01/resume"),
        (lambda c: c.cancel_batch(number), {}, "POST", "/batches/BP01/cancel"),
        (lambda c: c.retry_batch_row(number, 2), {}, "POST", "/batches/BP01/rows/2/retry"),
        (lambda c: c.batch_callback(number), {}, "GET", "/batches/BP01/callbacks"),
        (lambda c: c.redeliver_batch_callback(number), {}, "POST", "/batches/BP01/callbacks/redeliver"),
        (lambda c: c.share("VP1", items=[1]), {}, "POST", "/share/VP1"),
        (lambda c: c.share_tasks([{"taskNo": "VP1"}], expires_at="2030-01-01"), {}, "POST", "/share"),
        (lambda c: c.rename("VP1", name="a", labels=["b"]), {}, "PATCH", "/video-process/VP1"),
        (lambda c: c.share("VP1", items=[2]), {}, "POST", "/share/VP1"),
        (lambda c: c.revoke_share("VP1", 7), None, "DELETE", "/share/VP1/7"),
        (lambda c: c.share_feedback("VP1", 7), {}, "GET", "/share/VP1/7/feedback"),
        (lambda c: c.delete_comment("VP1", 7, 3), None, "DELETE", "/share/VP1/7/comments/3"),
        (lambda c: c.tasks(q="a", label="b", from_time="2026-01-01", to_time="2026-02-01").page(), page, "GET",
         "/video-process/list?pageNo=1&pageSize=100&q=a&label=b&from=2026-01-01&to=2026-02-01"),
        (lambda c: c.estimate(REQUEST, preflight=True), {}, "POST", "/video-process/estimate?preflight=true"),
        (lambda c: c.diversity("VP1").page(), page, "GET", "/video-process/diversity/VP1?pageNo=1&pageSize=1000"),
        (lambda c: c.outputs(q="a", from_time="2026-01-01").page(), page, "GET", "/video-process/outputs?pageNo=1&pageSize=100&q=a&from=2026-01-01"),
        (lambda c: c.records(type="hold", task_no="VP1").page(), page, "GET",
         "/video-process/records?pageNo=1&pageSize=100&type=hold&taskNo=VP1"),
        (lambda c: c.balance(), {"balance": 1}, "GET", "/video-process/balance"),
        (lambda c: c.balance(details=True), {"balance": 1}, "GET", "/video-process/balance?details=true"),
        (lambda c: c.effects(), {}, "GET", "/video-process/effects"),
        (lambda c: c.looks(), {}, "GET", "/video-process/looks"),
        (lambda c: c.transitions(), {}, "GET", "/video-process/transitions"),
        (lambda c: c.fonts(), {}, "GET", "/video-process/fonts"),
        (lambda c: c.caption_styles(), {}, "GET", "/video-process/caption-styles"),
        (lambda c: c.voices(), {}, "GET", "/video-process/voices"),
        (lambda c: c.callback("VP1"), {}, "GET", "/video-process/callbacks/VP1"),
        (lambda c: c.redeliver_callback("VP1"), {}, "POST", "/video-process/callbacks/VP1/redeliver"),
        (lambda c: c.test_callback("http://receiver"), {}, "POST", "/video-process/callbacks/test"),
        (lambda c: c.probe("upload://1"), {}, "POST", "/probe"),
    ]  # fmt: skip
    for call, answer, method, path in calls:
        script = Script(envelope(answer))
        assert calling(script, call) == answer
        request = script.requests[0]
        assert (request.method, str(request.url)) == (method, f"http://service/open-api/v1{path}")


@pytest.mark.parametrize(
    ("call", "path", "body"),
    [
        (
            lambda c: c.preview(REQUEST, item_no=1, width=360),
            "preview",
            {"request": REQUEST, "itemNo": 1, "width": 360},
        ),
        (lambda c: c.preview_clip(REQUEST, seconds=2), "preview/clip", {"request": REQUEST, "seconds": 2}),
        (lambda c: c.sound("upload://1", at_seconds=3), "sound", {"url": "upload://1", "atSeconds": 3}),
        (lambda c: c.thumbnail("upload://1", width=90), "thumbnail", {"url": "upload://1", "width": 90}),
    ],
)
def test_previews_have_content_and_facts(calling, call, path, body, tmp_path):
    facts = {"content-type": "image/jpeg", "x-at-seconds": "1.5", "x-length-seconds": "7.6"}
    script = Script(httpx.Response(200, content=b"\xff\xd8", headers=facts))
    preview = calling(script, call)
    assert preview == Preview(b"\xff\xd8", "image/jpeg", 1.5, 7.6)
    assert bytes(preview) == preview.save(tmp_path / "frame.jpg").read_bytes() == b"\xff\xd8"
    [request] = script.requests
    assert (request.method, request.url.path) == ("POST", f"/open-api/v1/{path}")
    assert json.loads(request.content) == body


@pytest.mark.parametrize(
    ("call", "body"),
    [
        (lambda c: c.speak("Hello."), {"text": "Hello."}),
        (lambda c: c.speak("Hi.", voice="cmn", speed=1.5), {"text": "Hi.", "voice": "cmn", "speed": 1.5}),
    ],
)
def test_speech_has_audio_and_price(calling, call, body):
    script = Script(httpx.Response(200, content=b"RIFF", headers={"content-type": "audio/wav", "x-dot-count": "3"}))
    assert calling(script, call) == Speech(b"RIFF", "audio/wav", 3)
    [request] = script.requests
    assert request.url.path == "/open-api/v1/speech" and json.loads(request.content) == body


class Listed:
    """A list of the service, from which entries can be deleted; new ones appear at its beginning."""

    def __init__(self, count):
        self.numbers, self.calls = list(range(count, 0, -1)), 0

    def __call__(self, request):
        self.calls += 1
        page_no, size = (int(request.url.params[name]) for name in ("pageNo", "pageSize"))
        listed = self.numbers[(page_no - 1) * size : page_no * size]
        page = {"total": len(self.numbers), "pageNo": page_no, "pageSize": size}
        return envelope({"list": [{"taskNo": number} for number in listed], **page})


def numbers_of(calling, service, *, each=lambda number: None, **filters):
    """The task numbers that iterating over `tasks` returns; `each` is called for each."""
    numbers = []

    def note(task):
        numbers.append(task["taskNo"])
        each(task["taskNo"])

    async def iterate(user):
        async for task in user.tasks(**filters):
            note(task)

    def call(user):
        if isinstance(user, AsyncClient):
            return iterate(user)
        for task in user.tasks(**filters):
            note(task)

    calling(service, call)
    return numbers


@pytest.mark.parametrize(("count", "calls"), [(0, 1), (1, 1), (99, 1), (100, 2), (250, 3)])
def test_iterating_returns_the_entries_of_all_pages(count, calls, calling):
    service = Listed(count)
    assert numbers_of(calling, service) == list(range(count, 0, -1)) and service.calls == calls


def test_iterating_fetches_only_the_pages_that_are_needed():
    service = Listed(250)
    user = client(service)
    assert [task["taskNo"] for _, task in zip(range(10), user.tasks(page_size=10))] == list(range(250, 240, -1))
    assert service.calls == 1
    tasks = user.tasks()
    assert (tasks.total(), tasks.page(3)["list"][0]["taskNo"], len(list(tasks)), len(list(tasks))) == (
        250,
        50,
        250,
        250,
    )


def test_entries_can_be_deleted_and_added_while_iterating(calling):
    service = Listed(250)
    assert numbers_of(calling, service, each=service.numbers.remove) == list(range(250, 0, -1))
    assert service.numbers == []
    # Every third is deleted.
    service = Listed(250)
    each = lambda number: number % 3 or service.numbers.remove(number)
    assert numbers_of(calling, service, each=each, page_size=10) == list(range(250, 0, -1))
    # A new task for each of the first 40: no task is returned twice.
    service = Listed(250)
    each = lambda number: number > 210 and service.numbers.insert(0, 1000 - number)
    assert numbers_of(calling, service, each=each, page_size=10) == list(range(250, 0, -1))


def test_shares_come_whole(calling):
    async def listed(user):
        return [share async for share in user.shares("VP1")], await user.shares("VP1").total()

    script = Script(*[envelope([{"shareId": 1}, {"shareId": 2}])] * 2)
    shares, total = calling(
        script,
        lambda c: (list(c.shares("VP1")), c.shares("VP1").total()) if isinstance(c, Client) else listed(c),
    )
    assert shares == [{"shareId": 1}, {"shareId": 2}] and total == 2
    assert [str(request.url) for request in script.requests] == ["http://service/open-api/v1/share/VP1"] * 2


@pytest.mark.parametrize("kind", [Client, AsyncClient])
def test_url_and_key_come_from_the_environment(kind, monkeypatch):
    monkeypatch.delenv("CLIPMILL_URL", raising=False)
    monkeypatch.delenv("CLIPMILL_API_KEY", raising=False)
    with pytest.raises(clipmill.NotConfigured, match="base_url.*CLIPMILL_URL"):
        kind(api_key="key")
    with pytest.raises(clipmill.NotConfigured, match="api_key.*CLIPMILL_API_KEY"):
        kind("http://service")
    monkeypatch.setenv("CLIPMILL_URL", "http://environment/")
    monkeypatch.setenv("CLIPMILL_API_KEY", "secret")
    user, other = kind(), kind("http://argument", "mine")
    assert (user._base, user._headers["X-API-Key"]) == ("http://environment", "secret")
    assert (other._base, other._headers["X-API-Key"]) == ("http://argument", "mine")


MEGABYTES = b"0123456789" * 250_000


class OneWay(io.RawIOBase):
    """A stream that can be read once, as a pipe."""

    def __init__(self, content):
        self.content = io.BytesIO(content)

    def readable(self):
        return True

    def read(self, size=-1):
        assert 0 < size <= 1 << 20, "the content is not read in chunks"
        return self.content.read(size)


def test_uploads_report_progress_and_can_be_streams(tmp_path, calling):
    path = tmp_path / "a.mp4"
    path.write_bytes(MEGABYTES)
    upload = {"url": "upload://1"}
    with path.open("rb") as file:
        file.seek(1000)
        sources = [
            (path, len(MEGABYTES), "a.mp4"),
            (MEGABYTES, len(MEGABYTES), None),
            (file, len(MEGABYTES) - 1000, "a.mp4"),
            (OneWay(MEGABYTES), None, None),
            ((MEGABYTES[i : i + 300_000] for i in range(0, len(MEGABYTES), 300_000)), None, None),
        ]
        for source, size, name in sources:
            # A retry sends everything again, if the source can be read again.
            first = [envelope(None, 503, 50300, "later")] if size else []
            heard, script = [], Script(*first, envelope(upload))
            call = lambda c: c.upload(source, on_progress=lambda *now: heard.append(now))  # noqa: B023
            assert calling(script, call) == upload
            for request in script.requests:
                assert request.headers.get("content-length") == (str(size) if size else None)
                assert request.content == MEGABYTES[len(MEGABYTES) - (size or len(MEGABYTES)) :]
                assert request.url.params.get("fileName") == name
            sent = len(script.requests[0].content)
            assert heard[-1] == (sent, size) and [now for now, _ in heard].count(sent) == len(script.requests)
            assert len(heard) >= 9 and len(heard) % len(script.requests) == 0


def test_content_that_can_be_read_once_is_not_retried(calling):
    for answer in (httpx.WriteError("lost"), envelope(None, 429, 42900, "slower", **{"retry-after": "0"})):
        script = Script(answer)
        with pytest.raises((clipmill.ConnectionFailed, clipmill.TooManyRequests)):
            calling(script, lambda c: c.upload(OneWay(b"a")))
        assert len(script.requests) == 1
    with pytest.raises(TypeError, match="must be bytes, not str"):
        calling(Script(), lambda c: c.upload(io.StringIO("text")))


def test_an_async_iterator_can_be_uploaded():
    async def chunks():
        yield b"ab"
        yield b"cd"

    async def session():
        async def answer(request):
            assert await request.aread() == b"abcd"
            return envelope({"url": "upload://1"})

        async with AsyncClient("http://service", "key", transport=httpx.MockTransport(answer)) as user:
            return await user.upload(chunks(), name="a.srt")

    assert asyncio.run(session()) == {"url": "upload://1"}


def test_uploading_a_folder_reports_the_progress_of_all_files(tmp_path, uploading):
    for name in ("a.mp4", "b.mp4", "c.mp4"):
        (tmp_path / name).write_bytes(MEGABYTES)
    _, call = uploading
    for _ in range(2):
        heard = []
        call("upload_folder", tmp_path, on_progress=lambda *now, heard=heard: heard.append(now))
        assert heard[-1] == (3 * len(MEGABYTES), 3 * len(MEGABYTES))
        assert heard == sorted(heard) and {total for _, total in heard} == {3 * len(MEGABYTES)}
    # Files that are stored already count as sent.
    assert len(heard) == 3


def test_both_clients_have_the_same_calls():
    def calls(kind):
        """Parameters, types and description of each public method."""
        members = inspect.getmembers(kind, inspect.isfunction)
        return {
            name: (str(inspect.signature(member)).replace("Async", ""), inspect.getdoc(member))
            for name, member in members
            if name == "__init__" or not name.startswith("_")
        }

    def neutral(described):
        """A description without the words that differ."""
        return str(described).replace("async for", "for")

    assert neutral(calls(AsyncClient)) == neutral(calls(Client))
    assert neutral(calls(AsyncListing)) == neutral(calls(Listing))
    assert {"close", "submit", "wait_all", "effects", "preview_clip", "test_callback", "download_batch"} <= set(
        calls(Client)
    )


def public_classes():
    return [value for name, value in vars(clipmill).items() if inspect.isclass(value) and name in clipmill.__all__]


@pytest.mark.parametrize("kind", public_classes(), ids=lambda kind: kind.__name__)
def test_everything_public_is_documented(kind):
    assert inspect.getdoc(kind), kind
    for name, member in inspect.getmembers(kind, lambda member: inspect.isfunction(member) or inspect.ismethod(member)):
        own = getattr(member, "__module__", "").startswith("clipmill")
        if not own or (name.startswith("_") and name != "__init__") or name.startswith("__replace"):
            continue
        text = inspect.getdoc(member)
        if name == "__init__" and (dataclasses.is_dataclass(kind) or kind.__module__ == "clipmill.errors"):
            # Its attributes are documented.
            continue
        assert text, f"{kind.__name__}.{name} has no description"
        for parameter in inspect.signature(member).parameters:
            if kind in (Client, AsyncClient) and parameter != "self":
                assert f"\n    {parameter}: " in text, f"{kind.__name__}.{name} does not describe {parameter}"


def test_a_batch_is_awaited_and_its_zip_downloaded_completely(tmp_path, calling):
    states = [{"status": 2, "statusName": "executing", "progressPercent": p} for p in (0, 40)]
    ended = {"status": 3, "statusName": "completed", "progressPercent": 100}
    heard = []
    script = Script(*[envelope(state) for state in [*states, ended]])
    batch = calling(script, lambda c: c.wait_for_batch("BP01", on_change=lambda b: heard.append(b["progressPercent"])))
    assert (batch, heard) == (ended, [0, 40, 100])
    with pytest.raises(clipmill.WaitTimeout, match="BP01 has not ended in time"):
        calling(Script(envelope(states[0])), lambda c: c.wait_for_batch("BP01", timeout=0))

    script = Script(httpx.Response(200, stream=Broken(b"PK")), httpx.Response(200, content=b"PK whole"))
    path = calling(script, lambda c: c.download_batch("BP01", tmp_path / "all" / "june.zip"))
    assert path.read_bytes() == b"PK whole" and list(path.parent.iterdir()) == [path]
    with pytest.raises(clipmill.Conflict):
        calling(
            Script(envelope(None, 409, 40903, "no files")), lambda c: c.download_batch("BP01", tmp_path / "none.zip")
        )
    script = Script(httpx.Response(200, content=b"PK timeline"))
    timeline = calling(script, lambda c: c.download_timeline("VP01", 2, tmp_path / "timeline.zip"))
    assert timeline.read_bytes() == b"PK timeline"
    # In a folder, the service names the file.
    for expected in ("June.zip", "June (2).zip"):
        script = Script(
            httpx.Response(200, content=b"PK", headers={"content-disposition": "attachment; filename=June.zip"})
        )
        assert calling(script, lambda c: c.download_batch("BP01", path.parent)) == path.parent / expected
    assert path.read_bytes() == b"PK whole" and len(list(path.parent.iterdir())) == 3
