// Twenty videos at once: many files, bulk, options of one's own, steps back, captions; by keys alone, on a phone, in both
// languages, on a slow line.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, finished, launch, open, paste, plays, REPO, sample, Service, unfold } from "./harness.mjs";

const AXE = readFileSync(join(REPO, "console/node_modules/axe-core/axe.min.js"), "utf8");

let service;
let browser;
let city;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  city = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const files = (page, names) => page.locator(".board input[type=file]").first().setInputFiles(names.map(sample));
const uploaded = (page, count) => page.waitForFunction((wanted) => (
  document.querySelectorAll(".clip .clip-length").length === wanted && document.querySelectorAll(".clip .veil").length === 0), count);
const section = (page, name) => page.locator("details.section > summary", { hasText: name }).click();
const names = (page) => page.locator(".clip-name").allInnerTexts();
const requestOf = async (page) => {
  await unfold(page);
  await page.getByRole("button", { name: "Request as JSON and curl" }).click();
  const text = await page.locator("dialog pre").innerText();
  await page.keyboard.press("Escape");
  return JSON.parse(text);
};
const videos = (count) => Array.from({ length: count }, (_, n) => ({ filename: city, duration: 7.6, ...(n === 0 ? { copies: 2 } : {}) }));

/** Drops files that are made in the page, so that hundreds cost nothing. */
const drop = (page, target, count, type = "video/mp4") => page.evaluate(([at, many, kind]) => {
  const transfer = new DataTransfer();
  for (let n = 0; n < many; n += 1) transfer.items.add(new File([`not a film ${n}`], `film-${n}.${kind === "video/mp4" ? "mp4" : "txt"}`, { type: kind }));
  document.querySelector(at).dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
}, [target, count, type]);

test("five hundred files dropped at once: all are taken, none is refused for haste, and the page stays fast", async () => {
  const page = await open(browser, service);
  let refused = 0;
  page.on("response", (response) => { if (response.status() === 429) refused += 1; });
  await page.at("/new/videoDeduplication");
  await page.locator(".clip-list").waitFor();
  const begin = Date.now();
  await drop(page, ".clip-list", 500);
  await page.getByText("500 of at most 1,000").waitFor();
  await page.locator(".queue").getByText(/of 500 files still to be uploaded/).waitFor();
  assert.ok(await page.locator(".clip").count() < 120);
  await drop(page, ".clip-list", 3, "text/plain");
  await page.getByText("3 files are no video that can be used").waitFor();
  await drop(page, ".clip-list", 600);
  await page.getByText("100 of 600 were left out: there is room for 1,000 here.").waitFor();
  await page.getByText("1,000 of at most 1,000").waitFor();
  // Their order and their number come and go as one.
  await page.keyboard.press("Control+z");
  await page.getByText("500 of at most 1,000").waitFor();
  assert.ok(Date.now() - begin < 60_000);
  // Those that went are known to be no films, and say so; nothing was sent faster than the service allows.
  await page.locator(".clip-problem").first().waitFor();
  assert.equal(refused, 0);
  await page.keyboard.press("Control+z");
  await page.getByText("0 of at most 1,000").waitFor();
  await page.locator(".queue").waitFor({ state: "detached" });
  await close(page);
});

test("a row takes a hundred clips, and says so of the others", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  await drop(page, ".clip-list", 130);
  await page.getByText("30 of 130 were left out: there is room for 100 here.").waitFor();
  await page.getByText("100 of at most 100").waitFor();
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  await close(page);
});

