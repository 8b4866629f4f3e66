// Reviewing results, finding tasks, and the library.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, LONG, open, REPO, sample, Service } from "./harness.mjs";

const AXE = readFileSync(join(REPO, "console/node_modules/axe-core/axe.min.js"), "utf8");

let service;
let browser;
let city;
let bunny;
let vary;
let mix;

const submit = async (body) => (await service.call("/video-process/submit", { method: "POST", body })).taskNo;

async function ended(taskNo) {
  for (;;) {
    const task = await service.call(`/video-process/status/${taskNo}`);
    if (task.status >= 3) return task;
    await new Promise((next) => setTimeout(next, 200));
  }
}

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  const upload = async (name) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })).url;
  [city, bunny] = [await upload("city.mp4"), await upload("bigbuckbunny.mp4")];
  await upload("speech.wav");
  await upload("captions.srt");
  vary = await submit({
    name: "Spring sale, blue mug", labels: ["shop", "2026"], clientTaskId: "sku-77", taskType: "videoDeduplication",
    params: { seed: 4, videoList: [{ filename: city, duration: 7.6, from: 1, to: 3, copies: 5 }], options: { isMirror: true, speed: { isSpeed: true, start: 1.2, end: 1.3 } } },
  });
  const scene = (key) => ({ sceneKey: key, sceneName: key, duration: 1, resources: [{ url: city }, { url: bunny }] });
  mix = await submit({ name: "Autumn", taskType: "proVideoMix", params: { scenes: [scene("a"), scene("b")], audioMode: "split", outputCount: 3, options: { resolution: "720:1280", preset: "draft" } } });
  await ended(vary);
  await ended(mix);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const shot = (page, taskNo, itemNo) => page.locator(`[data-shot="${taskNo}/${itemNo}"]`);
const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-shot"));
const moment = (page) => page.locator(".player video").evaluate((video) => video.currentTime);

test("results are reviewed by keyboard only: next, play, choose, download", async () => {
  const page = await open(browser, service);
  await page.at(`/tasks/${vary}`);
  await page.locator(".player video").waitFor();
  const columns = await page.locator(".video-list .virtual").evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(" ").length);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.activeElement?.hasAttribute("data-shot"));
  assert.equal(await focused(page), `${vary}/2`);
  await page.keyboard.press("End");
  await page.waitForFunction((key) => document.activeElement?.getAttribute("data-shot") === key, `${vary}/5`);
  await page.keyboard.press("ArrowUp");
  await page.waitForFunction((key) => document.activeElement?.getAttribute("data-shot") === key, `${vary}/${5 - columns}`);
  await page.keyboard.press("Home");
  await page.waitForFunction((key) => document.activeElement?.getAttribute("data-shot") === key, `${vary}/1`);
  assert.equal(new URL(page.url()).searchParams.get("video"), "1");

  await page.waitForFunction(() => document.querySelector(".player video").readyState >= 2);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !document.querySelector(".player video").paused && document.querySelector(".player video").currentTime > 0.1);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => document.querySelector(".player video").paused);
  const stopped = await moment(page);
  await page.keyboard.press("m");
  await page.getByRole("button", { name: "Do not choose Video 1" }).waitFor();
  assert.equal(await moment(page), stopped, "choosing does not touch the player");
  await page.getByText("1 video chosen").waitFor();

  // The tab key reaches only one card.
  assert.equal(await page.locator('[data-shot][tabindex="0"]').count(), 1);
  await page.getByRole("link", { name: "Download", exact: true }).focus();
  const [download] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.equal(download.suggestedFilename(), "Spring sale, blue mug – 1.mp4");

  // The browser stores the choice.
  await page.reload();
  await page.getByRole("button", { name: "Do not choose Video 1" }).waitFor();
  await page.getByRole("switch", { name: /Only chosen/ }).check();
  await page.waitForFunction(() => document.querySelectorAll(".item-card").length === 1);
  await close(page);
});

test("the player stays in view while the list scrolls, on a phone too", async () => {
  for (const viewport of [{ width: 1280, height: 620 }, { width: 390, height: 844 }]) {
    const page = await open(browser, service, { viewport });
    await page.at(`/tasks/${vary}`);
    await page.locator(".player video").waitFor();
    await page.locator(".item-card").last().scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollBy(0, 40));
    const box = await page.locator(".player video").boundingBox();
    assert.ok(box.y >= -1 && box.y < viewport.height / 2, `${viewport.width}: at ${box.y}`);
    await close(page);
  }
});

