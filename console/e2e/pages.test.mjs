// Checks every page with axe, and takes screenshots at desktop and phone width, light and dark.
// With UPDATE_PICTURES=1, those that a document shows are re-created under docs/images/console; with LOOK, all are saved in
// that folder.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, REPO, sample, Service } from "./harness.mjs";

const AXE = readFileSync(join(REPO, "console/node_modules/axe-core/axe.min.js"), "utf8");
const PICTURES = join(REPO, "docs/images/console");
/** Screenshots in documents, which are re-created. */
const SHOWN = process.env.UPDATE_PICTURES === "1"
  ? new Set(["README.md", "docs/guides/console.md"].flatMap((name) => [...readFileSync(join(REPO, name), "utf8").matchAll(/images\/console\/([\w-]+)\.webp/g)].map(([, picture]) => picture)))
  : new Set();
/** Limits the test to a few pages. */
const ONLY = new RegExp(process.env.PAGES ?? "");
const SIZES = { desktop: { width: 1360, height: 860 }, phone: { width: 390, height: 844 } };

let service;
let browser;
let admin;
let example;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  admin = service.adminKey();
  example = await fill();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Tasks of every type, so that pages have content. */
async function fill() {
  const upload = async (name) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })).url;
  const [city, bunny, speech, captions] = [await upload("city.mp4"), await upload("bigbuckbunny.mp4"), await upload("speech.wav"), await upload("captions.srt")];
  const clips = [{ url: city, duration: 7.6 }, { url: bunny, duration: 5.28 }];
  const scene = (name, resources) => ({ sceneKey: name.toLowerCase(), sceneName: name, duration: 2, resources });
  const requests = {
    vary: { taskType: "videoDeduplication", params: { seed: 12, videoList: [{ filename: bunny, duration: 5.28 }], options: {
      isFilter: true, isMirror: true, speed: { isSpeed: true, start: 1.5, end: 2 }, PIP: { isPIP: true }, effect: { value: "light-leak", trans: 70, duration: 3, position: 10 } } } },
    bad: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "http://127.0.0.1:9/missing.mp4" }] }] } },
    mix: { taskType: "proVideoMix", params: { seed: 1, audioMode: "split", generateCount: 3, scenes: [scene("Opening", clips), scene("Middle", [...clips].reverse()), scene("Closing", clips)],
      options: { resolutionMode: "crop", originalVolume: 30, audio: { url: speech, volume: 100 }, subtitle: { url: captions, style: { bottom: 160 } } } } },
  };
  const tasks = {};
  for (const [name, body] of Object.entries(requests)) tasks[name] = (await service.call("/video-process/submit", { method: "POST", body })).taskNo;
  for (const taskNo of Object.values(tasks)) {
    for (;;) {
      const { status } = await service.call(`/video-process/status/${taskNo}`);
      if (status >= 3) break;
      await new Promise((next) => setTimeout(next, 300));
    }
  }
  return { tasks, requests };
}

const waitForAnimations = async (page) => {
  await page.waitForFunction(() => document.querySelectorAll(".skeleton, .spinner, .veil").length === 0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    // A change of colours takes effect in the next frame and is visible in the one after it.
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
    const inView = [...document.images].filter((image) => image.getBoundingClientRect().top < innerHeight);
    await Promise.all(inView.map((image) => image.decode().catch(() => undefined)));
  });
};

const draft = (request) => async (page) => {
  await page.evaluate(({ taskType, ...rest }) => {
    const number = (list) => list.map((part, index) => ({ ...part, _id: `p${index}` }));
    const params = { ...rest.params };
    if (params.videoList) params.videoList = number(params.videoList);
    if (params.scenes) params.scenes = number(params.scenes).map((scene, place) => ({ ...scene, resources: scene.resources.map((clip, index) => ({ ...clip, _id: `c${place}-${index}` })) }));
    sessionStorage.setItem(`clipmill.draft.${taskType}`, JSON.stringify({ taskType, params }));
    const names = params.scenes ? Object.fromEntries(params.scenes.flatMap((scene) => scene.resources).map((clip) => [clip.url, clip.duration > 6 ? "city.mp4" : "bunny.mp4"])) : {};
    localStorage.setItem("clipmill.media", JSON.stringify(Object.entries(names).map(([url, name]) => [url, { name }])));
  }, request);
  await page.reload();
  await page.locator(".clip img").first().waitFor();
  await page.locator(".preview .stage img:not(.old)").waitFor();
};

