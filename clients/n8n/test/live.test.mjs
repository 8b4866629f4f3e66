// Runs the operations against a service: CLIENT_TEST has its address, a key, the signing secret and a video, separated by |.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { buffer } from "node:stream/consumers";
import { before, test } from "node:test";
import { Clipmill, ClipmillApi, ClipmillTrigger, Execution, httpRequest } from "./standin.mjs";

const [baseUrl, apiKey, signingSecret, sample] = process.env.CLIENT_TEST.split("|");
const credentials = { baseUrl, apiKey, signingSecret };
const video = readFileSync(sample);
const sha256 = (content) => createHash("sha256").update(content).digest("hex");

async function api(method, path, body) {
  const response = await fetch(`${baseUrl}/open-api/v1${path}`, {
    method,
    headers: { "X-API-Key": apiKey, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  const { code, data, msg } = await response.json();
  assert.equal(code, 0, msg);
  return data;
}
const total = async () => (await api("GET", "/video-process/balance")).balance;
const run = (parameters, items, options) => new Execution(credentials, options).run(parameters, items);

/** One second of the sample, in the smallest format. */
const form = {
  resource: "task",
  operation: "create",
  clips: { clip: [{ url: "={{ $json.url }}", from: 1, to: 2 }] },
  resolution: "720:720",
  requestOptions: { optionsJson: '{"preset":"draft"}', seed: 7 },
  additionalFields: { labels: "n8n, shop", name: "Sale – Δ", maxPoints: 50 },
};
let url;
let audio;

before(async () => {
  const item = { json: {}, binary: { data: { data: video.toString("base64"), mimeType: "video/mp4", fileName: "city.mp4" } } };
  const [uploaded] = await run({ resource: "file", operation: "upload" }, [item]);
  assert.equal(uploaded.json.sha256, sha256(video));
  assert.equal(uploaded.json.media.video.width, 720);
  assert.deepEqual(uploaded.pairedItem, { item: 0 });
  url = uploaded.json.url;
  const speech = readFileSync(join(dirname(sample), "speech.wav")).toString("base64");
  const [voice] = await run({ resource: "file", operation: "upload" }, [{ json: {}, binary: { data: { data: speech, mimeType: "audio/wav" } } }]);
  audio = voice.json.url;
});

test("the test of the credential accepts a key and rejects a wrong one", async () => {
  const { test: check, authenticate } = new ClipmillApi();
  assert.deepEqual(authenticate.properties.headers, { "X-API-Key": "={{$credentials.apiKey}}" });
  assert.match(check.request.baseURL, /^=\{\{\$credentials\.baseUrl/);
  const request = { url: `${baseUrl}${check.request.url}`, method: check.request.method };
  assert.equal((await httpRequest({ ...request, headers: { "X-API-Key": apiKey } })).code, 0);
  await assert.rejects(httpRequest({ ...request, headers: { "X-API-Key": "wrong" } }), /401/);
});

test("a stored file is uploaded as a stream under its own name", async () => {
  const files = new Map([["filesystem-v2:1", video]]);
  const item = { json: {}, binary: { clip: { data: "filesystem-v2", id: "filesystem-v2:1", mimeType: "video/mp4" } } };
  const upload = { resource: "file", operation: "upload", binaryPropertyName: "clip", fileName: "Straße.mp4" };
  const [uploaded] = await run(upload, [item], { files });
  assert.equal(uploaded.json.sha256, sha256(video));
  const entry = await api("GET", `/uploads/${uploaded.json.url.slice("upload://".length)}`);
  assert.equal(entry.name, "Straße.mp4");
});

test("create, retry, wait, get and download", async () => {
  const items = [{ json: { url } }, { json: { url: `${url}` } }];
  const [price] = await run({ ...form, operation: "estimate" }, items);
  const before = await total();
  const context = {};
  const created = await run(form, items, { executionId: "7", context });
  const paid = before - (await total());
  assert.equal(paid, 2 * price.json.estimatedDotCount);
  const numbers = created.map(({ json }) => json.taskNo);
  assert.notEqual(numbers[0], numbers[1]);
  assert.deepEqual(created.map(({ pairedItem }) => pairedItem), [{ item: 0 }, { item: 1 }]);

  // n8n gives an execution that is retried a new ID; its context remains.
  const again = await run(form, items, { executionId: "8", context: structuredClone(context) });
  assert.deepEqual(again.map(({ json }) => json.taskNo), numbers);
  assert.ok(again.every(({ json }) => json.duplicate));
  assert.equal(before - (await total()), paid);

  const [first, second] = await run({ resource: "task", operation: "wait", timeout: 2 }, created);
  assert.equal(first.json.statusName, "completed");
  assert.equal(first.json.clientTaskId, created[0].json.clientTaskId);
  assert.equal(first.json.videos.length, 1);
  assert.equal(first.json.videos[0].duration, 1);
  assert.equal(second.json.points, price.json.estimatedDotCount);
  const [raw] = await run({ resource: "task", operation: "get", simplify: false }, created);
  assert.equal(raw.json.items[0].width, 720);

  for (const inMemory of [false, true]) {
    const execution = new Execution(credentials, { inMemory });
    const [file] = await execution.run({ resource: "file", operation: "download" }, [first]);
    assert.equal(sha256(execution.content(file.binary.data)), file.json.sha256);
    assert.equal(file.binary.data.fileName, "Sale – Δ – 1.mp4");
    assert.equal(file.binary.data.mimeType, "video/mp4");
  }
  const execution = new Execution(credentials);
  const one = { resource: "file", operation: "download", selection: "one", itemNo: 1, content: "cover", outputField: "cover" };
  const [cover] = await execution.run(one, [first]);
  assert.equal(execution.content(cover.binary.cover).subarray(0, 2).toString("hex"), "ffd8");
  await assert.rejects(run({ ...one, itemNo: 2 }, [first]), /has no video 2/);

  await assert.rejects(run({ resource: "task", operation: "cancel" }, [first]), (error) => {
    assert.equal(error.httpCode, "409");
    assert.match(error.message, /has ended \(completed\) and can no longer be cancelled/);
    return true;
  });
});

test("errors of the API have its message, the paths and what is allowed", async () => {
  const wrong = { ...form, requestOptions: { optionsJson: { fps: 24, preset: "fast" } } };
  await assert.rejects(run(wrong, [{ json: { url } }]), (error) => {
    assert.equal(error.name, "NodeApiError");
    assert.equal(error.httpCode, "400");
    assert.match(error.message, /^invalid request: \/params\/options\/.* \(and 1 more\)$/);
    assert.match(error.description, /^\/params\/options\/fps: must be one of 25, 30, 50, 60/m);
    assert.match(error.description, /^\/params\/options\/preset: /m);
    assert.match(error.description, /^Request ID: /m);
    assert.equal(error.context.itemIndex, 0);
    return true;
  });
  await assert.rejects(run({ ...form, additionalFields: { maxPoints: 0 } }, [{ json: { url } }]), (error) => {
    assert.equal(error.httpCode, "402");
    assert.match(error.description, /^Raise Max Points, or request less\./);
    return true;
  });
  await assert.rejects(new Execution({ ...credentials, apiKey: "wrong" }).run(form, [{ json: { url } }]), (error) => {
    assert.equal(error.httpCode, "401");
    assert.match(error.description, /Check the API key in the credential\./);
    return true;
  });
  const changed = { ...form, clientTaskId: "order-9" };
  await run(changed, [{ json: { url } }]);
  await assert.rejects(run({ ...changed, resolution: "1280:720" }, [{ json: { url } }]), (error) => {
    assert.match(error.description, /^Use another ID for a different request/);
    assert.equal(error.context.data.code, 40900);
    return true;
  });
});

test("with Continue On Fail, other items are processed", async () => {
  const items = [{ json: { url: "ftp://nowhere" } }, { json: { url } }];
  const results = await run({ ...form, operation: "estimate" }, items, { continueOnFail: true });
  assert.match(results[0].json.error, /\/params\/videoList\/0\/videos\/0\/url/);
  // Other fields would keep n8n from moving the item to the error output.
  assert.deepEqual(Object.keys(results[0].json), ["error", "details"]);
  assert.equal(results[0].json.details.httpCode, "400");
  assert.equal(results[0].json.details.data.errors[0].path, "/params/videoList/0/videos/0/url");
  assert.equal(results[1].json.totalItems, 1);
  assert.deepEqual(results.map(({ pairedItem }) => pairedItem.item), [0, 1]);
});

test("the forms of all task types are valid requests without warnings", async () => {
  const options = { musicUrl: audio, voiceUrl: audio, originalVolume: 20, fps: 25 };
  const estimates = [
    { specifyClips: "list", clipUrls: [url, url], clipDuration: 7.6, captions: "text", captionText: "Hello. This is a caption.", captionStyle: "karaoke", requestOptions: options },
    { taskType: "proVideoMix", outputCount: 4, scenes: { scene: [{ clipUrls: `${url}\n${url}`, duration: 1, text: "First." }, { clipUrls: `${url}\n${url}`, duration: 2 }] } },
    { taskType: "videoDeduplication", copies: 2, clips: { clip: [{ url, duration: 7.6 }] }, variations: ["colourMixing", "look", "mirror", "rotation", "speed", "zoom"] },
    { specifyRequest: "json", requestJson: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url }] }] } }, preflight: true },
  ];
  const results = [];
  for (const parameters of estimates) results.push(...(await run({ resource: "task", operation: "estimate", ...parameters })));
  assert.deepEqual(results.map(({ json }) => json.totalItems), [1, 4, 2, 1]);
  assert.deepEqual(results.map(({ json }) => json.warnings), [[], [], [], []]);
});

