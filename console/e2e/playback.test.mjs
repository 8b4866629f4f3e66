// Free previews: playback, timeline, trimming, and audio players.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { close, launch, LONG, open, sample, Service, unfold } from "./harness.mjs";

const pictures = process.env.PLAY_PICTURES;

let service;
let browser;
let urls;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  const upload = async (name) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })).url;
  urls = { city: await upload("city.mp4"), rabbit: await upload("bigbuckbunny.mp4"), speech: await upload("speech.wav"), picture: await upload("picture.jpg") };
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function opened(page, taskType, params) {
  await page.at(`/new/${taskType}`);
  await unfold(page);
  await page.locator("details.engineers button").nth(1).click();
  await page.locator("#paste").fill(JSON.stringify({ taskType, params }));
  await page.locator("dialog[open] button[type=submit]").click();
  await page.locator(".timestrip").waitFor();
}

const mix = (more = {}) => ({
  videoList: [{ videos: [{ url: urls.city, duration: 7.64, to: 3 }, { url: urls.rabbit, duration: 8 }] }],
  options: { resolution: "720:1280", backgroundMusic: { url: urls.speech }, ...more },
});
const request = async (page) => {
  await unfold(page);
  await page.getByRole("button", { name: "Request as JSON and curl" }).click();
  const text = await page.locator("dialog pre").innerText();
  await page.keyboard.press("Escape");
  return JSON.parse(text);
};

const picture = async (page, name) => pictures && page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });

test("a few seconds of the result are played with audio, and a change discards them", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix());
  const asked = page.waitForRequest((call) => call.url().endsWith("/preview/clip"));
  await page.getByRole("button", { name: "Play 5 s with audio" }).click();
  // Requests the same again, for ffprobe.
  const response = await fetch(`${service.base}/open-api/v1/preview/clip`, {
    method: "POST", headers: { "X-API-Key": service.key, "Content-Type": "application/json" }, body: (await asked).postData(),
  });
  assert.equal(response.status, 200);
  const file = join(tmpdir(), `played-${process.pid}.mp4`);
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const streams = execFileSync("ffprobe", ["-v", "error", "-show_entries", "stream=codec_name,width,height", "-of", "csv=p=0", file], { encoding: "utf8" });
  rmSync(file);
  assert.match(streams, /h264,360,640/);
  assert.match(streams, /aac/);
  const video = page.locator(".preview .stage video");
  await video.waitFor();
  const played = await video.evaluate(async (element) => {
    element.muted = true;
    await element.play();
    const begin = performance.now();
    while (element.currentTime < 0.4 && performance.now() - begin < 60_000) await new Promise((next) => setTimeout(next, 50));
    return { time: element.currentTime, length: element.duration, width: element.videoWidth };
  });
  assert.ok(played.time >= 0.4 && Math.abs(played.length - 5) < 0.05 && played.width === 360, JSON.stringify(played));
  await picture(page, "played");
  assert.equal(Number((await service.call("/video-process/records")).list.filter((line) => line.type === "hold").length), 0, "it is free");
  // It continues at the end of the played part.
  const further = page.waitForRequest((asked) => asked.url().endsWith("/preview/clip"));
  await page.getByRole("button", { name: "Continue" }).click();
  const body = (await further).postDataJSON();
  assert.deepEqual([body.atSeconds, body.clip], [6, undefined]);
  await page.locator(".play-tools .spinner").waitFor({ state: "detached" });
  await page.getByRole("radio", { name: "Fill and crop" }).check();
  await video.waitFor({ state: "detached" });
  await close(page);
});

