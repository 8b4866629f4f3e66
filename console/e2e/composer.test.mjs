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
  await page.getByLabel("Trim to").fill("4");
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
  await page.getByRole("radio", { name: "Karaoke", exact: true }).check();
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
  assert.deepEqual(params.options.subtitle.style, { preset: "karaoke" });
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
  await page.getByRole("button", { name: "Shuffle" }).click();
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

const SPOKEN = "Fresh from the oven. Baked every morning.";
const mix = (options = {}) => ({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: city, duration: 7.6 }] }], options } });

test("a text is spoken in place of a file: with a voice, to listen to, with captions that follow it, in the video", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await paste(page, mix({ length: "voice" }));
  await section(page, "Audio");
  const write = page.getByRole("button", { name: "Write a text to speak" });
  await write.click();
  const text = page.getByLabel("Text to speak");
  await text.and(page.locator(":focus")).waitFor();
  await text.fill("Gone");
  // The file is chosen instead, and undo brings the text back.
  await page.getByRole("button", { name: "Use a file instead" }).click();
  await write.waitFor();
  await page.keyboard.press("Control+z");
  assert.equal(await text.inputValue(), "Gone");
  await text.fill(SPOKEN);
  const voice = page.getByLabel("Voice", { exact: true });
  assert.deepEqual(await voice.locator("optgroup").evaluateAll((groups) => groups.map((group) => group.label)), ["English", "Other languages"]);
  await voice.selectOption({ label: "English (United Kingdom)" });
  const estimated = page.getByText("Estimated: the length of the voice is not known yet.");
  await estimated.waitFor();
  const heard = page.waitForResponse((response) => response.url().endsWith("/speech"));
  await page.getByRole("button", { name: "Listen", exact: true }).click();
  const response = await heard;
  assert.deepEqual([response.status(), response.request().postDataJSON()], [200, { text: SPOKEN, voice: "en-gb" }]);
  await page.locator(".listen-at", { hasText: "0:01" }).waitFor();
  await page.getByText("In previews it is silent until you have listened to it.").waitFor({ state: "detached" });
  await estimated.waitFor({ state: "detached" });
  await page.locator(".price-line", { hasText: "about" }).first().waitFor();

  await section(page, "Subtitles");
  await page.getByRole("button", { name: "Follow the voice" }).click();
  assert.equal(await page.getByLabel("Script").inputValue(), SPOKEN);
  await page.getByRole("radio", { name: "Karaoke box" }).check();
  await page.locator(".submit:enabled").waitFor();
  const { options } = (await requestOf(page)).params;
  assert.deepEqual(options, { length: "voice", audio: { text: SPOKEN, voice: "en-gb" }, subtitle: { text: SPOKEN, style: { preset: "karaoke-box" } } });
  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
  assert.ok((await plays(page)).frames > 5);
  await close(page);
});

test("captions can be transcribed where a service does it", async () => {
  const page = await open(browser, service);
  const voices = await service.call("/video-process/voices");
  await page.route((url) => url.pathname.endsWith("/voices"), (route) => route.fulfill({ json: { code: 0, msg: "success", data: { ...voices, transcriptionService: "Listener", pointsPerMinute: 3 } } }));
  await page.at("/new/baseVideoMix");
  await paste(page, mix({}));
  await section(page, "Subtitles");
  await page.getByRole("button", { name: "Transcribe what is spoken" }).click();
  await page.getByText("3 points for each minute of audio.").waitFor();
  await page.getByRole("radio", { name: "The clips", exact: true }).and(page.locator(":checked")).waitFor();
  // The service of this test transcribes nothing, and says so.
  await page.getByText("no speech recognition is configured").first().waitFor();
  assert.deepEqual((await requestOf(page)).params.options.subtitle, { from: "clips" });
  await page.getByRole("button", { name: "Remove all captions" }).click();
  await page.getByRole("button", { name: "Transcribe what is spoken" }).waitFor();
  await close(page);
});

