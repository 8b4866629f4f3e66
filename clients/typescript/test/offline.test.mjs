// Error handling of the client, tested with fabricated responses.
import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import * as clipmill from "clipmill";

const REQUEST = { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "upload://1" }] }] } };
const SUBMITTED = { taskNo: "VP01", taskId: 1, estimatedDotCount: 1, totalItems: 1 };

const envelope = (data, status = 200, code = 0, headers = {}) =>
  new Response(JSON.stringify({ code, msg: code ? "no" : "success", data }), { status, headers });

/** Returns responses in turn; an error is a lost connection. */
function script(...answers) {
  const asked = [];
  const fetch = async (url, init = {}) => {
    asked.push({ url: new URL(url), method: init.method, headers: new Headers(init.headers), body: init.body });
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    assert(answer, `nothing was to be asked: ${url}`);
    return answer;
  };
  const client = new clipmill.Client({ baseUrl: "http://service/", apiKey: "key", fetch, retry: { firstPause: 0.001 } });
  return { asked, client };
}

const keys = (asked) => asked.map((call) => JSON.parse(call.body).clientTaskId);
const lost = () => new TypeError("fetch failed");

test("a submission is retried with the same ID", async () => {
  const passing = [
    lost(),
    envelope(null, 503, 50300),
    new Response("<html>bad gateway", { status: 502 }),
    envelope({ seconds: 0 }, 429, 42900, { "retry-after": "0" }),
  ];
  for (const first of passing) {
    const { asked, client } = script(first, envelope({ ...SUBMITTED, duplicate: true }));
    assert((await client.submit(REQUEST)).duplicate);
    const [one, two] = keys(asked);
    assert(one === two && one.startsWith("ts-"), `${one} ${two}`);
  }
});

test("each submission has its own ID unless one is given", async () => {
  const { asked, client } = script(envelope(SUBMITTED), envelope(SUBMITTED), envelope(SUBMITTED));
  await client.submit(REQUEST);
  await client.submit(REQUEST);
  await client.submit({ ...REQUEST, clientTaskId: "mine" });
  const [drawn, again, given] = keys(asked);
  assert(drawn !== again && given === "mine");
});

test("a submission that stays lost reports its ID", async () => {
  const { asked, client } = script(lost(), lost(), lost(), lost());
  await assert.rejects(client.submit(REQUEST), (error) => {
    assert(error instanceof clipmill.ConnectionFailed);
    return error.clientTaskId === keys(asked)[0];
  });
  assert.equal(asked.length, 4);
});

test("Retry-After is respected up to the maximum", async () => {
  const began = Date.now();
  await script(envelope(null, 429, 42900, { "retry-after": "1" }), envelope({ balance: 1 })).client.balance();
  assert(Date.now() - began >= 1000);
  const { asked, client } = script(envelope(null, 429, 42900, { "retry-after": "3600" }));
  await assert.rejects(client.balance(), (error) => error instanceof clipmill.TooManyRequests && error.retryAfter === 3600);
  assert.equal(asked.length, 1);
});

test("non-idempotent calls are not retried", async () => {
  const { asked, client } = script(lost());
  await assert.rejects(client.testCallback("http://receiver"), clipmill.ConnectionFailed);
  assert.equal(asked.length, 1);
});

test("errors have types", async () => {
  const kinds = [
    [400, 40001, clipmill.InvalidRequest],
    [401, 40100, clipmill.NotAuthenticated],
    [402, 40200, clipmill.NotEnoughPoints],
    [403, 40300, clipmill.NotAllowed],
    [404, 40400, clipmill.NotFound],
    [409, 40900, clipmill.Conflict],
    [413, 41300, clipmill.InvalidRequest],
  ];
  for (const [status, code, kind] of kinds) {
    const errors = [{ path: "/params", message: "must be there", got: null }];
    const { client } = script(envelope({ errors, needed: 5 }, status, code, { "x-request-id": "r-1" }));
    await assert.rejects(client.submit(REQUEST), (error) => {
      assert(error instanceof kind && error.name === kind.name, String(error));
      assert.deepEqual([error.code, error.status, error.requestId, error.data.needed], [code, status, "r-1", 5]);
      assert.deepEqual(error.errors, errors);
      return /\/params: must be there/.test(error.message);
    });
  }
});

