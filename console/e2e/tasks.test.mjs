// Each task type, from files to a video that plays.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, finished, launch, open, plays, sample, Service, unfold } from "./harness.mjs";

let service;
let browser;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const files = (page, names, place = ".board input[type=file]") => page.locator(place).first().setInputFiles(names.map(sample));
const uploaded = (page, count) => page.waitForFunction((wanted) => (
  document.querySelectorAll(".clip .clip-length").length === wanted && document.querySelectorAll(".clip .veil").length === 0), count);
const section = (page, name) => page.locator("details.section > summary", { hasText: name }).click();

test("clips are joined: files, audio, subtitles, preview, price, a result that plays", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
  await uploaded(page, 2);
  await page.getByLabel("Size").selectOption("1280:720");
  await page.getByRole("radio", { name: "Fill and crop" }).check();
  await page.getByLabel("Trim to").fill("8.5");
  await section(page, "Audio");
  await page.locator(".toggled", { hasText: "Voice-over" }).locator("input[type=file]").setInputFiles(sample("speech.wav"));
  await section(page, "Subtitles");
  await page.locator(".captions input[type=file]").setInputFiles(sample("captions.srt"));
  await page.getByText("captions.srt").waitFor();
  await page.getByText("speech.wav").waitFor();
  await page.getByTestId("price").getByText("9", { exact: true }).waitFor();

  const picture = page.locator(".preview .stage img");
  await picture.waitFor();
  assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth)) >= 640);

  await unfold(page);
  await page.getByRole("button", { name: "Request as JSON and curl" }).click();
  const request = JSON.parse(await page.locator("dialog pre").innerText());
  assert.equal(request.params.videoList[0].videos.length, 2);
  assert.equal(request.params.options.resolutionMode, "crop");
  assert.ok(!JSON.stringify(request).includes("_id"));
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
  const played = await plays(page);
  assert.ok(played.time >= 0.4 && played.frames > 5, JSON.stringify(played));
  assert.deepEqual([played.width, played.height, Math.round(played.duration * 10)], [1280, 720, 85]);
  await close(page);
});

test("a logo and a title are overlaid at the requested place and time", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await page.getByLabel("Trim to").fill("2");
  const overlays = page.locator("fieldset", { hasText: "Logos and texts" }).last();
  await overlays.getByLabel("Add an image", { exact: true }).setInputFiles(sample("logo.png"));
  const logo = overlays.getByRole("group", { name: "logo.png" });
  await logo.getByLabel("Position", { exact: true }).selectOption("Bottom left");
  await overlays.getByRole("button", { name: "Add a text" }).click();
  const title = overlays.locator(".overlay").nth(1);
  await title.getByLabel("Text", { exact: true }).fill("Only today\nin the city");
  await title.getByLabel("Position", { exact: true }).selectOption("Anywhere");
  await title.getByLabel("Up to second").fill("1.5");
  await page.locator(".preview .stage img").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).click();
  const taskNo = await finished(page);
  const { params } = await service.call(`/video-process/request/${taskNo}`);
  const [first, second] = params.options.overlays;
  assert.deepEqual([first.type, first.place, second.type, second.place], ["image", "bottom-left", "text", { x: 50, y: 50 }]);
  assert.deepEqual([first.enter, first.leave, second.enter, second.leave], Array(4).fill("fade"));
  assert.deepEqual([second.text, second.end, second.style.weight], ["Only today\nin the city", 1.5, "bold"]);
  assert.ok((await plays(page)).frames > 5);
  await close(page);
});

