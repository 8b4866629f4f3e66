// Dropping files on a task: videos, audio, captions, images, tables and folders.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { requestOf, uploaded } from "./composer-steps.mjs";
import { close, launch, open, sample, Service } from "./harness.mjs";

let service;
let browser;
let folder;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "clipmill-dropped-"));
  [service, browser] = await Promise.all([Service.start(), launch()]);
});
after(async () => {
  await browser?.close();
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Drops files and folders of this machine, as a file manager does. */
async function dropPaths(page, target, paths) {
  await target.scrollIntoViewIfNeeded();
  const { x, y } = await target.boundingBox();
  const devtools = await page.context().newCDPSession(page);
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"]) await devtools.send("Input.dispatchDragEvent", { type, x: x + 8, y: y + 8, data });
  await devtools.detach();
}

const named = (name, source) => {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  copyFileSync(sample(source), path);
  return path;
};
const dialog = (page) => page.locator("dialog[open]");
const radio = (page, group, name) => dialog(page).getByRole("group", { name: group }).getByRole("radio", { name, exact: true });
/** The request, after all uploads. */
const settled = async (page, ready) => {
  for (;;) {
    const request = await requestOf(page);
    if (ready(request.params.options ?? {})) return request;
  }
};

test("files of all kinds dropped beside the clips are put to use with one dialog and one undo step", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  const pdf = join(folder, "notes.pdf");
  writeFileSync(pdf, "%PDF-1.7");
  await dropPaths(page, page.locator(".options h2"), [sample("city.mp4"), named("song.wav", "pop.wav"), named("voice.wav", "speech.wav"), sample("captions.srt"), sample("logo.png"), named("beach.jpg", "picture.jpg"), pdf]);
  await page.getByText("Skipped, because this task cannot use it: notes.pdf").waitFor();
  await dialog(page).getByText("1 video is added as a clip.").waitFor();
  // The names suggest the uses.
  const audio = dialog(page).getByRole("group", { name: "Audio: song.wav, voice.wav" });
  assert.deepEqual(await audio.getByRole("combobox").evaluateAll((fields) => fields.map((field) => field.value)), ["music", "voice"]);
  const images = dialog(page).getByRole("group", { name: "Images: logo.png, beach.jpg" });
  assert.deepEqual(await images.getByRole("combobox").evaluateAll((fields) => fields.map((field) => field.value)), ["logo", "clip"]);
  assert.ok(await radio(page, "Captions: captions.srt", "Captions").isChecked());
  // The button has the focus.
  await page.keyboard.press("Enter");
  await page.locator(".clip").nth(1).waitFor();
  const { params } = await settled(page, ({ backgroundMusic, audio: voice, subtitle, overlays }) => backgroundMusic?.url && voice?.url && subtitle?.url && overlays?.length === 1);
  assert.equal(params.videoList[0].videos.length, 2);
  assert.equal(params.options.ducking, true);
  assert.equal(params.options.overlays[0].type, "image");
  await page.locator(".clip-list h2").first().click();
  await page.keyboard.press("Control+z");
  await page.locator(".clip").first().waitFor({ state: "detached" });
  assert.deepEqual((await requestOf(page)).params.options ?? {}, {});
  await close(page);
});

test("audio becomes music, a voice-over or a soundtrack, several files a pool, and the choice is remembered", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  const drop = (...names) => dropPaths(page, page.locator(".clip-list-head h2"), names.map((name) => named(name, "pop.wav")));
  await drop("a.wav");
  assert.ok(await radio(page, /Audio/, "Music").isChecked());
  await radio(page, /Audio/, "Both in one file").check();
  await dialog(page).getByText("the clips are muted").waitFor();
  await dialog(page).getByRole("button", { name: "Add 1 file" }).click();
  let { params } = await settled(page, ({ audio }) => audio?.url);
  assert.deepEqual([params.options.originalVolume, params.options.backgroundMusic], [0, undefined]);
  await drop("b.wav", "c.wav");
  assert.ok(await radio(page, /Audio/, "Both in one file").isChecked(), "the last choice");
  await radio(page, /Audio/, "Music").check();
  await dialog(page).getByText("Each video gets one of them.").waitFor();
  await dialog(page).getByRole("button", { name: "Add 2 files" }).click();
  ({ params } = await settled(page, ({ backgroundMusicPool }) => backgroundMusicPool?.length === 2));
  assert.equal(params.options.ducking, true, "music under a voice is lowered");
  // Cancelling adds nothing.
  await drop("d.wav");
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  assert.equal((await requestOf(page)).params.options.backgroundMusicPool.length, 2);
  // Variations have no audio options.
  await page.at("/new/videoDeduplication");
  await page.locator(".clip-list").waitFor();
  await drop("e.wav");
  await page.getByText("Skipped, because this task cannot use it: e.wav").waitFor();
  assert.equal(await dialog(page).count(), 0);
  await close(page);
});