test("waiting tolerates an unavailable service for a while", async () => {
  const task = (status, progressPercent) => envelope({ taskNo: "VP01", status, statusName: "x", progressPercent });
  const heard = [];
  const { client } = script(
    task(2, 0),
    lost(),
    envelope({ seconds: 1 }, 429, 42900, { "retry-after": "1" }),
    new Response("<html>a proxy's page"),
    task(2, 50),
    task(3, 100),
  );
  await client.wait("VP01", { onChange: (now) => heard.push(now.progressPercent) });
  assert.deepEqual(heard, [0, 50, 100]);
  const late = script(task(2, 7), task(2, 7)).client.wait("VP01", { timeout: 0.05 });
  await assert.rejects(late, (error) => error instanceof clipmill.WaitTimeout && error.task.progressPercent === 7);
});

test("live events resume after an interruption", async () => {
  const first = 'retry: 1\n\nid: a\nevent: state\ndata: {"status":2}\n\n: still here\n\nid: half\nevent: prog';
  const { asked, client } = script(new Response(first), new Response('id: b\nevent: state\ndata: {"status":3}\n\n'));
  const events = [];
  for await (const event of client.watch("VP01")) events.push([event.id, event.data.status]);
  assert.deepEqual(events, [["a", 2], ["b", 3]]);
  assert.deepEqual(asked.map((call) => call.headers.get("last-event-id")), [null, "a"]);
});

test("live events of a batch end with it", async () => {
  const { asked, client } = script(lost(), new Response('event: state\ndata: {"status":3}\n\n'));
  const events = [];
  for await (const { event, data } of client.watchBatch("BP01")) events.push([event, data.status]);
  assert.deepEqual(events, [["state", 3]]);
  assert.equal(asked[1].url.pathname, "/open-api/v1/batches/BP01/events");
  for await (const event of script(new Response(null, { status: 204 })).client.watch("VP01")) assert.fail(event);
});

test("streams without events fail after four attempts", async () => {
  for (const answer of [lost, () => new Response(""), () => new Response("<html>a portal")]) {
    const { asked, client } = script(...Array.from({ length: 4 }, answer));
    await assert.rejects(client.watch("VP01").next(), clipmill.ConnectionFailed);
    assert.equal(asked.length, 4);
  }
  await assert.rejects(script(envelope(null, 404, 40400)).client.watch("VP01").next(), clipmill.NotFound);
});

const CONTENT = Buffer.from("video".repeat(1000));
const finished = (url) => {
  const sha256 = createHash("sha256").update(CONTENT).digest("hex");
  return { taskNo: "VP01", items: [{ itemNo: 1, url, coverUrl: null, sizeBytes: CONTENT.length, sha256 }] };
};

test("a download resumes with a fresh link", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  let pulls = 0;
  const broken = new ReadableStream({
    pull: (to) => (pulls++ ? to.error(new Error("broke off")) : to.enqueue(CONTENT.subarray(0, 100))),
  }, { highWaterMark: 0 });
  const { asked, client } = script(
    new Response(broken),
    envelope(null, 403, 40300),
    envelope(finished("http://storage/2")),
    new Response(CONTENT.subarray(100), { status: 206 }),
  );
  const [path] = await client.download(finished("http://storage/1"), folder);
  assert((await readFile(path)).equals(CONTENT));
  assert.deepEqual(asked.map((call) => call.headers.get("range")), [null, "bytes=100-", null, "bytes=100-"]);
  assert(asked.filter((call) => call.url.host === "storage").every((call) => !call.headers.has("x-api-key")));
  await script().client.download(finished("http://storage/3"), folder); // is there: nothing is asked
});