test("a task in a hidden tab shows its progress in the title, and notifies at its end", async () => {
  const { url } = await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) });
  const page = await open(browser, service);
  await page.addInitScript(() => {
    window.shown = [];
    window.Notification = class {
      static permission = "default";
      static requestPermission = async () => (window.Notification.permission = "granted");
      constructor(title, { body }) { window.shown.push(`${title}: ${body}`); }
    };
    Object.defineProperty(document, "hidden", { get: () => true });
  });
  await service.call("/admin/queue/pause", { method: "POST", key: service.adminKey() });
  const params = { videoList: [{ videos: [{ url }], totalDuration: 2 }] };
  const { taskNo } = await service.call("/video-process/submit", { method: "POST", body: { taskType: "baseVideoMix", params } });
  await page.at(`/tasks/${taskNo}`);
  await page.getByRole("button", { name: "Notify me when done" }).click();
  await page.waitForFunction(() => document.title.startsWith("0 %"));
  await service.call("/admin/queue/resume", { method: "POST", key: service.adminKey() });
  await finished(page);
  await page.waitForFunction(() => window.shown.length === 1);
  assert.deepEqual(await page.evaluate(() => window.shown), ["Completed · Join clips · clipmill: 1 of 1 video is finished"]);
  assert.equal(await page.title(), "Completed · Join clips · clipmill");
  await page.getByRole("link", { name: "Tasks" }).first().click();
  await page.waitForFunction(() => document.title === "Tasks · clipmill");
  await close(page);
});

test("scenes are mixed: clips moved by pointer and keyboard, combinations, several results, edit and run again", async () => {
  const page = await open(browser, service);
  await page.at("/new/proVideoMix");
  await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
  await uploaded(page, 2);
  const clips = (scene) => page.locator(".strip").nth(scene).locator(".clip-name").allInnerTexts();

  // By pointer: the second clip of the first scene to the second scene.
  const card = page.locator(".strip").nth(0).locator("li").nth(1).locator(".clip-picture");
  const target = page.locator(".clip-list").nth(1).locator(".strip");
  const from = await card.boundingBox();
  await page.mouse.move(from.x + 40, from.y + 40);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y + 60, { steps: 4 });
  for (let step = 0; step < 60 && (await target.locator("li").count()) === 0; step += 1) {
    const to = await target.boundingBox();
    await page.mouse.move(to.x + 60 + (step % 7), to.y + to.height / 2, { steps: 3 });
    await page.waitForTimeout(60);
  }
  await target.locator("li").waitFor();
  await page.mouse.up();
  await page.waitForFunction(() => document.querySelectorAll(".strip")[1]?.querySelectorAll("li").length === 1);
  assert.deepEqual([await clips(0), await clips(1)], [["city.mp4"], ["bigbuckbunny.mp4"]]);

  // By keyboard: back to the first scene, and to its second position.
  await page.getByRole("button", { name: /^Move bigbuckbunny.mp4/ }).focus();
  for (const key of ["Space", "ArrowUp", "ArrowRight", "Space"]) {
    await page.keyboard.press(key);
    await page.waitForTimeout(120);
  }
  assert.deepEqual([await clips(0), await clips(1)], [["city.mp4", "bigbuckbunny.mp4"], []]);
  await page.getByText(/dropped/).waitFor({ state: "attached" });
  await files(page, ["bigbuckbunny.mp4"], ".clip-list:nth-of-type(2) .add-clips input[type=file]");
  await uploaded(page, 3);

  for (const scene of [0, 1]) await page.locator(".clip-list").nth(scene).getByLabel("Length").fill("1.5");
  await page.getByTestId("estimate").getByText("Possible combinations").waitFor();
  assert.match(await page.getByTestId("estimate").innerText(), /Possible combinations\s+2/);
  // Both have nearly the same start and end.
  await page.getByTestId("little-footage").getByText("Add clips to").waitFor();
  await page.getByRole("button", { name: "Choose a combination" }).click();
  await page.getByLabel("Video 1, Scene 1").selectOption("1");
  await page.getByRole("button", { name: "Make 2 videos" }).click();
  const taskNo = await finished(page);
  assert.equal(await page.locator(".item-card").count(), 2);
  assert.ok((await plays(page)).frames > 5);
  const status = await service.call(`/video-process/status/${taskNo}`);
  assert.deepEqual(status.items.map((item) => item.recipe.combination), [[1, 0], [0, 0]]);

  const [zip] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download all (zip)" }).click()]);
  const archive = readFileSync(await zip.path());
  assert.deepEqual([zip.suggestedFilename(), archive.subarray(0, 2).toString()], [`${taskNo}.zip`, "PK"]);
  assert.ok(archive.includes(`${taskNo}-1.mp4`) && archive.includes(`${taskNo}-2.mp4`));

  await page.getByRole("button", { name: "Edit and run again" }).click();
  await page.waitForURL(/\/new\/proVideoMix/);
  await uploaded(page, 3);
  assert.deepEqual([await clips(0), await clips(1)], [["city.mp4", "bigbuckbunny.mp4"], ["bigbuckbunny.mp4"]]);
  await page.getByRole("button", { name: "Make 2 videos" }).waitFor();
  await close(page);
});

