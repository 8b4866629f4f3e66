// The brand page, the use of a brand in a task, and the music shelf.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { requestOf, section } from "./composer-steps.mjs";
import { close, launch, open, paste, REPO, sample, Service } from "./harness.mjs";

let service;
let browser;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const FONT = join(REPO, "fuzz/seeds/fonts/letters.ttf");
const upload = async (name) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)) })).url;
const saved = (page) => page.getByRole("status").getByText("Saved", { exact: true }).waitFor();
const brandOnce = async (ready) => {
  for (;;) {
    const brand = await service.call("/brand");
    if (ready(brand)) return brand;
    await new Promise((next) => setTimeout(next, 200));
  }
};

test("a brand is saved, applied to a task with one click, and undone with one step", async () => {
  const outro = await upload("city.mp4");
  const page = await open(browser, service);
  // Without a brand, the task leads to its page.
  await page.at("/new/baseVideoMix");
  await page.getByRole("link", { name: "Set up a brand" }).click();
  await page.waitForURL(/\/brand$/);
  await page.getByLabel("Logo", { exact: true }).setInputFiles(sample("logo.png"));
  await page.locator(".brand-image img").first().waitFor();
  await page.getByLabel("Intro", { exact: true }).setInputFiles(sample("bigbuckbunny.mp4"));
  await page.locator(".brand-image img").nth(1).waitFor();
  await page.getByRole("button", { name: "Outro: From the library" }).click();
  await page.getByRole("button", { name: "Choose city.mp4" }).click();
  await page.getByRole("button", { name: "Use 1 file" }).click();
  await page.locator(".brand-image img").nth(2).waitFor();
  await page.getByRole("button", { name: "Add a colour" }).click();
  await page.getByLabel("Colour 1: #RRGGBB").fill("#e43f5a");
  await page.getByLabel("Add a font").setInputFiles(FONT);
  await page.locator(".brand-fonts").getByText("letters.ttf").waitFor();
  await page.locator(".pick", { hasText: "Karaoke" }).first().click();
  await saved(page);
  const brand = await brandOnce(({ captionPreset, fonts }) => captionPreset === "karaoke" && fonts.length === 1);
  assert.deepEqual([brand.colors, brand.outro], [["#E43F5A"], outro]);
  await page.reload();
  await page.locator(".brand-image img").nth(2).waitFor();
  assert.equal(await page.getByLabel("Colour 1: #RRGGBB").inputValue(), "#E43F5A");

  await page.at("/new/baseVideoMix");
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: outro }] }], options: { subtitle: { text: "Hello" }, overlays: [{ type: "text", text: "Sale" }] } } });
  const plain = await requestOf(page);
  await page.getByRole("button", { name: "Use my brand" }).click();
  await page.getByText("Your brand is applied: caption style, font, logo, intro, outro.").waitFor();
  const { options } = (await requestOf(page)).params;
  assert.deepEqual(options.subtitle.style, { font: brand.fonts[0], preset: "karaoke" });
  assert.deepEqual([options.introPool, options.outroPool], [[{ url: brand.intro }], [{ url: outro }]]);
  assert.deepEqual(options.overlays, [{ type: "text", text: "Sale", style: { font: brand.fonts[0] } }, { type: "image", enter: "fade", leave: "fade", url: brand.logo, place: "top-right", width: 18 }]);
  // The service accepts it.
  await page.locator(".submit:enabled").waitFor();
  // The colours are suggested.
  assert.deepEqual(await page.locator("#brand-colours option").evaluateAll((colours) => colours.map(({ value }) => value)), ["#E43F5A"]);
  await page.getByRole("button", { name: "Use my brand" }).click();
  await page.getByText("Your brand has nothing that this task does not already use.").waitFor();
  await page.keyboard.press("Control+z");
  assert.deepEqual(await requestOf(page), plain);

  // The library does not delete a file of a draft, nor one of the brand. The task's own draft is saved without it first.
  const { logo } = brand;
  const saves = async () => Promise.all((await service.call("/drafts")).list.map(({ draftNo }) => service.call(`/drafts/${draftNo}`)));
  while (JSON.stringify(await saves()).includes(logo)) await new Promise((next) => setTimeout(next, 200));
  const { draftNo } = await service.call("/drafts", { method: "POST", body: { name: "Mug", taskType: "baseVideoMix", body: { logo } } });
  await page.at("/library");
  const card = page.locator(".file-card", { hasText: "logo.png" });
  const dialog = page.locator("dialog[open]");
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByText("A draft uses it.").waitFor();
  assert.match(await dialog.getByRole("link", { name: "Open the draft" }).getAttribute("href"), new RegExp(`/new/draft/${draftNo}$`));
  await dialog.getByRole("button", { name: "Close" }).last().click();
  await service.call(`/drafts/${draftNo}`, { method: "DELETE" });
  await card.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog[open]").getByText("Your brand uses it.").waitFor();
  await page.getByRole("link", { name: "Open the brand" }).click();
  await page.getByRole("button", { name: "Remove Logo" }).click();
  await saved(page);
  await brandOnce(({ logo }) => logo === null);
  await close(page);
});