test("a download that does not match its description is discarded", async () => {
  for (const content of [CONTENT.subarray(1), Buffer.concat([CONTENT, CONTENT]), Buffer.alloc(CONTENT.length)]) {
    const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
    const { client } = script(new Response(content));
    await assert.rejects(client.download(finished("http://storage/1"), folder), clipmill.DownloadFailed);
    assert.deepEqual(await readdir(folder), []);
  }
});

const sent = (name, content = CONTENT) =>
  new Response(content, {
    headers: { "content-disposition": `inline; filename="VP01-1.mp4"; filename*=UTF-8''${encodeURIComponent(name)}` },
  });

/** Content of outputs that differ. */
const content = (number) => Buffer.concat([CONTENT, Buffer.from([number])]);

const several = (...numbers) => ({
  taskNo: "VP01",
  items: numbers.map((itemNo) => ({
    itemNo,
    url: `http://storage/${itemNo}`,
    coverUrl: null,
    sizeBytes: CONTENT.length + 1,
    sha256: createHash("sha256").update(content(itemNo)).digest("hex"),
  })),
});

test("a download has the name set by the service", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  const name = "Summer – 1.mp4";
  await writeFile(join(folder, name), "of another task");
  const download = async (answers, task, options = { concurrency: 1 }) => {
    const paths = await script(...answers).client.download(task, folder, options);
    return paths.map((path) => basename(path));
  };
  assert.deepEqual(await download([sent(name, content(1))], several(1)), ["Summer – 1 (2).mp4"]);
  assert.equal(`${await readFile(join(folder, name))}`, "of another task");
  // Outputs of one name are kept apart; an existing output is not requested again, whatever its name.
  await rename(join(folder, "Summer – 1 (2).mp4"), join(folder, "mine.mp4"));
  const again = await download([sent(name, content(2)), sent(name, content(3))], several(1, 2, 3));
  assert.deepEqual(again, ["mine.mp4", "Summer – 1 (2).mp4", "Summer – 1 (3).mp4"]);
  // Two outputs with the same content have a file each.
  const twin = { taskNo: "VP02", items: [1, 2].map((itemNo) => ({ ...several(7).items[0], itemNo })) };
  const twins = ["Twin – 1.mp4", "Twin – 2.mp4"];
  assert.deepEqual(await download(twins.map((one) => sent(one, content(7))), twin), twins);
  assert.deepEqual(await download([], twin), twins);
});

test("covers are not doubled", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  const task = finished(null);
  task.items[0].coverUrl = "http://storage/1.jpg";
  for (const [bytes, expected] of [["one", "Mug – 1.jpg"], ["one", "Mug – 1.jpg"], ["other", "Mug – 1 (2).jpg"]]) {
    const [path] = await script(sent("Mug – 1.jpg", bytes)).client.download(task, folder, { covers: true });
    assert.deepEqual([basename(path), `${await readFile(path)}`], [expected, bytes]);
  }
});

test("a name from the service cannot leave the folder", async () => {
  for (const [name, expected] of [
    ["../../etc/cron.mp4", "cron.mp4"],
    ["..\\..\\evil.mp4", "evil.mp4"],
    ["/root/.bashrc.mp4", "bashrc.mp4"],
    ["C:evil.mp4", "C-evil.mp4"],
    ["nul.mp4", "_nul.mp4"],
    ["a\r\nb\0c\u202e.mp4", "abc.mp4"],
    ["x".repeat(400) + ".mp4", "x".repeat(196) + ".mp4"],
    ["夏".repeat(100) + ".mp4", "夏".repeat(65) + ".mp4"],
    ["evil.exe", "VP01-1.mp4"],
    ["...mp4", "VP01-1.mp4"],
    ["..", "VP01-1.mp4"],
    ["", "VP01-1.mp4"],
  ]) {
    const place = await mkdtemp(join(tmpdir(), "clipmill-"));
    const folder = join(place, "folder");
    const [path] = await script(sent(name)).client.download(finished("http://storage/1"), folder);
    assert.equal(path, join(folder, expected));
    assert.deepEqual([await readdir(place), await readdir(folder)], [["folder"], [expected]]);
  }
});