test("listening shows its price and its errors, and is not offered without a speech service", async () => {
  const page = await open(browser, service);
  const long = `${"Every morning the harbour wakes first. ".repeat(14)}The end.`;
  const voices = await service.call("/video-process/voices");
  const catalogue = (url) => url.pathname.endsWith("/voices");
  await page.route(catalogue, (route) => route.fulfill({ json: { code: 0, msg: "success", data: { ...voices, pointsPer1000Characters: 10 } } }));
  await page.at("/new/baseVideoMix");
  await paste(page, mix({ audio: { text: long } }));
  await section(page, "Audio");
  const listen = page.getByRole("button", { name: "Listen to the beginning" });
  await page.getByText("6 points in each task. Listening costs 5 points; repeats are free.").waitFor();
  let calls = 0;
  const speech = (url) => url.pathname.endsWith("/speech");
  const fail = (status, code, msg) => page.route(speech, (route) => {
    calls += 1;
    return route.fulfill({ status, headers: { "retry-after": "40000" }, json: { code, msg, data: null } });
  });
  await fail(429, 42906, "limit");
  await listen.click();
  await page.getByRole("alert").filter({ hasText: "You have reached today’s limit for listening." }).waitFor();
  assert.equal(calls, 1);
  await page.unroute(speech);
  await fail(503, 50301, "the text was not spoken, and nothing was charged: the service is down");
  await listen.click();
  await page.getByRole("alert").filter({ hasText: "the text was not spoken, and nothing was charged" }).waitFor();
  // A change of the text removes the message, and does not speak it.
  await page.getByLabel("Text to speak").fill("Short.");
  await page.getByRole("alert").waitFor({ state: "detached" });
  assert.equal(calls, 2);

  await page.unroute(catalogue);
  await page.route(catalogue, (route) => route.fulfill({ json: { code: 0, msg: "success", data: { ...voices, list: [], total: 0, service: null } } }));
  await page.reload();
  await section(page, "Audio");
  await page.getByText("This service does not speak texts. Use a file instead.").waitFor();
  await page.getByRole("button", { name: "Use a file instead" }).click();
  await page.getByRole("button", { name: "Choose a file" }).first().waitFor();
  assert.equal(await page.getByRole("button", { name: "Write a text to speak" }).count(), 0);
  await close(page);
});

test("a caption style is chosen by a moving image and by keyboard; its fields can be changed, and earlier styles remain", async () => {
  const page = await open(browser, service);
  const earlier = { weight: "bold", fontSize: 18, outlineColor: "#000000", place: "lower-third", highlight: { color: "#FFD400" }, bottom: 90 };
  await page.at("/new/baseVideoMix");
  await paste(page, mix({ subtitle: { text: SPOKEN, style: earlier } }));
  await section(page, "Subtitles");
  const style = async () => (await requestOf(page)).params.options.subtitle.style;
  assert.deepEqual(await style(), earlier);
  const none = page.getByRole("radio", { name: "No named style" });
  assert.equal(await none.isChecked(), true);
  const image = page.locator(".pick", { hasText: "Karaoke box" }).locator("img");
  const handle = await image.elementHandle();
  const isVisible = (wanted) => page.waitForFunction(([element, value]) => getComputedStyle(element).visibility === value, [handle, wanted]);
  await isVisible("hidden");
  await image.locator("xpath=../..").hover();
  await isVisible("visible");
  await page.mouse.move(0, 0);
  await isVisible("hidden");
  await none.focus();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowRight");
  await isVisible("visible");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await isVisible("hidden");
  assert.deepEqual(await style(), { preset: "karaoke-box", bottom: 90 });
  // The fields show the values of the style; a change overrides one of them.
  await page.getByText("Change the style").click();
  const size = page.getByRole("spinbutton", { name: "Font size" });
  assert.equal(await size.inputValue(), "18");
  await size.fill("12");
  const capitals = page.getByRole("switch", { name: "Capitals" });
  assert.equal(await capitals.isChecked(), true);
  await capitals.uncheck();
  await page.locator(".submit:enabled").waitFor();
  assert.deepEqual(await style(), { preset: "karaoke-box", bottom: 90, fontSize: 12, uppercase: false });
  await capitals.check();
  await none.check();
  assert.deepEqual(await style(), { weight: "bold", bottom: 90 });
  await close(page);
});

test("a scene has its own voice, length and captions", async () => {
  const page = await open(browser, service);
  await page.at("/new/proVideoMix");
  const scene = (key, more) => ({ sceneKey: key, sceneName: key, duration: 3, resources: [{ url: city, duration: 7.6 }], ...more });
  await paste(page, { taskType: "proVideoMix", params: { audioMode: "split", generateCount: 1, scenes: [scene("Opening"), scene("End")], options: {} } });
  const opening = page.locator(".clip-list").first();
  await opening.getByRole("button", { name: "Scene audio: Write a text to speak" }).click();
  await opening.getByRole("textbox", { name: "Text to speak" }).fill(SPOKEN);
  await opening.getByRole("radio", { name: "That of its audio" }).check();
  await opening.getByText("as long as its audio").waitFor();
  await opening.getByRole("button", { name: /^Captions of this scene/ }).click();
  assert.equal(await opening.getByRole("textbox", { name: "Captions of this scene" }).inputValue(), SPOKEN);
  await section(page, "Subtitles");
  await page.getByText("The captions are the scripts of the scenes.").waitFor();
  await page.getByRole("radio", { name: "Neon" }).check();
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  const { scenes, options } = (await requestOf(page)).params;
  assert.deepEqual(scenes[0], { ...scene("Opening"), length: "voice", text: SPOKEN, audioResources: [{ text: SPOKEN }] });
  assert.deepEqual(scenes[1], scene("End"));
  assert.deepEqual(options, { subtitle: { style: { preset: "neon" } } });
  await page.getByText("Estimated: the length of the voice is not known yet.").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
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
