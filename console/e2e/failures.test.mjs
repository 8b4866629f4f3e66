// Errors and recovery.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, launch, LONG, open, paste, sample, Service } from "./harness.mjs";

let service;
let browser;
let upload;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  upload = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

test("a key is checked before it is stored, and deleted on signing out", async () => {
  const page = await open(browser, service, { key: null });
  await page.at("/points");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Paste your API key").waitFor();
  await page.getByLabel("API key").fill("cm_live_nobody");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The key is not valid").waitFor();
  assert.equal(await page.getByLabel("API key").getAttribute("aria-invalid"), "true");
  await page.getByLabel("API key").fill(service.key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Points", exact: true }).waitFor();
  assert.equal(await page.evaluate(() => JSON.stringify(localStorage).includes("cm_live")), false);
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  await close(page);
});

test("invalid input is explained beside its field, in both languages, until it is fixed", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: upload, duration: 7.6 }], options: { speed: { isSpeed: true } } } });
  await page.locator("details.section > summary", { hasText: "Speed and frames" }).click();
  const lowest = page.getByLabel("Speed, lowest");
  const field = page.locator(".range-field", { has: lowest });
  await lowest.fill("9");
  await field.getByText(/between 0\.5 and 2/).waitFor();
  assert.equal(await lowest.getAttribute("aria-invalid"), "true");
  const describedBy = (await lowest.getAttribute("aria-describedby")).split(" ").at(-1);
  assert.match(await page.locator(`[id="${describedBy}"]`).innerText(), /between 0\.5 and 2/);
  assert.ok(await page.locator(".submit").isDisabled());
  await page.getByText("1 problem to fix").waitFor();

  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("button", { name: "中文" }).click();
  await page.getByText("有 1 处需要修改").waitFor();
  await page.getByRole("button", { name: "English" }).click();
  await lowest.fill("1.2");
  await field.locator(".field-error").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  assert.ok(await page.locator(".submit").isEnabled());

  await page.getByRole("button", { name: "Add links" }).click();
  await page.locator("#links").fill("ftp://example.com/a.mp4");
  await page.locator("dialog").getByRole("button", { name: "Add 1 link" }).click();
  await page.locator(".clip.wrong .clip-problem").waitFor();
  await close(page);
});

test("a reload keeps the draft and shows the task's current state", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [3, 3.5, 4, 4.5].map((totalDuration) => ({ videos: [{ url: upload, duration: 7.6 }], totalDuration })), options: { fps: 60 } } });
  await page.getByRole("button", { name: "Make 4 videos" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Make 4 videos" }).waitFor();
  await page.locator(".clip img").first().waitFor();
  await page.getByRole("button", { name: "Make 4 videos" }).click();
  await page.waitForURL(/\/tasks\/VP/);
  await page.reload();
  await page.locator(".page-head .badge.run, .page-head .badge.good").waitFor();

  // The service is killed and restarted: the page reports it and reconnects.
  await page.locator(".page-head .badge.run").waitFor();
  await service.kill();
  await page.getByText("Connection lost").waitFor();
  await service.run();
  await page.getByText("Connection lost").waitFor({ state: "detached" });
  await page.locator(".page-head .badge.good").waitFor({ timeout: 2 * LONG });
  await page.locator(".player video").waitFor();
  await close(page);
});

test("a failed task shows what to do, and a running task can be cancelled", async () => {
  const page = await open(browser, service);
  const failing = await service.call("/video-process/submit", { method: "POST", body: {
    taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "http://127.0.0.1:9/none.mp4" }] }] } } });
  await page.at(`/tasks/${failing.taskNo}`);
  await page.locator(".page-head .badge.warn, .page-head .badge.bad").waitFor();
  await page.getByText(/Serve the file publicly/).waitFor();
  const body = { taskType: "baseVideoMix", params: { videoList: Array.from({ length: 8 }, (_, n) => ({ videos: [{ url: upload }], totalDuration: 5 + n / 4 })), options: { fps: 60, resolution: "1080:1920" } } };
  const running = await service.call("/video-process/submit", { method: "POST", body });
  await page.at("/tasks");
  await page.locator(".task-row", { hasText: running.taskNo.slice(-8) }).getByRole("button", { name: "Cancel task" }).click();
  await page.locator("dialog").getByRole("button", { name: "Cancel task" }).click();
  await page.locator(".task-row", { hasText: running.taskNo.slice(-8) }).getByText("Cancelled").waitFor();
  await page.getByLabel("State").selectOption("5");
  await page.waitForURL(/status=5/);
  await page.waitForFunction(() => document.querySelectorAll(".task-row").length === 1);
  await close(page);
});

test("a thousand clips stay fast, in the draft and in the task", async () => {
  const page = await open(browser, service);
  const videoList = Array.from({ length: 1000 }, () => ({ filename: upload, duration: 1 }));
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList } });
  await page.getByRole("button", { name: "Make 1,000 videos" }).waitFor();
  assert.ok(await page.locator(".clip").count() < 120, "only cards in view are in the page");
  const spent = await page.evaluate(async () => {
    const box = document.querySelector("#f-params-options-isFilter");
    const begin = performance.now();
    box.click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return performance.now() - begin;
  });
  assert.ok(spent < 1000, `an option took ${spent} ms`);
  await page.evaluate(() => scrollTo(0, 12_000));
  await page.locator(".virtual > li[aria-posinset='600']").waitFor({ timeout: 5000 }).catch(() => undefined);
  assert.ok(await page.locator(".clip").count() > 0 && await page.locator(".clip").count() < 160);

  const { taskNo } = await service.call("/video-process/submit", { method: "POST", body: { taskType: "videoDeduplication", params: { videoList } } });
  await page.at(`/tasks/${taskNo}`);
  await page.locator(".item-card").first().waitFor();
  assert.ok(await page.locator(".item-card").count() < 160);
  assert.equal(await page.locator(".video-list .virtual > li").first().getAttribute("aria-setsize"), "1000");
  const status = await service.call(`/video-process/status/${taskNo}`);
  if (status.status < 3) await service.call(`/video-process/cancel/${taskNo}`, { method: "POST" });
  await close(page);
});