/** A service that stores uploads by name, each under a new URL. */
function library() {
  const [stored, sent, refused] = [new Map(), [], new Map()];
  const fetch = async (target, init) => {
    const url = new URL(target);
    if (init.method === "GET") {
      if (refused.has("read")) return envelope(null, refused.get("read"), refused.get("read") * 100);
      const known = stored.get(`upload://${url.pathname.split("/").at(-1)}`);
      return known ? envelope(known) : envelope(null, 404, 40400);
    }
    const name = url.searchParams.get("fileName");
    sent.push(name);
    await new Response(init.body).text();
    if (refused.has(name)) return envelope(null, 413, 41300);
    const upload = { url: `upload://${name}-${sent.length}` };
    stored.set(upload.url, upload);
    return envelope(upload);
  };
  const client = new clipmill.Client({ baseUrl: "http://service", apiKey: "key", fetch, retry: { firstPause: 0.001 } });
  return { client, stored, sent, refused };
}

test("repeating a folder upload sends only missing files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  for (const name of ["a.mp4", "b.mp4", ".hidden"]) await writeFile(join(folder, name), name);
  const { client, sent, refused } = library();
  refused.set("b.mp4", 413);
  let first;
  await assert.rejects(client.uploadFolder(folder), (error) => {
    assert(error instanceof clipmill.UploadIncomplete);
    assert.deepEqual([[...error.done.keys()], [...error.failed.keys()]], [["a.mp4"], ["b.mp4"]]);
    first = error.done.get("a.mp4");
    return true;
  });
  refused.clear();
  sent.length = 0;
  const uploads = await client.uploadFolder(folder);
  assert.deepEqual([...uploads.keys()], ["a.mp4", "b.mp4"]);
  assert.deepEqual([uploads.get("a.mp4"), sent], [first, ["b.mp4"]]);
});

test("an upload that was deleted or has expired is sent again", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "clipmill-")), "a.mp4");
  await writeFile(path, "a");
  const { client, stored, sent, refused } = library();
  const first = await client.upload(path);
  assert.deepEqual([await client.upload(path), sent.length], [first, 1]);
  // Deleted by another client, or removed by the service because no task used it.
  stored.clear();
  const second = await client.upload(path);
  assert(second.url !== first.url && stored.has(second.url));
  assert.deepEqual([await client.upload(path), sent.length], [second, 2]);
  // A key without read access cannot check whether the file still exists.
  refused.set("read", 403);
  assert.notDeepEqual(await client.upload(path), second);
  assert.equal(sent.length, 3);
  // Any other error is reported, because the URL may be invalid.
  refused.set("read", 503);
  await assert.rejects(client.upload(path), clipmill.ServiceUnavailable);
});

const SECRET = `whsec_${Buffer.from("k".repeat(24)).toString("base64")}`;
function signed(body, age = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - age);
  const mac = createHmac("sha256", Buffer.from("k".repeat(24))).update(`evt_1.${timestamp}.${body}`).digest("base64");
  return { "Webhook-Id": "evt_1", "webhook-timestamp": timestamp, "webhook-signature": `v1,b2xk v1,${mac}` };
}

test("a genuine callback is accepted, others are refused", () => {
  const body = '{"type":"task.completed","data":{"taskNo":"VP01"}}';
  const secrets = ["whsec_b3RoZXI=", SECRET];
  assert.equal(clipmill.verifyCallback(body, signed(body), secrets).data.taskNo, "VP01");
  assert.equal(clipmill.verifyCallback(Buffer.from(body), new Headers(signed(body)), SECRET).type, "task.completed");
  const others = [
    [`${body} `, signed(body), SECRET],
    [body, signed(body, 400), SECRET],
    [body, signed(body, -400), SECRET],
    [body, signed(body), "whsec_b3RoZXI="],
    [body, {}, SECRET],
    [body, { ...signed(body), "webhook-timestamp": "x" }, SECRET],
    [body, { ...signed(body), "webhook-signature": "v1," }, SECRET],
    ["no json", signed("no json"), SECRET],
  ];
  for (const [text, headers, secret] of others) {
    assert.throws(() => clipmill.verifyCallback(text, headers, secret), clipmill.CallbackRefused, JSON.stringify(headers));
  }
  for (const secret of ["", "whsec_", "whsec_!"]) {
    assert.throws(() => clipmill.verifyCallback(body, signed(body), secret), TypeError);
  }
});