test("a folder keeps its order, with its folders, and without hidden files", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  for (const name of ["trip/10 end.mp4", "trip/2 middle.mp4", "trip/1 begin/b.mp4", "trip/1 begin/a.mp4"]) named(name, "city.mp4");
  writeFileSync(join(folder, "trip/.DS_Store"), "x");
  await dropPaths(page, page.locator(".strip"), [join(folder, "trip")]);
  await uploaded(page, 4);
  assert.deepEqual(await page.locator(".clip .clip-name").allInnerTexts(), ["a.mp4", "b.mp4", "2 middle.mp4", "10 end.mp4"]);
  assert.equal(await page.locator(".toast").count(), 0);
  await close(page);
});

test("the drop area opens the file chooser, and phones are asked to choose files", async () => {
  for (const touch of [false, true]) {
    const page = await open(browser, service, touch ? { hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } } : {});
    for (const [kind, area] of [["baseVideoMix", ".strip"], ["videoDeduplication", ".drop-words"]]) {
      await page.at(`/new/${kind}`);
      const target = page.locator(area).first();
      await target.waitFor();
      const words = kind === "videoDeduplication" ? await target.innerText() : await target.getAttribute("data-empty");
      assert.equal(words, touch ? "Tap to choose files" : "Drop files or folders here, or click to choose them");
      const [chooser] = await Promise.all([page.waitForEvent("filechooser"), touch ? target.tap() : target.click()]);
      assert.ok(chooser.isMultiple());
      await chooser.setFiles(sample("speech.wav"));
      if (kind === "baseVideoMix") await dialog(page).getByRole("button", { name: "Add 1 file" }).click();
      else await page.getByText("cannot use it: speech.wav").waitFor();
    }
    await close(page);
  }
});