test("clips are chosen by mouse and by keys, and go and come back together", async () => {
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

  // The same by keys.
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

test("everything in a draft can be undone: text, switches, files under way, starting over", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await page.locator("#f-name").fill("Spring sale");
  await page.route((url) => url.pathname.endsWith("/uploads"), (route) => setTimeout(() => route.continue().catch(() => undefined), 1500));
  await files(page, ["bigbuckbunny.mp4"]);
  await page.locator(".clip").waitFor();
  await page.getByRole("switch", { name: "Colour look" }).check();
  await page.getByRole("button", { name: "Remove bigbuckbunny.mp4" }).click();
  await page.locator(".clip").waitFor({ state: "detached" });
  // The upload that was given up with its clip is begun again with it.
  await page.keyboard.press("Control+z");
  await uploaded(page, 1);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  assert.ok(await page.getByRole("switch", { name: "Colour look" }).isChecked());
  await page.keyboard.press("Control+z");
  assert.ok(!(await page.getByRole("switch", { name: "Colour look" }).isChecked()));
  // The end of the upload was no step: what is undone now is the file itself; then it is there at once.
  await page.keyboard.press("Control+z");
  await page.locator(".clip").waitFor({ state: "detached" });
  await page.keyboard.press("Control+y");
  await uploaded(page, 1);
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  assert.equal(await page.locator("#f-name").inputValue(), "");
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator("#f-name").inputValue(), "Spring sale");
  // In a field of the draft as well, a word at a time.
  await page.locator("#f-name").press("End");
  await page.locator("#f-name").pressSequentially("!!!");
  await page.keyboard.press("Control+z");
  assert.equal(await page.locator("#f-name").inputValue(), "Spring sale");
  await close(page);
});

test("one video has options of its own: another price, another preview, a task of its own", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  await files(page, ["city.mp4", "bigbuckbunny.mp4"]);
  await uploaded(page, 2);
  await page.locator("#f-name").fill("Two ways");
  await page.getByRole("switch", { name: "Colour look" }).check();
  await page.getByRole("button", { name: "Options of its own: city.mp4" }).click();
  await page.getByText("this video only").waitFor();
  await section(page, "Mirror, turn, zoom");
  await page.getByRole("switch", { name: "Mirror left to right" }).check();
  await page.getByText("own options").waitFor();
  await page.locator(".preview .stage img:not(.old)").waitFor();
  await page.getByTestId("estimate").getByText("Tasks").waitFor();
  await page.getByRole("button", { name: "All others" }).click();
  assert.ok(!(await page.getByRole("switch", { name: "Mirror left to right" }).isChecked()));

  // A wrong value is told where it is, in whose options it is.
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
  await page.getByText("2 tasks are on their way.").waitFor();
  const { list } = await service.call("/video-process/list?q=Two%20ways");
  assert.equal(list.length, 2);
  await close(page);
});

test("captions: pasted, edited beside the preview, styled by a picture, exported, opened again, in the video", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await page.getByLabel("Cut after").fill("4");
  await section(page, "Subtitles");
  await page.getByRole("button", { name: "Paste text" }).click();
  await page.locator("#captions-text").fill("Welcome to the city. It never sleeps!");
  await page.getByLabel("Spread over").fill("4");
  await page.getByRole("button", { name: "Make 2 captions" }).click();
  const text = page.getByLabel("Text of caption 1");
  assert.equal(await text.inputValue(), "Welcome to the city.");
  await text.fill("Willkommen, 欢迎");
  await page.getByLabel("Caption 1 ends").fill("1.5");
  await page.getByLabel("Caption 2 begins").fill("0:01.75");
  await page.getByRole("radio", { name: "Word by word", exact: true }).check();
  const made = page.locator(".submit:enabled");
  await made.waitFor();
  await page.locator(".captions-head").getByText("being saved").waitFor({ state: "detached" });
  await text.focus();
  await page.locator(".preview output").getByText("0:01").waitFor();
  await page.locator(".preview .stage img:not(.old)").waitFor();

  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "SRT", exact: true }).click()]);
  const srt = readFileSync(await file.path(), "utf8");
  assert.match(srt, /^1\n00:00:00,000 --> 00:00:01,500\nWillkommen, 欢迎\n\n2\n00:00:01,750 --> 00:00:04,000\nIt never sleeps!\n$/);
  const [vtt] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "VTT", exact: true }).click()]);
  assert.match(readFileSync(await vtt.path(), "utf8"), /^WEBVTT\n\n1\n00:00:00\.000 --> 00:00:01\.500\n/);

  // A time that cannot be is told beside it; a step back mends it.
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
  await page.getByText("“mine.srt” has no captions").waitFor();
  await page.locator(".captions input[type=file]").setInputFiles({ name: "mine.srt", mimeType: "text/plain", buffer: Buffer.from(srt) });
  await page.getByText("mine.srt ·").waitFor();
  await page.locator(".captions-head").getByText("being saved").waitFor({ state: "detached" });
  const { params } = await requestOf(page);
  assert.match(params.options.subtitle.url, /^upload:/);
  assert.deepEqual(params.options.subtitle.style.highlight, { color: "#FFD400" });
  assert.ok(!JSON.stringify(params).includes("cue"));
  await page.getByRole("button", { name: "Make 1 video" }).click();
  await finished(page);
  assert.ok((await plays(page)).frames > 5);
  await close(page);
});

