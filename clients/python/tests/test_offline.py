"""Error handling of the client, tested with fabricated responses."""

import asyncio
import base64
import hashlib
import hmac
import inspect
import json
import time
import urllib.parse
from pathlib import Path

import httpx
import pytest

import clipmill
from clipmill import AsyncClient, Client, Retry

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


def test_live_events_resume_after_an_interruption(calling):
    async def listed(user):
        return [event async for event in user.watch("VP01")]

    state = '{"taskNo":"VP01","status":%d}'
    first = f"retry: 1\n\nid: a\nevent: state\ndata: {state % 2}\n\n: still here\n\nid: half\nevent: prog"
    second = f"id: b\nevent: state\ndata: {state % 3}\n\n"
    script = Script(*[httpx.Response(200, text=text) for text in (first, second)])
    events = calling(script, lambda c: list(c.watch("VP01")) if isinstance(c, Client) else listed(c))
    assert [(event.id, event.data["status"]) for event in events] == [("a", 2), ("b", 3)]
    assert [request.headers.get("last-event-id") for request in script.requests] == [None, "a"]


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
        return library, lambda call, *values: getattr(user, call)(*values)

    async def answer(sent):
        await sent.aread()
        return library(sent)

    user = AsyncClient("http://service", "key", transport=httpx.MockTransport(answer), retry=QUICK)
    loop = asyncio.new_event_loop()
    request.addfinalizer(loop.close)
    return library, lambda call, *values: loop.run_until_complete(getattr(user, call)(*values))


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
        (lambda c: c.uploads(q="a b", kind="video", sha256="ab"), page, "GET", "/uploads?pageNo=1&pageSize=10&q=a+b&kind=video&sha256=ab"),
        (lambda c: c.uploaded("upload://x/1"), {}, "GET", "/uploads/x%2F1"),
        (lambda c: c.rename_upload("upload://x", "b"), {}, "PATCH", "/uploads/x"),
        (lambda c: c.delete_upload("upload://x"), None, "DELETE", "/uploads/x"),
        (lambda c: c.templates(q="mug"), page, "GET", "/templates?pageNo=1&pageSize=10&q=mug"),
        (lambda c: c.template("TP1", version=2), {}, "GET", "/templates/TP1?version=2"),
        (lambda c: c.add_template({"name": "a", "request": {}}), {}, "POST", "/templates"),
        (lambda c: c.replace_template("TP1", {"name": "a", "request": {}}), {}, "PUT", "/templates/TP1"),
        (lambda c: c.delete_template("TP1"), None, "DELETE", "/templates/TP1"),
        (lambda c: c.estimate_batch({"clientBatchId": "june"}), {}, "POST", "/batches/estimate"),
        (lambda c: c.submit_batch({"clientBatchId": "june"}), {}, "POST", "/batches"),
        (lambda c: c.batches(), page, "GET", "/batches?pageNo=1&pageSize=10"),
        (lambda c: c.batch(number), {}, "GET", "/batches/BP01"),
        (lambda c: c.batch_rows(number, state="refused"), page, "GET", "/batches/BP01/rows?pageNo=1&pageSize=100&state=refused"),
        (lambda c: c.pause_batch(number), {}, "POST", "/batches/BP01/pause"),
        (lambda c: c.resume_batch(number), {}, "POST", "/batches/BP01/resume"),
        (lambda c: c.cancel_batch(number), {}, "POST", "/batches/BP01/cancel"),
        (lambda c: c.batch_callback(number), {}, "GET", "/batches/BP01/callbacks"),
        (lambda c: c.redeliver_batch_callback(number), {}, "POST", "/batches/BP01/callbacks/redeliver"),
        (lambda c: c.share("VP1", items=[1]), {}, "POST", "/share/VP1"),
        (lambda c: c.share_tasks([{"taskNo": "VP1"}], expires_at="2030-01-01"), {}, "POST", "/share"),
        (lambda c: c.rename("VP1", name="a", labels=["b"]), {}, "PATCH", "/video-process/VP1"),
        (lambda c: c.shares("VP1"), [], "GET", "/share/VP1"),
        (lambda c: c.revoke_share("VP1", 7), None, "DELETE", "/share/VP1/7"),
        (lambda c: c.tasks(q="a", label="b", from_time="2026-01-01", to_time="2026-02-01"), page, "GET",
         "/video-process/list?pageNo=1&pageSize=10&q=a&label=b&from=2026-01-01&to=2026-02-01"),
        (lambda c: c.estimate(REQUEST, preflight=True), {}, "POST", "/video-process/estimate?preflight=true"),
        (lambda c: c.diversity("VP1"), page, "GET", "/video-process/diversity/VP1?pageNo=1&pageSize=100"),
        (lambda c: c.outputs(q="a"), page, "GET", "/video-process/outputs?pageNo=1&pageSize=10&q=a"),
        (lambda c: c.records(type="hold", task_no="VP1"), page, "GET",
         "/video-process/records?pageNo=1&pageSize=10&type=hold&taskNo=VP1"),
        (lambda c: c.balance(), {"balance": 1}, "GET", "/video-process/balance"),
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
        (lambda c: c.preview(REQUEST, itemNo=1, width=360), "preview", {"request": REQUEST, "itemNo": 1, "width": 360}),
        (lambda c: c.preview_clip(REQUEST, seconds=2), "preview/clip", {"request": REQUEST, "seconds": 2}),
        (lambda c: c.sound("upload://1", atSeconds=3), "sound", {"url": "upload://1", "atSeconds": 3}),
        (lambda c: c.speak("Hello."), "speech", {"text": "Hello."}),
        (lambda c: c.speak("Hi.", voice="cmn", speed=1.5), "speech", {"text": "Hi.", "voice": "cmn", "speed": 1.5}),
    ],
)
def test_previews_are_bytes(calling, call, path, body):
    script = Script(httpx.Response(200, content=b"\xff\xd8"))
    assert calling(script, call) == b"\xff\xd8"
    [request] = script.requests
    assert (request.method, request.url.path) == ("POST", f"/open-api/v1/{path}")
    assert json.loads(request.content) == body


def test_both_clients_have_the_same_calls():
    def calls(kind):
        """Parameters, types and description of each public method."""
        members = inspect.getmembers(kind, inspect.isfunction)
        return {
            name: (str(inspect.signature(member)).replace("Async", ""), inspect.getdoc(member))
            for name, member in members
            if name == "__init__" or not name.startswith("_")
        }

    assert calls(AsyncClient) == calls(Client)
    assert {"close", "submit", "wait_all", "effects", "preview_clip", "test_callback", "download_batch"} <= set(
        calls(Client)
    )


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