test("tasks are listed and cancelled", async () => {
  const many = { ...form, taskType: "proVideoMix", outputCount: 20, additionalFields: { labels: "long" } };
  many.scenes = { scene: [1, 2].map((duration) => ({ clipUrls: Array.from({ length: 9 }, () => url), duration })) };
  const [task] = await run(many);
  const [cancelled] = await run({ resource: "task", operation: "cancel" }, [task]);
  assert.equal(cancelled.json.statusName, "cancelled");
  const filters = { label: "long", status: 5, from: "2020-01-01T00:00:00", taskType: "proVideoMix" };
  const found = await run({ resource: "task", operation: "getAll", returnAll: true, filters });
  assert.deepEqual(found.map(({ json }) => json.taskNo), [task.json.taskNo]);
  const limited = await run({ resource: "task", operation: "getAll", limit: 2 });
  assert.equal(limited.length, 2);
});

test("templates and batches", async () => {
  const { templateNo } = await api("POST", "/templates", {
    name: "Product video",
    request: {
      taskType: "baseVideoMix",
      name: "{{product}}",
      params: { videoList: [{ videos: [{ url: "{{clip}}", to: 1 }] }], options: { resolution: "720:720", preset: "draft" } },
    },
    variables: [{ name: "product", type: "text" }, { name: "clip", type: "url" }],
  });
  const template = { __rl: true, mode: "list", value: templateNo };
  const { listSearch, loadOptions } = new Clipmill().methods;
  const editor = new Execution(credentials);
  editor.prepare(new Clipmill(), { resource: "batch", operation: "create", template });
  const list = await listSearch.searchTemplates.call(editor.functions(), "product");
  assert.deepEqual(list.results, [{ name: "Product video", value: templateNo }]);
  assert.deepEqual((await loadOptions.getVariables.call(editor.functions())).map(({ value }) => value), ["product", "clip"]);
  const [listed] = await run({ resource: "template", operation: "getAll", q: "Product" });
  assert.equal(listed.json.templateNo, templateNo);

  const values = { value: [{ name: "product", value: "={{ $json.product }}" }, { name: "clip", value: url }] };
  const single = { resource: "task", operation: "create", specifyRequest: "template", template, values };
  const [task] = await run(single, [{ json: { product: "Cup" } }]);
  assert.equal(task.json.totalItems, 1);
  const [estimate] = await run({ ...single, operation: "estimate", specifyValues: "item" }, [{ json: { product: "Cup", clip: url } }]);
  assert.equal(estimate.json.totalItems, 1);

  const items = ["Mug", "Plate"].map((product) => ({ json: { product, clip: url, internal: true } }));
  const create = { resource: "batch", operation: "create", template, columns: "product, clip", additionalFields: { name: "Shop" } };
  const context = {};
  const [batch] = await run(create, items, { context });
  assert.equal(batch.json.totalRows, 2);
  assert.equal(batch.json.warnings, undefined);
  assert.deepEqual(batch.pairedItem, [{ item: 0 }, { item: 1 }]);
  const [again] = await run(create, items, { context });
  assert.deepEqual([again.json.batchNo, again.json.duplicate], [batch.json.batchNo, true]);
  const [ended] = await run({ resource: "batch", operation: "wait", timeout: 2 }, [batch]);
  assert.deepEqual([ended.json.statusName, ended.json.completedItems], ["completed", 2]);
  const rows = await run({ resource: "batch", operation: "getRows", returnAll: true }, [batch]);
  assert.deepEqual(rows.map(({ json }) => json.values.product), ["Mug", "Plate"]);
  const [state] = await run({ resource: "batch", operation: "get" }, [batch]);
  assert.equal(state.json.batchNo, batch.json.batchNo);

  const wrong = [{ json: { product: "Mug", clip: "nowhere" } }];
  await assert.rejects(run(create, wrong), (error) => {
    assert.match(error.description, /^row 1, .*clip.*: must be /m);
    return true;
  });
});