/** The boxes of these elements, once they are in the page and the preview's parts, whose styles come later, are too. */
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
    // Every row is reached by the pointer.
    for (let n = 1; n <= 3; n += 1) await page.locator(".cue textarea").nth(n - 1).click();
    await close(page);
  });
}

test("preview, price and task draw by one seed, and each result lists its clips and where they begin", async () => {
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

  // Another draw is priced and previewed anew, and is a step that can be undone.
  const old = await image.getAttribute("src");
  await page.getByRole("button", { name: "Draw again" }).click();
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

  // What is listed is what the recipe says.
  for (const { itemNo, recipe } of items) {
    await page.locator(`[data-shot="${taskNo}/${itemNo}"]`).click();
    const expected = recipe.combination.map((clip, place) => (
      `${["Opening", "Closing"][place]} ${["city.mp4", "bigbuckbunny.mp4"][clip]} from ${Math.round((recipe.starts?.[place] ?? 0) * 100) / 100} s`));
    await page.waitForFunction((lines) => (
      JSON.stringify([...document.querySelectorAll('[data-testid="clips"] dl > div')].map((row) => `${row.querySelector("dt").innerText} ${row.querySelector("dd").innerText}`)) === lines), JSON.stringify(expected));
  }
  assert.equal(await page.getByText("Nothing in this video was left to chance").count(), 0);
  // Edited and run again, it draws the same until somebody draws again.
  await page.getByRole("button", { name: "Edit and run again" }).click();
  await page.locator(".submit:enabled").waitFor();
  assert.equal(sent.estimate.at(-1), second);
  await close(page);
});

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
    /** Whether a press on its middle reaches it. */
    const reached = (selector) => page.locator(selector).first().evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    const check = async (where) => {
      for (const selector of [".submit", "[data-testid=price]"]) assert.ok(await reached(selector), `${selector} at ${where}`);
      // Beside the options, or above them where there is no room.
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
      // A field that gets the focus is not behind the bar.
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

test("the bar leads to an error instead of a price", async () => {
  const page = await open(browser, service, { viewport: { width: 390, height: 844 } });
  await page.at("/new/videoDeduplication");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6 }], options: { fps: 7 } } });
  await page.locator(".compose-foot").getByRole("button", { name: "Show 1 problem" }).click();
  await page.waitForFunction(() => document.activeElement?.id === "f-params-options-fps");
  await close(page);
});

