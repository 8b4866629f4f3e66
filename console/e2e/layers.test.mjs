// Layers, effects, sounds and covers of a mix; its results in an editing program and as clips of another task.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
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

/** Saves a picture of the whole page at both widths. */
async function shoot(page, name) {
  for (const [size, width] of [["desktop", 1280], ["phone", 390]]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(process.env.LOOK, `${name}-whole-${size}.png`), fullPage: true });
  }
}

test("a mix has a keyed video, effects, a sound and a cover, and its clip a speed, a volume and a look", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);

  // The speed divides the length of the clip: 7.6 s.
  await page.getByRole("button", { name: "Details of city.mp4" }).click();
  const details = page.locator("dialog[open]");
  await details.getByRole("spinbutton", { name: "Speed" }).fill("2");
  await details.getByRole("spinbutton", { name: "Volume in percent" }).fill("40");
  await details.getByLabel("Look of this clip").selectOption("Warm");
  assert.deepEqual(await checkPage(page, "clip-details", ["light"]), []);
  await details.getByRole("button", { name: "Close" }).last().click();
  await page.locator(".clip-length", { hasText: "0:04" }).waitFor();
  await page.getByLabel("Trim to").fill("3");

  const overlays = page.locator("fieldset", { hasText: "Logos and texts" }).last();
  await overlays.getByLabel("Add a video", { exact: true }).setInputFiles(sample("bigbuckbunny.mp4"));
  const layer = overlays.getByRole("group", { name: "bigbuckbunny.mp4" });
  await layer.getByRole("spinbutton", { name: "Width in percent" }).fill("50");
  await layer.getByRole("switch", { name: "Repeat" }).check();
  const isGreen = layer.getByRole("switch", { name: "Green screen" });
  await isGreen.press("Space");
  await layer.getByRole("spinbutton", { name: "Tolerance in percent" }).fill("15");
  assert.equal(await layer.locator(".alpha").count(), 0);
  const enter = layer.getByRole("group", { name: "Appears with", exact: true });
  assert.equal(await enter.getByRole("combobox").inputValue(), "fade");
  await enter.getByRole("spinbutton", { name: "For seconds" }).fill("0.5");
  const leave = layer.getByRole("group", { name: "Disappears with" });
  await leave.getByRole("combobox").selectOption("None");
  assert.equal(await leave.getByRole("spinbutton", { name: "For seconds" }).count(), 0);

  // By keyboard: the picker has the focus, and the arrow keys choose.
  await page.getByRole("button", { name: "Add an effect" }).press("Enter");
  await page.getByRole("group", { name: "Effect 1" }).getByRole("radio", { name: "Snow" }).press("Space");
  const snow = page.getByRole("group", { name: "Snow", exact: true });
  await snow.getByRole("spinbutton", { name: "Duration in seconds" }).fill("1");
  await page.getByRole("button", { name: "Add an effect" }).click();
  // An effect that is not chosen yet is not sent.
  assert.equal(await page.getByRole("button", { name: "Add an effect" }).count(), 0);

  const cover = page.locator("fieldset.cover");
  await cover.getByRole("radio", { name: "An image" }).check();
  await cover.locator("input[type=file]").setInputFiles(sample("picture.jpg"));
  await cover.locator(".file-name", { hasText: "picture.jpg" }).waitFor();
  await cover.getByRole("radio", { name: "A frame" }).check();
  await cover.getByRole("spinbutton", { name: "Frame at second" }).fill("2");
  await cover.getByLabel("Title on the cover").fill("Only today");

  await section(page, "Audio");
  const sounds = page.locator("fieldset", { hasText: "Each is played once" }).last();
  await sounds.locator("input[type=file]").setInputFiles(sample("speech.wav"));
  await sounds.getByRole("spinbutton", { name: "At second" }).fill("1");
  await sounds.locator("summary").click();
  await sounds.getByRole("spinbutton", { name: "Volume in percent" }).fill("60");

  await page.locator(".submit:enabled").waitFor();
  const { params } = await requestOf(page);
  const [clip] = params.videoList[0].videos;
  assert.deepEqual([clip.speed, clip.volume, clip.look], [2, 40, "warm"]);
  const { options } = params;
  const { url, ...sent } = options.overlays[0];
  assert.match(url, /^upload:/);
  assert.deepEqual(sent, { type: "video", enter: "fade", leave: "none", enterSeconds: 0.5, width: 50, loop: true, key: { color: "#00B140", tolerance: 15 } });
  assert.deepEqual(options.effects, [{ value: "snow", trans: 50, duration: 1 }]);
  assert.deepEqual([options.cover.at, options.cover.url, options.cover.title.text], [2, undefined, "Only today"]);
  assert.deepEqual(options.sounds.map(({ at, volume }) => [at, volume]), [[1, 60]]);
  assert.deepEqual(await checkPage(page, "layers"), []);
  if (process.env.LOOK) await shoot(page, "layers");

  await page.getByRole("button", { name: "Make 1 video" }).click();
  const taskNo = await finished(page);
  const { duration, frames } = await plays(page);
  assert.ok(Math.abs(duration - 3) < 0.1 && frames > 5, `${duration} s, ${frames} frames`);

  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Editing timeline" }).click()]);
  assert.match(file.suggestedFilename(), /\.zip$/);
  const zip = readFileSync(await file.path());
  assert.ok(zip.includes("timeline.otio") && zip.includes("media/"));
  assert.deepEqual(await checkPage(page, "timeline", ["light"]), []);

  // The result becomes a clip of another task.
  await page.getByRole("button", { name: "Vary these videos" }).click();
  await page.waitForURL(/\/new\/videoDeduplication$/);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  await page.locator(".clip-length", { hasText: "0:03" }).waitFor();
  await page.locator(".clip-picture img").waitFor();
  assert.deepEqual((await requestOf(page)).params.videoList.map(({ filename }) => filename), [`result://${taskNo}/1`]);
  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
  await close(page);
});