test("the music shelf plays the audio of the library, and chooses it as music and as a voice", async () => {
  const [pop, speech] = [await upload("pop.wav"), await upload("speech.wav")];
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await section(page, "Audio");
  const shelf = page.locator("dialog[open]");
  const pick = async (field, name) => {
    await page.locator(".toggled", { hasText: field }).getByRole("button", { name: "Choose from your audio" }).first().click();
    await shelf.getByRole("button", { name: `Use ${name}` }).click();
    await shelf.waitFor({ state: "detached" });
  };
  await page.locator(".toggled", { hasText: "Background music" }).getByRole("button", { name: "Choose from your audio" }).first().click();
  await shelf.getByRole("button", { name: /speech\.wav/ }).first().click();
  await shelf.locator(".listen-at").waitFor();
  await shelf.getByRole("button", { name: "Use pop.wav" }).click();
  await pick("Voice-over", "speech.wav");
  const { options } = (await requestOf(page)).params;
  assert.deepEqual([options.backgroundMusic.url, options.audio.url], [pop, speech]);
  // A list takes several.
  await page.getByRole("group", { name: "Several music files" }).getByRole("button", { name: "Choose from your audio" }).click();
  for (const name of ["pop.wav", "speech.wav"]) await shelf.getByRole("button", { name: `Use ${name}` }).click();
  await shelf.getByRole("button", { name: "Use 2 files" }).click();
  assert.equal((await requestOf(page)).params.options.backgroundMusicPool.length, 2);
  await close(page);
});

test("the brand page and the music shelf are accessible in both languages and at both widths", async () => {
  await upload("speech.wav");
  const [logo, intro] = [await upload("logo.png"), await upload("bigbuckbunny.mp4")];
  await service.call("/brand", { method: "PUT", body: { logo, intro, colors: ["#1B1B2F", "#E43F5A"], captionPreset: "karaoke" } });
  const problems = [];
  for (const locale of ["en-GB", "zh-CN"]) {
    const page = await open(browser, service, { locale });
    await page.at("/brand");
    await page.locator(".brand-image img").nth(1).waitFor();
    problems.push(...await checkPage(page, `brand-${locale}`));
    await page.at("/new/baseVideoMix");
    await section(page, locale === "zh-CN" ? "声音" : "Audio");
    problems.push(...await checkPage(page, `composer-${locale}`, ["light"]));
    await page.locator(".shelf-open").first().click();
    await page.locator(".shelf li").first().waitFor();
    problems.push(...await checkPage(page, `shelf-${locale}`));
    await close(page);
  }
  assert.deepEqual(problems, []);
});