/** An Excel workbook with a hidden sheet, formats, shared and inline texts, and cells with and without references. */
function workbook(path) {
  const sheet = (rows) => `<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;
  const files = {
    "[Content_Types].xml": "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
    "xl/workbook.xml": "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Old\" sheetId=\"1\" state=\"hidden\" r:id=\"rId1\"/><sheet name=\"June\" sheetId=\"2\" r:id=\"rId2\"/></sheets></workbook>",
    "xl/_rels/workbook.xml.rels": "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Target=\"worksheets/sheet1.xml\"/><Relationship Id=\"rId2\" Target=\"/xl/worksheets/sheet2.xml\"/></Relationships>",
    "xl/styles.xml": "<styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy/m/d\"/></numFmts><cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"2\"/><xf numFmtId=\"164\"/></cellXfs></styleSheet>",
    "xl/sharedStrings.xml": "<sst xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><si><t>product</t></si><si><r><t>Blue </t></r><r><t>mug</t></r><rPh><t>no</t></rPh></si></sst>",
    "xl/worksheets/sheet1.xml": sheet("<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>hidden</t></is></c></row>"),
    "xl/worksheets/sheet2.xml": sheet("<row><c t=\"s\"><v>0</v></c><c t=\"inlineStr\"><is><t>price</t></is></c><c t=\"inlineStr\"><is><t>day</t></is></c><c t=\"inlineStr\"><is><t>clip</t></is></c></row>"
      + "<row><c r=\"A2\" t=\"s\"><v>1</v></c><c s=\"1\"><v>9.9000000000000004</v></c><c r=\"C2\" s=\"2\"><v>45809</v></c><c r=\"D2\" t=\"str\"><f>A1</f><v>city.mp4</v></c></row>"
      + "<row r=\"4\"><c r=\"A4\" t=\"inlineStr\"><is><t>Red mug</t></is></c><c r=\"B4\"><v>12.5</v></c><c r=\"D4\" t=\"inlineStr\"><is><t>city.mp4</t></is></c></row>"),
  };
  execFileSync("python3", ["-c", "import sys,json,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED) as z:\n for n,t in json.loads(sys.argv[2]).items(): z.writestr(n,t)", path, JSON.stringify(files)]);
  return path;
}

async function addTemplate(name, columns) {
  const body = {
    name, request: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "{{clip}}" }], totalDuration: 1 }], options: { overlays: [{ type: "text", text: `— ${columns.map((column) => `{{${column}}}`).join(" ")}` }] } } },
    variables: [...columns.map((column) => ({ name: column, type: "text", default: "" })), { name: "clip", type: "url" }],
  };
  return (await service.call("/templates", { method: "POST", body })).templateNo;
}

test("a workbook opens the best template as a batch, with the files that it names", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".clip-list").waitFor();
  const file = workbook(join(folder, "june.xlsx"));
  await dropPaths(page, page.locator(".strip"), [file]);
  await dialog(page).getByText("A table makes a video for each row, and needs a template.").waitFor();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  const templateNo = await addTemplate("Mugs", ["product", "price", "day"]);
  await addTemplate("Quotes", ["quote"]);
  await dropPaths(page, page.locator(".strip"), [sample("city.mp4"), file]);
  await page.waitForFunction((no) => document.querySelector("dialog select")?.value === no, templateNo);
  assert.ok(await dialog(page).getByLabel("Put the other files into the table").isChecked(), "the table names the file");
  await page.keyboard.press("Enter");
  await page.waitForURL(new RegExp(`/templates/${templateNo}/fill$`));
  await page.locator(".submit:enabled").waitFor();
  const cells = await page.locator(".sheet tbody input").evaluateAll((inputs) => inputs.map((input) => input.value));
  assert.deepEqual(cells, ["Blue mug", "9.90", "2025/6/1", "city.mp4", "Red mug", "12.5", "", "city.mp4"]);
  // The same on the page of batches.
  await page.getByRole("button", { name: "Empty the table" }).click();
  await page.at("/batches");
  await dropPaths(page, page.locator(".page-head h1"), [sample("logo.png")]);
  await page.getByText("Only tables can be opened here").waitFor();
  await page.getByLabel("Open a table").setInputFiles(file);
  await dialog(page).getByRole("button", { name: "Open the table" }).click();
  await page.waitForURL(new RegExp(`/templates/${templateNo}/fill$`));
  await page.locator(".submit:enabled").waitFor();
  // Without the table, the video is a clip.
  await page.at("/new/baseVideoMix");
  await dropPaths(page, page.locator(".strip"), [sample("city.mp4"), file]);
  await page.waitForFunction((no) => document.querySelector("dialog select")?.value === no, templateNo);
  await dialog(page).getByLabel("Fill the template").selectOption({ label: "Do not use the table" });
  await dialog(page).getByRole("button", { name: "Add 1 file" }).click();
  await page.locator(".clip").first().waitFor();
  await close(page);
});

test("the dialog is accessible in both languages and at both widths", async () => {
  await addTemplate("Prices", ["product", "price"]);
  const problems = [];
  for (const locale of ["en-GB", "zh-CN"]) {
    const page = await open(browser, service, { locale });
    await page.at("/new/baseVideoMix");
    await page.locator(".clip-list").waitFor();
    await dropPaths(page, page.locator(".strip"), [sample("city.mp4"), named("song.wav", "pop.wav"), named("voice.wav", "speech.wav"), sample("captions.srt"), sample("logo.png"), workbook(join(folder, "june.xlsx"))]);
    await dialog(page).locator("select").first().waitFor();
    await dialog(page).getByRole("checkbox").uncheck();
    problems.push(...await checkPage(page, `dropped-${locale}`));
    await close(page);
  }
  assert.deepEqual(problems, []);
});
