// Waiting for many tasks at once, against a small service with the default rate limit of clipmill.
import assert from "node:assert/strict";
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";
import { mock, test } from "node:test";
import * as clipmill from "clipmill";

const MANY = 150;
/** `limits.read_burst` and `limits.read_rate` of the service, unless configured otherwise. */
const [BURST, RATE] = [100, 20];
const FIRST = Date.parse("2026-11-21T00:00:00Z");

/** Tasks that end after their number of seconds, behind a token bucket like that of the service. */
class Service {
  constructor(ends, { burst = BURST, rate = RATE, headers = true, others = 0 } = {}) {
    Object.assign(this, { burst, rate, headers, began: Date.now(), tokens: burst, filled: Date.now() });
    this.tasks = ends.map((end, n) => ({ number: `VP${n}`, created: FIRST + n * 1000, end }));
    this.numbers = this.tasks.map(({ number }) => number);
    const later = FIRST + 86_400_000;
    for (let n = 0; n < others; n += 1) this.tasks.push({ number: `XX${n}`, created: later + n * 1000, end: 0 });
    Object.assign(this, { calls: 0, refused: 0, lists: 0 });
  }

  fetch = async (target) => {
    const url = new URL(target);
    this.tokens = Math.min(this.burst, this.tokens + ((Date.now() - this.filled) / 1000) * this.rate);
    this.filled = Date.now();
    this.calls += 1;
    if (this.tokens < 1) {
      this.refused += 1;
      const seconds = Math.ceil((1 - this.tokens) / this.rate);
      return this.answer(429, { seconds }, 42900, { "retry-after": `${seconds}` });
    }
    this.tokens -= 1;
    const last = url.pathname.split("/").at(-1);
    if (last === "list") return this.answer(200, this.page(url.searchParams));
    const task = this.tasks.find(({ number }) => number === last);
    return task ? this.answer(200, { ...this.view(task), items: [] }) : this.answer(404, null, 40400);
  };

  page(query) {
    this.lists += 1;
    const [pageNo, pageSize] = [Number(query.get("pageNo")), Number(query.get("pageSize"))];
    const [from, to] = [Date.parse(query.get("from") ?? "1970"), Date.parse(query.get("to") ?? "9999")];
    const found = this.tasks.filter(({ created }) => created >= from && created < to);
    found.sort((a, b) => b.created - a.created);
    const list = found.slice((pageNo - 1) * pageSize, pageNo * pageSize).map((task) => this.view(task));
    return { list, total: found.length, pageNo, pageSize };
  }

  view({ number, created, end }) {
    const elapsed = (Date.now() - this.began) / 1000;
    const ended = elapsed >= end;
    return {
      taskNo: number,
      createTime: new Date(created).toISOString(),
      status: ended ? 3 : 2,
      statusName: ended ? "completed" : "executing",
      progressPercent: ended ? 100 : Math.floor((99 * elapsed) / end),
    };
  }

  answer(status, data, code = 0, more = {}) {
    const left = Math.floor(this.tokens);
    const limits = {
      "ratelimit-policy": `"reading";q=${this.burst};w=${Math.ceil(this.burst / this.rate)}`,
      ratelimit: `"reading";r=${left};t=${Math.ceil((this.burst - left) / this.rate)}`,
    };
    const headers = { ...more, ...(this.headers ? limits : {}) };
    return new Response(JSON.stringify({ code, msg: "", data }), { status, headers });
  }
}

const clientOf = (fetch, retry = {}) => new clipmill.Client({ baseUrl: "http://service", apiKey: "key", fetch, retry });

/** Runs with a clock that advances only during sleep; returns the elapsed seconds. */
async function quickly(work) {
  let now = 0;
  const sleep = mock.method(timers, "setTimeout", async (milliseconds) => void (now += milliseconds));
  const date = mock.method(Date, "now", () => now);
  syncBuiltinESMExports();
  try {
    await work();
    return now / 1000;
  } finally {
    sleep.mock.restore();
    date.mock.restore();
    syncBuiltinESMExports();
  }
}

for (const headers of [true, false]) {
  test(`150 tasks are awaited by pages below the limit, ${headers ? "which is" : "not"} reported`, async () => {
    const seconds = await quickly(async () => {
      const service = new Service(Array.from({ length: MANY }, (_, n) => 10 + (n % 60)), { headers, others: 40 });
      let ended = 0;
      const done = await clientOf(service.fetch).waitAll(service.numbers, { onChange: ({ status }) => (ended += +(status === 3)) });
      assert.deepEqual(done.map(({ taskNo }) => taskNo), service.numbers);
      assert(done.every(({ status, items }) => status === 3 && items));
      assert.deepEqual([ended, service.refused], [MANY, 0]);
      // One by one it would be 150 calls every five seconds: about 1,900.
      assert(service.calls < 2 * MANY, `${service.calls} calls`);
    });
    assert(seconds < 120, `${seconds} s`);
  });
}

