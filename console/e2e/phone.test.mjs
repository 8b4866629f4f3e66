// Navigation on a phone: the bar at the bottom and its menu.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { seriousViolations, waitForAnimations } from "./axe.mjs";
import { close, launch, open, Service } from "./harness.mjs";

let service;
let browser;
let admin;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, reducedMotion: "reduce" };

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  admin = service.adminKey();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const WORDS = {
  "en-GB": { main: "Main", bar: ["New task", "Tasks", "Videos", "Library", "More"], more: ["Batches and templates", "Brand", "Points", "Effects and looks", "Operations"] },
  "zh-CN": { main: "主导航", bar: ["开始制作", "作品", "成片", "素材库", "更多"], more: ["批次与模板", "品牌", "点数", "特效与滤镜", "服务管理"] },
};

for (const [locale, words] of Object.entries(WORDS)) {
  test(`every page is at most two taps away, with large enough targets, in ${locale}`, async () => {
    const problems = [];
    for (const colorScheme of ["light", "dark"]) {
      const page = await open(browser, service, { key: admin, locale, colorScheme, ...PHONE });
      await page.at("/tasks");
      const nav = page.getByRole("navigation", { name: words.main });
      const inBar = nav.locator(":scope > a, .nav-more");
      await inBar.nth(4).waitFor();
      assert.deepEqual((await inBar.allInnerTexts()).map((text) => text.trim()), words.bar);
      const more = nav.getByRole("button", { name: words.bar[4] });
      await more.tap();
      const sheet = nav.locator(".nav-sheet a");
      await nav.getByRole("link", { name: words.more.at(-1) }).waitFor();
      assert.deepEqual((await sheet.allInnerTexts()).map((text) => text.trim()), words.more);
      await waitForAnimations(page);
      for (const target of [...await inBar.all(), ...await sheet.all()]) {
        const { x, y, width, height } = await target.boundingBox();
        if (width < 44 || height < 44 || x < 0 || x + width > 390 || y + height > 844) problems.push(`${await target.innerText()}: ${width} × ${height} at ${x}, ${y}`);
        // No label is cut off.
        if (await target.locator("span").evaluate((word) => word.scrollWidth > word.clientWidth + 1)) problems.push(`${await target.innerText()} is cut`);
      }
      problems.push(...(await seriousViolations(page)).map((what) => `${colorScheme}: ${what}`));
      // A tap outside it and Escape close it; the focus is not lost.
      await page.keyboard.press("Escape");
      await sheet.first().waitFor({ state: "hidden" });
      await more.tap();
      await page.touchscreen.tap(20, 300);
      await sheet.first().waitFor({ state: "hidden" });
      await more.tap();
      await nav.getByRole("link", { name: words.more[2] }).tap();
      await page.waitForURL(/\/points$/);
      await sheet.first().waitFor({ state: "hidden" });
      assert.match(await more.getAttribute("class"), /within/);
      assert.equal(await page.evaluate(() => document.activeElement?.className.includes("nav-more")), true);
      await nav.getByRole("link", { name: words.bar[2] }).tap();
      await page.waitForURL(/\/outputs$/);
      assert.equal(await nav.locator('[aria-current="page"]').count(), 1);
      // The bar does not hide content.
      await page.locator("main .empty .button").waitFor();
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const last = await page.evaluate(() => Math.max(...[...document.querySelectorAll("main > *")].map((one) => one.getBoundingClientRect().bottom)));
      assert.ok(last <= 844 - 56, `ends at ${last}`);
      await close(page);
    }
    assert.deepEqual(problems, []);
  });
}

test("an open menu closes on the next tap, however early", async () => {
  const page = await open(browser, service, { ...PHONE });
  await page.at("/tasks");
  const more = page.getByRole("button", { name: "More" });
  await more.waitFor();
  const expanded = await more.evaluate(async (button) => {
    button.click();
    // In the next task of the event loop, before the next paint.
    await new Promise((next) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = next;
      port2.postMessage(0);
    });
    const opened = button.getAttribute("aria-expanded");
    document.body.click();
    await new Promise((next) => requestAnimationFrame(() => setTimeout(next, 0)));
    return [opened, button.getAttribute("aria-expanded")];
  });
  assert.deepEqual(expanded, ["true", "false"]);
  await close(page);
});

test("without the scope admin there is no operations page; on a desktop, all links are visible", async () => {
  const key = /cm_live_\w+/.exec(service.command("key", "issue", "first", "--scope", "read,submit"))[0];
  const page = await open(browser, service, { key, ...PHONE });
  await page.at("/tasks");
  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("link", { name: "Points", exact: true }).last().waitFor();
  assert.equal(await page.getByRole("link", { name: "Operations" }).count(), 0);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole("button", { name: "More" }).waitFor({ state: "hidden" });
  for (const name of ["Tasks", "New task", "Videos", "Library", "Batches and templates", "Brand", "Points", "Effects and looks"]) {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).waitFor();
  }
  await close(page);
});