for (const options of [{ viewport: { width: 1280, height: 720 } }, { viewport: { width: 390, height: 844 }, locale: "zh-CN", colorScheme: "dark" }]) {
  test(`the buttons of the library picker are whole wherever its files are scrolled to, at ${options.viewport.width} px`, async () => {
    const bytes = readFileSync(sample("city.mp4"));
    // Another empty box behind the file makes it another file.
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

test("tasks can be ticked after a new task was begun", async () => {
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

test("captions that were uploaded elsewhere are opened and edited as a file of their own", async () => {
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
  await page.locator(".captions-head").getByText("being saved").waitFor({ state: "detached" });
  await page.locator(".submit:enabled").waitFor();
  const edited = (await requestOf(page)).params.options.subtitle.url;
  assert.match(edited, /^upload:/);
  assert.notEqual(edited, url);
  const { fileUrl } = await service.call(`/uploads/${edited.slice("upload://".length)}`);
  assert.match(await (await fetch(fileUrl)).text(), /Other words/);
  // The step is one that can be taken back.
  await paste(page, request(city));
  await page.getByRole("button", { name: "Edit this text" }).click();
  await page.getByText(/“city\.mp4” has no captions/).waitFor();
  // Files of other hosts are the service's to fetch: the page says so and asks nobody.
  await paste(page, request("http://127.0.0.1:9/captions.srt"));
  await page.getByText("The service fetches this file when it makes the videos").waitFor();
  assert.equal(await page.getByRole("button", { name: "Edit this text" }).count(), 0);
  await close(page);
});

test("several voices, each with its captions, one for each video", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await files(page, ["city.mp4"]);
  await uploaded(page, 1);
  await section(page, "Sound");
  await page.getByRole("button", { name: "Add a voice" }).click();
  const voice = page.getByRole("group", { name: "Voice 1" });
  await page.getByText("1 thing needs mending").waitFor();
  await voice.locator("input[type=file]").first().setInputFiles(sample("speech.wav"));
  await voice.getByText("speech.wav").waitFor();
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  const { params } = await requestOf(page);
  assert.equal(params.options.voicePool.length, 1);
  assert.deepEqual(Object.keys(params.options.voicePool[0]), ["audio"]);
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
  test(`ten copies with every option off are reported as identical before submission, in ${locale}`, async () => {
    const page = await open(browser, service, { locale });
    await page.at("/new/videoDeduplication");
    await page.locator("details.engineers > summary").click();
    await page.locator("details.engineers button").nth(1).click();
    await page.locator("#paste").fill(JSON.stringify({ taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6, copies: 10 }] } }));
    await page.locator("dialog button.primary").click();
    const notice = page.locator(".notice.warn", { hasText: same });
    await notice.getByText(vary).waitFor();
    // An option that draws for each video ends the warning.
    await page.evaluate(() => document.querySelectorAll("details.section").forEach((fold) => { fold.open = true; }));
    await page.locator("#f-params-options-zoom-isZoom").check();
    await notice.waitFor({ state: "detached" });
    await page.locator(".submit:enabled").waitFor();
    await close(page);
  });
}

test("a price that is not sure says so, and files that cannot be used have none", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  const price = page.getByTestId("price");
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: city, duration: 7.6 }] } });
  await price.getByText(/^\d+ points/).waitFor();
  await page.route((url) => url.pathname.endsWith("/probe"), (route) => route.fulfill({ status: 503, json: { code: 50300, msg: "later", data: null } }));
  await paste(page, { taskType: "videoDeduplication", params: { videoList: [{ filename: "http://127.0.0.1:9/a.mp4", duration: 5 }] } });
  await price.getByText(/^at most \d+ points/).waitFor();
  await page.getByRole("button", { name: "Check the files and price exactly" }).click();
  await page.getByText("None of these videos can be made").waitFor();
  assert.equal(await price.innerText(), "–");
  assert.ok(await page.locator(".submit").isDisabled());
  await close(page);
});