test("a video is varied: options, an effect, recipe and quality of the result", async () => {
  const page = await open(browser, service);
  await page.at("/effects");
  await page.getByRole("button", { name: /Use in a new task: Rain/ }).first().click();
  await page.waitForURL(/\/new\/videoDeduplication/);
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await page.getByRole("switch", { name: "Colour look" }).check();
  await section(page, "Speed and frames");
  await page.getByRole("switch", { name: "Change speed" }).check();
  await page.getByLabel("Speed, lowest").fill("1.8");
  await page.getByLabel("Speed, highest").fill("2");
  await section(page, "Mirror, turn, zoom");
  await page.getByRole("switch", { name: "Mirror left to right" }).check();
  await page.locator(".preview .stage img").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).click();
  const taskNo = await finished(page);
  assert.ok((await plays(page)).frames > 5);
  const [item] = (await service.call(`/video-process/status/${taskNo}`)).items;
  assert.ok(item.recipe.speed >= 1.8 && typeof item.recipe.look === "string");
  await page.getByText("Advanced", { exact: true }).click();
  await page.getByText("Checked before delivery").waitFor();
  await page.locator("dt", { hasText: "Look" }).waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download", exact: true }).click()]);
  assert.equal(download.suggestedFilename(), `${taskNo}-1.mp4`);
  await close(page);
});

test("videos are compared: a matrix of all pairs, and two synchronized players", async () => {
  const upload = async (name) => (await service.call("/uploads", { method: "POST", body: readFileSync(sample(name)) })).url;
  const [city, bunny] = [await upload("city.mp4"), await upload("bigbuckbunny.mp4")];
  const scene = (key) => ({ sceneKey: key, sceneName: key, duration: 1, resources: [{ url: city }, { url: bunny }] });
  const params = { scenes: [scene("a"), scene("b")], audioMode: "split", outputCount: 4, options: { clipStart: "random", resolutionMode: "crop", preset: "draft" } };
  const { taskNo } = await service.call("/video-process/submit", { method: "POST", body: { taskType: "proVideoMix", params } });
  const page = await open(browser, service);
  await page.at(`/tasks/${taskNo}`);
  await finished(page);
  const matrix = page.getByTestId("matrix");
  await matrix.waitFor();
  await page.getByRole("radio", { name: "Appearance" }).waitFor();
  await page.getByText(/look most alike: \d+ %/).waitFor();
  assert.equal(await page.getByRole("button", { name: /side by side/ }).count(), 6);
  const { width } = await matrix.boundingBox();
  await matrix.click({ position: { x: width * 0.9, y: width * 0.4 } });
  await page.getByRole("group", { name: "Videos 2 and 4 side by side" }).waitFor();
  const videos = page.locator(".pair video");
  await page.waitForFunction(() => [...document.querySelectorAll(".pair video")].length === 2 && [...document.querySelectorAll(".pair video")].every((video) => video.readyState >= 2));
  await page.getByRole("slider", { name: "Position" }).fill("1.2");
  await page.waitForFunction(() => [...document.querySelectorAll(".pair video")].every((video) => Math.abs(video.currentTime - 1.2) < 0.05 && !video.seeking));
  await page.getByRole("button", { name: "Play both" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".pair video")].every((video) => video.ended || video.currentTime > 1.5));
  assert.deepEqual(await videos.evaluateAll((all) => all.map((video) => video.muted)), [true, true]);
  // With the list, for keyboard users.
  await page.getByRole("button", { name: /^Videos 1 and 3 side by side/ }).press("Enter");
  await page.getByRole("group", { name: "Videos 1 and 3 side by side" }).waitFor();
  await close(page);
});
