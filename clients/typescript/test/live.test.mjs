// Tests against a running service. CLIENT_TEST has its URL, a key, the secret, a clip.
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import * as clipmill from "clipmill";

const [baseUrl, apiKey, secret, clip] = (process.env.CLIENT_TEST ?? "|||").split("|");
const live = { skip: process.env.CLIENT_TEST ? false : "no service was named", timeout: 300_000 };
const mix = (url, more = {}) => ({
  taskType: "baseVideoMix",
  params: {
    videoList: [{ videos: [{ url }], totalDuration: 1 }],
    options: { resolution: "720:1280", resolutionMode: "crop", preset: "draft" },
  },
  ...more,
});

/** A URL that receives one callback. */
async function receiver() {
  let taken;
  const callback = new Promise((resolve) => (taken = resolve));
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    response.writeHead(204).end();
    taken({ headers: request.headers, body: Buffer.concat(pieces) });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { address: `http://127.0.0.1:${server.address().port}/`, callback, server };
}

test("from a folder to files and a callback", live, async () => {
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  await mkdir(join(folder, "clips", "day"), { recursive: true });
  await copyFile(clip, join(folder, "clips", "day", "one.mp4"));
  await writeFile(join(folder, "clips", "captions.srt"), "1\n00:00:00,000 --> 00:00:01,000\nhello\n");
  const { address, callback, server } = await receiver();
  const client = new clipmill.Client({ baseUrl, apiKey });
  const uploads = await client.uploadFolder(join(folder, "clips"));
  assert.deepEqual([...uploads.keys()], ["captions.srt", "day/one.mp4"]);
  const upload = uploads.get("day/one.mp4");
  assert.equal(upload.media.video.codec, "h264");

  const request = mix(upload.url, { callbackUrl: address });
  const estimate = await client.estimate(request);
  const heard = [];
  const task = await client.run(request, { timeout: 280, onChange: (now) => heard.push(now.status) });
  assert.equal(heard.at(-1), 3);
  assert(task.consumedDotCount <= estimate.estimatedDotCount);
  const [video, cover] = await client.download(task, join(folder, "out"), { covers: true });
  assert.equal((await readFile(video)).length, task.items[0].sizeBytes);
  assert.deepEqual([...(await readFile(cover)).subarray(0, 2)], [0xff, 0xd8]);

  const events = [];
  for await (const event of client.watch(task.taskNo)) events.push(event.event);
  assert(events.includes("item") && events.at(-1) === "state", events.join());
  await assert.rejects(client.cancel(task.taskNo), (error) => error instanceof clipmill.Conflict && error.code === 40901);
  const { headers, body } = await callback;
  assert.equal(clipmill.verifyCallback(body, headers, secret).data.taskNo, task.taskNo);
  server.close();
});

test("a submission with a lost response costs once", live, async () => {
  let losses = 0;
  const lossy = async (url, init) => {
    const response = await fetch(url, init);
    if (!String(url).endsWith("/submit") || losses++ >= 2) return response;
    await response.text();
    throw new TypeError("the answer was lost");
  };
  const client = new clipmill.Client({ baseUrl, apiKey, fetch: lossy, retry: { firstPause: 0.01 } });
  const { url } = await client.upload(await readFile(clip), { name: "clip.mp4" });
  const before = await client.tasks().total();
  const submitted = await client.submit(mix(url));
  assert(losses === 3 && submitted.duplicate);
  assert.equal(await client.tasks().total(), before + 1);
  const holds = await client.records({ type: "hold", taskNo: submitted.taskNo }).toArray();
  assert.equal(-holds.at(-1).dotCount, submitted.estimatedDotCount);
  await client.wait(submitted.taskNo, { timeout: 280 });
  assert.equal((await client.outputs().toArray(1))[0].taskNo, submitted.taskNo);
});

test("a deleted upload is sent again", live, async () => {
  const path = join(await mkdtemp(join(tmpdir(), "clipmill-")), "captions.srt");
  await writeFile(path, "1\n00:00:00,000 --> 00:00:01,000\ndeleted, typed\n");
  const client = new clipmill.Client({ baseUrl, apiKey });
  const first = await client.upload(path);
  assert.deepEqual(await client.upload(path), first);
  await client.deleteUpload(first.url);
  const second = await client.upload(path);
  assert.notEqual(second.url, first.url);
  assert.equal((await client.uploaded(second.url)).sha256, first.sha256);
});

