// Logos, texts and captions are moved and scaled on the previewed frame, and land where the renderer draws them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { requestOf } from "./composer-steps.mjs";
import { close, launch, open, paste, sample, Service, unfold } from "./harness.mjs";

let service;
let browser;
let urls;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  const upload = async (name) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })).url;
  urls = { city: await upload("city.mp4"), logo: await upload("logo.png"), srt: await upload("captions.srt") };
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const SIZE = { width: 720, height: 1280 };
const mix = (options) => ({
  taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: urls.city, duration: 7.64 }] }], options: { resolution: "720:1280", ...options } },
});
const logo = (more = {}) => ({ type: "image", url: urls.logo, width: 30, ...more });
const title = (more = {}) => ({ type: "text", text: "Only today", style: { fontSize: 18, magnification: 3.5, weight: "bold" }, ...more });

async function opened(page, options, path = "/new/baseVideoMix") {
  await page.at(path);
  await paste(page, mix(options));
  await page.locator(".canvas-object").first().waitFor();
}
const object = (page, name) => page.locator(".canvas-object").filter({ has: page.locator(`xpath=self::*[starts-with(@aria-label, "${name}")]`) });
const optionsOf = async (page) => (await requestOf(page)).params.options;

/** The part of the frame that an option set changes, as fractions of the frame: where the renderer draws it. */
const drawn = (page, shown, without) => page.evaluate(async ([key, bodies]) => {
  const frames = await Promise.all(bodies.map(async (request) => {
    const response = await fetch("/open-api/v1/preview", {
      method: "POST", headers: { "X-API-Key": key, "Content-Type": "application/json" }, body: JSON.stringify({ request, atSeconds: 1, width: 720 }),
    });
    const image = await createImageBitmap(await response.blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  }));
  const [{ data, width, height }, { data: base }] = frames;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const by = [0, 1, 2].reduce((sum, channel) => sum + Math.abs(data[at + channel] - base[at + channel]), 0);
    if (by < 60) continue;
    const [x, y] = [(at / 4) % width, Math.floor(at / 4 / width)];
    [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x + 1), Math.min(top, y), Math.max(bottom, y + 1)];
  }
  return { left: left / width, top: top / height, right: right / width, bottom: bottom / height };
}, [service.key, [shown, without]]);

/** The outline of an object, as fractions of the frame. */
const outline = (page, name) => object(page, name).evaluate((element) => {
  const [box, frame] = [element.getBoundingClientRect(), element.closest(".canvas").getBoundingClientRect()];
  const across = (x) => (x - frame.left) / frame.width;
  const down = (y) => (y - frame.top) / frame.height;
  return { left: across(box.left), top: down(box.top), right: across(box.right), bottom: down(box.bottom) };
});

const centre = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2];
const isNear = (a, b, least = 0.02) => a.every((value, index) => Math.abs(value - b[index]) < least);

/** Drags by a part of the frame, without snapping unless `key` is null. Returns a function that drops. */
async function drag(page, name, [x, y], { key = "Control", from = [0.5, 0.5] } = {}) {
  const target = object(page, name);
  // Waits until it stays in its place.
  await target.hover();
  const box = await target.boundingBox();
  const frame = await page.locator(".canvas").boundingBox();
  const start = [box.x + box.width * from[0], box.y + box.height * from[1]];
  await page.mouse.move(...start);
  await page.mouse.down();
  if (key) await page.keyboard.down(key);
  await page.mouse.move(start[0] + (x * frame.width) / 2, start[1] + (y * frame.height) / 2, { steps: 3 });
  await page.mouse.move(start[0] + x * frame.width, start[1] + y * frame.height, { steps: 3 });
  return async () => {
    await page.mouse.up();
    if (key) await page.keyboard.up(key);
  };
}