test("the whole video is played with audio, if it is at most three minutes long", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix());
  // The service may render fewer seconds at once than the page requests.
  const clip = (url) => url.pathname.endsWith("/preview/clip");
  const bodies = [];
  await page.route(clip, (route) => {
    bodies.push(route.request().postDataJSON());
    return route.continue({ postData: JSON.stringify({ ...bodies[0], seconds: 10 }) });
  });
  await page.getByRole("button", { name: "Play the whole video" }).click();
  const video = page.locator(".preview .stage video");
  await video.waitFor();
  const [{ atSeconds, seconds, clip: place, itemNo }] = bodies;
  assert.deepEqual([atSeconds, seconds, place, itemNo], [0, 180, undefined, 1]);
  await video.evaluate((element) => element.readyState > 0 || new Promise((next) => element.addEventListener("loadedmetadata", next)));
  const { length, height } = await video.evaluate((element) => ({ length: element.duration, height: element.videoHeight }));
  assert.ok(Math.abs(length - 8.3) < 0.1 && height === 640, JSON.stringify([length, height]));
  assert.equal(await video.getAttribute("aria-label"), "Video 1 with audio");
  assert.equal(await page.getByRole("button", { name: "Continue" }).count(), 0);
  await picture(page, "whole");
  // Four minutes of images.
  const picturesOf = (count) => Array.from({ length: count }, () => ({ url: urls.picture, duration: 60 }));
  await opened(page, "baseVideoMix", { videoList: [{ videos: picturesOf(4) }] });
  await page.locator("[data-testid=estimate]", { hasText: "4:00" }).waitFor();
  await page.getByText("The whole video can be played if it is at most 3 minutes long.").waitFor();
  assert.ok(await page.getByRole("button", { name: "Play the whole video" }).isDisabled());
  await close(page);
});

test("the timeline shows clips by their lengths, and a click moves the preview", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix({ transition: { names: ["fade"], duration: 1 } }));
  const blocks = page.locator(".timestrip .block");
  // The length of the probed file, not the declared one.
  await blocks.nth(1).locator(".block-length", { hasText: "5.3" }).waitFor();
  const [first, second] = await Promise.all([0, 1].map((place) => blocks.nth(place).evaluate((block) => [parseFloat(block.style.left), parseFloat(block.style.width)])));
  // Three seconds plus the second clip, minus the overlap.
  const whole = 3 / (first[1] / 100);
  assert.ok(Math.abs(second[0] / 100 * whole - 2) < 0.05, JSON.stringify([first, second, whole]));
  await page.locator(".timestrip .wave canvas").waitFor();
  await page.waitForFunction(() => {
    const canvas = document.querySelector(".timestrip .wave canvas");
    const drawn = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    return drawn.some((value) => value > 0);
  });
  // The frame of the first clip may be requested at the same time.
  const asked = page.waitForRequest((call) => call.url().endsWith("/preview") && call.postDataJSON().clip === 1);
  // In its middle.
  await blocks.nth(1).click();
  const body = (await asked).postDataJSON();
  assert.ok(Math.abs(body.atSeconds - second[1] / 100 * whole / 2) < 0.3, JSON.stringify(body.atSeconds));
  // By keyboard, to its start.
  const again = page.waitForRequest((call) => call.url().endsWith("/preview") && call.postDataJSON().clip === 0);
  await blocks.nth(0).focus();
  await page.keyboard.press("Enter");
  assert.equal((await again).postDataJSON().atSeconds, 0);
  await picture(page, "strip");
  assert.deepEqual(await checkPage(page, "strip"), []);
  await close(page);
});

test("the timeline begins with the intro, and captions, voices and clips follow it", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix({ introPool: [{ url: urls.city }], overlays: [{ type: "text", text: "Sale", start: 0, end: 2 }], subtitle: { cues: [{ start: 0, end: 1, text: "Hello" }] } }));
  const edges = (selector) => page.locator(selector).evaluate((bar) => {
    const [own, row] = [bar, bar.closest(".timestrip-row")].map((one) => one.getBoundingClientRect());
    return [own.left - row.left, own.right - row.left].map((x) => x / row.width);
  });
  const intro = page.locator(".timestrip .block.bumper");
  await intro.locator(".block-length", { hasText: /^\d/ }).waitFor();
  const [from, end] = await edges(".block.bumper");
  assert.ok(Math.abs(from) < 0.01 && end > 0.2, `${from} ${end}`);
  for (const selector of [".block:not(.bumper) >> nth=0", ".timestrip-cues li"]) {
    const [start] = await edges(selector);
    assert.ok(Math.abs(start - end) < 0.02, `${selector} ${start} ${end}`);
  }
  assert.ok((await edges(".overlay-bar"))[0] < 0.01);
  // The preview shows the intro, which no clip is.
  const asked = page.waitForRequest((call) => call.url().endsWith("/preview") && call.postDataJSON().clip === undefined);
  await intro.click();
  const { atSeconds } = (await asked).postDataJSON();
  assert.ok(atSeconds > 0.5, `${atSeconds}`);
  await page.locator(".timestrip .block.bumper.on").waitFor();
  assert.equal(await page.locator(".timestrip .block.on").count(), 1);
  await close(page);
});