test("a cover plays while the pointer is over it, and shows portrait videos completely", async () => {
  const page = await open(browser, service);
  await page.at(`/tasks/${mix}`);
  const card = shot(page, mix, 2);
  await card.locator("img").waitFor();
  assert.equal(await card.locator("img").evaluate((image) => getComputedStyle(image).objectFit), "contain");
  const [outer, inner] = [await card.locator(".item-picture").boundingBox(), await card.locator("img").boundingBox()];
  assert.ok(inner.height <= outer.height + 1, "the whole frame is inside its box");
  await card.hover();
  await card.locator("video").waitFor();
  await page.waitForFunction((key) => document.querySelector(`[data-shot="${key}"] video`)?.currentTime > 0, `${mix}/2`);
  assert.equal(await card.locator("video").evaluate((video) => video.muted), true);
  await page.mouse.move(2, 2);
  await card.locator("video").waitFor({ state: "detached" });
  await close(page);
});

test("two chosen videos are compared, and one is compared with its source", async () => {
  const page = await open(browser, service);
  await page.at(`/tasks/${vary}`);
  for (const n of [2, 3]) {
    await shot(page, vary, n).hover();
    await page.getByRole("button", { name: `Choose Video ${n}` }).click();
  }
  await page.getByRole("button", { name: "Compare two" }).click();
  await page.getByRole("group", { name: "Video 2 and Video 3 side by side" }).waitFor();
  const ready = () => page.waitForFunction(() => [...document.querySelectorAll(".pair video")].length === 2 && [...document.querySelectorAll(".pair video")].every((video) => video.readyState >= 2));
  await ready();
  await page.getByRole("slider", { name: "Position" }).fill("0.8");
  await page.waitForFunction(() => [...document.querySelectorAll(".pair video")].every((video) => Math.abs(video.currentTime - 0.8) < 0.05 && !video.seeking));
  await page.getByRole("button", { name: "Close" }).click();

  await shot(page, vary, 2).click();
  await page.getByRole("button", { name: "Compare with source" }).click();
  await page.getByText("Source: city.mp4").waitFor();
  await ready();
  const { items } = await service.call(`/video-process/status/${vary}`);
  const { speed } = items[1].recipe;
  await page.getByRole("slider", { name: "Position" }).fill("0.8");
  // The used part starts at one second and plays faster.
  await page.waitForFunction((wanted) => {
    const [source, result] = document.querySelectorAll(".pair video");
    return Math.abs(source.currentTime - wanted) < 0.05 && Math.abs(result.currentTime - 0.8) < 0.05;
  }, 1 + 0.8 * speed);
  await page.getByRole("button", { name: "Play both" }).click();
  await page.waitForFunction(() => [...document.querySelectorAll(".pair video")].every((video) => video.ended || video.currentTime > 1.2));
  await close(page);
});

test("chosen videos are shared by a link without a key, which is revoked", async () => {
  const page = await open(browser, service);
  await page.at(`/tasks/${vary}`);
  await shot(page, vary, 2).hover();
  await page.getByRole("button", { name: "Choose Video 2" }).click();
  await page.locator(".marked-bar").getByRole("button", { name: "Share" }).click();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = page.locator(".shares a");
  await link.waitFor();
  await page.getByText("Videos 2 · as long as the files are kept").waitFor();
  const url = await link.getAttribute("href");
  const html = await (await fetch(url)).text();
  assert.ok(html.includes("/2.mp4") && !html.includes("/1.mp4"));
  await page.getByRole("button", { name: "Revoke" }).click();
  await link.waitFor({ state: "detached" });
  assert.equal((await fetch(url)).status, 404);
  await close(page);
});

