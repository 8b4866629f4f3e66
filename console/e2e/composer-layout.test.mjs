// The composer with many clips, on several screen sizes, by keyboard alone, in both languages and on a slow connection.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { drop, files, section, uploadCity, uploaded } from "./composer-steps.mjs";
import { close, finished, launch, open, paste, REPO, sample, Service, unfold } from "./harness.mjs";

const AXE = readFileSync(join(REPO, "console/node_modules/axe-core/axe.min.js"), "utf8");

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

test("five hundred files dropped at once: all are accepted, no call exceeds the rate limit, and the page stays fast", async () => {
  const page = await open(browser, service);
  let refused = 0;
  page.on("response", (response) => { if (response.status() === 429) refused += 1; });
  await page.at("/new/videoDeduplication");
  await page.locator(".clip-list").waitFor();
  const begin = Date.now();
  await drop(page, ".clip-list", 500);
  await page.getByText("500 of at most 1,000").waitFor();
  await page.locator(".queue").getByText(/of 500 files left to upload/).waitFor();
  assert.ok(await page.locator(".clip").count() < 120);
  await drop(page, ".clip-list", 3, "text/plain");
  await page.getByText("Skipped, because this task cannot use them: film-0.txt, film-1.txt, film-2.txt").waitFor();
  await drop(page, ".clip-list", 600);
  await page.getByText(/^100 of 600 files were not added: .+\.mp4 and 97 more\. A task can have at most 1,000 videos\. Submit this one/).waitFor();
  await page.getByText("1,000 of at most 1,000").waitFor();
  // Undo and redo treat them as one step.
  await page.keyboard.press("Control+z");
  await page.getByText("500 of at most 1,000").waitFor();
  assert.ok(Date.now() - begin < 60_000);
  // The uploaded files are reported as unusable, and no call exceeded the rate limit.
  await page.locator(".clip-problem").first().waitFor();
  assert.equal(refused, 0);
  await page.keyboard.press("Control+z");
  await page.getByText("0 of at most 1,000").waitFor();
  await page.locator(".queue").waitFor({ state: "detached" });
  await close(page);
});

test("a list accepts a hundred clips and reports the others", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  await drop(page, ".clip-list", 130);
  await page.getByText(/^30 of 130 files were not added: .+\.mp4 and 27 more\. A video can have at most 100 clips\. Choose “Add a video”/).waitFor();
  await page.getByText("100 of at most 100").waitFor();
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  await close(page);
});

/** The boxes of these elements, after the timeline with its lazily loaded styles has been rendered. */
const boxes = async (page, selector, count) => {
  await page.locator(".timestrip-row li").nth(count - 1).waitFor();
  await page.locator(selector).nth(count - 1).waitFor();
  return page.locator(selector).evaluateAll((all) => all.map((one) => one.getBoundingClientRect()).map(({ left, right, top, bottom }) => ({ left, right, top, bottom })));
};

for (const [name, options, fold, add] of [
  ["a desktop", { viewport: { width: 1280, height: 900 } }, "Subtitles", "Add a caption"],
  ["a phone", { viewport: { width: 390, height: 844 }, locale: "zh-CN", colorScheme: "dark" }, "字幕", "添加字幕"],
]) {
  test(`the rows of the caption editor are below each other while the preview is shown, on ${name}`, async () => {
    const page = await open(browser, service, { ...options, reducedMotion: "reduce" });
    await page.at("/new/baseVideoMix");
    await files(page, ["city.mp4"]);
    await uploaded(page, 1);
    await section(page, fold);
    await page.locator(".captions-start button").nth(1).click();
    for (let n = 0; n < 2; n += 1) await page.locator(".captions-foot button", { hasText: add }).click();
    const list = await page.locator("ol.cues").boundingBox();
    const rows = await boxes(page, ".cue", 3);
    rows.forEach((row, n) => {
      assert.ok(row.bottom - row.top >= 36 && row.bottom <= list.y + list.height + 1, JSON.stringify({ row, list }));
      assert.ok(n === 0 || row.top >= rows[n - 1].bottom, JSON.stringify(rows));
    });
    // Every row can be clicked.
    for (let n = 1; n <= 3; n += 1) await page.locator(".cue textarea").nth(n - 1).click();
    await close(page);
  });
}

