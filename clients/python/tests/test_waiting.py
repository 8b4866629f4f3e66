"""Waiting for many tasks at once, against a small service with the default rate limit of clipmill."""

import asyncio
import math
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import httpx
import pytest

import clipmill
import clipmill._base
import clipmill._tasks
import clipmill._waiting
from clipmill import AsyncClient, Client, Retry

MANY = 150
BURST, RATE = 100, 20
"""`limits.read_burst` and `limits.read_rate` of the service, unless configured otherwise."""


class Clock:
    """A clock that advances only during sleep."""

    def __init__(self):
        self.now = 0.0

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        assert seconds >= 0
        self.now += seconds


class Service:
    """Tasks that end at their time, behind a token bucket like that of the service."""

    def __init__(self, tasks, clock=time, *, burst=BURST, rate=RATE, headers=True, others=0):
        self.clock, self.burst, self.rate, self.headers = clock, burst, rate, headers
        self.began = clock.monotonic()
        self.tokens, self.filled = float(burst), self.began
        first = datetime(2026, 11, 21, tzinfo=UTC)
        self.tasks = [(f"VP{n:04}", first + timedelta(seconds=n), ends) for n, ends in enumerate(tasks)]
        later = first + timedelta(days=1)
        self.tasks += [(f"XX{n:04}", later + timedelta(seconds=n), 0.0) for n in range(others)]
        self.calls, self.refused, self.lists = 0, 0, 0

    @property
    def numbers(self):
        return [number for number, _, _ in self.tasks if number.startswith("VP")]

    def __call__(self, request):
        now = self.clock.monotonic()
        self.tokens = min(self.burst, self.tokens + (now - self.filled) * self.rate)
        self.filled = now
        self.calls += 1
        if self.tokens < 1:
            self.refused += 1
            seconds = math.ceil((1 - self.tokens) / self.rate)
            return self.answer(429, {"seconds": seconds}, 42900, **{"retry-after": str(seconds)})
        self.tokens -= 1
        *_, verb, number = request.url.path.split("/")
        if number == "list":
            return self.answer(200, self.page(request.url.params))
        assert verb == "status"
        matches = [task for task in self.tasks if task[0] == number]
        return self.answer(200, self.view(matches[0], items=True)) if matches else self.answer(404, None, 40400)

    def page(self, query):
        self.lists += 1
        page_no, size = int(query["pageNo"]), int(query["pageSize"])
        begin, end = (datetime.fromisoformat(query[name]) if name in query else None for name in ("from", "to"))
        tasks = [
            self.view(task)
            for task in sorted(self.tasks, key=lambda task: task[1], reverse=True)
            if (begin is None or task[1] >= begin) and (end is None or task[1] < end)
        ]
        listed = tasks[(page_no - 1) * size : page_no * size]
        return {"list": listed, "total": len(tasks), "pageNo": page_no, "pageSize": size}

    def view(self, task, items=False):
        number, created, ends = task
        elapsed = self.clock.monotonic() - self.began
        ended = elapsed >= ends
        state = {"status": 3 if ended else 2, "statusName": "completed" if ended else "executing"}
        percent = 100 if ended else int(99 * elapsed / ends)
        shown = {"taskNo": number, "progressPercent": percent, "createTime": created.isoformat(), **state}
        return shown | ({"items": []} if items else {})

    def answer(self, status, data, code=0, **more):
        policy = f'"reading";q={self.burst};w={math.ceil(self.burst / self.rate)}'
        remaining = int(self.tokens)
        limits = {
            "ratelimit-policy": policy,
            "ratelimit": f'"reading";r={remaining};t={math.ceil((self.burst - remaining) / self.rate)}',
        }
        headers = more | (limits if self.headers else {})
        return httpx.Response(status, json={"code": code, "msg": "", "data": data}, headers=headers)


def client(service, **options):
    return Client("http://service", "key", transport=httpx.MockTransport(service), **options)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(clipmill._waiting, "time", clock)
    monkeypatch.setattr(clipmill._base, "time", clock)
    monkeypatch.setattr(clipmill._tasks, "time", clock)
    return clock


@pytest.mark.parametrize("headers", [True, False])
def test_150_tasks_are_awaited_by_pages_below_the_limit(clock, headers):
    service = Service([10 + n % 60 for n in range(MANY)], clock, headers=headers, others=40)
    changes = []
    done = client(service).wait_all(service.numbers, on_change=lambda task: changes.append(task["status"]))
    assert [task["taskNo"] for task in done] == service.numbers
    assert all(task["status"] == 3 and "items" in task for task in done) and changes.count(3) == MANY
    assert service.refused == 0
    # One by one it would be 150 calls every five seconds: about 1,900.
    assert service.calls < 2 * MANY and clock.now < 120, (service.calls, clock.now)