test("a burst of ended tasks stays below the limit", async () => {
  const seconds = await quickly(async () => {
    const service = new Service(new Array(600).fill(0));
    assert.equal((await clientOf(service.fetch).waitAll(service.numbers)).length, 600);
    assert(service.refused === 0 && service.tokens > BURST / 5);
  });
  assert(seconds < 600 / RATE + 10, `${seconds} s`);
});

test("a list full of other tasks is not walked to its end", async () => {
  await quickly(async () => {
    const service = new Service(new Array(20).fill(30), { others: 5000 });
    assert.equal((await clientOf(service.fetch).waitAll(service.numbers)).length, 20);
    assert(service.lists < 20 && service.calls < 80, `${service.lists} lists, ${service.calls} calls`);
  });
});

test("a missing task is an error, and a timeout has the tasks that ended", async () => {
  await quickly(async () => {
    const service = new Service([1, 1, 900, 900]);
    const client = clientOf(service.fetch);
    await assert.rejects(client.waitAll(["VP0", "VP9999"]), clipmill.NotFound);
    await assert.rejects(client.waitAll(service.numbers, { timeout: 60 }), (error) => {
      assert(error instanceof clipmill.WaitAllTimeout && error instanceof clipmill.WaitTimeout);
      assert.match(error.message, /2 of 4 tasks have not ended in time: VP2, VP3/);
      assert.deepEqual([[...error.ended.keys()].sort(), [...error.open.keys()]], [["VP0", "VP1"], ["VP2", "VP3"]]);
      assert.deepEqual([error.name, error.taskNo], ["WaitAllTimeout", "VP2"]);
      return true;
    });
    assert.deepEqual(await client.waitAll([]), []);
    const again = await client.waitAll(["VP1", "VP0", "VP1"]);
    assert.deepEqual(again.map(({ taskNo }) => taskNo), ["VP1", "VP0", "VP1"]);
    await assert.rejects(client.waitAll(["VP2"], { signal: AbortSignal.abort() }), { name: "AbortError" });
  });
});

test("an interruption is tolerated for five minutes", async () => {
  const now = () => Date.now() / 1000;
  await quickly(async () => {
    const service = new Service(new Array(5).fill(400));
    const away = async (url) => {
      if (now() > 10 && now() < 200) throw new TypeError("refused");
      return service.fetch(url);
    };
    assert.equal((await clientOf(away).waitAll(service.numbers)).length, 5);
  });
  const seconds = await quickly(async () => {
    const service = new Service(new Array(5).fill(4000));
    const gone = async (url) => (now() > 10 ? service.answer(503, null, 50300) : service.fetch(url));
    await assert.rejects(clientOf(gone).waitAll(service.numbers), clipmill.ServiceUnavailable);
  });
  assert(seconds > 300 && seconds < 400, `${seconds} s`);
});

test("waiting treats 429 as later, however long the limit stays exceeded", async () => {
  let refusals = [];
  let service;
  const busy = async (url) => {
    const seconds = refusals.shift();
    return seconds ? service.answer(429, { seconds }, 42900, { "retry-after": `${seconds}` }) : service.fetch(url);
  };
  const long = await quickly(async () => {
    service = new Service([0]);
    refusals = [600, 1, 1, 1, 1, 1, 1];
    assert.equal((await clientOf(busy).wait("VP0")).status, 3);
  });
  assert(long >= 606, `${long} s`);
  const short = await quickly(async () => {
    service = new Service([9000]);
    refusals = [60];
    await assert.rejects(clientOf(busy).wait("VP0", { timeout: 5 }), clipmill.WaitTimeout);
  });
  assert(short < 10, `a wait sleeps beyond its timeout: ${short} s`);
});

test("150 waits at once do not fail on the default limits", async () => {
  const service = new Service(new Array(MANY).fill(2));
  const client = clientOf(service.fetch, { attempts: 1 });
  const alone = await Promise.all(service.numbers.map((number) => client.wait(number)));
  assert(alone.every(({ status }) => status === 3));
  assert(service.refused > 0, "the limit was never reached, so nothing was shown");
  const { refused } = service;
  assert.equal((await client.waitAll(service.numbers.slice(0, 50))).length, 50);
  assert.equal(service.refused, refused, "waiting for all exceeded the limit");
});