for (const [name, options] of [
  ["a desktop", { viewport: { width: 1280, height: 720 } }],
  ["a wide desktop", { viewport: { width: 1920, height: 1000 }, locale: "zh-CN" }],
  ["a tablet", { viewport: { width: 1024, height: 768 }, colorScheme: "dark" }],
  ["a phone", { viewport: { width: 390, height: 844 }, locale: "zh-CN", colorScheme: "dark" }],
]) {
  test(`the price and the button stay in view, and no message covers them, on ${name}`, async () => {
    const { width } = options.viewport;
    const page = await open(browser, service, { ...options, reducedMotion: "reduce" });
    await page.at("/new/videoDeduplication");
    await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
    await uploaded(page, 2);
    await page.locator(".submit:enabled").waitFor();
    await page.locator(".preview .stage img:not(.old)").waitFor();
    /** Whether a click on its centre reaches it. */
    const reached = (selector) => page.locator(selector).first().evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    const check = async (where) => {
      for (const selector of [".submit", "[data-testid=price]"]) assert.ok(await reached(selector), `${selector} at ${where}`);
      // Beside the options, or above them in a narrow window.
      if (width > 1180) assert.ok(await reached(".preview .stage img"), `preview at ${where}`);
    };
    await page.evaluate(() => scrollTo(0, 0));
    await check("the beginning");
    await page.locator(".options").evaluate((one) => one.scrollIntoView());
    await check("the options");
    for (let n = 0; n < 3; n += 1) await drop(page, ".clip-list", n + 1, "text/plain");
    await page.locator(".toast").nth(2).waitFor();
    await check("the options with messages");
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await check("the end with messages");
    const over = await page.evaluate(() => {
      const box = (selector) => document.querySelector(selector).getBoundingClientRect();
      const [toasts, foot, preview] = [box(".toasts"), box(".compose-foot"), box(".preview")];
      const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
      return { foot: meet(toasts, foot), preview: innerWidth > 1180 && meet(toasts, preview), last: document.querySelector(".engineers").getBoundingClientRect().bottom <= foot.top || foot.left > box(".engineers").right };
    });
    assert.deepEqual(over, { foot: false, preview: false, last: true });
    if (width <= 1180) {
      const [preview, all] = [await page.locator(".preview").boundingBox(), await page.locator(".options").boundingBox()];
      assert.ok(preview.y + preview.height <= all.y, JSON.stringify({ preview, all }));
      // The bar does not cover a focused field.
      await unfold(page);
      await page.evaluate(() => scrollTo(0, 0));
      await page.locator("#f-callbackUrl").evaluate((field) => field.focus());
      assert.ok(await reached("#f-callbackUrl"));
      await page.locator(".tick input").first().check();
      const [bulk, foot] = [await page.locator(".bulk").boundingBox(), await page.locator(".compose-foot").boundingBox()];
      assert.ok(bulk.y + bulk.height <= foot.y, JSON.stringify({ bulk, foot }));
    }
    await close(page);
  });
}

test("a click on the hint at the end of the side column scrolls it, and does not reach what is below", async () => {
  const page = await open(browser, service, { viewport: { width: 1360, height: 620 }, reducedMotion: "reduce" });
  await page.at("/new/baseVideoMix");
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: city, duration: 7.6 }], totalDuration: 1 }] } });
  await page.locator(".preview .stage img").waitFor();
  const more = page.locator(".scroll-more span");
  await more.waitFor();
  const scrolled = () => page.locator(".compose-scroll").evaluate((element) => element.scrollTop);
  assert.equal(await scrolled(), 0);
  const { x, y, width, height } = await more.boundingBox();
  await page.evaluate(() => { window.clicked = []; addEventListener("click", (event) => window.clicked.push(event.target.closest("button, a, .scroll-more")?.className ?? ""), true); });
  await page.mouse.click(x + width / 2, y + height / 2);
  await page.waitForFunction(() => document.querySelector(".compose-scroll").scrollTop > 0);
  assert.deepEqual(await page.evaluate(() => window.clicked), ["scroll-more"]);
  await close(page);
});