test("calls beside tasks send the right requests", async () => {
  const number = "BP01";
  const calls = [
    [(c) => c.uploads({ q: "a b", kind: "video", sha256: "ab" }).page(), "GET", "/uploads?pageNo=1&pageSize=100&q=a+b&kind=video&sha256=ab"],
    [(c) => c.uploaded("upload://x/1"), "GET", "/uploads/x%2F1"],
    [(c) => c.renameUpload("upload://x", "b"), "PATCH", "/uploads/x"],
    [(c) => c.deleteUpload("upload://x"), "DELETE", "/uploads/x"],
    [(c) => c.templates({ q: "mug" }).page(2), "GET", "/templates?pageNo=2&pageSize=100&q=mug"],
    [(c) => c.template("TP1", { version: 2 }), "GET", "/templates/TP1?version=2"],
    [(c) => c.addTemplate({ name: "a", request: {} }), "POST", "/templates"],
    [(c) => c.replaceTemplate("TP1", { name: "a", request: {} }), "PUT", "/templates/TP1"],
    [(c) => c.deleteTemplate("TP1"), "DELETE", "/templates/TP1"],
    [(c) => c.drafts().page(2), "GET", "/drafts?pageNo=2&pageSize=100"],
    [(c) => c.draft("DP1"), "GET", "/drafts/DP1"],
    [(c) => c.addDraft({ name: "a", body: {} }), "POST", "/drafts"],
    [(c) => c.replaceDraft("DP1", { name: "a", body: {}, updateTime: "t" }), "PUT", "/drafts/DP1"],
    [(c) => c.deleteDraft("DP1"), "DELETE", "/drafts/DP1"],
    [(c) => c.brand(), "GET", "/brand"],
    [(c) => c.replaceBrand({ colors: ["#fff"] }), "PUT", "/brand"],
    [(c) => c.estimateBatch({ clientBatchId: "june" }), "POST", "/batches/estimate"],
    [(c) => c.submitBatch({ clientBatchId: "june" }), "POST", "/batches"],
    [(c) => c.batches().page(), "GET", "/batches?pageNo=1&pageSize=100"],
    [(c) => c.batch(number), "GET", "/batches/BP01"],
    [(c) => c.batchRows(number, { state: "refused", pageSize: 5 }).page(), "GET", "/batches/BP01/rows?pageNo=1&pageSize=5&state=refused"],
    [(c) => c.pauseBatch(number), "POST", "/batches/BP01/pause"],
    [(c) => c.resumeBatch(number), "POST", "/batches/BP01/resume"],
    [(c) => c.retryBatchRow(number, 2), "POST", "/batches/BP01/rows/2/retry"],
    [(c) => c.cancelBatch(number), "POST", "/batches/BP01/cancel"],
    [(c) => c.batchCallback(number), "GET", "/batches/BP01/callbacks"],
    [(c) => c.redeliverBatchCallback(number), "POST", "/batches/BP01/callbacks/redeliver"],
    [(c) => c.share("VP1", { items: [1] }), "POST", "/share/VP1"],
    [(c) => c.shareTasks([{ taskNo: "VP1" }], { expiresAt: "2030-01-01" }), "POST", "/share"],
    [(c) => c.rename("VP1", { name: "a", labels: ["b"] }), "PATCH", "/video-process/VP1"],
    [(c) => c.revokeShare("VP1", 7), "DELETE", "/share/VP1/7"],
    [(c) => c.shareFeedback("VP1", 7), "GET", "/share/VP1/7/feedback"],
    [(c) => c.deleteComment("VP1", 7, 3), "DELETE", "/share/VP1/7/comments/3"],
    [(c) => c.tasks({ q: "a", from: "2026-01-01" }).total(), "GET", "/video-process/list?pageNo=1&pageSize=1&q=a&from=2026-01-01"],
    [(c) => c.diversity("VP1").page(), "GET", "/video-process/diversity/VP1?pageNo=1&pageSize=1000"],
    [(c) => c.outputs({ label: "a" }).page(), "GET", "/video-process/outputs?pageNo=1&pageSize=100&label=a"],
    [(c) => c.records({ type: "hold" }).page(), "GET", "/video-process/records?pageNo=1&pageSize=100&type=hold"],
    [(c) => c.balance({ details: true }), "GET", "/video-process/balance?details=true"],
    [(c) => c.captionStyles(), "GET", "/video-process/caption-styles"],
    [(c) => c.voices(), "GET", "/video-process/voices"],
  ];
  for (const [call, method, path] of calls) {
    const { asked, client } = script(envelope({ total: 1 }));
    await call(client);
    assert.deepEqual([asked[0].method, `${asked[0].url}`], [method, `http://service/open-api/v1${path}`]);
  }
});