test("a key that is revoked in the midst of uploads: the next one goes on with them", async () => {
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

test("an upload that failed is tried again by a button", async () => {
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

test("by keys alone: from signing in to a downloaded video", async () => {
  const page = await open(browser, service, { key: null });
  await page.at("/new/baseVideoMix");
  /** Presses Tab until the focus is on what is meant. */
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
  await reach(/Links, one a line/);
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
    // A clip is taken along by keys into a row that is not in the page yet.
    // Clips that were in the page before the scroll leave it a moment later: one that is in view has the focus.
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
  // By keys through all of them, without the page filling up.
  await page.locator(".tick input").first().focus();
  await page.keyboard.press("Control+a");
  await page.getByRole("region", { name: "Chosen clips" }).getByText("1,000 chosen").waitFor();
  await page.evaluate(() => document.querySelector(".clip-list").scrollIntoView({ block: "end" }));
  await page.waitForFunction(() => [...document.querySelectorAll(".virtual > li")].some((one) => one.getAttribute("aria-posinset") === "1000"));
  assert.ok(await page.locator(".clip").count() < 120);
  await close(page);
});

/** Words that belong to engineers; the fold that is theirs is left out. */
const JARGON = /upload:\/\/|\/params\/|data\.errors|\bseed\b|LUFS|dBTP|pieces to encode|\bJSON\b|\bcurl\b/i;

for (const [locale, tag, fold] of [["en-GB", "en", "Details for engineers"], ["zh-CN", "zh", "技术细节"]]) {
  test(`nothing is cut, hidden or foreign on a phone and a desk, in ${tag}`, async () => {
    const found = [];
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
        if (kind === "baseVideoMix") {
          await page.locator(".captions-start button").nth(1).click();
          await page.locator(".cue textarea").fill("A 字");
        }
        const at = `${kind} ${viewport.width}`;
        await page.evaluate(AXE);
        const look = async (where) => {
          const { violations } = await page.evaluate((part) => globalThis.axe.run(part, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }), where);
          found.push(...violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${at}: ${id} ${nodes.slice(0, 3).map((node) => node.target.join(" ")).join("; ")}`));
        };
        await look("html");
        // What stays in view lies over a part of the page: it is looked at by itself.
        await page.locator(".tick input").first().check();
        await page.locator(".bulk").waitFor();
        await look(".bulk");
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) found.push(`${at}: wider than the window by ${over} px`);
        const cut = await page.evaluate(() => [...document.querySelectorAll("main *")]
          .filter((one) => { const box = one.getBoundingClientRect(); return box.width > 0 && box.right > innerWidth + 1 && !one.closest(".unseen, .virtual"); })
          .map((one) => one.className).slice(0, 3));
        if (cut.length > 0) found.push(`${at}: cut off ${cut.join(", ")}`);
        const words = await page.evaluate(() => {
          const main = document.querySelector("main").cloneNode(true);
          main.querySelectorAll(".engineers").forEach((one) => one.remove());
          const hidden = [...main.querySelectorAll("[aria-label], [title], [placeholder]")].flatMap((one) => ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name) ?? ""));
          return [main.innerText, ...hidden].join("\n");
        });
        for (const line of words.split("\n")) {
          if (JARGON.test(line)) found.push(`${at}: ${line}`);
          // In Chinese no label is left in English, but for names of files and formats.
          if (tag === "zh" && /[A-Za-z]{4,}/.test(line.replace(/https?:\/\/|city\.mp4|bigbuckbunny\.mp4|Shift|Ctrl|Delete|JPEG|WebP|Noto \w+( \w+)*|Emoji|VTT|SRT|#\w+|English/g, ""))) found.push(`${at}: not Chinese: ${line}`);
        }
      }
      page.removeAllListeners("dialog");
      await close(page);
    }
    assert.deepEqual(found, []);
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
  // Pages served from a folder are not compressed as the service compresses them.
  if (!process.env.CONSOLE_DIST) {
    console.log(`first paint ${Math.round(painted)} ms, ${Math.round(script / 1000)} kB of script`);
    assert.ok(script <= 110_000, `${script} bytes of script`);
    assert.ok(painted < 5000, `${painted} ms`);
  }
  await close(page);
});