test("errors say what to fix", live, async () => {
  const client = new clipmill.Client({ baseUrl, apiKey, language: "zh" });
  const wrong = { taskType: "baseVideoMix", params: { videoList: [], options: { fps: 24 } } };
  await assert.rejects(client.submit(wrong), (error) => {
    assert(error instanceof clipmill.InvalidRequest && error.requestId && /\p{Script=Han}/u.test(error.message));
    return error.errors.some((field) => field.path === "/params/options/fps");
  });
  await assert.rejects(client.status(`VP${"0".repeat(26)}`), clipmill.NotFound);
  const failed = client.run(mix("http://10.0.0.1/private.mp4"), { timeout: 280 });
  await assert.rejects(failed, (error) => error instanceof clipmill.TaskFailed && error.task.statusName === "rejected");
  await assert.rejects(new clipmill.Client({ baseUrl, apiKey: "cm_live_wrong" }).balance(), clipmill.NotAuthenticated);
});

test("from a template and rows to a zip", live, async () => {
  const client = new clipmill.Client({ baseUrl, apiKey });
  const { url } = await client.upload(clip);
  assert.equal((await client.renameUpload(url, "city, typed.mp4")).name, "city, typed.mp4");
  assert.equal(await client.uploads({ q: "typed" }).total(), 1);
  const request = mix("{{clip}}", { name: "{{title}}", labels: ["from typescript"] });
  const variables = [
    { name: "title", type: "text" },
    { name: "clip", type: "url", default: url },
  ];
  const { templateNo } = await client.addTemplate({ name: "TypeScript", request, variables });
  const batch = { clientBatchId: "typescript", template: templateNo, rows: [{ title: "one" }, { title: "two" }] };
  await assert.rejects(client.estimateBatch({ ...batch, rows: [{ title: "one" }, {}] }), (error) => {
    assert(error instanceof clipmill.InvalidRequest);
    assert.deepEqual([error.errors[0].row, error.errors[0].column], [2, "title"]);
    return true;
  });
  const { batchNo } = await client.submitBatch(batch);
  assert.equal((await client.submitBatch(batch)).batchNo, batchNo);
  assert.equal((await client.waitForBatch(batchNo, { timeout: 280 })).completedItems, 2);
  const rows = await client.batchRows(batchNo, { pageSize: 1 }).toArray();
  assert.equal(await client.batchRows(batchNo, { state: "failed" }).total(), 0);
  const ended = await client.waitAll(rows.map(({ taskNo }) => taskNo), { timeout: 60 });
  assert.deepEqual(ended.map(({ taskNo, items }) => [taskNo, items.length]), rows.map(({ taskNo }) => [taskNo, 1]));
  assert.equal((await client.tasks({ q: "tw", label: "from typescript" }).page()).list[0].taskNo, rows[1].taskNo);
  assert.equal((await client.batchResults(batchNo)).split("/files/").length, 3);
  const folder = await mkdtemp(join(tmpdir(), "clipmill-"));
  const archive = await readFile(await client.downloadBatch(batchNo, join(folder, "june.zip")));
  assert.equal(archive.subarray(0, 2).toString(), "PK");
  const share = await client.share(rows[0].taskNo);
  assert.equal((await fetch(share.url)).status, 200);
  assert.deepEqual((await client.shares(rows[0].taskNo).toArray()).map(({ shareId }) => shareId), [share.shareId]);
  const events = [];
  for await (const { event, data } of client.watchBatch(batchNo)) events.push([event, data.batchNo]);
  assert.deepEqual(events.at(-1), ["state", batchNo]);
  await client.revokeShare(rows[0].taskNo, share.shareId);
  assert.equal((await fetch(share.url)).status, 404);
  const both = await client.shareTasks(rows.map(({ taskNo }) => ({ taskNo })));
  assert.equal((await (await fetch(both.url)).text()).split("<video").length, 3);
  assert.equal((await client.rename(rows[0].taskNo, { name: "first typed" })).name, "first typed");
  assert.equal(await client.tasks({ q: "first typ" }).total(), 1);
  await client.deleteTemplate(templateNo);
  await assert.rejects(client.template(templateNo), clipmill.NotFound);
});

