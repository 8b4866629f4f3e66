// The home page, and the composer as each goal prepares it.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage, seriousViolations, waitForAnimations } from "./axe.mjs";
import { drop, requestOf } from "./composer-steps.mjs";
import { close, launch, open, sample, Service } from "./harness.mjs";

let service;
let browser;
let folder;
let clips;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "clipmill-goals-"));
  // Six clips of two motifs, in turns.
  clips = Array.from({ length: 6 }, (_, n) => {
    const file = join(folder, `clip-${n + 1}.mp4`);
    const motif = n % 2 === 0 ? ["-i", sample("city.mp4")] : ["-f", "lavfi", "-i", "gradients=s=320x180:c0=white:c1=black:x0=0:y0=0:x1=320:y1=0:speed=0.00001:duration=4"];
    execFileSync("ffmpeg", ["-v", "error", "-y", ...motif, "-t", n % 2 === 0 ? "2" : "2.2", "-vf", `scale=320:180,eq=brightness=${n / 100}`, "-c:v", "libx264", "-preset", "ultrafast", "-an", file]);
    return file;
  });
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const card = (page, name) => page.getByRole("link", { name });
const sizesOf = async (page) => (await requestOf(page)).params.scenes.map((scene) => scene.resources.length);
const uploaded = (page) => page.waitForFunction(() => document.querySelectorAll(".clip").length > 0 && document.querySelectorAll(".clip .veil").length === 0);

for (const [locale, names] of [
  ["en-GB", ["What do you want to make?", "One video from my clips", "Many different videos", "Variations of a video", "From a script", "From a table", "From a template"]],
  ["zh-CN", ["您想制作什么视频？", "用素材拼一个视频", "批量生成不同视频", "为视频生成变体", "从文案开始", "从表格批量制作", "从模板开始"]],
]) {
  test(`the first page offers every goal, and each opens prepared, in ${locale}`, async () => {
    const [title, ...goals] = names;
    const page = await open(browser, service, { locale, reducedMotion: "reduce" });
    await page.at("/");
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const problems = await checkPage(page, `home-${locale}`);
    for (const [index, goal] of goals.entries()) {
      await page.at("/");
      await card(page, goal).focus();
      await page.keyboard.press("Enter");
      if (index < 4) await page.getByRole("heading", { level: 1, name: goal }).waitFor();
      else await page.locator(".start-card").first().waitFor();
      await page.locator(index < 4 ? ".options" : ".start-card canvas").first().waitFor();
      problems.push(...await checkPage(page, `goal-${index}-${locale}`));
    }
    assert.deepEqual(problems, []);
    await close(page);
  });
}