test("the timeline scales scenes to the length of the voice", async () => {
  const page = await open(browser, service);
  const scene = (key, duration) => ({ sceneKey: key, sceneName: key, duration, resources: [{ url: urls.city, duration: 7.64 }, { url: urls.rabbit, duration: 5.3 }] });
  const voiced = { length: "voice", tail: 0, audio: { url: urls.speech, duration: 6 } };
  await opened(page, "proVideoMix", { audioMode: "split", generateCount: 1, scenes: [scene("One", 1), scene("Two", 2)], options: { ...voiced, audio: { text: "Fresh from the oven." } } });
  await page.getByText("Estimated: the length of the voice is not known yet.").waitFor();
  await opened(page, "proVideoMix", { audioMode: "split", generateCount: 1, scenes: [scene("One", 1), scene("Two", 2)], options: voiced });
  const lengths = () => page.locator(".timestrip .block-length").allInnerTexts();
  await page.getByText("Estimated: the length of the voice is not known yet.").waitFor({ state: "detached" });
  assert.deepEqual(await lengths(), ["2", "4"]);
  await page.getByRole("radio", { name: "That of the clips" }).check();
  await page.locator(".timestrip .block-length", { hasText: "1" }).first().waitFor();
  assert.deepEqual(await lengths(), ["1", "2"]);
  await close(page);
});

test("the timeline has tracks, and overlays are moved and trimmed in it", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix({
    audio: { url: urls.speech, start: 1 }, subtitle: { cues: [{ start: 1, end: 3, text: "Fresh from the oven" }] },
    overlays: [{ type: "text", text: "Only today", start: 1, end: 4 }, { type: "text", text: "Last pieces", start: 2 }],
  }));
  await page.locator(".timestrip .block-length", { hasText: "5.3" }).waitFor();
  const strip = page.locator(".timestrip");
  for (const name of ["Music", "Voice track"]) await strip.getByRole("img", { name, exact: true }).waitFor();
  await strip.getByRole("list", { name: "Captions" }).getByText("Fresh from the oven").waitFor();
  const overlays = async () => (await request(page)).params.options.overlays.map(({ start, end }) => [start, end]);
  const bar = strip.getByRole("button", { name: /^Only today, from 1 s to 4 s/ });
  const row = await strip.locator(".timestrip-lanes .timestrip-row").first().boundingBox();
  const whole = 8.3;
  const dragged = async (target, seconds) => {
    // A new price or frame can move the strip.
    await page.locator(".price.old, .stage img.old, .stage .spinner").first().waitFor({ state: "detached" });
    await target.hover();
    await page.mouse.down();
    const box = await target.boundingBox();
    await page.keyboard.down("Control");
    await page.mouse.move(box.x + box.width / 2 + (seconds / whole) * row.width, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.keyboard.up("Control");
  };
  await dragged(bar, 2);
  let [[start, end], other] = await overlays();
  assert.ok(Math.abs(start - 3) < 0.15 && Math.abs(end - 6) < 0.15, JSON.stringify([start, end]));
  assert.deepEqual(other, [2, undefined]);
  await dragged(strip.getByRole("slider", { name: "End of Only today" }), -1);
  [[start, end]] = await overlays();
  assert.ok(Math.abs(end - 5) < 0.15, JSON.stringify([start, end]));
  await page.getByRole("button", { name: /^Undo/ }).click();
  assert.ok(Math.abs((await overlays())[0][1] - 6) < 0.15, "a drag is one step");
  // By keyboard: the bar, then its ends. The end of the output is no field.
  const ends = strip.getByRole("slider", { name: "End of Last pieces" });
  await strip.getByRole("button", { name: /^Last pieces/ }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+ArrowRight");
  await ends.focus();
  await page.keyboard.press("ArrowLeft");
  assert.deepEqual((await overlays())[1].map((value) => value > 0), [true, true]);
  await ends.press("End");
  assert.deepEqual((await overlays())[1], [3, undefined]);
  // A click on another track moves the preview.
  const asked = page.waitForRequest((call) => call.url().endsWith("/preview") && call.postDataJSON().clip === 1);
  await strip.getByRole("img", { name: "Music" }).click({ position: { x: row.width * 0.75, y: 5 } });
  await asked;
  await picture(page, "tracks");
  assert.deepEqual(await checkPage(page, "tracks"), []);
  await close(page);
});

