// How long the composer with 300 clips needs from a key to the next frame, with a processor four times as slow.
// CLIPMILL_PROGRAM=… node bench/typing.mjs; on an idle machine.

import { readFileSync } from "node:fs";
import { launch, open, paste, sample, Service, unfold } from "../e2e/harness.mjs";

const RATE = 4;

const service = await Service.start();
const browser = await launch();
const { url } = await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) });
const clips = (count, field) => Array.from({ length: count }, () => ({ [field]: url }));
const requests = {
  baseVideoMix: { videoList: [1, 2, 3].map(() => ({ videos: clips(100, "url"), totalDuration: 2 })) },
  videoDeduplication: { videoList: clips(300, "filename") },
};
for (const [taskType, params] of Object.entries(requests)) {
  const page = await open(browser, service);
  await page.at(`/new/${taskType}`);
  await paste(page, { taskType, params });
  await page.locator(".clip").first().waitFor();
  await unfold(page);
  await page.locator(".submit").waitFor();
  await page.waitForTimeout(3_000);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: RATE });
  await page.evaluate(() => {
    globalThis.latencies = [];
    addEventListener("keydown", () => {
      const begin = performance.now();
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => globalThis.latencies.push(performance.now() - begin);
      requestAnimationFrame(() => port1.postMessage(0));
    }, { capture: true });
  });
  const text = [..."Summer sale of shoes 2026"];
  const number = Array.from({ length: 6 }, () => ["1", "2", "Backspace", "Backspace"]).flat();
  const kinds = [["input[type=text], input:not([type])", text], ["textarea", text], ["input[type=number]", number]];
  for (const [selector, keys] of kinds) {
    for (const field of (await page.locator("main").locator(selector).filter({ visible: true }).all()).slice(0, 5)) {
      await field.scrollIntoViewIfNeeded();
      await field.focus();
      await page.waitForTimeout(1_000);
      await page.evaluate(() => { globalThis.latencies = []; });
      for (const key of keys) {
        await page.keyboard.press(key === " " ? "Space" : key);
        await page.waitForTimeout(150);
      }
      await page.waitForTimeout(500);
      const all = (await page.evaluate(() => globalThis.latencies)).sort((a, b) => a - b);
      const label = await field.evaluate((input) => input.getAttribute("aria-label") ?? input.labels?.[0]?.innerText ?? input.className);
      const at = (part) => all[Math.min(all.length - 1, Math.floor(all.length * part))].toFixed(0);
      console.log(`${taskType}  ${label.split("\n")[0]}: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, longest ${at(1)} ms of ${all.length} keys`);
    }
  }
  await page.context().close();
}
await browser.close();
await service.stop();