test("chosen videos of two tasks are shared by one link", async () => {
  const page = await open(browser, service);
  await page.at("/outputs");
  for (const [taskNo, itemNo] of [[vary, 2], [mix, 1], [mix, 3]]) {
    await shot(page, taskNo, itemNo).hover();
    await page.locator(".item-card", { has: shot(page, taskNo, itemNo) }).locator(".item-mark").click();
  }
  await page.getByText("3 videos chosen").waitFor();
  await page.locator(".marked-bar").getByRole("button", { name: "Share" }).click();
  await page.locator("dialog").getByText("3 videos of 2 tasks").waitFor();
  await page.getByRole("button", { name: "Create link" }).click();
  const link = page.locator(".shares a");
  await link.waitFor();
  await page.getByText("Videos of 2 tasks · as long as the files are kept").waitFor();
  const url = await link.getAttribute("href");
  const html = await (await fetch(url)).text();
  assert.equal(html.split("<video").length, 4);
  // The page works without a key.
  const visitor = await open(browser, service, { key: null });
  await visitor.goto(url);
  await visitor.locator("video").nth(2).evaluate(async (video) => { video.muted = true; await video.play(); });
  await visitor.waitForFunction(() => document.querySelectorAll("video")[2].currentTime > 0.2);
  const [file] = await Promise.all([visitor.waitForEvent("download"), visitor.getByRole("link", { name: "Download: Video 1" }).click()]);
  assert.match(file.suggestedFilename(), /^1-\d\.mp4$/);
  await close(visitor);

  // The link is listed for each of its tasks, and can be revoked from any of them.
  await page.keyboard.press("Escape");
  await page.at(`/tasks/${mix}`);
  await page.locator(".page-actions").getByRole("button", { name: "Share" }).click();
  await page.getByText("Videos of 2 tasks · as long as the files are kept").waitFor();
  await page.getByRole("button", { name: "Revoke" }).click();
  await link.waitFor({ state: "detached" });
  assert.equal((await fetch(url)).status, 404);
  await close(page);
});

test("a task is renamed on its page and in the list, and found by its name", async () => {
  const page = await open(browser, service);
  await page.at(`/tasks/${mix}`);
  await page.getByRole("button", { name: "Name and labels" }).click();
  const dialog = page.locator("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Winter 冬");
  await dialog.getByLabel("Labels").fill("shop、 cold, cold");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: /Winter 冬/ }).waitFor();
  assert.deepEqual(await page.locator(".page-head .label").allInnerTexts(), ["shop", "cold"]);
  await dialog.waitFor({ state: "detached" });

  await page.at("/tasks?q=%E5%86%AC&label=cold");
  const row = page.locator(".task-row");
  await row.waitFor();
  await row.getByRole("button", { name: /^Name and labels of Winter 冬/ }).click();
  await dialog.getByLabel("Labels").fill(Array.from({ length: 11 }, (_, n) => `label ${n}`).join());
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText(/at most 10/).waitFor();
  assert.equal(await dialog.getByLabel("Labels").getAttribute("aria-invalid"), "true");
  await dialog.getByLabel("Labels").fill("");
  await dialog.getByLabel("Name", { exact: true }).fill("Autumn");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The list reloads: the search no longer finds it.
  await page.getByText("No task matches these filters").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.locator(".task-row", { hasText: "Autumn" }).waitFor();
  const { name, labels } = await service.call(`/video-process/status/${mix}`);
  assert.deepEqual([name, labels], ["Autumn", []]);
  await close(page);
});

test("all finished videos are on one page, and found by the names of their tasks", async () => {
  const page = await open(browser, service);
  await page.at("/");
  await page.getByRole("link", { name: "Videos", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".item-card").length === 8);
  await page.getByRole("searchbox", { name: "Search names" }).fill("blue");
  await page.waitForFunction(() => document.querySelectorAll(".item-card").length === 5);
  assert.match(page.url(), /q=blue/);
  await page.getByRole("link", { name: "Open its task" }).click();
  await page.waitForURL(new RegExp(`/tasks/${vary}`));
  await page.goBack();
  await page.waitForFunction(() => document.querySelectorAll(".item-card").length === 5);
  await page.at("/outputs?label=2026&page=99");
  await page.waitForFunction(() => document.querySelectorAll(".item-card").length === 5);
  await page.waitForURL((url) => !url.searchParams.has("page"));
  await close(page);
});

