// Keyboard, screen readers and fingers; many clips.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkPage, seriousViolations, waitForAnimations } from "./axe.mjs";
import { files, uploadCity, uploaded } from "./composer-steps.mjs";
import { close, finished, launch, open, paste, Service } from "./harness.mjs";

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

const mix = (clips, options = {}) => ({ taskType: "baseVideoMix", params: { videoList: [{ videos: clips, totalDuration: 2 }], options: { preset: "draft", ...options } } });
const many = (count) => Array.from({ length: count }, () => ({ url: city, duration: 5 }));

/** Name of the focused element. */
const focused = (page) => page.evaluate(() => {
  const { activeElement } = document;
  return (activeElement?.getAttribute("aria-label") ?? activeElement?.labels?.[0]?.innerText ?? activeElement?.innerText ?? "").trim();
});

test("a picker of transitions is one Tab stop, with arrow keys, Home, End and letters", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await paste(page, mix(many(1)));
  const picker = page.locator(".picker").first();
  await picker.locator("input").nth(20).waitFor();
  const total = await picker.locator("input").count();
  assert.ok(total > 20, `${total} transitions`);
  assert.equal(await picker.locator("input:not([tabindex='-1'])").count(), 1);
  // Images that have not been in view are not loaded.
  await picker.scrollIntoViewIfNeeded();
  await picker.locator("img[src]").first().waitFor();
  assert.ok(await picker.locator("img[src]").count() < total - 1);
  assert.equal(await picker.locator(".pick").last().locator("img[src]").count(), 0);

  await picker.locator("input").first().focus();
  const names = (await picker.locator(".pick-name").allInnerTexts()).map((name) => name.trim());
  const columns = await picker.evaluate((grid) => getComputedStyle(grid).gridTemplateColumns.split(" ").length);
  const press = async (key, wanted) => {
    await page.keyboard.press(key);
    assert.equal(await focused(page), wanted, key);
  };
  await press("ArrowRight", names[1]);
  await press("ArrowDown", names[1 + columns]);
  await press("ArrowUp", names[1]);
  await press("ArrowLeft", names[0]);
  await press("ArrowLeft", names[0]);
  await press("End", names.at(-1));
  await press("Home", names[0]);
  const letter = names[5][0];
  await press(letter, names.find((name, index) => index > 0 && name.toLowerCase().startsWith(letter.toLowerCase())));
  await page.keyboard.press("End");
  await page.keyboard.press("Space");
  await page.getByText("1 chosen.").waitFor();
  assert.ok(await picker.locator("input").last().isChecked());
  // The images near the end are loaded, and the focus returns to the last place.
  await picker.locator(".pick").last().locator("img[src]").waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.closest(".picker")), null);
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(page), names.at(-1));

  // From adding files to making them.
  await page.locator(".board button", { hasText: "Add files" }).focus();
  let stops = 0;
  while (!(await page.evaluate(() => document.activeElement?.closest(".compose-side") !== null)) && stops < 100) {
    await page.keyboard.press("Tab");
    stops += 1;
  }
  assert.ok(stops < 45, `${stops} Tab stops`);
  await close(page);
});

test("the heading of a submitted task has the focus, and its end is announced", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await page.getByLabel("Trim to").fill("1");
  await page.locator(".submit:enabled").waitFor();
  await page.locator(".submit").focus();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/tasks\/VP/);
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  assert.match(await focused(page), /^Join clips/);
  await page.locator("[aria-live=assertive]", { hasText: "Completed: 1 of 1 video is finished." }).waitFor({ state: "attached" });
  await finished(page);
  await close(page);
});

for (const locale of ["en-GB", "zh-CN"]) {
  test(`controls are large enough for fingers, in ${locale}`, async () => {
    const page = await open(browser, service, { locale, viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, reducedMotion: "reduce" });
    await page.at("/new/baseVideoMix");
    await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
    await uploaded(page, 2);
    assert.equal(await page.evaluate(() => matchMedia("(pointer: coarse)").matches), true);
    for (const fold of await page.locator(".options details.section > summary").all()) {
      if (!(await fold.evaluate((summary) => summary.parentElement.open))) await fold.tap();
    }
    const small = await page.evaluate(() => [...document.querySelectorAll("main button, main input, main select, main textarea, main summary, main .button")].flatMap((control) => {
      // The target of a hidden input is its label.
      const target = control.matches("input[type=checkbox], input[type=radio]") ? control.closest("label") ?? control : control;
      const { width, height } = target.getBoundingClientRect();
      const isHidden = width < 2 || getComputedStyle(target).visibility === "hidden" || control.matches(".file-input, [aria-hidden=true]");
      // Blocks of the timeline are as wide as their clips are long.
      if (isHidden || control.closest(".timestrip")) return [];
      return width < 43.5 || height < 43.5 ? [`${control.tagName} ${control.className} ${control.getAttribute("aria-label") ?? control.innerText}: ${width} × ${height}`] : [];
    }));
    assert.deepEqual(small, []);
    await page.evaluate(() => scrollTo(0, 0));
    await waitForAnimations(page);
    assert.deepEqual(await seriousViolations(page), []);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await close(page);
  });
}

for (const kind of ["baseVideoMix", "videoDeduplication"]) {
  test(`options are near 300 clips of ${kind}, and typing renders no clips`, async () => {
    const page = await open(browser, service);
    await page.at(`/new/${kind}`);
    await paste(page, kind === "baseVideoMix" ? { taskType: kind, params: { videoList: [1, 2, 3].map(() => ({ videos: many(100), totalDuration: 2 })) } }
      : { taskType: kind, params: { videoList: many(300).map(({ url, duration }) => ({ filename: url, duration })) } });
    await page.locator(".clip").first().waitFor();
    assert.ok(await page.locator(".clip").count() < 60, `${await page.locator(".clip").count()} cards`);
    const screens = await page.evaluate(() => (document.querySelector(".options").getBoundingClientRect().top + scrollY) / innerHeight);
    assert.ok(screens < 3.2, `the options begin after ${screens} screens`);
    // The last clip of a list is reached in its own region.
    await page.locator(".virtual-region").first().evaluate((region) => region.scrollTo(0, region.scrollHeight));
    const last = kind === "baseVideoMix" ? 100 : 300;
    await page.locator(`.virtual-region >> nth=0 >> [aria-posinset="${last}"]`).waitFor();
    assert.ok(await page.locator(".clip").count() < 60);

    await page.getByRole("button", { name: "Go to the options" }).click();
    await page.waitForFunction(() => document.activeElement?.tagName === "H2");
    assert.equal(await focused(page), "Options");
    const top = await page.locator(".options").evaluate((options) => options.getBoundingClientRect().top);
    assert.ok(top >= 0 && top < 120, `${top}`);

    await page.locator(".names input").first().focus();
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator(".submit:enabled").waitFor();
    await waitForAnimations(page);
    await page.evaluate(() => {
      globalThis.changedCards = 0;
      new MutationObserver((changes) => { globalThis.changedCards += changes.length; })
        .observe(document.querySelector(".board"), { childList: true, subtree: true, attributes: true, characterData: true });
    });
    await page.keyboard.type("Summer");
    assert.equal(await page.locator(".names input").first().inputValue(), "Summer");
    assert.equal(await page.evaluate(() => globalThis.changedCards), 0);
    assert.deepEqual(await checkPage(page, `many-${kind}`, ["light"]), []);
    await close(page);
  });
}
