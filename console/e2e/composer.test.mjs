// Editing a task in the composer: clips, undo, options, captions, voices, random choices, prices and uploads.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { files, requestOf, section, uploadCity, uploaded } from "./composer-steps.mjs";
import { close, finished, launch, open, paste, plays, sample, Service } from "./harness.mjs";

let service;
let browser;
let city;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  city = await uploadCity(service);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const videos = (count) => Array.from({ length: count }, (_, n) => ({ filename: city, duration: 7.6, ...(n === 0 ? { copies: 2 } : {}) }));

test("clips are selected by mouse and keyboard, removed together and restored", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: videos(6) } });
  await page.getByRole("button", { name: "Make 7 videos" }).waitFor();
  const ticks = page.locator(".tick input");
  await ticks.nth(1).click();
  await ticks.nth(4).click({ modifiers: ["Shift"] });
  const bulk = page.getByRole("region", { name: "Chosen clips" });
  await bulk.getByText("4 chosen").waitFor();
  await bulk.getByLabel("Videos of each").fill("3");
  await page.getByRole("button", { name: "Make 15 videos" }).waitFor();
  await bulk.getByRole("button", { name: "Remove 4 clips" }).click();
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await bulk.waitFor({ state: "detached" });

  // The same by keyboard.
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Make 15 videos" }).waitFor();
  await page.keyboard.press("Control+z");
  await page.getByRole("button", { name: "Make 7 videos" }).waitFor();
  await page.keyboard.press("Control+Shift+z");
  await page.getByRole("button", { name: "Make 15 videos" }).waitFor();
  await ticks.first().focus();
  await page.keyboard.press("Control+a");
  await bulk.getByText("6 chosen").waitFor();
  await page.keyboard.press("Escape");
  await bulk.waitFor({ state: "detached" });
  await ticks.first().focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  await page.waitForFunction(() => document.querySelectorAll(".clip").length === 5);
  await page.getByRole("button", { name: /^Undo/ }).click();
  await page.waitForFunction(() => document.querySelectorAll(".clip").length === 6);
  await close(page);
});

test("everything in a draft can be undone: text, switches, running uploads, reset", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await page.locator("#f-name").fill("Spring sale");
  await page.route((url) => url.pathname.endsWith("/uploads"), (route) => setTimeout(() => route.continue().catch(() => undefined), 1500));
  await files(page, ["bigbuckbunny.mp4"]);
  await page.locator(".clip").waitFor();
  await page.getByRole("switch", { name: "Colour look" }).check();
  await page.getByRole("button", { name: "Remove bigbuckbunny.mp4" }).click();
  await page.locator(".clip").waitFor({ state: "detached" });
  // The upload that was cancelled with its clip is restarted.
  await page.keyboard.press("Control+z");
  await uploaded(page, 1);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  assert.ok(await page.getByRole("switch", { name: "Colour look" }).isChecked());
  await page.keyboard.press("Control+z");
  assert.ok(!(await page.getByRole("switch", { name: "Colour look" }).isChecked()));
  // The end of the upload is not an undo step: undo removes the file, and redo restores it with its url.
  await page.keyboard.press("Control+z");
  await page.locator(".clip").waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await uploaded(page, 1);
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  assert.equal(await page.locator("#f-name").inputValue(), "");
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator("#f-name").inputValue(), "Spring sale");
  // Also in a field of the draft, word by word.
  await page.locator("#f-name").press("End");
  await page.locator("#f-name").pressSequentially("!!!");
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator("#f-name").inputValue(), "Spring sale");
  await close(page);
});

