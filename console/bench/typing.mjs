// How long the composer with 300 clips needs from a key to the next frame, with a processor four times as slow.
// CLIPMILL_PROGRAM=… node bench/typing.mjs; on an idle machine.

import { launch, open, paste, Service, unfold } from "../e2e/harness.mjs";

const RATE = 4;
const clip = (index) => ({ url: `https://media.example.com/clip-${index}.mp4`, duration: 3 });
const clips = (count) => Array.from({ length: count }, (_, index) => clip(index));
const REQUESTS = {
  baseVideoMix: { videoList: [1, 2, 3].map(() => ({ videos: clips(100), totalDuration: 2 })) },
  videoDeduplication: { videoList: clips(300).map(({ url, duration }) => ({ filename: url, duration })) },
};

const service = await Service.start();
const browser = await launch();
for (const [taskType, params] of Object.entries(REQUESTS)) {
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
  const kinds = [["input[type=text], input:not([type])", "Summer sale of shoes 2026"], ["textarea", "Summer sale of shoes 2026"], ["input[type=number]", "12"]];
  for (const [selector, keys] of kinds) {
    for (const field of (await page.locator("main").locator(selector).filter({ visible: true }).all()).slice(0, 5)) {
      await field.scrollIntoViewIfNeeded();
      await field.focus();
      await page.waitForTimeout(1_000);
      await page.evaluate(() => { globalThis.latencies = []; });
      await page.keyboard.type(keys, { delay: 150 });
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