test("a dragged logo lands where the renderer draws it, as one undo step", async () => {
  const page = await open(browser, service);
  await opened(page, { overlays: [logo()] });
  const undo = page.getByRole("button", { name: /^Undo/ });
  const before = await outline(page, "logo.png");
  const first = (await drawn(page, mix({ overlays: [logo()] }), mix({})));
  assert.ok(isNear(centre(before), centre(first)), JSON.stringify([before, first]));
  const drop = await drag(page, "logo.png", [-0.4, 0.45]);
  await drop();
  const { overlays } = await optionsOf(page);
  assert.equal(typeof overlays[0].place.x, "number");
  const after = await drawn(page, mix({ overlays }), mix({}));
  assert.ok(isNear(centre(after), [centre(first)[0] - 0.4, centre(first)[1] + 0.45]), JSON.stringify([first, after]));
  assert.ok(isNear(centre(await outline(page, "logo.png")), centre(after)));
  await undo.click();
  assert.deepEqual((await optionsOf(page)).overlays[0].place, undefined);
  await close(page);
});

test("a text is measured in the frame, dragged from a corner, and scaled", async () => {
  const page = await open(browser, service);
  const overlays = [title({ place: "top-left", margin: 8 })];
  await opened(page, { overlays });
  const first = await drawn(page, mix({ overlays }), mix({}));
  await object(page, "Only today").hover();
  // The estimated outline becomes that of the pixels.
  await page.waitForFunction((right) => {
    const [box, frame] = [".canvas-object", ".canvas"].map((name) => document.querySelector(name).getBoundingClientRect());
    return Math.abs((box.right - frame.left) / frame.width - right) < 0.01;
  }, first.right);
  const drop = await drag(page, "Only today", [0.12, 0.5]);
  await page.locator(".canvas-base").waitFor();
  await page.locator(".canvas-ghost").waitFor();
  await drop();
  const moved = (await optionsOf(page)).overlays;
  const after = await drawn(page, mix({ overlays: moved }), mix({}));
  assert.ok(isNear(centre(after), [centre(first)[0] + 0.12, centre(first)[1] + 0.5]), JSON.stringify([first, after]));
  // The next frame replaces the pixels that moved.
  await page.locator(".canvas-ghost").waitFor({ state: "detached" });

  const handle = page.locator(".canvas-handle.bottom-right");
  const box = await handle.boundingBox();
  const middle = await object(page, "Only today").boundingBox();
  const [x, y] = [middle.x + middle.width / 2, middle.y + middle.height / 2];
  const [fromX, fromY] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(fromX, fromY);
  await page.mouse.down();
  await page.mouse.move(x + (fromX - x) * 0.7, y + (fromY - y) * 0.7, { steps: 4 });
  await page.mouse.up();
  const scaled = (await optionsOf(page)).overlays;
  assert.ok(Math.abs(scaled[0].style.magnification - 3.5 * 0.7) < 0.1, JSON.stringify(scaled[0].style));
  const small = await drawn(page, mix({ overlays: scaled }), mix({}));
  assert.ok(isNear(centre(small), centre(after)) && Math.abs((small.right - small.left) / (after.right - after.left) - 0.7) < 0.05, JSON.stringify([after, small]));
  await close(page);
});

test("captions are dragged up and down and scaled", async () => {
  const page = await open(browser, service);
  const subtitle = { cues: [{ start: 0, end: 7, text: "Fresh from the oven" }], style: { weight: "bold" } };
  await opened(page, { subtitle });
  const first = await drawn(page, mix({ subtitle }), mix({}));
  await object(page, "Captions").hover();
  await page.waitForFunction((left) => {
    const [box, frame] = [".canvas-object", ".canvas"].map((name) => document.querySelector(name).getBoundingClientRect());
    return Math.abs((box.left - frame.left) / frame.width - left) < 0.01;
  }, first.left);
  for (const [by, place] of [[-0.2, "bottom"], [-0.5, "top"]]) {
    const now = await drawn(page, mix({ subtitle: (await optionsOf(page)).subtitle }), mix({}));
    const drop = await drag(page, "Captions", [0.3, by]);
    await drop();
    const { style, cues } = (await optionsOf(page)).subtitle;
    assert.equal(style.place, place);
    assert.equal(cues.length, 1);
    const after = await drawn(page, mix({ subtitle: { cues, style } }), mix({}));
    assert.ok(isNear(centre(after), [0.5, centre(now)[1] + by]), JSON.stringify([now, after]));
  }
  await object(page, "Captions").press("+");
  assert.ok((await optionsOf(page)).subtitle.style.magnification > 2.5);
  await close(page);
});