test("a voice is chosen and speaks", live, async (context) => {
  const client = new clipmill.Client({ baseUrl, apiKey });
  assert((await client.captionStyles()).list.some(({ name }) => name === "karaoke-box"));
  const { list, service } = await client.voices();
  if (!service) return context.skip("the service speaks no texts: espeak-ng is not installed");
  const text = "Hello from TypeScript.";
  const slow = await client.speak(text, { voice: list[0].name });
  const fast = await client.speak(text, { voice: list[0].name, speed: 2 });
  const again = await client.speak(text, { voice: list[0].name });
  assert.deepEqual([slow.contentType, again.dotCount], ["audio/wav", 0]);
  assert.equal(Buffer.from(slow.content).subarray(0, 4).toString(), "RIFF");
  assert(fast.content.length < 0.8 * slow.content.length, `${fast.content.length} ${slow.content.length}`);
  await assert.rejects(client.speak(text, { voice: "nobody" }), (error) => error.errors[0].path === "/voice");
});

test("lists are iterated over all pages, and the environment has URL and key", live, async () => {
  Object.assign(process.env, { CLIPMILL_URL: baseUrl, CLIPMILL_API_KEY: apiKey });
  const client = new clipmill.Client();
  for (let number = 0; number < 10; number += 1) {
    // An upload of other content each.
    const caption = `1\n00:00:00,000 --> 00:00:01,000\ntyped list ${number}\n`;
    await client.upload(new File([caption], `typed-list-${number}.srt`));
  }
  const expected = Array.from({ length: 10 }, (_, index) => `typed-list-${9 - index}.srt`);
  const uploads = client.uploads({ q: "typed-list-", pageSize: 3 });
  assert.deepEqual((await uploads.toArray()).map(({ name }) => name), expected);
  assert.deepEqual([await uploads.total(), (await uploads.page(4)).list[0].name], [10, expected[9]]);
  for await (const { url } of uploads) await client.deleteUpload(url);
  assert.deepEqual([await uploads.total(), await uploads.toArray()], [0, []]);
  assert.equal((await client.records({ pageSize: 1 }).toArray()).at(-1).type, "grant");
});

test("uploads are streamed with progress", live, async () => {
  const client = new clipmill.Client({ baseUrl, apiKey });
  const { size } = await stat(clip);
  const heard = [];
  const onProgress = (sent, total) => heard.push([sent, total]);
  const first = await client.upload(clip, { onProgress });
  assert.deepEqual(heard.at(-1), [size, size]);
  heard.length = 0;
  const second = await client.upload(createReadStream(clip), { name: "streamed.mp4", onProgress });
  assert.deepEqual(heard.at(-1), [size, undefined]);
  assert.deepEqual([second.sha256, second.sizeBytes], [first.sha256, size]);
});

test("a large upload needs little memory", live, async () => {
  const path = join(await mkdtemp(join(tmpdir(), "clipmill-")), "large.mp4");
  const size = 256 * 1024 * 1024;
  await writeFile(path, "");
  await truncate(path, size);
  const client = new clipmill.Client({ baseUrl, apiKey });
  await client.balance();
  let most = 0;
  const before = process.memoryUsage().rss;
  const onProgress = () => (most = Math.max(most, process.memoryUsage().rss - before));
  assert.equal((await client.upload(path, { onProgress })).sizeBytes, size);
  assert(most < size / 2, `${most} bytes`);
});

test("previews have facts", live, async () => {
  const client = new clipmill.Client({ baseUrl, apiKey });
  const { url } = await client.upload(clip);
  const near = (value, expected) => assert(Math.abs(value - expected) < 0.05, `${value} instead of ${expected}`);
  const frame = await client.preview(mix(url), { atSeconds: 0.5, width: 90 });
  assert.equal(frame.contentType, "image/jpeg");
  near(frame.atSeconds, 0.5);
  near(frame.lengthSeconds, 1);
  const moving = await client.previewClip(mix(url), { seconds: 0.5 });
  assert.equal(moving.contentType, "video/mp4");
  near(moving.lengthSeconds, 1);
  assert.deepEqual([...(await client.thumbnail(url, { width: 90 })).content.subarray(0, 2)], [0xff, 0xd8]);
});