for (const [locale, add, missing] of [["en-GB", "Add clips", /^\d+ points are missing$/], ["zh-CN", "请添加素材", /^还差 \d+ 点$/]]) {
  test(`on a phone, the bar has the reason why nothing can be submitted, in ${locale}`, async () => {
    const { apiKey: key } = JSON.parse(service.command("user", "add", `poor-${locale}`, "--points", "0", "--json"));
    const { url } = await service.call("/uploads?fileName=city.mp4", { method: "POST", key, body: readFileSync(sample("city.mp4")) });
    const page = await open(browser, service, { key, locale, viewport: { width: 390, height: 844 } });
    await page.at("/new/baseVideoMix");
    const reason = page.locator(".compose-foot .foot-reason");
    await reason.getByText(add).waitFor();
    assert.ok(await page.locator(".submit").isDisabled());
    await page.locator("details.engineers > summary").click();
    await page.locator("details.engineers button").nth(1).click();
    await page.locator("#paste").fill(JSON.stringify({ taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url, duration: 7.6 }] }] } }));
    await page.locator("dialog button.primary").click();
    await reason.getByText(missing).waitFor();
    assert.deepEqual(await checkPage(page, `reason-${locale}`), []);
    await page.setViewportSize({ width: 1360, height: 900 });
    await reason.waitFor({ state: "hidden" });
    await close(page);
  });
}

test("the bar leads to an error instead of a price", async () => {
  const page = await open(browser, service, { viewport: { width: 390, height: 844 } });
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6 }], options: { fps: 7 } } });
  await page.locator(".compose-foot").getByRole("button", { name: "Show 1 problem" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "f-params-options-fps");
  await close(page);
});

for (const options of [{ viewport: { width: 1280, height: 720 } }, { viewport: { width: 390, height: 844 }, locale: "zh-CN", colorScheme: "dark" }]) {
  test(`the buttons of the library picker stay visible at any scroll position, at ${options.viewport.width} px`, async () => {
    const bytes = readFileSync(sample("city.mp4"));
    // An additional empty box makes each file different.
    for (let n = 0; n < 12; n += 1) await service.call(`/uploads?fileName=shelf-${n}.mp4`, { method: "POST", body: Buffer.concat([bytes, Buffer.from([0, 0, 0, 9, 0x66, 0x72, 0x65, 0x65, n])]) });
    const page = await open(browser, service, { ...options, reducedMotion: "reduce" });
    await page.at("/new/videoDeduplication");
    await page.getByRole("button", { name: /^(From the library|从素材库选择)$/ }).first().click();
    await page.locator(".picking li").nth(11).waitFor();
    for (const at of ["start", "end"]) {
      const cut = await page.locator("dialog[open]").evaluate((dialog, place) => {
        dialog.scrollTop = place === "start" ? 0 : dialog.scrollHeight;
        const { bottom } = dialog.getBoundingClientRect();
        return { scrolls: dialog.scrollHeight > dialog.clientHeight, cut: [...dialog.querySelectorAll(".picking-actions button")].map((one) => one.getBoundingClientRect().bottom - bottom).filter((over) => over > -8) };
      }, at);
      assert.deepEqual(cut, { scrolls: true, cut: [] }, at);
    }
    await close(page);
  });
}

test("tasks can be selected after the composer has been opened", async () => {
  const { taskNo } = await service.call("/video-process/submit", { method: "POST", body: { taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6, to: 1 }] } } });
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await page.locator(".clip-list").waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Tasks", exact: true }).click();
  const row = page.locator(".task-row", { has: page.locator(`a[href*="${taskNo}"]`) });
  const tick = row.locator(".tick input");
  await tick.waitFor();
  assert.equal(await tick.evaluate((box) => getComputedStyle(box).opacity), "1");
  const [box, cover] = [await tick.boundingBox(), await row.locator(".task-cover").boundingBox()];
  assert.ok(box.width >= 20 && box.x + box.width <= cover.x, JSON.stringify({ box, cover }));
  await tick.click();
  await page.getByRole("group", { name: "1 task selected" }).waitFor();
  await close(page);
});

test("by keyboard only: from signing in to a downloaded video", async () => {
  const page = await open(browser, service, { key: null });
  await page.at("/new/baseVideoMix");
  /** Presses Tab until the element with this name has the focus. */
  const reach = async (name, most = 150) => {
    for (let step = 0; step < most; step += 1) {
      const here = await page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.labels?.[0]?.innerText ?? document.activeElement?.innerText ?? "");
      if (name.test(here.trim())) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`no way to ${name}`);
  };
  await page.getByLabel("API key").waitFor();
  await reach(/API key/);
  await page.keyboard.type(service.key);
  await page.keyboard.press("Enter");
  await page.locator(".clip-list").waitFor();
  await reach(/^Add links/);
  await page.keyboard.press("Enter");
  await page.locator("#links").waitFor();
  await reach(/Links, one per line/);
  await page.keyboard.type(city);
  await reach(/^Add 1 link/);
  await page.keyboard.press("Enter");
  await page.locator(".clip img").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  await page.locator(".submit:enabled").waitFor();
  await reach(/^Make 1 video/, 400);
  await page.keyboard.press("Enter");
  const taskNo = await finished(page);
  await page.locator(".player video").waitFor();
  await reach(/^Download$/);
  const [video] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  assert.equal(video.suggestedFilename(), `${taskNo}-1.mp4`);
  assert.ok(readFileSync(await video.path()).length > 10_000);
  await close(page);
});

