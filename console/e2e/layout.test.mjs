// Buttons beside a price can be seen and clicked at the sizes of a laptop and of a phone; lists fit a phone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { seriousViolations } from "./axe.mjs";
import { close, launch, open, paste, sample, Service } from "./harness.mjs";

let service;
let browser;
let clip;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  clip = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Whether a click on the centre of the element reaches it without scrolling. */
const reached = (locator) => locator.evaluate((element) => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  return hit !== null && (element.contains(hit) || hit.contains(element));
});
const shot = (page, name) => process.env.LOOK && page.screenshot({ path: join(process.env.LOOK, `${name}.png`) });
const request = (url, options = {}) => ({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url, duration: 7.6 }], totalDuration: 1 }], options: { resolution: "720:1280", ...options } } });

for (const [name, viewport] of Object.entries({ laptop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } })) {
  test(`a task is checked, saved as a template and corrected on a ${name}`, async () => {
    const page = await open(browser, service, { viewport, reducedMotion: "reduce" });
    await page.at("/new/baseVideoMix");
    await paste(page, request(clip));
    await page.getByRole("button", { name: "Make 1 video" }).waitFor();
    await page.locator(".preview .stage img").waitFor();
    for (const button of ["Save as template", "Check the files and price exactly"]) {
      const one = page.getByRole("button", { name: button });
      assert.equal(await one.count(), 1);
      // On a phone, the page itself scrolls.
      if (name === "phone") await one.evaluate((element) => element.scrollIntoView());
      assert.ok(await reached(one), button);
    }
    await shot(page, `new-${name}`);
    await page.getByRole("button", { name: "Check the files and price exactly" }).click({ force: true });
    await page.getByText("this is the exact price").waitFor();
    await page.getByRole("button", { name: "Save as template" }).click({ force: true });
    await page.locator("dialog[open]").getByRole("button", { name: "Cancel" }).click();

    await paste(page, request(clip, { fps: 7, crf: 99, overlays: [{ type: "text", text: "" }] }));
    const problem = page.locator(".problems a").first();
    await problem.waitFor();
    if (name === "laptop") {
      // A hint announces the content below the end of the column.
      if (!(await reached(problem))) {
        await page.locator(".scroll-more").getByText("More below").waitFor();
        await page.locator(".preview").hover({ position: { x: 40, y: 20 } });
        await page.mouse.wheel(0, 400);
      }
    } else await problem.evaluate((element) => element.scrollIntoView());
    await page.waitForFunction(() => {
      const link = document.querySelector(".problems a");
      const { left, top, width, height } = link.getBoundingClientRect();
      return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    await shot(page, `problems-${name}`);
    await problem.click();
    await page.waitForFunction(() => document.activeElement?.id.startsWith("f-"));
    assert.deepEqual(await seriousViolations(page), []);
    await close(page);
  });
}

test("clips that cannot be used have reasons, and are counted as they are checked", async () => {
  const page = await open(browser, service, { viewport: { width: 1440, height: 900 } });
  await page.at("/new/baseVideoMix");
  const held = [];
  await page.route("**/open-api/v1/probe", (route) => (route.request().postData().includes("/3.mp4") ? void held.push(route) : route.continue()));
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [{ videos: [1, 2, 3].map((n) => ({ url: `http://127.0.0.1:9/${n}.mp4` })) }] } });
  await page.getByRole("button", { name: "2 clips cannot be used; checking the others" }).waitFor();
  for (const route of held) await route.continue();
  await page.getByRole("button", { name: "3 clips cannot be used", exact: true }).waitFor();
  await page.locator("input[type=file]").first().setInputFiles({ name: "fake.mp4", mimeType: "video/mp4", buffer: Buffer.from("not a video") });
  await page.getByText("This is not a video that can be used: the uploaded file is not media").first().waitFor();
  await close(page);
});

test("the list of tasks shows the points spent, and fits a phone", async () => {
  await service.call("/video-process/submit", { method: "POST", body: { ...request("http://127.0.0.1:9/x.mp4"), name: "Rejected" } });
  const { taskNo } = await service.call("/video-process/submit", { method: "POST", body: { ...request(clip), name: "Made" } });
  while ((await service.call(`/video-process/status/${taskNo}`)).status < 3) await new Promise((next) => setTimeout(next, 300));
  for (const locale of ["en-GB", "zh-CN"]) {
    const page = await open(browser, service, { viewport: { width: 390, height: 844 }, locale });
    await page.clock.install({ time: Date.now() + 25 * 60_000 });
    await page.at("/tasks");
    const rejected = page.locator(".task-row", { hasText: "Rejected" });
    await rejected.waitFor();
    assert.match(await rejected.locator(".task-points").innerText(), /^0/);
    for (const row of await page.locator(".task-row").all()) {
      const boxes = await row.evaluate((element) => [".badge", ".task-progress span", ".task-points", "time"].map((part) => element.querySelector(part)).filter(Boolean).map((part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        const { left, right, top, bottom } = range.getBoundingClientRect();
        return { left, right, top, bottom };
      }));
      boxes.forEach((a, at) => boxes.slice(at + 1).forEach((b) => {
        const near = a.left < b.right + 6 && b.left < a.right + 6 && a.top < b.bottom && b.top < a.bottom;
        assert.ok(!near, JSON.stringify([a, b]));
      }));
    }
    await shot(page, `tasks-phone-${locale}`);
    await close(page);
  }
});