/** Receives callbacks as n8n does: the node gets the raw body, and n8n responds unless the node has. */
async function receive(parameters, use, secret = signingSecret) {
  const runs = [];
  const statuses = [];
  const server = createServer(async (request, response) => {
    request.rawBody = await buffer(request);
    const execution = new Execution({ ...credentials, signingSecret: secret });
    const trigger = execution.prepare(new ClipmillTrigger(), parameters);
    const result = await trigger.webhook.call({
      ...execution.functions(),
      getNodeParameter: (name, fallback) => execution.parameters[name] ?? fallback,
      getRequestObject: () => request,
      getHeaderData: () => request.headers,
      getBodyData: () => JSON.parse(request.rawBody),
      getResponseObject: () => ({
        status: (code) => ({ json: (body) => response.writeHead(code).end(JSON.stringify(body)) }),
      }),
    });
    if (!result.noWebhookResponse) response.writeHead(200).end(JSON.stringify(result.webhookResponse ?? {}));
    if (result.workflowData) runs.push(result.workflowData[0][0].json);
    statuses.push(response.statusCode);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await use(`http://127.0.0.1:${server.address().port}/hook`, runs, statuses);
  } finally {
    server.close();
  }
}

test("the trigger starts for genuine messages of its events", async () => {
  await receive({ events: ["task.completed"] }, async (hook, runs, statuses) => {
    const [task] = await run({ ...form, additionalFields: { callbackUrl: hook } }, [{ json: { url } }]);
    for (let n = 0; n < 300 && runs.length === 0; n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(runs[0].type, "task.completed");
    assert.equal(runs[0].webhookId, `evt_${task.json.taskNo}`);
    assert.equal(runs[0].data.items[0].width, 720);
    const ignored = await api("POST", "/video-process/callbacks/test", { url: hook, type: "task.failed" });
    assert.equal(ignored.delivered, true);
    assert.equal(runs.length, 1);
    assert.deepEqual(statuses, [200, 200]);
    const forged = await fetch(hook, { method: "POST", body: '{"type":"task.completed","data":{}}' });
    assert.equal(forged.status, 401);
    assert.match((await forged.json()).message, /are required/);
  });
  for (const secret of [`whsec_${Buffer.from("another").toString("base64")}`, undefined]) {
    await receive({ events: ["task.completed"] }, async (hook, runs) => {
      const test = await api("POST", "/video-process/callbacks/test", { url: hook });
      assert.deepEqual([test.attempt.status, runs.length], [401, 0]);
    }, secret ?? "");
  }
});

test("the trigger cannot be activated without a signing secret", async () => {
  const { checkExists, create } = new ClipmillTrigger().webhookMethods.default;
  const activation = (secret) => ({ getCredentials: async () => ({ signingSecret: secret }), getNode: () => ({ name: "t" }) });
  assert.equal(await checkExists.call(activation("")), false);
  await assert.rejects(create.call(activation("")), /has no signing secret/);
  assert.equal(await create.call(activation(signingSecret)), true);
});
