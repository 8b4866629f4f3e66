import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { Readable } from "node:stream";
import { test } from "node:test";
import { Execution, internals } from "./standin.mjs";

const SECRET = `whsec_${Buffer.from("a secret of some length").toString("base64")}`;

/** A service that gives these responses one after the other; `requests` has what it received. */
async function service(responses, use) {
  const requests = [];
  const server = createServer((request, response) => {
    const parts = [];
    request.on("data", (part) => parts.push(part));
    request.on("end", () => {
      requests.push({ url: request.url, headers: request.headers, body: Buffer.concat(parts), time: Date.now() });
      const { status = 200, headers = {}, body } = responses[Math.min(requests.length, responses.length) - 1];
      response.writeHead(status, { "Content-Type": "application/json", ...headers });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}`, requests);
  } finally {
    server.close();
  }
}

const success = (data) => ({ body: { code: 0, msg: "success", data } });
const get = { resource: "task", operation: "get", taskNo: "VP1", simplify: false };

test("the base URL can end with slashes, and the key is sent", async () => {
  await service([success({ taskNo: "VP1" })], async (base, requests) => {
    const [item] = await new Execution({ baseUrl: ` ${base}// `, apiKey: "k1" }).run(get);
    assert.deepEqual(item, { json: { taskNo: "VP1" }, pairedItem: { item: 0 } });
    assert.equal(requests[0].url, "/open-api/v1/video-process/status/VP1");
    assert.equal(requests[0].headers["x-api-key"], "k1");
  });
});

test("busy services are asked again after Retry-After, and unavailable ones too", async () => {
  const busy = { status: 429, headers: { "Retry-After": "1" }, body: { code: 42900, msg: "too many calls", data: {} } };
  const restarting = { status: 502, body: "<html>bad gateway</html>" };
  await service([busy, restarting, success({ taskNo: "VP1" })], async (baseUrl, requests) => {
    const [item] = await new Execution({ baseUrl, apiKey: "k" }).run(get);
    assert.equal(item.json.taskNo, "VP1");
    assert.equal(requests.length, 3);
    assert.ok(requests[1].time - requests[0].time >= 990, "Retry-After was not honoured");
  });
});

test("limits that last longer fail at once, with what to do", async () => {
  const full = { status: 429, headers: { "x-request-id": "r7" }, body: { code: 42901, msg: "too many open tasks", data: { limit: 1 } } };
  await service([full], async (baseUrl, requests) => {
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }).run(get), (error) => {
      assert.equal(error.name, "NodeApiError");
      assert.equal(error.message, "too many open tasks");
      assert.equal(error.description, "Wait until some tasks end, or cancel some.\nRequest ID: r7");
      assert.equal(error.httpCode, "429");
      assert.deepEqual(error.context.data, { code: 42901, limit: 1 });
      return true;
    });
    assert.equal(requests.length, 1);
  });
});

test("redirects are not followed, so the key stays at the service", async () => {
  await service([{ status: 301, headers: { Location: "http://127.0.0.1:1/" }, body: "" }], async (baseUrl) => {
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }).run(get), /HTTP status 301. Check the Base URL/);
  });
});

test("a service that cannot be reached is named", async () => {
  await assert.rejects(new Execution({ baseUrl: "http://127.0.0.1:1", apiKey: "k" }).run(get), (error) => {
    assert.equal(error.name, "NodeApiError");
    assert.match(`${error.message} ${error.description}`, /127\.0\.0\.1/);
    return true;
  });
});

test("lists are followed to their end; entries that moved to the next page are returned once", async () => {
  const page = (from, count) => success({ list: Array.from({ length: count }, (_, n) => ({ taskNo: `VP${from + n}` })) });
  await service([page(0, 100), page(99, 30)], async (baseUrl, requests) => {
    const all = { resource: "task", operation: "getAll", returnAll: true, simplify: false, filters: { q: "sale", status: 3 } };
    const items = await new Execution({ baseUrl, apiKey: "k" }).run(all);
    assert.equal(items.length, 129);
    assert.equal(requests[1].url, "/open-api/v1/video-process/list?q=sale&status=3&pageNo=2&pageSize=100");
    const limited = await new Execution({ baseUrl, apiKey: "k" }).run({ ...all, returnAll: false, limit: 7 });
    assert.equal(limited.length, 7);
  });
});

