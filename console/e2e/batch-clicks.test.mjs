// Counts the clicks and keys from a table of twelve rows, two of them with a wrong cell, to the downloaded videos.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, sample, Service } from "./harness.mjs";

let service;
let browser;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "clipmill-batch-clicks-"));
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function addTemplate() {
  await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) });
  const request = {
    taskType: "baseVideoMix", name: "{{product}}",
    params: { videoList: [{ videos: [{ url: "{{clip}}" }], totalDuration: 1 }], options: { overlays: [{ type: "text", text: "{{product}}", opacity: "{{opacity}}" }] } },
  };
  const variables = [{ name: "product", type: "text" }, { name: "opacity", type: "number" }, { name: "clip", type: "url" }];
  await service.call("/templates", { method: "POST", body: { name: "Products", request, variables } });
}

const entries = (path) => execFileSync("python3", ["-c", "import sys,zipfile;print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))", path], { encoding: "utf8" }).trim().split("\n");

test("a table of twelve rows with two wrong cells becomes twelve downloaded videos with at most ten clicks and keys", async () => {
  await addTemplate();
  const table = join(folder, "products.csv");
  const lines = Array.from({ length: 12 }, (_, n) => `Product ${n + 1},${n === 3 ? "half" : n === 8 ? "n/a" : 90},city.mp4`);
  writeFileSync(table, `product,opacity,clip\n${lines.join("\n")}\n`);
  const page = await open(browser, service);
  await page.at("/");
  const start = page.locator(".goal-card", { hasText: "From a table" });
  await start.waitFor();
  const began = Date.now();
  let steps = 0;
  const click = async (target, options) => { steps += 1; await target.click(options); };
  const press = async (...keys) => { for (const key of keys) { steps += 1; await page.keyboard.press(key); } };
  const focused = (label) => page.waitForFunction((name) => document.activeElement?.getAttribute("aria-label") === name, label);

  await click(start);
  await click(page.locator(".start-card", { hasText: "Products" }));
  await page.locator(".fill-main").waitFor();
  await page.locator("main input[type=file][accept*=csv]").setInputFiles(table);
  // The first wrong cell has the focus, and Enter leads to the next one.
  await focused("Row 4, opacity");
  await press("5", "0", "Enter");
  await focused("Row 9, opacity");
  await press("9", "0");
  await page.locator(".submit:enabled").waitFor();
  await click(page.getByRole("button", { name: "Submit 12 rows" }));
  await page.locator(".page-head .badge.good").waitFor();
  const [download] = await Promise.all([page.waitForEvent("download"), click(page.getByRole("link", { name: "Download all videos (zip)" }))]);
  const path = join(folder, "all.zip");
  await download.saveAs(path);
  console.log(`1 drop, ${steps} clicks and keys, ${Math.round((Date.now() - began) / 100) / 10} s`);
  assert.equal(entries(path).length, 12);
  assert.ok(steps <= 10, `${steps} clicks and keys`);
  await close(page);
});
