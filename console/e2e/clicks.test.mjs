// Counts the clicks, keys and seconds from files to downloaded videos.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, finished, launch, open, sample, Service } from "./harness.mjs";

let service;
let browser;
let folder;
let ten;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "clipmill-effort-"));
  // Ten files that differ, of two seconds each.
  ten = Array.from({ length: 10 }, (_, n) => {
    const file = join(folder, `clip-${n + 1}.mp4`);
    execFileSync("ffmpeg", ["-v", "error", "-y", "-ss", String(n / 2), "-t", "2", "-i", sample("city.mp4"), "-c:v", "libx264", "-preset", "ultrafast", "-an", file]);
    return file;
  });
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Counts clicks and keys. */
class Hand {
  clicks = 0;
  keys = 0;
  drops = 0;

  constructor(page) {
    this.page = page;
    this.began = Date.now();
  }

  async click(target, options) {
    this.clicks += 1;
    await target.click(options);
  }

  async press(...keys) {
    for (const key of keys) {
      this.keys += 1;
      await this.page.keyboard.press(key);
    }
  }

  async drop(target, paths) {
    this.drops += 1;
    await target.setInputFiles(paths);
  }

  get seconds() {
    return Math.round((Date.now() - this.began) / 100) / 10;
  }
}

/** The entries of a zip, from its central directory. */
function entries(bytes) {
  const names = [];
  for (let at = bytes.indexOf("PK\x01\x02"); at >= 0; at = bytes.indexOf("PK\x01\x02", at + 46)) {
    names.push(bytes.toString("utf8", at + 46, at + 46 + bytes.readUInt16LE(at + 28)));
  }
  return names;
}

/** Makes the prepared videos, downloads them, and returns the names in the zip, or null if it is a single file. */
async function make(page, hand, count) {
  const button = page.getByRole("button", { name: count === 1 ? "Make 1 video" : `Make ${count} videos` });
  await button.waitFor();
  await page.locator(".submit:enabled").waitFor();
  const prepared = hand.seconds;
  await hand.click(button);
  const taskNo = await finished(page);
  const rendered = hand.seconds;
  const link = page.getByRole("link", { name: count === 1 ? /^Download/ : "Download all (zip)" }).first();
  const [download] = await Promise.all([page.waitForEvent("download"), hand.click(link)]);
  const file = readFileSync(await download.path());
  console.log(`${hand.drops} drop, ${hand.clicks} clicks, ${hand.keys} keys; ${prepared} s until sent, ${rendered} s until rendered, ${hand.seconds} s until on the disk`);
  return { taskNo, file };
}

const goal = (page, name) => page.getByRole("link", { name });

test("the first video needs three clicks", async () => {
  const page = await open(browser, service);
  await page.at("/");
  await goal(page, "One video from my clips").waitFor();
  const hand = new Hand(page);
  await hand.click(goal(page, "One video from my clips"));
  await page.locator(".strip.is-empty").waitFor();
  await hand.drop(page.locator(".board input[type=file]").first(), ten.slice(0, 2));
  const { file } = await make(page, hand, 1);
  assert.ok(file.length > 10_000);
  assert.ok(hand.clicks <= 3 && hand.keys === 0, `${hand.clicks} clicks, ${hand.keys} keys`);
  await close(page);
});

test("ten files become twenty different downloaded videos with a few clicks", async () => {
  const page = await open(browser, service);
  await page.at("/");
  await goal(page, "Many different videos").waitFor();
  const hand = new Hand(page);
  await hand.click(goal(page, "Many different videos"));
  await page.waitForFunction(() => document.activeElement?.labels?.[0]?.innerText === "How many?");
  await hand.press("2", "0");
  await hand.drop(page.locator(".goal-panel input[type=file]"), ten);
  await page.locator(".clip").nth(9).waitFor();
  const { taskNo, file } = await make(page, hand, 20);
  assert.equal(entries(file).filter((name) => name.endsWith(".mp4")).length, 20);
  const { items } = await service.call(`/video-process/status/${taskNo}`);
  assert.equal(new Set(items.map(({ sha256 }) => sha256)).size, 20, "twenty different videos");
  assert.ok(hand.drops === 1 && hand.clicks + hand.keys <= 12, `${hand.drops} drops, ${hand.clicks} clicks, ${hand.keys} keys`);
  await close(page);
});