test("a clip is trimmed by dragging, by keyboard and by numbers", async () => {
  const page = await open(browser, service);
  await opened(page, "videoDeduplication", { videoList: [{ filename: urls.city, duration: 7.64 }] });
  await page.locator(".trim > summary").click();
  const begin = page.getByRole("slider", { name: /Start of/ });
  const end = page.getByRole("slider", { name: /End of/ });
  const bar = await page.locator(".trim-bar").boundingBox();
  await begin.hover();
  await page.mouse.down();
  await page.mouse.move(bar.x + bar.width * 0.25, bar.y + 10, { steps: 5 });
  await page.mouse.up();
  const from = Number(await begin.getAttribute("aria-valuenow"));
  assert.ok(Math.abs(from - 7.64 / 4) < 0.25, String(from));
  await end.focus();
  for (const key of ["PageDown", "PageDown", "ArrowLeft"]) await page.keyboard.press(key);
  const to = Number(await end.getAttribute("aria-valuenow"));
  assert.ok(Math.abs(to - (7.6 - 2.1)) < 0.11, String(to));
  assert.deepEqual((await request(page)).params.videoList.map((video) => [video.from, video.to]), [[from, to]]);
  // The ends cannot cross, and the numbers agree.
  await page.getByLabel("From second").fill("99");
  await page.keyboard.press("Tab");
  assert.equal(Number(await begin.getAttribute("aria-valuenow")), Math.round((to - 0.1) * 10) / 10);
  await page.getByLabel("From second").fill("1.5");
  await page.keyboard.press("Tab");
  assert.deepEqual((await request(page)).params.videoList[0].from, 1.5);
  await page.locator(".trim-pictures img").nth(5).waitFor();
  await picture(page, "trim");
  assert.deepEqual(await checkPage(page, "trim"), []);
  await page.getByRole("button", { name: "Whole clip" }).click();
  const [video] = (await request(page)).params.videoList;
  assert.deepEqual([video.from, video.to], [undefined, undefined]);
  await close(page);
});

test("audio is played in place, one file at a time", async () => {
  const page = await open(browser, service);
  // The waveform and the player share their requests.
  const asked = page.waitForResponse((response) => response.url().endsWith("/sound"));
  await opened(page, "baseVideoMix", mix({ audio: { url: urls.speech } }));
  await page.locator("details.section > summary", { hasText: "Audio" }).click();
  const buttons = page.locator(".file-chip .listen button");
  await buttons.first().click();
  assert.equal((await asked).status(), 200);
  await page.locator(".listen-at", { hasText: "0:01" }).first().waitFor();
  await buttons.nth(1).click();
  await page.waitForFunction(() => document.querySelectorAll(".listen button[aria-pressed=true]").length === 1);
  assert.equal(await buttons.nth(1).getAttribute("aria-pressed"), "true");
  await picture(page, "listen");
  await buttons.nth(1).click();
  await page.locator(".listen-at").first().waitFor({ state: "detached" });
  await close(page);
});

test("a failed playback is reported, and a running one can be stopped", async () => {
  const page = await open(browser, service);
  await opened(page, "baseVideoMix", mix());
  const clip = (url) => url.pathname.endsWith("/preview/clip");
  await page.route(clip, (route) => route.fulfill({ status: 422, json: { code: 42200, msg: "rejected", data: null } }));
  await page.getByRole("button", { name: "Play 5 s with audio" }).click();
  await page.getByRole("alert").filter({ hasText: "rejected" }).waitFor();
  await page.unroute(clip);
  await page.route(clip, () => new Promise(() => undefined));
  await page.getByRole("button", { name: "Play 5 s with audio" }).click();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByRole("button", { name: "Play 5 s with audio" }).waitFor();
  await close(page);
});

test("the same in Chinese on a phone, without cut edges", { timeout: 2 * LONG }, async () => {
  const page = await open(browser, service, { viewport: { width: 390, height: 844 }, locale: "zh-CN" });
  await opened(page, "baseVideoMix", mix());
  await page.locator(".trim > summary").click();
  await page.getByRole("button", { name: "试播 5 秒（含声音）" }).click();
  await page.locator(".preview .stage video").waitFor();
  await page.locator(".wave canvas").waitFor();
  await picture(page, "phone");
  assert.deepEqual(await checkPage(page, "played"), []);
  await close(page);
});