test("tasks are found by name, label and day, invalid filters are removed from the URL, and the way back keeps them", async () => {
  const page = await open(browser, service);
  const rows = () => page.locator(".task-row").count();
  await page.at("/tasks?status=77&type=none&page=0&from=yesterday");
  await page.locator(".task-row").first().waitFor();
  await page.waitForURL((url) => url.search === "");
  assert.equal(await rows(), 2);
  await page.locator(".task-row", { hasText: "Spring" }).locator(".task-cover img").waitFor();
  await page.getByRole("button", { name: "shop" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".task-row").length === 1);
  await page.locator(".task-link").first().click();
  await page.getByRole("heading", { name: /Spring sale, blue mug/ }).waitFor();
  await page.locator("a.back").click();
  await page.waitForURL(/label=shop/);
  await page.at("/tasks?to=2020-01-01");
  await page.getByText("No task matches these filters").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".task-row").length === 2);
  await page.at("/tasks?page=50");
  await page.waitForURL((url) => !url.searchParams.has("page"));
  await close(page);
});

test("several tasks are run again and cancelled together", async () => {
  const admin = service.adminKey();
  const page = await open(browser, service);
  await page.at("/tasks");
  await page.locator(".task-row").nth(1).waitFor();
  await service.call("/admin/queue/pause", { method: "POST", key: admin });
  await page.getByRole("checkbox", { name: "Select all on this page" }).check();
  const bar = page.getByRole("group", { name: "2 tasks selected" });
  await bar.getByRole("button", { name: "Run again" }).click();
  await page.getByRole("button", { name: "Run 2 tasks" }).click();
  await page.getByText("2 tasks were sent again.").waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".task-row").length === 4);
  const { list } = await service.call("/video-process/list");
  assert.deepEqual(list.map(({ name, clientTaskId }) => [name, clientTaskId]).slice(0, 2).sort(), [["Autumn", null], ["Spring sale, blue mug", null]]);

  await page.getByRole("button", { name: "Select none" }).click();
  for (const row of [0, 1]) await page.locator(".task-row input").nth(row).check();
  await page.getByRole("group", { name: "2 tasks selected" }).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Cancel 2 tasks" }).click();
  await page.getByText("2 tasks were cancelled.").waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll(".task-row .badge")].filter((badge) => badge.textContent === "Cancelled").length === 2);
  await service.call("/admin/queue/resume", { method: "POST", key: admin });

  // Only tasks with files are downloaded, each as an archive.
  for (const row of [0, 1]) await page.locator(".task-row input").nth(row).uncheck();
  await page.locator(".task-row", { hasText: "Spring" }).last().locator("input").check();
  const [zip] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download" }).click()]);
  assert.equal(zip.suggestedFilename(), "Spring sale, blue mug.zip");
  await close(page);
});