test("one video has separate options: another price, another preview, a separate task", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
  await uploaded(page, 2);
  await page.locator("#f-name").fill("Two ways");
  await page.getByRole("switch", { name: "Colour look" }).check();
  await page.getByRole("button", { name: "Separate options: city.mp4" }).click();
  await page.getByText("only to this video").waitFor();
  await section(page, "Mirror, turn, zoom");
  await page.getByRole("switch", { name: "Mirror left to right" }).check();
  await page.locator(".own-badge", { hasText: "separate options" }).waitFor();
  await page.locator(".preview .stage img:not(.old)").waitFor();
  await page.getByTestId("estimate").getByText("Tasks").waitFor();
  await page.getByRole("button", { name: "All others" }).click();
  assert.ok(!(await page.getByRole("switch", { name: "Mirror left to right" }).isChecked()));

  // An error is shown at its field, in its option set.
  await page.getByRole("button", { name: "city.mp4", exact: true }).click();
  await section(page, "Speed and frames");
  await page.getByRole("switch", { name: "Change speed" }).check();
  await page.getByLabel("Speed, lowest").fill("9");
  await page.locator(".range-field").getByText(/between 0\.5 and 2/).waitFor();
  await page.getByRole("button", { name: "All others" }).click();
  assert.equal(await page.locator(".range-field .field-error").count(), 0);
  await page.locator(".problems a").click();
  await page.locator(".range-field").getByText(/between 0\.5 and 2/).waitFor();
  await page.getByLabel("Speed, lowest").fill("1.2");

  const requests = await requestOf(page);
  assert.deepEqual(requests.map(({ params }) => [params.videoList.length, params.options.isMirror ?? false, params.options.isFilter]), [[1, false, true], [1, true, true]]);
  await page.getByRole("button", { name: "Make 2 videos" }).click();
  await page.waitForURL(/\/console\/tasks$/);
  await page.getByText("2 tasks submitted.").waitFor();
  const { list } = await service.call("/video-process/list?q=Two%20ways");
  assert.equal(list.length, 2);
  await close(page);
});

test("captions: pasted, edited beside the preview, styled by a picture, exported, opened again, in the video", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await page.getByLabel("Cut after").fill("4");
  await section(page, "Subtitles");
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.locator("#captions-text").fill("Welcome to the city. It never sleeps!");
  await page.getByLabel("Spread over").fill("4");
  await page.getByRole("button", { name: "Create 2 captions" }).click();
  const text = page.getByLabel("Text of caption 1");
  assert.equal(await text.inputValue(), "Welcome to the city.");
  await text.fill("Willkommen, 欢迎");
  await page.getByLabel("Caption 1 ends").fill("1.5");
  await page.getByLabel("Caption 2 begins").fill("0:01.75");
  await page.getByRole("radio", { name: "Word by word", exact: true }).check();
  const made = page.locator(".submit:enabled");
  await made.waitFor();
  await page.locator(".captions-head").getByText("saving").waitFor({ state: "detached" });
  await text.focus();
  await page.locator(".preview output").getByText("0:01").waitFor();
  await page.locator(".preview .stage img:not(.old)").waitFor();

  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SRT", exact: true }).click()]);
  const srt = readFileSync(await file.path(), "utf8");
  assert.match(srt, /^1\n00:00:00,000 --> 00:00:01,500\nWillkommen, 欢迎\n\n2\n00:00:01,750 --> 00:00:04,000\nIt never sleeps!\n$/);
  const [vtt] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "VTT", exact: true }).click()]);
  assert.match(readFileSync(await vtt.path(), "utf8"), /^WEBVTT\n\n1\n00:00:00\.000 --> 00:00:01\.500\n/);

  // An invalid time is reported beside its field; undo fixes it.
  await page.getByLabel("Caption 2 ends").fill("1");
  await page.getByText("must end after it begins").waitFor();
  await page.keyboard.press("Control+z");
  await page.getByText("must end after it begins").waitFor({ state: "detached" });

  // A reload keeps them.
  await page.reload();
  await section(page, "Subtitles");
  assert.equal(await page.getByLabel("Text of caption 1").inputValue(), "Willkommen, 欢迎");
  await page.getByRole("button", { name: "Remove all captions" }).click();
  await page.locator(".captions input[type=file]").setInputFiles({ name: "mine.srt", mimeType: "text/plain", buffer: Buffer.from("nothing") });
  await page.getByText("“mine.srt” contains no readable captions").waitFor();
  await page.locator(".captions input[type=file]").setInputFiles({ name: "mine.srt", mimeType: "text/plain", buffer: Buffer.from(srt) });
  await page.getByText("mine.srt ·").waitFor();
  await page.locator(".captions-head").getByText("saving").waitFor({ state: "detached" });
  const { params } = await requestOf(page);
  assert.match(params.options.subtitle.url, /^upload:/);
  assert.deepEqual(params.options.subtitle.style.highlight, { color: "#FFD400" });
  assert.ok(!JSON.stringify(params).includes("cue"));
  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
  assert.ok((await plays(page)).frames > 5);
  await close(page);
});