const thousand = {
  baseVideoMix: { taskType: "baseVideoMix", params: { videoList: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(() => ({ videos: Array.from({ length: 100 }, () => ({ url: "", duration: 1 })), totalDuration: 60 })) } },
  proVideoMix: { taskType: "proVideoMix", params: { audioMode: "split", generateCount: 2, scenes: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => ({ sceneKey: `s${n}`, sceneName: `S${n}`, duration: 1, resources: Array.from({ length: 100 }, () => ({ url: "", duration: 1 })) })) } },
};
for (const [kind, request] of Object.entries(thousand)) {
  test(`a thousand clips of ${kind}: only those in view are in the page`, async () => {
    const page = await open(browser, service);
    await page.at(`/new/${kind}`);
    await paste(page, JSON.parse(JSON.stringify(request).replaceAll('"url":""', `"url":"${city}"`)));
    await page.getByText("100 of at most 100").nth(9).waitFor();
    await page.locator(".clip").first().waitFor();
    assert.ok(await page.locator(".clip").count() < 120, `${await page.locator(".clip").count()} cards`);
    await page.locator(".clip-list").nth(7).scrollIntoViewIfNeeded();
    await page.locator(".clip-list").nth(7).locator(".clip").first().waitFor();
    assert.ok(await page.locator(".clip").count() < 120);
    // A clip is moved by keyboard into a list that is not rendered yet.
    // Clips from before the scroll are removed with a delay, so a visible one is focused.
    const id = await (await page.waitForFunction(() => {
      const grip = [...document.querySelectorAll(".clip-list")[7].querySelectorAll(".grip")]
        .find((one) => one.getBoundingClientRect().top > 0 && one.getBoundingClientRect().bottom < innerHeight);
      grip?.focus();
      return grip?.dataset.grip;
    })).jsonValue();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowUp");
    await page.getByText("101 of at most 100").waitFor();
    await page.waitForFunction((wanted) => document.activeElement?.getAttribute("data-grip") === wanted, id);
    await page.keyboard.press("Escape");
    await page.getByText("101 of at most 100").waitFor({ state: "detached" });
    await close(page);
  });
}

test("a thousand clips of videoDeduplication: only those in view are in the page", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: Array.from({ length: 1000 }, () => ({ filename: city, duration: 7.6 })) } });
  await page.getByText("1,000 of at most 1,000").waitFor();
  await page.locator(".clip").first().waitFor();
  assert.ok(await page.locator(".clip").count() < 120, `${await page.locator(".clip").count()} cards`);
  // Selecting all by keyboard does not render all.
  await page.locator(".tick input").first().focus();
  await page.keyboard.press("Control+a");
  await page.getByRole("region", { name: "Chosen clips" }).getByText("1,000 chosen").waitFor();
  await page.locator(".virtual-region").evaluate((region) => region.scrollTo(0, region.scrollHeight));
  await page.waitForFunction(() => [...document.querySelectorAll(".virtual > li")].some((one) => one.getAttribute("aria-posinset") === "1000"));
  assert.ok(await page.locator(".clip").count() < 120);
  await close(page);
});

/** Technical terms, allowed only in the technical details. */
const JARGON = /upload:\/\/|\/params\/|data\.errors|\bseed\b|LUFS|dBTP|pieces to encode|\bJSON\b|\bcurl\b/i;

const LANGUAGES = [
  { locale: "en-GB", tag: "en", fold: "Advanced", speak: "Write a text to speak", type: "Type captions", captions: /^Captions of this scene:/ },
  { locale: "zh-CN", tag: "zh", fold: "高级", speak: "输入要朗读的文本", type: "输入字幕", captions: /^场景字幕:/ },
];