const open_ = (name) => (page) => page.locator("details.section > summary", { hasText: name }).click();

/** Name of the screenshot, path, and the condition or step before it is taken. */
const PAGES = () => [
  ["sign-in", "/", null, { key: null }],
  ["home", "/", (page) => page.locator(".goal-card").first().waitFor()],
  ["start-template", "/new/template", (page) => page.locator(".start-card canvas").first().waitFor()],
  ["tasks", "/tasks", (page) => page.locator(".task-row").first().waitFor()],
  ["task", `/tasks/${example.tasks.mix}`, (page) => page.locator(".player video").waitFor()],
  ["task-failed", `/tasks/${example.tasks.bad}`, (page) => page.getByText(/Serve the file publicly/).waitFor()],
  ["outputs", "/outputs", (page) => page.locator(".player video").waitFor()],
  ["library", "/library", (page) => page.locator(".file-card img").first().waitFor()],
  ["new-mix", "/new/proVideoMix", draft(example.requests.mix)],
  ["new-vary", "/new/videoDeduplication", async (page) => {
    await draft(example.requests.vary)(page);
    await open_("Effect")(page);
  }],
  ["new-empty", "/new/baseVideoMix", (page) => page.locator(".strip.is-empty").waitFor()],
  ["points", "/points", (page) => page.locator(".table-scroll tbody tr").first().waitFor()],
  ["effects", "/effects", (page) => page.locator(".gallery-picture img").first().waitFor()],
  ["operate-queue", "/operate/queue", (page) => page.locator(".operate .panel").first().waitFor()],
  ["operate-users", "/operate/users", (page) => page.locator(".table tbody tr").first().waitFor()],
  ["operate-invitations", "/operate/invitations", (page) => page.locator(".operate .empty").waitFor()],
  ["operate-failures", "/operate/failures", (page) => page.locator(".table tbody tr").first().waitFor()],
  ["operate-workers", "/operate/workers", (page) => page.locator(".table tbody tr").first().waitFor()],
  ["operate-task", `/operate/tasks/${example.tasks.bad}`, (page) => page.locator(".table tbody tr").first().waitFor()],
  ["not-found", "/nowhere", (page) => page.locator(".empty").waitFor()],
];

async function seriousViolations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }));
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.all[0]?.message ?? ""})`).join("; ")}`);
}

function save(name, png) {
  if (process.env.LOOK) writeFileSync(join(process.env.LOOK, `${name}.png`), png);
  if (!SHOWN.has(name)) return;
  mkdirSync(PICTURES, { recursive: true });
  execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "png_pipe", "-i", "-", "-c:v", "libwebp", "-quality", "78", "-compression_level", "6", join(PICTURES, `${name}.webp`)], { input: png });
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`every page at ${size} width, light and dark`, async () => {
    const problems = [];
    for (const [name, path, ready, options = {}] of PAGES().filter(([page]) => ONLY.test(page))) {
      const page = await open(browser, service, { key: admin, viewport, reducedMotion: "reduce", ...options });
      await page.at(path);
      await ready?.(page);
      for (const colorScheme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme });
        await waitForAnimations(page);
        problems.push(...(await seriousViolations(page)).map((what) => `${name}, ${colorScheme}: ${what}`));
        await page.evaluate(() => scrollTo(0, 0));
        const picture = await page.screenshot();
        save(`${name}-${size}-${colorScheme}`, picture);
      }
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) problems.push(`${name}: wider than the window by ${over} px`);
      await close(page);
    }
    assert.deepEqual(problems, []);
  });
}

test("pages are Chinese for a browser that prefers it", async () => {
  const page = await open(browser, service, { key: admin, locale: "zh-CN" });
  for (const [path, word] of [["/tasks", "作品"], ["/points", "点数"], ["/effects", "特效、滤镜与转场"], ["/new/baseVideoMix", "开始制作"]]) {
    await page.at(path);
    await page.getByRole("heading", { level: 1, name: word }).waitFor();
    await waitForAnimations(page);
    assert.equal(await page.evaluate(() => document.documentElement.lang), "zh-CN");
    assert.deepEqual(await seriousViolations(page), []);
  }
  await close(page);
});