test("previews and spoken texts have content and facts", async () => {
  const headers = { "content-type": "image/jpeg", "x-at-seconds": "1.5", "x-length-seconds": "7.6", "x-dot-count": "3" };
  const calls = [
    [(c) => c.preview(REQUEST, { itemNo: 1 }), "/preview", { request: REQUEST, itemNo: 1 }],
    [(c) => c.previewClip(REQUEST, { seconds: 2 }), "/preview/clip", { request: REQUEST, seconds: 2 }],
    [(c) => c.sound("upload://1", { atSeconds: 3 }), "/sound", { url: "upload://1", atSeconds: 3 }],
    [(c) => c.thumbnail("upload://1", { width: 90 }), "/thumbnail", { url: "upload://1", width: 90 }],
    [(c) => c.speak("Hello."), "/speech", { text: "Hello." }],
    [(c) => c.speak("你好。", { voice: "cmn", speed: 1.5 }), "/speech", { text: "你好。", voice: "cmn", speed: 1.5 }],
  ];
  for (const [call, path, body] of calls) {
    const { asked, client } = script(new Response(Uint8Array.of(0xff, 0xd8), { headers }));
    const file = await call(client);
    assert(file instanceof clipmill.Content && file.contentType === "image/jpeg");
    assert.deepEqual(file.content, Uint8Array.of(0xff, 0xd8));
    if (path === "/speech") assert.equal(file.dotCount, 3);
    else assert.deepEqual([file.atSeconds, file.lengthSeconds], [1.5, 7.6]);
    const saved = await file.save(join(await mkdtemp(join(tmpdir(), "clipmill-")), "file"));
    assert.equal((await readFile(saved)).length, 2);
    const [{ method, url }] = asked;
    assert.deepEqual([method, url.pathname, JSON.parse(asked[0].body)], ["POST", `/open-api/v1${path}`, body]);
  }
});

/** A list of the service, from which entries can be deleted; new ones appear at its beginning. */
function listed(count) {
  const service = { numbers: Array.from({ length: count }, (_, index) => count - index), calls: 0 };
  const fetch = async (target) => {
    service.calls += 1;
    const query = new URL(target).searchParams;
    const [pageNo, pageSize] = [Number(query.get("pageNo")), Number(query.get("pageSize"))];
    const list = service.numbers.slice((pageNo - 1) * pageSize, pageNo * pageSize).map((taskNo) => ({ taskNo }));
    return envelope({ list, total: service.numbers.length, pageNo, pageSize });
  };
  return { service, client: new clipmill.Client({ baseUrl: "http://service", apiKey: "key", fetch }) };
}

const downFrom = (count) => Array.from({ length: count }, (_, index) => count - index);