for (const { locale, tag, fold, speak, type, captions } of LANGUAGES) {
  test(`nothing is cut, hidden or foreign on a phone and a desk, in ${tag}`, async () => {
    const problems = [];
    for (const viewport of [{ width: 390, height: 844 }, { width: 1280, height: 900 }]) {
      const page = await open(browser, service, { locale, viewport, reducedMotion: "reduce" });
      for (const kind of ["videoDeduplication", "baseVideoMix", "proVideoMix"]) {
        await page.at(`/new/${kind}`);
        await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
        await uploaded(page, 2);
        for (const summary of await page.locator("details > summary").all()) {
          if (!(await summary.evaluate((element) => element.parentElement.open)) && !(await summary.innerText()).includes(fold)) await summary.click();
        }
        await page.waitForFunction(() => document.querySelectorAll(".skeleton").length === 0);
        if (kind !== "videoDeduplication") {
          await page.getByRole("button", { name: speak, exact: true }).click();
          await page.locator(".spoken textarea").fill("A 字");
        }
        if (kind === "proVideoMix") {
          await page.getByRole("button", { name: speak }).first().click();
          await page.getByRole("button", { name: captions }).first().click();
          await page.locator(".sounds textarea").first().fill("A 字");
          await page.locator(".sounds textarea").last().fill("A 字");
          await page.locator(".looks-of-captions").waitFor();
        }
        if (kind === "baseVideoMix") {
          await page.locator(".captions-start").getByRole("button", { name: type, exact: true }).click();
          await page.locator(".cue textarea").fill("A 字");
          await page.locator(".submit:enabled").waitFor();
        }
        // A price that is being updated is faded.
        await page.locator(".price.old").waitFor({ state: "detached" });
        const at = `${kind} ${viewport.width}`;
        await page.evaluate(AXE);
        const look = async (where) => {
          const { violations } = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }), where);
          problems.push(...violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${at}: ${id} ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`));
        };
        await look("html");
        // The selection bar covers a part of the page, so it is checked separately.
        await page.locator(".tick input").first().check();
        await page.locator(".bulk").waitFor();
        await look(".bulk");
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) problems.push(`${at}: wider than the window by ${over} px`);
        const cut = await page.evaluate(() => [...document.querySelectorAll("main *")]
          .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 0 && box.right > innerWidth + 1 && !one.closest(".unseen, .virtual"); })
          .map((one) => one.className).slice(0, 3));
        if (cut.length > 0) problems.push(`${at}: cut off ${cut.join(", ")}`);
        const words = await page.evaluate(() => {
          const main = document.querySelector("main").cloneNode(true);
          main.querySelectorAll(".engineers").forEach((one) => one.remove());
          const hidden = [...main.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((one) => ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name) ?? ""));
          return [main.innerText, ...hidden].join("\n");
        });
        for (const line of words.split("\n")) {
          if (JARGON.test(line)) problems.push(`${at}: ${line}`);
          // In Chinese, only names of files, formats and apps are in English.
          if (tag === "zh" && /[A-Za-z]{4,}/.test(line.replace(/https?:\/\/|city\.mp4|bigbuckbunny\.mp4|Shift|Ctrl|Delete|JPEG|WebP|Noto \w+( \w+)*|Emoji|VTT|SRT|TikTok|YouTube Shorts|#\w+|English/g, ""))) problems.push(`${at}: not Chinese: ${line}`);
        }
      }
      page.removeAllListeners("dialog");
      await close(page);
    }
    assert.deepEqual(problems, []);
  });
}

test("on a line of 400 kbit/s the first page is painted within five seconds, and carries at most 110 kB of script", async () => {
  const page = await open(browser, service, { key: null });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", { offline: false, latency: 100, downloadThroughput: 400_000 / 8, uploadThroughput: 400_000 / 8 });
  let script = 0;
  const kinds = new Map();
  session.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => { if (kinds.get(requestId) === "Script") script += encodedDataLength; });
  await page.at("/");
  await page.getByLabel("API key").waitFor();
  const painted = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  // Pages served from a folder are not compressed.
  if (!process.env.CONSOLE_DIST) {
    console.log(`first paint ${Math.round(painted)} ms, ${Math.round(script / 1000)} kB of script`);
    assert.ok(script <= 110_000, `${script} bytes of script`);
    assert.ok(painted < 5000, `${painted} ms`);
  }
  await close(page);
});