def test_a_burst_of_ended_tasks_stays_below_the_limit(clock):
    service = Service([0] * 600, clock)
    assert len(client(service).wait_all(service.numbers)) == 600
    assert service.refused == 0 and service.tokens > BURST / 5
    assert clock.now < 600 / RATE + 10, clock.now


def test_a_list_full_of_other_tasks_is_not_walked_to_its_end(clock):
    service = Service([30] * 20, clock, others=5000)
    assert len(client(service).wait_all(service.numbers)) == 20
    # At first the tasks are not among the newest; once their times are known, the list is narrowed to them.
    assert service.lists < 20 and service.calls < 80, (service.lists, service.calls)


def test_a_missing_task_is_an_error_and_a_timeout_has_the_ended_tasks(clock):
    service = Service([1, 1, 900, 900], clock)
    with pytest.raises(clipmill.NotFound):
        client(service).wait_all(["VP0000", "VP9999"])
    with pytest.raises(clipmill.WaitAllTimeout, match="2 of 4 tasks have not ended in time: VP0002, VP0003") as raised:
        client(service).wait_all(service.numbers, timeout=60)
    assert set(raised.value.ended) == {"VP0000", "VP0001"} and set(raised.value.open) == {"VP0002", "VP0003"}
    assert isinstance(raised.value, clipmill.WaitTimeout) and raised.value.task_no == "VP0002"
    assert clock.now == pytest.approx(60, abs=10)
    assert client(service).wait_all([]) == []
    assert [task["taskNo"] for task in client(service).wait_all(["VP0001", "VP0000", "VP0001"])] == [
        "VP0001",
        "VP0000",
        "VP0001",
    ]


def test_an_interruption_is_tolerated_for_five_minutes(clock):
    service = Service([400] * 5, clock)

    def away(request):
        if 10 < clock.now < 200:
            raise httpx.ConnectError("refused")
        return service(request)

    assert len(client(away).wait_all(service.numbers)) == 5
    clock.now = 0.0
    service = Service([400] * 5, clock)

    def gone(request):
        if clock.now > 10:
            return httpx.Response(503, json={"code": 50300, "msg": "later", "data": None})
        return service(request)

    with pytest.raises(clipmill.ServiceUnavailable):
        client(gone).wait_all(service.numbers)
    assert 300 < clock.now < 400


def test_waiting_treats_too_many_requests_as_later(clock):
    """Even if the limit stays exceeded for longer than any call is retried."""
    refusals = [3600, 1, 1, 1, 1, 1, 1]

    def busy(request):
        if refusals:
            seconds = refusals.pop(0)
            body = {"code": 42900, "msg": "", "data": {"seconds": seconds}}
            return httpx.Response(429, json=body, headers={"retry-after": str(seconds)})
        return service(request)

    service = Service([0, 9000], clock)
    assert client(busy).wait("VP0000")["status"] == 3
    assert clock.now >= 3600 + 6
    refusals[:] = [60]
    before = clock.now
    with pytest.raises(clipmill.WaitTimeout):
        client(busy).wait("VP0001", timeout=5)
    assert clock.now < before + 60, "a wait sleeps beyond its timeout"


def test_threads_that_wait_for_a_task_each_do_not_fail():
    service = Service([0.5] * 60, rate=100, burst=20)
    with client(service, retry=Retry(attempts=1)) as user, ThreadPoolExecutor(60) as pool:
        done = list(pool.map(user.wait, service.numbers))
    assert all(task["status"] == 3 for task in done) and service.refused > 0


def test_150_waits_at_once_do_not_fail_on_the_default_limits():
    service = Service([2] * MANY)

    async def answer(request):
        return service(request)

    async def session():
        async with AsyncClient("http://service", "key", transport=httpx.MockTransport(answer)) as user:
            alone = await asyncio.gather(*(user.wait(number) for number in service.numbers))
            refused, calls = service.refused, service.calls
            together = await user.wait_all(service.numbers[:50])
            assert service.refused == refused, "waiting for all exceeded the limit"
            return alone, together, refused, calls

    alone, together, refused, calls = asyncio.run(session())
    assert all(task["status"] == 3 for task in [*alone, *together])
    print(f"{MANY} waits: {calls} calls, {refused} refused")
    assert refused > 0, "the limit was never reached, so nothing was shown"