test("the fields are accessible in Chinese and fit a phone", async () => {
  const page = await open(browser, service, { locale: "zh-CN", viewport: { width: 390, height: 844 } });
  await page.at("/new/proVideoMix");
  await page.locator("details.engineers > summary").click();
  await page.getByRole("button", { name: "打开请求" }).click();
  const overlays = [{ type: "video", url: city, enter: "fade", leave: "pop", key: { color: "#00B140" } }];
  await page.locator("#paste").fill(JSON.stringify({ taskType: "proVideoMix", params: {
    scenes: [{ sceneKey: "a", sceneName: "a", duration: 2, resources: [{ url: city, duration: 7.6, speed: 1.5 }] }], audioMode: "split", generateCount: 1,
    options: { overlays, effects: [{ value: "snow", trans: 50 }], cover: { at: 1, title: { text: "今日特惠" } }, sounds: [{ url: city, at: 1 }] } } }));
  await page.locator("dialog form .primary").click();
  await page.locator(".submit:enabled").waitFor();
  for (const summary of await page.locator("details:not([open]) > summary").all()) if (await summary.isVisible()) await summary.click();
  assert.deepEqual(await checkPage(page, "layers-zh", ["light"]), []);
  if (process.env.LOOK) await shoot(page, "layers-zh");
  await page.locator(".clip-actions button").nth(1).click();
  await page.locator("dialog[open]").waitFor();
  assert.deepEqual(await checkPage(page, "clip-zh", ["light"]), []);
  assert.equal(await page.locator("dialog[open]").evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth), 0);
  await close(page);
});

test("errors of layers and effects are shown at their fields", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  const videos = [{ url: city, duration: 7.6, speed: 9 }];
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [{ videos }], options: {
    overlays: [{ type: "video", url: city, key: { color: "#808080" } }], effects: [{ value: "snow", trans: 0 }] } } });
  await page.locator(".clip-problem").waitFor();
  await page.locator(".overlay .field-error").first().waitFor();
  assert.equal(await page.locator(".overlay .field-error").count(), 2);
  const texts = await page.locator(".overlay .field-error").allInnerTexts();
  assert.ok(texts.some((text) => /grey/.test(text)), texts.join("\n"));
  await close(page);
});