test("iterating returns the entries of all pages, fetched when they are needed", async () => {
  for (const [count, calls] of [[0, 1], [1, 1], [99, 1], [100, 2], [250, 3]]) {
    const { service, client } = listed(count);
    const tasks = await client.tasks().toArray();
    assert.deepEqual([tasks.map(({ taskNo }) => taskNo), service.calls], [downFrom(count), calls]);
  }
  const { service, client } = listed(250);
  const tasks = client.tasks({ pageSize: 10 });
  assert.equal((await tasks.toArray(10)).length, 10);
  assert.equal(service.calls, 1);
  assert.deepEqual([await tasks.total(), (await tasks.page(3)).list[0].taskNo, await tasks.toArray(0)], [250, 230, []]);
});

test("entries can be deleted and added while iterating", async () => {
  const each = [
    [({ numbers }, number) => numbers.splice(numbers.indexOf(number), 1), 100],
    [({ numbers }, number) => number % 3 || numbers.splice(numbers.indexOf(number), 1), 10],
    [({ numbers }, number) => number > 210 && numbers.unshift(1000 - number), 10],
  ];
  for (const [change, pageSize] of each) {
    const { service, client } = listed(250);
    const numbers = [];
    for await (const { taskNo } of client.tasks({ pageSize })) {
      numbers.push(taskNo);
      change(service, taskNo);
    }
    assert.deepEqual(numbers, downFrom(250));
  }
});

test("shares come whole", async () => {
  const { asked, client } = script(envelope([{ shareId: 1 }, { shareId: 2 }]), envelope([{ shareId: 1 }]));
  assert.deepEqual(await client.shares("VP1").toArray(), [{ shareId: 1 }, { shareId: 2 }]);
  assert.equal(await client.shares("VP1").total(), 1);
  assert.equal(`${asked[0].url}`, "http://service/open-api/v1/share/VP1");
});