test("many different videos: alike clips share a scene, until the user moves one", async () => {
  const page = await open(browser, service);
  await page.at("/");
  await card(page, "Many different videos").click();
  // The number of videos is the first control, and has the focus.
  await page.waitForFunction(() => document.activeElement?.labels?.[0]?.innerText === "How many?");
  await page.keyboard.type("9");
  await page.locator(".goal-panel input[type=file]").setInputFiles(clips);
  await uploaded(page);
  await page.getByText("6 clips in 2 scenes.").waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll("[data-clip-list]")]
    .map((list) => [...list.querySelectorAll(".clip-name")].map((name) => /\d/.exec(name.textContent)[0]).join("")).join(" ") === "135 246");
  const request = await requestOf(page);
  assert.equal(request.params.outputCount, 9);
  assert.equal(request.params.options.clipStart, "random");
  assert.deepEqual(request.params.scenes.map((scene) => scene.duration), [2, 2.2]);
  await page.getByRole("button", { name: "Make 9 videos" }).waitFor();

  // A clicked clip is shown, and a number the video with the clips that are drawn for it.
  const asked = (isRight) => page.waitForRequest((call) => call.url().endsWith("/preview") && isRight(call.postDataJSON()));
  const scenesOf = ({ request }) => request.params.scenes.map(({ resources }) => resources.length).join();
  const only = asked((body) => scenesOf(body) === "1,3" && body.itemNo === 1 && body.clip === 0);
  await page.getByRole("button", { name: /^Preview clip-5.mp4/ }).click();
  assert.match((await only).postDataJSON().request.params.scenes[0].resources[0].url, /^upload:/);
  const drawn = asked((body) => scenesOf(body) === "3,3" && body.itemNo === 2);
  await page.getByRole("button", { name: "Video 2", exact: true }).click();
  await drawn;
  const moment = asked((body) => scenesOf(body) === "3,3" && body.itemNo === 2 && body.clip === undefined && body.atSeconds >= 2);
  await page.locator(".timestrip .block", { hasText: "Scene 2" }).click();
  await moment;

  // More videos need more combinations: every clip is used in every scene.
  await page.getByLabel("How many?").fill("30");
  await page.getByText("6 clips in 3 scenes.").waitFor();
  await page.getByText("Every scene has all of them").waitFor();
  assert.deepEqual(await sizesOf(page), [6, 6, 6]);
  await page.getByLabel("How many?").fill("9");
  await page.getByText("6 clips in 2 scenes.").waitFor();

  // A clip that the user removes does not come back, and new ones stay where they are dropped.
  await page.getByRole("button", { name: "Remove clip-1.mp4" }).click();
  await page.getByRole("button", { name: "Spread again" }).waitFor();
  await page.getByLabel("How many?").fill("6");
  await page.getByRole("button", { name: "Make 6 videos" }).waitFor();
  assert.deepEqual(await sizesOf(page), [2, 3]);
  await page.getByRole("button", { name: "Spread again" }).click();
  await page.getByText("5 clips in").waitFor();
  await page.getByRole("button", { name: "Undo (Ctrl+Z)" }).click();
  await page.getByRole("button", { name: "Spread again" }).waitFor();
  await close(page);
});

test("more clips than a scene takes are spread over several, up to their limit", async () => {
  const page = await open(browser, service);
  await page.at("/");
  await card(page, "Many different videos").click();
  await page.locator(".goal-panel").waitFor();
  await drop(page, ".goal-drop", 320);
  await page.getByText(/^20 of 320 files were not added: .+ 300 clips can be distributed\./).waitFor();
  await page.getByText("300 clips in 3 scenes.").waitFor();
  await page.getByText("100 of at most 100").nth(2).waitFor();
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  await close(page);
});

test("variations: how many and how different, for all videos, and the options stay adjustable", async () => {
  const page = await open(browser, service);
  await page.at("/new/vary");
  await page.waitForFunction(() => document.activeElement?.labels?.[0]?.innerText.trim() === "How many?");
  await page.keyboard.type("3");
  await page.locator(".board input[type=file]").first().setInputFiles(clips.slice(0, 1));
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await page.locator(".board input[type=file]").first().setInputFiles(clips.slice(1, 2));
  await page.getByRole("button", { name: "Make 6 videos" }).waitFor();
  assert.deepEqual((await requestOf(page)).params.videoList.map((clip) => clip.copies), [3, 3]);
  await page.getByRole("radio", { name: "Strong" }).check();
  assert.equal((await requestOf(page)).params.options.isMirror, true);
  await page.getByRole("radio", { name: "Light" }).check();
  const { options } = (await requestOf(page)).params;
  assert.deepEqual(Object.keys(options).sort(), ["colourMixing", "zoom"]);
  assert.equal(await page.getByRole("radio", { name: "Light" }).isChecked(), true);
  // An option that the user changes is no longer a strength.
  await page.getByRole("switch", { name: "Colour look" }).click();
  await page.getByText("You changed the options.").waitFor();
  assert.equal(await page.getByRole("radio", { name: "Light" }).isChecked(), false);
  await page.getByLabel("How many?").fill("2");
  await page.getByRole("button", { name: "Make 4 videos" }).waitFor();
  // A reload keeps the goal.
  await page.reload();
  await page.getByRole("button", { name: "Make 4 videos" }).waitFor();
  assert.equal(await page.getByLabel("How many?").inputValue(), "2");
  await close(page);
});