test("preview, price and task use one seed, and each result lists its clips with their start times", async () => {
  const bunny = (await service.call("/uploads?fileName=bigbuckbunny.mp4", { method: "POST", body: readFileSync(sample("bigbuckbunny.mp4")) })).url;
  const page = await open(browser, service);
  const sent = { preview: [], estimate: [], submit: [] };
  page.on("request", (request) => {
    const name = /\/(preview|estimate|submit)$/.exec(new URL(request.url()).pathname)?.[1];
    if (name === undefined || request.method() !== "POST") return;
    const body = request.postDataJSON();
    sent[name].push((body.request ?? body).params.seed);
  });
  const scene = (sceneName) => ({ sceneKey: sceneName, sceneName, duration: 1, resources: [{ url: city, duration: 7.6 }, { url: bunny, duration: 5.28 }] });
  await page.at("/new/proVideoMix");
  await paste(page, { taskType: "proVideoMix", params: { scenes: [scene("Opening"), scene("Closing")], audioMode: "split", generateCount: 2, options: { clipStart: "random", preset: "draft" } } });
  const image = page.locator(".preview .stage img:not(.old)");
  await image.waitFor();
  await page.locator(".submit:enabled").waitFor();
  const [first] = sent.estimate.slice(-1);
  assert.ok(Number.isSafeInteger(first), JSON.stringify(sent));
  assert.deepEqual([...new Set(sent.preview)], [first]);

  // A new seed updates preview and price, and is an undo step.
  const old = await image.getAttribute("src");
  await page.getByRole("button", { name: "Draw again" }).click();
  await page.waitForFunction((src) => document.querySelector(".preview .stage img:not(.old)")?.getAttribute("src") !== src && document.querySelector(".preview .busy") === null, old);
  await page.locator(".submit:enabled").waitFor();
  const [second] = sent.estimate.slice(-1);
  assert.notEqual(second, first);
  assert.equal(sent.preview.at(-1), second);
  assert.equal((await requestOf(page)).params.seed, second);
  // A reload keeps it.
  await page.reload();
  await image.waitFor();
  assert.equal(sent.preview.at(-1), second);
  await page.getByRole("button", { name: "Make 2 videos" }).click();
  const taskNo = await finished(page);
  assert.deepEqual(sent.submit, [second]);
  const { items } = await service.call(`/video-process/status/${taskNo}`);
  assert.equal(items[0].seed, second);

  // The list equals the recipe.
  for (const { itemNo, recipe } of items) {
    await page.locator(`[data-shot="${taskNo}/${itemNo}"]`).click();
    const expected = recipe.combination.map((clip, place) => (
      `${["Opening", "Closing"][place]} ${["city.mp4", "bigbuckbunny.mp4"][clip]} from ${Math.round((recipe.starts?.[place] ?? 0) * 100) / 100} s`));
    await page.waitForFunction((lines) => (
      JSON.stringify([...document.querySelectorAll('[data-testid="clips"] dl > div')].map((row) => `${row.querySelector("dt").innerText} ${row.querySelector("dd").innerText}`)) === lines), JSON.stringify(expected));
  }
  assert.equal(await page.getByText("This video has no random choices").count(), 0);
  // "Edit and run again" keeps the seed.
  await page.getByRole("button", { name: "Edit and run again" }).click();
  await page.locator(".submit:enabled").waitFor();
  assert.equal(sent.estimate.at(-1), second);
  await close(page);
});

test("captions that were uploaded elsewhere are opened and edited as a new file", async () => {
  const url = (await service.call("/uploads?fileName=captions.srt", { method: "POST", body: readFileSync(sample("captions.srt")) })).url;
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  const request = (subtitle) => ({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: city, duration: 7.6 }] }], options: { subtitle: { url: subtitle } } } });
  await paste(page, request(url));
  await section(page, "Subtitles");
  await page.getByRole("button", { name: "Edit this text" }).click();
  const text = page.getByLabel("Text of caption 1");
  await text.waitFor();
  await page.locator(".captions-head").getByText(/^captions\.srt ·/).waitFor();
  await text.fill("Other words");
  await page.locator(".captions-head").getByText("saving").waitFor({ state: "detached" });
  await page.locator(".submit:enabled").waitFor();
  const edited = (await requestOf(page)).params.options.subtitle.url;
  assert.match(edited, /^upload:/);
  assert.notEqual(edited, url);
  const { fileUrl } = await service.call(`/uploads/${edited.slice("upload://".length)}`);
  assert.match(await (await fetch(fileUrl)).text(), /Other words/);
  // Opening is an undo step.
  await paste(page, request(city));
  await page.getByRole("button", { name: "Edit this text" }).click();
  await page.getByText(/“city\.mp4” contains no readable captions/).waitFor();
  // Files of other hosts cannot be opened, because the page sends no requests to other hosts.
  await paste(page, request("http://127.0.0.1:9/captions.srt"));
  await page.getByText("The service downloads this file when it renders the videos").waitFor();
  assert.equal(await page.getByRole("button", { name: "Edit this text" }).count(), 0);
  await close(page);
});