test("URL and key come from the environment", async () => {
  const { CLIPMILL_URL, CLIPMILL_API_KEY } = process.env;
  try {
    delete process.env.CLIPMILL_URL;
    delete process.env.CLIPMILL_API_KEY;
    const missing = (name, variable) => (error) => {
      assert(error instanceof clipmill.NotConfigured, String(error));
      return error.message.includes(name) && error.message.includes(variable);
    };
    assert.throws(() => new clipmill.Client({ apiKey: "key" }), missing("baseUrl", "CLIPMILL_URL"));
    assert.throws(() => new clipmill.Client({ baseUrl: "http://service" }), missing("apiKey", "CLIPMILL_API_KEY"));
    process.env.CLIPMILL_URL = "http://environment/";
    process.env.CLIPMILL_API_KEY = "secret";
    const asked = [];
    const fetch = async (url, { headers }) => {
      asked.push(`${new URL(url).host} ${headers["X-API-Key"]}`);
      return envelope({ balance: 1 });
    };
    await new clipmill.Client({ fetch }).balance();
    await new clipmill.Client({ fetch, baseUrl: "http://option", apiKey: "mine" }).balance();
    assert.deepEqual(asked, ["environment secret", "option mine"]);
  } finally {
    for (const [name, value] of Object.entries({ CLIPMILL_URL, CLIPMILL_API_KEY })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});

const MEGABYTES = Buffer.from("0123456789".repeat(250_000));

/** A client of a service that reads uploads; rejects the first ones with these responses. */
function receiving(...refusals) {
  const received = [];
  const fetch = async (url, init) => {
    const content = Buffer.from(await new Response(init.body).arrayBuffer());
    received.push({ content, length: init.headers["Content-Length"], name: new URL(url).searchParams.get("fileName") });
    return refusals.shift() ?? envelope({ url: "upload://1" });
  };
  const client = new clipmill.Client({ baseUrl: "http://service", apiKey: "key", fetch, retry: { firstPause: 0.001 } });
  return { received, client };
}

test("uploads report progress and can be streams", async () => {
  const path = join(await mkdtemp(join(tmpdir(), "clipmill-")), "a.mp4");
  await writeFile(path, MEGABYTES);
  async function* chunks() {
    for (let start = 0; start < MEGABYTES.length; start += 100_000) yield MEGABYTES.subarray(start, start + 100_000);
  }
  const sources = [
    [path, true, "a.mp4"],
    [new Uint8Array(MEGABYTES), true, null],
    [new File([MEGABYTES], "b.mp4"), true, "b.mp4"],
    [createReadStream(path), false, "a.mp4"],
    [new Blob([MEGABYTES]).stream(), false, null],
    [chunks(), false, null],
  ];
  for (const [source, again, name] of sources) {
    const { received, client } = receiving(...(again ? [envelope(null, 503, 50300)] : []));
    const heard = [];
    await client.upload(source, { onProgress: (sent, total) => heard.push([sent, total]) });
    assert.equal(received.length, again ? 2 : 1);
    for (const { content, length, name: sent } of received) {
      assert(content.equals(MEGABYTES));
      assert.deepEqual([length, sent], [again ? `${MEGABYTES.length}` : undefined, name]);
    }
    assert.deepEqual(heard.at(-1), [MEGABYTES.length, again ? MEGABYTES.length : undefined]);
    assert.equal(heard.filter(([sent]) => sent === MEGABYTES.length).length, received.length);
    assert(heard.length >= 9 * received.length, `${heard.length} calls`);
  }
});

test("a stream is not retried", async () => {
  const { received, client } = receiving(envelope(null, 429, 42900, { "retry-after": "0" }));
  await assert.rejects(client.upload(new Blob(["a"]).stream()), clipmill.TooManyRequests);
  assert.equal(received.length, 1);
});

test("uploading a folder reports the progress of all files", async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  for (const name of ["a.mp4", "b.mp4", "c.mp4"]) await writeFile(join(folder, name), MEGABYTES);
  const { client } = library();
  const total = 3 * MEGABYTES.length;
  for (let round = 0; round < 2; round += 1) {
    const heard = [];
    await client.uploadFolder(folder, { onProgress: (sent, whole) => heard.push([sent, whole]) });
    assert.deepEqual(heard.at(-1), [total, total]);
    assert.deepEqual(heard, heard.toSorted(([a], [b]) => a - b));
    // Files that are stored already count as sent.
    if (round) assert.equal(heard.length, 3);
  }
});

test("a batch is awaited and its zip downloaded completely", async () => {
  const states = [0, 40].map((progressPercent) => ({ status: 2, statusName: "executing", progressPercent }));
  const ended = { status: 3, statusName: "completed", progressPercent: 100 };
  const heard = [];
  const { client } = script(...[...states, ended].map((state) => envelope(state)));
  const batch = await client.waitForBatch("BP01", { onChange: (now) => heard.push(now.progressPercent) });
  assert.deepEqual([batch, heard], [ended, [0, 40, 100]]);
  await assert.rejects(script(envelope(states[0])).client.waitForBatch("BP01", { timeout: 0 }), clipmill.WaitTimeout);

  const broken = new ReadableStream({
    pull(controller) {
      controller.error(new Error("cut"));
    },
  });
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  const whole = script(new Response(broken), new Response("PK whole"));
  const file = await whole.client.downloadBatch("BP01", join(folder, "all", "june.zip"));
  assert.equal(`${await readFile(file)}`, "PK whole");
  assert.deepEqual(await readdir(join(folder, "all")), ["june.zip"]);
  const timeline = await script(new Response("PK 2")).client.downloadTimeline("VP01", 2, join(folder, "timeline.zip"));
  assert.equal(`${await readFile(timeline)}`, "PK 2");
  // In a folder, the service names the file.
  for (const expected of ["June.zip", "June (2).zip"]) {
    const headers = { "content-disposition": "attachment; filename=June.zip" };
    const { client } = script(new Response("PK", { headers }));
    assert.equal(await client.downloadBatch("BP01", join(folder, "all")), join(folder, "all", expected));
  }
});