test("waiting tolerates a restart, and ends with the task", async () => {
  const state = (status, statusName) => success({ taskNo: "VP1", status, statusName, progressPercent: 10, errorMsg: "no input" });
  const down = { status: 503, body: { code: 50300, msg: "busy", data: null } };
  const wait = { resource: "task", operation: "wait", taskNo: "VP1", simplify: false };
  await service([state(2, "executing"), down, state(3, "completed")], async (baseUrl) => {
    const [item] = await new Execution({ baseUrl, apiKey: "k" }).run(wait);
    assert.equal(item.json.status, 3);
  });
  await service([state(6, "rejected")], async (baseUrl) => {
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }).run(wait), /Task VP1 is rejected: no input/);
    const [item] = await new Execution({ baseUrl, apiKey: "k" }).run({ ...wait, failUnlessCompleted: false });
    assert.equal(item.json.statusName, "rejected");
  });
  await service([state(2, "executing")], async (baseUrl) => {
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }).run({ ...wait, timeout: 0.01 }), /has not ended in time \(executing, 10 %\)/);
    const signal = AbortSignal.timeout(300);
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }, { signal }).run(wait), /The execution was cancelled/);
  });
});

test("uploads are streams: the service has the beginning before the file was read to its end", async () => {
  let received;
  const beginning = new Promise((resolve) => (received = resolve));
  const parts = [];
  const server = createServer((request, response) => {
    request.on("data", (part) => {
      parts.push(part);
      received();
    });
    request.on("end", () => response.end(JSON.stringify({ code: 0, data: { length: request.headers["content-length"] } })));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  class Stored extends Execution {
    functions() {
      const functions = super.functions();
      functions.helpers.getBinaryMetadata = async () => ({ fileSize: 9 });
      functions.helpers.getBinaryStream = async () =>
        Readable.from(
          (async function* () {
            yield Buffer.from("begin");
            await beginning;
            yield Buffer.from("-end");
          })(),
        );
      return functions;
    }
  }
  const item = { json: {}, binary: { data: { id: "filesystem-v2:1", data: "filesystem-v2", mimeType: "video/mp4" } } };
  const execution = new Stored({ baseUrl: `http://127.0.0.1:${server.address().port}`, apiKey: "k" });
  const [result] = await execution.run({ resource: "file", operation: "upload" }, [item]);
  server.close();
  assert.equal(result.json.length, "9");
  assert.equal(Buffer.concat(parts).toString(), "begin-end");
});

test("a download that ends early is an error", async () => {
  const task = success({ taskNo: "VP1", status: 3, items: [{ itemNo: 1, url: "http://other.invalid/files/VP1/1.mp4?s=1", sizeBytes: 10 }] });
  await service([task, { body: "only 9 b." }], async (baseUrl, requests) => {
    const download = { resource: "file", operation: "download", taskNo: "VP1" };
    await assert.rejects(new Execution({ baseUrl, apiKey: "k" }).run(download), /VP1-1\.mp4 is incomplete: 9 of 10 bytes/);
    // The link is used at the address of the credential, without the key.
    assert.equal(requests[1].url, "/files/VP1/1.mp4?s=1");
    assert.equal(requests[1].headers["x-api-key"], undefined);
  });
  const gone = { status: 404, body: { code: 40400, msg: "the file is gone", data: null } };
  await service([task, gone], async (baseUrl) => {
    const execution = new Execution({ baseUrl, apiKey: "k" });
    await assert.rejects(execution.run({ resource: "file", operation: "download", taskNo: "VP1" }), /the file is gone/);
  });
});

test("numbers of tasks cannot lead to other calls", async () => {
  for (const taskNo of ["", "../balance", "VP1/x"]) {
    await assert.rejects(new Execution({ baseUrl: "http://127.0.0.1:1", apiKey: "k" }).run({ ...get, taskNo }), /"Task Number" is empty or not/);
  }
});

test("a submission has an ID that stays the same in retries, and differs between items, runs and executions", async () => {
  await service([success({ taskNo: "VP1" })], async (baseUrl, requests) => {
    const create = { resource: "task", operation: "create", specifyRequest: "json", requestJson: '{"taskType":"baseVideoMix","params":{}}' };
    const items = [{ json: {} }, { json: {} }];
    const ids = async (options, parameters = create) => {
      requests.length = 0;
      await new Execution({ baseUrl, apiKey: "k" }, options).run(parameters, items);
      return requests.map(({ body }) => JSON.parse(body).clientTaskId);
    };
    const context = {};
    const first = await ids({ executionId: "41", context });
    assert.match(first[0], /^n8n-[0-9a-f]{16}-41-0-0$/);
    assert.notEqual(first[0], first[1]);
    assert.deepEqual(await ids({ executionId: "41", context }), first, "Retry On Fail");
    assert.deepEqual(await ids({ executionId: "42", context: structuredClone(context) }), first, "a retried execution");
    assert.match((await ids({ executionId: "42" }))[0], /-42-0-0$/);
    assert.match((await ids({ executionId: "42", runIndex: 3 }))[1], /-42-3-1$/);
    assert.deepEqual(await ids({}, { ...create, clientTaskId: "order-1" }), ["order-1", "order-1"]);
    assert.deepEqual(await ids({}, { ...create, requestJson: '{"clientTaskId":"json-1"}' }), ["json-1", "json-1"]);
  });
});

test("invalid JSON is reported for its item", async () => {
  const create = { resource: "task", operation: "create", specifyRequest: "json", requestJson: "{nope" };
  const execution = new Execution({ baseUrl: "http://127.0.0.1:1", apiKey: "k" }, { continueOnFail: true });
  const [item] = await execution.run(create);
  assert.match(item.json.error, /^"Request" is not valid JSON/);
  assert.deepEqual(item.pairedItem, { item: 0 });
});

test("lists of URLs are texts or arrays", () => {
  assert.deepEqual(internals.entries(" a.mp4 \n\nb,c.mp4", "\n"), ["a.mp4", "b,c.mp4"]);
  assert.deepEqual(internals.entries(["a", " b "], "\n"), ["a", "b"]);
  assert.deepEqual(internals.entries(undefined, "\n"), []);
});

test("signatures are verified with the raw body, within five minutes", () => {
  const body = Buffer.from('{"type": "task.completed"}');
  const now = 1_795_237_418;
  const signed = (secret, timestamp, content = body) => {
    const key = Buffer.from(secret.slice(6), "base64");
    return `v1,${createHmac("sha256", key).update(`evt_1.${timestamp}.`).update(content).digest("base64")}`;
  };
  const headers = (timestamp, signature) => ({ "webhook-id": "evt_1", "webhook-timestamp": String(timestamp), "webhook-signature": signature });
  const check = (timestamp, signature, content = body) => internals.signatureError(SECRET, headers(timestamp, signature), content, now);
  assert.equal(check(now, signed(SECRET, now)), undefined);
  assert.equal(check(now - 299, signed(SECRET, now - 299)), undefined);
  const other = `whsec_${Buffer.from("another secret").toString("base64")}`;
  assert.equal(check(now, `${signed(other, now)} ${signed(SECRET, now)}`), undefined, "while a secret is replaced");
  assert.match(check(now - 301, signed(SECRET, now - 301)), /too old/);
  assert.match(check(now + 301, signed(SECRET, now + 301)), /too old/);
  assert.match(check("now", signed(SECRET, "now")), /too old/);
  assert.match(check(now, signed(other, now)), /not signed/);
  assert.match(check(now, signed(SECRET, now).replace("v1,", "v1a,")), /not signed/);
  assert.match(check(now, signed(SECRET, now), Buffer.from('{"type":"task.completed"}')), /not signed/);
  assert.match(check(now, "v1,"), /not signed/);
  assert.match(internals.signatureError(SECRET, {}, body, now), /headers .* are required/);
  assert.match(internals.signatureError("", headers(now, signed(SECRET, now)), body, now), /secret of the credential is not valid/);
});