test("a script becomes captions over the clips", async () => {
  const page = await open(browser, service);
  await page.at("/new/script");
  await page.getByLabel("Your script").fill("One sentence. Another one.");
  await page.locator(".board input[type=file]").first().setInputFiles(clips.slice(0, 1));
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  const { options } = (await requestOf(page)).params;
  assert.equal(options.subtitle.text, "One sentence. Another one.");
  assert.equal(options.subtitle.timing, "even");
  await page.getByRole("radio", { name: "My recording" }).check();
  await page.locator(".goal-panel input[type=file]").setInputFiles(sample("speech.wav"));
  await page.locator(".goal-panel .file-chip", { hasText: "speech.wav" }).waitFor();
  await page.locator(".submit:enabled").waitFor();
  const spoken = (await requestOf(page)).params.options;
  assert.match(spoken.audio.url, /^upload:/);
  assert.equal(spoken.length, "voice");
  await close(page);
});

test("a template of the examples opens as a task, or is filled with a table", async () => {
  const page = await open(browser, service);
  await page.at("/new/template");
  await page.getByText("You have no templates yet.").waitFor();
  await page.getByRole("button", { name: "Product video" }).click();
  await page.locator(".strip.is-empty").waitFor();
  await page.locator(".board input[type=file]").first().setInputFiles(clips.slice(0, 1));
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  assert.equal((await requestOf(page)).params.options.overlays.length, 1);

  await page.at("/new/table");
  await page.getByRole("button", { name: "Product video" }).click();
  await page.waitForURL(/\/templates\/TP\w+\/fill/);
  for (const column of ["product", "price", "clip"]) await page.getByRole("columnheader", { name: column }).first().waitFor();
  await close(page);
});

test("columns of an example have Chinese titles in a Chinese console", async () => {
  const page = await open(browser, service, { locale: "zh-CN" });
  await page.at("/new/table");
  await page.getByRole("button", { name: "商品视频" }).click();
  for (const column of ["商品名称", "价格", "视频"]) await page.getByRole("columnheader", { name: column }).first().waitFor();
  await close(page);
});

test("a template of the user shows its clips in turn while the pointer is over it", async () => {
  const [one, two] = await Promise.all(["city.mp4", "bigbuckbunny.mp4"].map((name) => service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })));
  await service.call("/templates", { method: "POST", body: { name: "Two clips", request: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: one.url }, { url: two.url }, { url: one.url }] }] } } } });
  const page = await open(browser, service);
  await page.at("/new/template");
  const own = page.getByRole("button", { name: "Two clips" });
  await own.locator("img").nth(1).waitFor();
  assert.equal(await own.locator("img").count(), 2);
  const moves = () => own.locator(".start-slides").evaluate((slides) => slides.getAnimations().length);
  assert.equal(await moves(), 0);
  await own.hover();
  await page.waitForFunction(() => document.querySelector(".start-card:hover .start-slides")?.getAnimations().length === 1);
  const places = await own.locator(".start-slides").evaluate((slides) => {
    const [animation] = slides.getAnimations();
    animation.pause();
    return [0, 899, 901, 1799].map((time) => { animation.currentTime = time; return Math.round(slides.getBoundingClientRect().left - slides.parentElement.getBoundingClientRect().left) / slides.parentElement.clientWidth; });
  });
  assert.deepEqual(places.map(Math.round), [0, 0, -1, -1]);
  await close(page);
});

test("a template of the user is listed before the examples", async () => {
  const page = await open(browser, service);
  await page.at("/new/table");
  await page.locator("section", { hasText: "Your templates" }).getByRole("button", { name: "Product video" }).first().waitFor();
  await waitForAnimations(page);
  assert.deepEqual(await seriousViolations(page), []);
  await close(page);
});

test("all examples can be saved as templates", async () => {
  const page = await open(browser, service);
  for (const name of ["Slideshow", "Seasonal sale", "News in half a minute", "Voice over clips", "Script over a clip", "Quote of the day", "Variations of a clip"]) {
    await page.at("/new/table");
    await page.locator("section", { hasText: "Examples" }).getByRole("button", { name }).click();
    await page.waitForURL(/\/templates\/TP\w+\/fill/);
  }
  await close(page);
});