test("guides attract what is dragged, unless Ctrl is pressed", async () => {
  const page = await open(browser, service);
  await opened(page, { overlays: [logo({ place: { x: 40, y: 30 } })] });
  let drop = await drag(page, "logo.png", [0.095, 0.205], { key: null });
  assert.equal(await page.locator(".canvas-guide").count(), 2);
  await drop();
  assert.equal((await optionsOf(page)).overlays[0].place, "middle");
  assert.equal(await page.locator(".canvas-guide").count(), 0);
  drop = await drag(page, "logo.png", [0.02, 0.003]);
  assert.equal(await page.locator(".canvas-guide").count(), 0);
  await drop();
  assert.notEqual((await optionsOf(page)).overlays[0].place, "middle");
  await close(page);
});

test("the selected object is moved and scaled by keyboard, and its position has words", async () => {
  const page = await open(browser, service);
  await opened(page, { overlays: [logo({ place: { x: 50, y: 50 } }), title()] });
  const target = object(page, "logo.png");
  await target.focus();
  assert.equal(await target.getAttribute("aria-pressed"), "true");
  for (const key of ["ArrowRight", "Shift+ArrowDown", "+"]) await page.keyboard.press(key);
  const { place, width } = (await optionsOf(page)).overlays[0];
  assert.ok(place.x > 50 && place.x < 53 && Math.abs(place.y - 55) < 0.3 && width === 31.5, JSON.stringify([place, width]));
  assert.match(await target.getAttribute("aria-label"), /^logo\.png, centre 5\d?\.?\d* % from the left, 55/);
  await target.focus();
  await page.keyboard.press("Escape");
  assert.equal(await target.getAttribute("aria-pressed"), "false");
  await page.keyboard.press("ArrowRight");
  assert.equal((await optionsOf(page)).overlays[0].place.x, place.x);
  // A click beside the objects deselects, too.
  await target.press("Enter");
  await page.locator(".canvas-selected").waitFor();
  await page.locator(".preview .stage img").click({ position: { x: 3, y: 3 } });
  await page.locator(".canvas-selected").waitFor({ state: "detached" });
  // The keys that followed each other quickly are one step.
  await page.getByRole("button", { name: /^Undo/ }).click();
  assert.deepEqual((await optionsOf(page)).overlays[0].place, { x: 50, y: 50 });
  await close(page);
});

test("safe zones are chosen and remembered, and only portrait frames have them", async () => {
  const page = await open(browser, service);
  await opened(page, { overlays: [logo()] });
  const zone = page.getByLabel("Safe zone");
  await zone.selectOption("Douyin");
  const shaded = page.locator(".canvas-zone");
  const [outer, inner] = await Promise.all([page.locator(".canvas").boundingBox(), shaded.boundingBox()]);
  assert.ok(Math.abs((inner.y - outer.y) / outer.height - 150 / 1920) < 0.01 && inner.x > outer.x);
  // What is dragged aligns with its edges.
  const drop = await drag(page, "logo.png", [-0.2, 0.06], { key: null });
  await drop();
  const box = await object(page, "logo.png").boundingBox();
  assert.ok(Math.abs(box.y - inner.y) < 8, JSON.stringify([box, inner]));
  assert.deepEqual(await checkPage(page, "canvas"), []);
  await page.reload();
  await shaded.waitFor();
  await paste(page, mix({ overlays: [logo()], resolution: "1280:720" }));
  await zone.waitFor({ state: "detached" });
  await close(page);
});

test("a tap selects on a phone, in Chinese, and another drag moves", async () => {
  const page = await open(browser, service, { locale: "zh-CN", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.at("/new/baseVideoMix");
  await unfold(page);
  await page.locator("details.engineers button").nth(1).click();
  await page.locator("#paste").fill(JSON.stringify(mix({ overlays: [logo({ place: { x: 50, y: 40 } })], subtitle: { url: urls.srt } })));
  await page.locator("dialog[open] button[type=submit]").click();
  const target = object(page, "logo.png");
  await target.tap();
  await page.locator(".canvas-selected", { hasText: "logo.png" }).waitFor();
  assert.equal(await target.evaluate((element) => getComputedStyle(element).touchAction), "none");
  assert.ok((await page.locator(".canvas-zones select").boundingBox()).height >= 44);
  await page.getByLabel("安全区").selectOption("小红书");
  assert.deepEqual(await checkPage(page, "canvas-zh"), []);
  await close(page);
});