test("several voices, each with its captions, one for each video", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await section(page, "Audio");
  await page.getByRole("button", { name: "Add a voice" }).click();
  const voice = page.getByRole("group", { name: "Voice 1" });
  await page.getByText("1 problem to fix").waitFor();
  await voice.locator("input[type=file]").first().setInputFiles(sample("speech.wav"));
  await voice.getByText("speech.wav").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  const { params } = await requestOf(page);
  assert.equal(params.options.voicePool.length, 1);
  assert.deepEqual(Object.keys(params.options.voicePool[0]), ["audio"]);
  await close(page);
});

for (const taskType of ["baseVideoMix", "proVideoMix"]) {
  test(`an uploaded image is a clip of ${taskType} as one from the library`, async () => {
    const page = await open(browser, service);
    await page.at(`/new/${taskType}`);
    await page.locator(".board input[type=file]").first().waitFor({ state: "attached" });
    const scenes = await page.locator(".board input[type=file]").count();
    for (let scene = 0; scene < scenes; scene += 1) await page.locator(".board input[type=file]").nth(scene).setInputFiles([sample("picture.jpg"), sample("logo.png")]);
    await page.locator(".submit:enabled").waitFor();
    assert.deepEqual(await page.locator(".clip-length").allInnerTexts(), []);
    const { params } = await requestOf(page);
    const clips = (params.videoList?.[0].videos ?? params.scenes.flatMap((one) => one.resources));
    assert.ok(clips.length >= 1 && clips.every((clip) => clip.url.startsWith("upload://") && clip.duration === undefined), JSON.stringify(clips));
    await close(page);
  });
}

for (const [locale, same, vary] of [["en-GB", "All 10 videos will be identical", "Turn on options"], ["zh-CN", "10 个成片将完全相同", "请开启逐个变化的选项"]]) {
  test(`ten copies with all options off are reported as identical before submission, in ${locale}`, async () => {
    const page = await open(browser, service, { locale });
    await page.at("/new/videoDeduplication");
    await page.locator("details.engineers > summary").click();
    await page.locator("details.engineers button").nth(1).click();
    await page.locator("#paste").fill(JSON.stringify({ taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6, copies: 10 }] } }));
    await page.locator("dialog button.primary").click();
    const notice = page.locator(".notice.warn", { hasText: same });
    await notice.getByText(vary).waitFor();
    // A random option ends the warning.
    await page.evaluate(() => document.querySelectorAll("details.section").forEach((fold) => { fold.open = true; }));
    await page.locator("#f-params-options-zoom-isZoom").check();
    await notice.waitFor({ state: "detached" });
    await page.locator(".submit:enabled").waitFor();
    await close(page);
  });
}

test("an uncertain price is marked, and unusable files have no price", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  const price = page.getByTestId("price");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6 }] } });
  await price.getByText(/^\d+ points/).waitFor();
  await page.route((url) => url.pathname.endsWith("/probe"), (route) => route.fulfill({ status: 503, json: { code: 50300, msg: "later", data: null } }));
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: "http://127.0.0.1:9/a.mp4", duration: 5 }] } });
  await price.getByText(/^at most \d+ points/).waitFor();
  await page.getByRole("button", { name: "Check the files and price exactly" }).click();
  await page.getByText("None of these videos can be rendered").waitFor();
  assert.equal(await price.innerText(), "–");
  assert.ok(await page.locator(".submit").isDisabled());
  await close(page);
});

test("when a key is revoked during uploads, the next key resumes them", async () => {
  const key = /cm_live_\w+/.exec(service.command("key", "issue", "first"))[0];
  const page = await open(browser, service, { key: null });
  await page.at("/new/videoDeduplication");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".clip-list").waitFor();
  const { keyId } = JSON.parse(service.command("key", "list", "first", "--json")).find((entry) => key.startsWith(entry.prefix));
  service.command("key", "revoke", String(keyId));
  await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
  await page.getByText("your drafts are still here").waitFor();
  await page.getByLabel("API key").fill(service.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("button", { name: "Make 2 videos" }).waitFor();
  await close(page);
});

test("a failed upload can be retried", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  const route = (url) => url.pathname.endsWith("/uploads");
  await page.route(route, (call) => call.fulfill({ status: 409, json: { code: 40902, msg: "no room", data: null } }));
  await files(page, ["city.mp4"]);
  const again = page.locator(".clip").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(route);
  await again.press("Enter");
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  await close(page);
});