test("the library: search, view, rename, refused deletion of a file in use, delete, and use in a new task", async () => {
  const admin = service.adminKey();
  const page = await open(browser, service);
  await page.at("/library");
  await page.locator(".file-card img").first().waitFor();
  assert.equal(await page.locator(".file-card").count(), 4);
  await page.getByRole("button", { name: "Audio", exact: true }).click();
  await page.waitForFunction(() => document.querySelectorAll(".file-card").length === 1);
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByRole("searchbox", { name: "Search file names" }).fill("CITY");
  await page.waitForFunction(() => document.querySelectorAll(".file-card").length === 1);
  await page.getByRole("button", { name: "View city.mp4" }).click();
  await page.waitForFunction(() => document.querySelector("dialog video")?.readyState >= 1);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Rename: city.mp4" }).click();
  await page.getByLabel("New name").fill("Skyline.mp4");
  await page.locator("dialog").getByRole("button", { name: "Rename" }).click();
  await page.getByText("No file matches").waitFor();
  await page.getByRole("searchbox").fill("sky");

  await service.call("/admin/queue/pause", { method: "POST", key: admin });
  const taskNo = await submit({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: city, duration: 7.6 }] }] } });
  await page.getByRole("button", { name: "Delete: Skyline.mp4" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("An unfinished task uses it.").waitFor();
  await page.getByRole("link", { name: "Open the task" }).waitFor();
  await page.locator("dialog").getByRole("button", { name: "Close" }).last().click();
  await service.call(`/video-process/cancel/${taskNo}`, { method: "POST" });
  await service.call("/admin/queue/resume", { method: "POST", key: admin });

  await service.call("/uploads?fileName=picture.jpg", { method: "POST", body: readFileSync(sample("picture.jpg")) });
  await page.at("/new/baseVideoMix");
  await page.getByRole("button", { name: "From the library" }).first().click();
  await page.getByRole("button", { name: "Choose bigbuckbunny.mp4" }).click();
  await page.getByRole("button", { name: "Choose Skyline.mp4" }).click();
  await page.getByRole("button", { name: "Use 2 files" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".clip .clip-length").length === 2);
  assert.deepEqual(await page.locator(".clip-name").allInnerTexts(), ["bigbuckbunny.mp4", "Skyline.mp4"]);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  // An image, which has no duration.
  await page.getByRole("button", { name: "From the library" }).first().click();
  await page.locator("dialog").getByRole("button", { name: "Images" }).click();
  await page.getByRole("button", { name: "Choose picture.jpg" }).click({ timeout: 20_000 });
  await page.getByRole("button", { name: "Use 1 file" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".clip").length === 3);
  await page.getByRole("button", { name: "Make 1 video", disabled: false }).waitFor();
  assert.equal(await page.locator("[aria-invalid=true], .field-error").count(), 0);

  await page.at("/library?q=captions");
  await page.getByRole("button", { name: "Delete: captions.srt" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("File deleted.").waitFor();
  await close(page);
});

test("a thousand results render a few cards, and arrow keys reach the last one", async () => {
  const admin = service.adminKey();
  await service.call("/admin/queue/pause", { method: "POST", key: admin });
  const taskNo = await submit({ taskType: "videoDeduplication", params: { videoList: Array.from({ length: 10 }, () => ({ filename: bunny, duration: 5.28, to: 1, copies: 100 })) } });
  const page = await open(browser, service);
  await page.at(`/tasks/${taskNo}`);
  await page.locator(".item-card").first().waitFor();
  await page.keyboard.press("End");
  await page.waitForFunction((key) => document.querySelector(`[data-shot="${key}"]`) !== null, `${taskNo}/1000`);
  assert.ok(await page.locator(".item-card").count() < 160);
  assert.equal(await page.locator(".video-list .virtual > li").first().getAttribute("aria-setsize"), "1000");
  await service.call(`/video-process/cancel/${taskNo}`, { method: "POST" });
  await service.call("/admin/queue/resume", { method: "POST", key: admin });
  await close(page);
});

test("these pages are accessible in both languages and fit a phone", async () => {
  const wrong = [];
  const places = [
    ["/tasks", ".task-row"], [`/tasks/${vary}`, ".player video"], [`/tasks/${mix}`, ".player video"], ["/outputs", ".player video"], ["/library", ".file-card"],
  ];
  for (const [locale, colorScheme, viewport] of [["en-GB", "light", { width: 1280, height: 860 }], ["zh-CN", "dark", { width: 390, height: 844 }]]) {
    const page = await open(browser, service, { locale, colorScheme, viewport, reducedMotion: "reduce" });
    page.setDefaultTimeout(LONG);
    const look = async (name) => {
      await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
      wrong.push(...violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${name} ${locale}: ${id} ${nodes.slice(0, 3).map((node) => node.target.join(" "))}`));
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) wrong.push(`${name} ${locale}: wider than the window by ${over} px`);
    };
    for (const [path, ready] of places) {
      await page.at(path);
      await page.locator(ready).first().waitFor();
      await look(path);
      const text = await page.locator("main").innerText();
      for (const jargon of ["upload://", "LUFS", "dBTP", "Seed", "data.errors"]) if (text.includes(jargon)) wrong.push(`${path} ${locale}: says ${jargon}`);
    }
    await page.at(`/tasks/${mix}`);
    await page.locator(".page-actions .button", { hasText: /Share|分享/ }).click();
    await page.locator(".share-form").waitFor();
    await look("share");
    await page.keyboard.press("Escape");
    await page.locator(".lead .rename").click();
    await page.locator(".naming").waitFor();
    await look("naming");
    await page.at("/new/videoDeduplication");
    await page.getByRole("button", { name: /From the library|从素材库选择/ }).first().click();
    await page.locator(".file-card").first().waitFor();
    await look("picker");
    await close(page);
  }
  assert.deepEqual(wrong, []);
});
