// From a task to a template, from a spreadsheet to a batch, from a batch to its files.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { close, launch, open, sample, Service, paste as openRequest } from "./harness.mjs";

let service;
let browser;
let clip;
let folder;
/** Has a file, once it is there. */
let server;
let isThere = false;

before(async () => {
  server = createServer((_, response) => (isThere ? response.end(readFileSync(sample("city.mp4"))) : response.writeHead(404).end())).listen(0, "127.0.0.1");
  await once(server, "listening");
  const settings = { CLIPMILL_FETCH_ALLOW_NETWORKS: "127.0.0.0/8", CLIPMILL_FETCH_ALLOW_PORTS: `80,443,${server.address().port}` };
  [service, browser] = await Promise.all([Service.start(settings), launch()]);
  clip = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
  folder = mkdtempSync(join(tmpdir(), "clipmill-tables-"));
});
after(async () => {
  server?.close();
  await browser?.close();
  await service?.stop();
});

/** Short videos with a title, which render quickly. */
const request = (url, text) => ({
  taskType: "baseVideoMix",
  params: { videoList: [{ videos: [{ url, ...(url === clip ? { duration: 7.6 } : {}) }], totalDuration: 1 }], options: { resolution: "720:1280", overlays: [{ type: "text", text, place: "top" }] } },
});
const VARIABLES = [{ name: "product", type: "text", maxLength: 20 }, { name: "price", type: "text", default: "" }, { name: "clip", type: "url", default: null }];

async function template(name = "Product video", variables = VARIABLES, key = service.key, body = request("{{clip}}", "{{product}}\n{{price}}")) {
  const declared = variables.map((one) => Object.fromEntries(Object.entries(one).filter(([, value]) => value !== null)));
  return (await service.call("/templates", { method: "POST", body: { name, request: body, variables: declared }, key })).templateNo;
}

const cell = (page, row, column) => page.getByLabel(`Row ${row}, ${column}`, { exact: true });
const price = (page) => page.getByTestId("batch-price").locator("strong");

/** Pastes text as from a spreadsheet. */
const paste = (locator, text) => locator.evaluate((element, copied) => {
  element.focus();
  const data = new DataTransfer();
  data.setData("text/plain", copied);
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}, text);

const batchEnded = async (batchNo, key = service.key) => {
  for (;;) {
    const batch = await service.call(`/batches/${batchNo}`, { key });
    if (batch.status >= 3) return batch;
    await new Promise((next) => setTimeout(next, 400));
  }
};

test("a task is saved as a template, a pasted table submitted as a batch, and the files downloaded", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await openRequest(page, request(clip, "Blue mug"));
  await page.getByRole("button", { name: "Save as template" }).click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByLabel("Name of the template").fill("Mugs of June");
  await dialog.getByRole("checkbox", { name: /city\.mp4/ }).first().check();
  await dialog.getByRole("checkbox", { name: /Blue mug/ }).check();
  const columns = dialog.getByLabel("Column");
  await columns.nth(0).fill("clip");
  await columns.nth(1).fill("product");
  await dialog.getByRole("button", { name: "Save with 2 columns" }).click();
  await page.waitForURL(/\/templates\/TP\w+\/fill/);
  // Each row has its own random choices: the template does not contain the seed of the draft.
  assert.equal((await service.call(`/templates/${/TP\w+/.exec(page.url())[0]}`)).request.params.seed, undefined);

  // A spreadsheet with columns in another order, an unknown column and an invalid cell.
  await page.getByRole("button", { name: "Paste a table" }).click();
  await page.getByLabel("Rows", { exact: true }).fill(`product\tstock\tclip\nBlue mug\t7\t${clip}\nRed mug\t3\tn/a\n\t\t\nGreen mug\t1\t${clip}\n`);
  await page.getByRole("button", { name: "Add the rows" }).click();
  await page.getByText("no such columns: stock").waitFor();
  await page.getByText("1 cell needs attention").waitFor();
  assert.equal(await cell(page, 2, "clip").getAttribute("aria-invalid"), "true");
  // By key: prices and links are being checked, and a late result may move the place of a click.
  await page.getByTestId("cell-errors").getByRole("button").press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Row 2, clip");
  assert.ok(await page.getByRole("button", { name: "Fix 1 cell first" }).isDisabled());
  await cell(page, 2, "clip").fill("http://127.0.0.1:9/gone.mp4");
  await price(page).waitFor();
  await page.locator("dd", { hasText: /^3$/ }).first().waitFor();

  // Each row can be previewed before submission.
  await cell(page, 3, "product").focus();
  const frame = page.getByAltText("Preview of row 3");
  await frame.waitFor();
  assert.ok(await frame.evaluate((image) => image.decode().then(() => image.naturalHeight)) > 300);

  await page.getByLabel("Name of the batch").fill("June");
  await page.getByRole("button", { name: "Submit 3 rows" }).click();
  await page.waitForURL(/\/batches\/BP/);
  const batchNo = /BP\w+/.exec(page.url())[0];
  await page.locator(".page-head .badge.warn").waitFor();
  await page.getByTestId("batch-facts").getByText("2 / 3").waitFor();
  await page.getByTestId("batch-facts").getByText(/^[\d,]+ spent$/).waitFor();
  assert.equal(await page.getByTestId("batch-facts").getByText(/held/).count(), 0, "nothing is held after the end");

  await page.getByRole("button", { name: "Failed", exact: true }).click();
  const failed = page.locator(".table tbody tr");
  await page.waitForFunction(() => document.querySelectorAll(".table tbody tr").length === 1);
  assert.match(await failed.innerText(), /Red mug[\s\S]*port 9/);

  const [zip] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download all videos (zip)" }).click()]);
  const archive = join(folder, "all.zip");
  await zip.saveAs(archive);
  const names = execFileSync("python3", ["-c", "import sys,zipfile;print('\\n'.join(zipfile.ZipFile(sys.argv[1]).namelist()))", archive], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names, ["0001-June – Blue mug – 1.mp4", "0003-June – Green mug – 1.mp4"]);
  assert.equal(zip.suggestedFilename(), "June.zip");
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Results as CSV" }).click()]);
  assert.equal(csv.suggestedFilename(), "June.csv");
  const [header, first] = readFileSync(await csv.path(), "utf8").split("\n");
  assert.match(header, /^\uFEFF(clip,product|product,clip),Row,Task,State,Links,Error$/);
  assert.match(first, /Blue mug.*,1,VP\w+,completed,http/);

  // The file of a row's task has the name of the video.
  const { list: [{ taskNo }] } = await service.call(`/batches/${batchNo}/rows?state=made`);
  await page.at(`/tasks/${taskNo}`);
  const [video] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Download", exact: true }).click()]);
  assert.equal(video.suggestedFilename(), "June – Blue mug – 1.mp4");

  // Submitted rows are no longer stored.
  await page.at("/templates");
  await page.locator(".template-row").first().waitFor();
  assert.equal(await page.getByText("unsent").count(), 0);
  await close(page);
});

test("unsent rows survive a reload and a page change, and undo restores an emptied table", async () => {
  const number = await template("Kept rows");
  const page = await open(browser, service);
  await page.at(`/templates/${number}/fill`);
  await paste(cell(page, 1, "product"), "One\t1\nTwo\t2\n");
  await cell(page, 2, "price").fill("2.50");
  await page.reload();
  await page.getByText("Your unsent rows have been restored").waitFor();
  assert.equal(await cell(page, 2, "price").inputValue(), "2.50");
  await cell(page, 1, "price").fill("1.50");
  // Immediately after the change.
  await page.getByRole("link", { name: "Batches and templates" }).click();
  await page.at("/templates");
  await page.locator(".template-row", { hasText: "Kept rows" }).getByText("2 unsent rows").waitFor();
  await page.locator(".template-row", { hasText: "Kept rows" }).getByRole("link", { name: /Fill with a table/ }).click();
  assert.equal(await cell(page, 1, "price").inputValue(), "1.50");
  await page.getByRole("button", { name: "Empty the table" }).click();
  assert.equal(await cell(page, 1, "product").inputValue(), "");
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await cell(page, 2, "product").inputValue(), "Two");
  await close(page);
});

test("a CSV in GB18030 is imported, files are matched by name, and signing out deletes the table", async () => {
  const number = await template("文件", [{ name: "产品", type: "text" }, { name: "clip", type: "url" }], service.key, request("{{clip}}", "{{产品}}"));
  const page = await open(browser, service);
  await page.at(`/templates/${number}/fill`);
  const table = join(folder, "table.csv");
  // "产品,clip\n蓝色,bigbuckbunny.mp4\n"; the library does not have that file.
  writeFileSync(table, Buffer.concat([Buffer.from([0xb2, 0xfa, 0xc6, 0xb7]), Buffer.from(",clip\n"), Buffer.from([0xc0, 0xb6, 0xc9, 0xab]), Buffer.from(",BIGBUCKBUNNY.MP4\n")]));
  await page.getByLabel("Open a table").setInputFiles(table);
  await page.getByText("1 cell needs attention").waitFor();
  assert.equal(await cell(page, 1, "产品").inputValue(), "蓝色");
  await page.getByLabel("Add files").setInputFiles([sample("city.mp4"), sample("bigbuckbunny.mp4")]);
  // One file is named by the cell, the other one fills a new row.
  await page.waitForFunction(() => document.querySelectorAll(".sheet-file").length === 2);
  assert.deepEqual(await page.locator(".sheet-file").evaluateAll((cells) => cells.map((one) => one.value)), ["bigbuckbunny.mp4", "city.mp4"]);
  await cell(page, 2, "产品").fill("兔子");
  await page.getByRole("button", { name: "Submit 2 rows" }).waitFor();
  await page.getByRole("button", { name: /Settings|Preferences/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign out and delete" }).click();
  await page.getByLabel("API key").waitFor();
  assert.equal(await page.evaluate(() => /table\./.test(Object.keys({ ...localStorage, ...sessionStorage }).join())), false);
  await close(page);
});

/** Drops files on the page. */
const drop = (locator, files) => locator.evaluate((element, dropped) => {
  const data = new DataTransfer();
  for (const { name, type, bytes } of dropped) data.items.add(new File([new Uint8Array(bytes)], name, { type }));
  element.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}, files.map(({ name, type = "", bytes = Buffer.from("") }) => ({ name, type, bytes: [...bytes] })));

test("an unreadable workbook of any name is rejected with an explanation, and CSV and TSV are imported", async () => {
  const number = await template("Workbooks");
  const page = await open(browser, service);
  await page.at(`/templates/${number}/fill`);
  await cell(page, 1, "clip").waitFor();
  const archive = join(folder, "products.zip");
  execFileSync("python3", ["-c", "import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n for n in ('[Content_Types].xml','xl/workbook.xml'): z.writestr(n,'<x/>')", archive]);
  const before = (await service.call("/uploads")).total;
  await drop(page.locator(".fill-main"), [
    { name: "products.xlsx" }, { name: "prices.ods" }, { name: "june.numbers" }, { name: "renamed.csv", type: "text/csv", bytes: readFileSync(archive) },
    { name: "unnamed", bytes: readFileSync(archive) }, { name: "letter.pdf", bytes: Buffer.from("%PDF-1.7") }, { name: "city.mp4", type: "video/mp4", bytes: readFileSync(sample("city.mp4")) },
  ]);
  await page.getByText("These tables cannot be read: products.xlsx, prices.ods, june.numbers, renamed.csv, unnamed. Save them as an Excel workbook").waitFor();
  await page.getByText("can be used: letter.pdf").waitFor();
  await page.locator(".sheet-file").waitFor();
  assert.equal(await cell(page, 1, "clip").inputValue(), "city.mp4");
  assert.equal(await cell(page, 2, "clip").count(), 0, "the workbooks fill no cells");
  assert.equal((await service.call("/uploads")).total, before, "only the file that was there already is uploaded");

  // With the button for tables and with the button for media.
  for (const label of ["Open a table", "Add files"]) {
    await page.getByLabel(label).setInputFiles({ name: `${label}.xls`, mimeType: "application/vnd.ms-excel", buffer: Buffer.from("x") });
    await page.getByText(`These tables cannot be read: ${label}.xls`).waitFor();
  }
  await page.getByLabel("Open a table").setInputFiles({ name: "a.csv", mimeType: "application/vnd.ms-excel", buffer: Buffer.from("product,price\nBlue mug,9.90\n") });
  await page.waitForFunction(() => document.querySelector("[data-cell='1-0']")?.value === "Blue mug");
  await page.getByLabel("Open a table").setInputFiles({ name: "b.tsv", mimeType: "", buffer: Buffer.from("product\tprice\nRed mug\t12\n") });
  await page.waitForFunction(() => document.querySelector("[data-cell='2-0']")?.value === "Red mug");
  await close(page);
});

test("a cell that names a library file gets its url, other names are explained, and files are chosen from the library", async () => {
  const user = JSON.parse(service.command("user", "add", "namer", "--points", "1000", "--json"));
  const upload = (name, body) => service.call(`/uploads?fileName=${name}`, { method: "POST", body, key: user.apiKey });
  await upload("Mug.mp4", readFileSync(sample("city.mp4")));
  for (const words of ["One", "Two"]) await upload("twin.srt", Buffer.from(`1\n00:00:00,000 --> 00:00:01,000\n${words}\n`));
  const number = await template("Named files", VARIABLES, user.apiKey);
  const page = await open(browser, service, { key: user.apiKey });
  await page.at(`/templates/${number}/fill`);
  const isFile = (row) => page.waitForFunction((id) => document.querySelector(`[data-cell='${id}']`)?.classList.contains("sheet-file"), `${row - 1}-2`);
  await paste(cell(page, 1, "product"), "product\tclip\nA\tMUG.MP4\nB\tmug\nC\ttwin.srt\nD\tnothing.mp4\n");
  await page.getByText("2 cells need attention").waitFor();
  for (const row of [1, 2]) {
    await isFile(row);
    assert.equal(await cell(page, row, "clip").inputValue(), "Mug.mp4");
    assert.equal(await cell(page, row, "clip").getAttribute("aria-invalid"), "false");
  }
  const wrong = page.getByTestId("cell-errors").locator("li");
  await wrong.filter({ hasText: "2 files in your library are named “twin.srt”" }).waitFor();
  await wrong.filter({ hasText: "No file in your library is named “nothing.mp4”" }).waitFor();

  // A complete name is replaced while it is typed; a name without extension may be incomplete.
  await cell(page, 4, "clip").fill("mug.MP4");
  await isFile(4);
  await page.getByText("1 cell needs attention").waitFor();
  await cell(page, 3, "clip").fill("mug");
  await wrong.first().waitFor({ state: "detached" });
  await cell(page, 3, "product").focus();
  await isFile(3);
  await page.getByRole("button", { name: "Submit 4 rows" }).waitFor();

  // Further files fill the empty cells below.
  await cell(page, 3, "clip").press("Backspace");
  await page.getByRole("button", { name: "Row 3, clip: choose from the library" }).click();
  await page.getByRole("button", { name: "Choose Mug.mp4" }).click();
  await page.getByRole("button", { name: "Choose twin.srt" }).first().click();
  await page.getByRole("button", { name: "Use 2 files" }).click();
  await page.waitForFunction(() => document.querySelector("[data-cell='4-2']")?.value === "twin.srt");
  assert.equal(await cell(page, 4, "clip").inputValue(), "Mug.mp4", "a cell that is filled is kept");
  assert.equal(await cell(page, 3, "clip").inputValue(), "Mug.mp4");
  await close(page);
});

test("a thousand rows render only the visible ones, and are priced together", async () => {
  const number = await template("Thousand");
  const page = await open(browser, service);
  await page.at(`/templates/${number}/fill`);
  const lines = Array.from({ length: 1001 }, (_, n) => `Product ${n + 1}\t${n}\t${n === 998 ? "nowhere" : clip}`);
  await paste(cell(page, 1, "product"), lines.join("\n"));
  await page.getByText("A batch can have at most 1,000 rows").waitFor();
  await page.getByText("1 cell needs attention").waitFor();
  assert.ok(await page.locator(".sheet tbody tr").count() < 60, "only those in view are in the page");
  await page.getByTestId("cell-errors").getByRole("button", { name: "Row 999, clip" }).click();
  await cell(page, 999, "clip").waitFor();
  await cell(page, 999, "clip").fill(clip);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label") === "Row 1,000, clip");
  await page.getByRole("button", { name: "Submit 1,000 rows" }).waitFor();
  await page.locator("dd", { hasText: "1,000" }).first().waitFor();
  await close(page);
});

test("with too few points the user chooses the rows, and a batch is paused, resumed and cancelled", async () => {
  const poor = JSON.parse(service.command("user", "add", "poor", "--points", "2", "--json"));
  const theirs = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")), key: poor.apiKey })).url;
  const number = await template("Poor", [VARIABLES[0]], poor.apiKey, request(theirs, "{{product}}"));
  service.command("queue", "pause");
  const page = await open(browser, service, { key: poor.apiKey });
  await page.at(`/templates/${number}/fill`);
  await paste(cell(page, 1, "product"), "product\nA\nB\nC\nD\nE\n");
  await page.getByText(/You need \d+ more points? for all rows. Ask the operator/).waitFor();
  assert.ok(await page.getByRole("button", { name: /^Submit/ }).isDisabled());
  // By key: a late price may move the place of a click. The page may draw the earlier choice once more before the new one.
  await page.getByLabel("As many rows as your points cover").press(" ");
  await page.getByRole("button", { name: "Submit the rows that your points cover" }).click();
  await page.waitForURL(/\/batches\/BP/);
  await page.getByText(/not submitted because your points do not cover/).first().waitFor();
  const points = await open(browser, service, { key: poor.apiKey });
  await points.at("/points");
  const held = (n) => points.locator(".card", { hasText: "Held" }).locator("dd", { hasText: new RegExp(`^${n}$`) }).waitFor();
  await held(2);
  await page.getByRole("button", { name: "Pause", exact: true }).click();
  await page.locator(".page-head .badge", { hasText: "Paused" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause", exact: true }).waitFor();
  await page.getByRole("button", { name: "Cancel the batch" }).click();
  await page.locator("dialog").getByRole("button", { name: "Keep it" }).click();
  // The response describes the batch before its last task was cancelled, but arrives after the event of the batch's end.
  await page.route("**/batches/*/cancel", async (route) => {
    const before = await service.call(`/batches/${/BP\w+/.exec(route.request().url())[0]}`, { key: poor.apiKey });
    const answer = await route.fetch();
    await page.locator(".page-head .badge.off", { hasText: "Cancelled" }).waitFor();
    await route.fulfill({ response: answer, json: { ...await answer.json(), data: before } });
  });
  const late = page.waitForResponse((answer) => answer.url().endsWith("/cancel"));
  await page.getByRole("button", { name: "Cancel the batch" }).click();
  await page.locator("dialog").getByRole("button", { name: "Cancel the batch" }).click();
  assert.equal((await (await late).json()).data.status, 2);
  await page.locator("dialog").waitFor({ state: "detached" });
  await page.locator(".page-head .badge.off", { hasText: "Cancelled" }).waitFor();
  assert.equal((await service.call("/video-process/balance", { key: poor.apiKey })).balance, 2, "all points came back");
  // Other pages update without a reload.
  await held(0);
  await points.locator(".side-balance", { hasText: /^2 / }).waitFor();
  await close(points);
  service.command("queue", "resume");
  await close(page);
});

test("a submission whose response is lost is not repeated, and the page waits for an unavailable service", async () => {
  const number = await template("Lost answer");
  const page = await open(browser, service);
  await page.at(`/templates/${number}/fill`);
  await paste(cell(page, 1, "product"), `Once\t1\t${clip}\nTwice\t2\t${clip}`);
  await price(page).waitFor();
  const before = (await service.call("/batches")).total;
  // No task ends before the service stops.
  service.command("queue", "pause");
  await page.route("**/open-api/v1/batches", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Submit 2 rows" }).click();
  await page.getByText("did not confirm the submission").waitFor();
  await page.unroute("**/open-api/v1/batches");
  await page.getByRole("button", { name: "Submit 2 rows" }).click();
  await page.waitForURL(/\/batches\/BP/);
  assert.equal((await service.call("/batches")).total, before + 1);
  await page.getByTestId("batch-facts").waitFor();
  await service.kill();
  await page.getByText("Connection lost").waitFor();
  await service.run();
  service.command("queue", "resume");
  await page.locator(".page-head .badge.good").waitFor();
  await close(page);
});

test("a template has versions, opens as a task, and is deleted permanently", async () => {
  const number = await template("Versions");
  const page = await open(browser, service);
  await page.at(`/templates/${number}`);
  await page.getByRole("button", { name: "Open as a task" }).click();
  await page.waitForURL(/\/new\/baseVideoMix/);
  await page.getByRole("button", { name: "Save as template" }).click();
  const dialog = page.locator("dialog[open]");
  await dialog.locator("select").first().waitFor();
  await page.waitForFunction((no) => document.querySelector("dialog[open] select")?.value === no, number);
  await dialog.getByLabel("Name of the template").fill("Second version");
  await dialog.getByRole("button", { name: /^Save with/ }).click();
  await page.waitForURL(/\/fill/);
  await page.at(`/templates/${number}`);
  await page.getByRole("heading", { name: "Second version" }).waitFor();
  const variables = (await service.call(`/templates/${number}`)).variables.map((one) => one.name);
  assert.deepEqual(variables.sort(), ["clip", "price", "product"]);
  await page.getByLabel("Version").selectOption("1");
  await page.getByRole("button", { name: "Restore this version" }).click();
  await page.locator(".page-head").getByText("Version 3").waitFor();
  // The name belongs to the template, not to a version.
  await page.getByRole("heading", { name: "Second version" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
  await page.waitForURL(/\/templates$/);
  await page.locator(".template-row, .empty").first().waitFor();
  assert.equal(await page.locator(".template-row", { hasText: "Second version" }).count(), 0);
  await close(page);
});

test("a batch is one row among the tasks, on every page of them, and leads to its page", async () => {
  const user = JSON.parse(service.command("user", "add", "folded", "--points", "1000", "--json"));
  const call = (path, options) => service.call(path, { key: user.apiKey, ...options });
  const number = await template("Folded", [{ name: "product", type: "text" }], user.apiKey, request("http://127.0.0.1:9/x.mp4", "{{product}}"));
  // All of them fail immediately, because no server listens there.
  const single = { ...request("http://127.0.0.1:9/x.mp4", "alone"), name: "Alone" };
  for (let n = 1; n <= 19; n += 1) await call("/video-process/submit", { method: "POST", body: { ...single, name: `Alone ${n}` } });
  const rows = Array.from({ length: 12 }, (_, row) => ({ product: `Mug ${row + 1}` }));
  const { batchNo } = await call("/batches", { method: "POST", body: { clientBatchId: "twelve", name: "Twelve mugs", template: number, rows } });
  await call("/video-process/submit", { method: "POST", body: { ...single, name: "Alone 20" } });
  await batchEnded(batchNo, user.apiKey);
  const page = await open(browser, service, { key: user.apiKey });
  await page.at("/tasks");
  const list = page.locator(".task-row");
  const titles = () => list.locator(".task-type strong").allInnerTexts();
  await list.nth(19).waitFor();
  // Twenty entries, of which the batch is the second.
  assert.deepEqual([await list.count(), (await titles()).slice(0, 3)], [20, ["Alone 20", "Twelve mugs", "Alone 19"]]);
  const folded = list.filter({ hasText: "Twelve mugs" });
  assert.match(await folded.innerText(), /Batch · 12 of 12 rows[\s\S]*0 of 12 videos · 12 videos failed/);
  assert.equal(await folded.getByRole("checkbox").count(), 0);
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForFunction(() => document.querySelectorAll(".task-row").length === 1);
  assert.deepEqual(await titles(), ["Alone 1"]);
  // Searching finds tasks.
  await page.at("/tasks?q=twelve");
  await list.nth(11).waitFor();
  assert.equal(await page.getByRole("link", { name: /Twelve mugs/ }).count(), 0);
  await page.at("/tasks");
  await page.getByRole("link", { name: /Twelve mugs/ }).click();
  await page.waitForURL(new RegExp(`/batches/${batchNo}$`));
  await page.getByRole("heading", { name: "Twelve mugs" }).waitFor();
  await close(page);
});

test("the page of a batch shows its videos, runs a failed row again, and shares all of them", async () => {
  const number = await template("Pictures");
  const dead = `http://127.0.0.1:${server.address().port}/x.mp4`;
  const rows = [{ product: "Blue mug", clip }, { product: "Red mug", clip: dead }, { product: "Green mug", clip }];
  const { batchNo } = await service.call("/batches", { method: "POST", body: { clientBatchId: "pictures", name: "Pictures", template: number, rows } });
  await batchEnded(batchNo);
  const page = await open(browser, service);
  await page.at(`/batches/${batchNo}`);
  await page.getByTestId("batch-facts").getByText("2 / 3").waitFor();
  const image = (row) => page.getByRole("link", { name: `Video 1 of row ${row}` });
  for (const row of [1, 3]) assert.ok(await image(row).locator("img").evaluate((cover) => cover.decode().then(() => cover.naturalWidth)) > 100);
  assert.equal(await image(2).count(), 0);

  // The row fails again, then succeeds, because its file is back. The batch is open until then.
  const again = page.getByRole("button", { name: "Run again: row 2" });
  const row = page.locator(".table tbody tr").nth(1);
  const facts = page.getByTestId("batch-facts");
  const ended = async () => (await service.call(`/batches/${batchNo}`)).status !== 2;
  await row.locator(".badge.warn").waitFor();
  const taskOf = async () => (await service.call(`/batches/${batchNo}/rows`)).list[1].taskNo;
  const first = await taskOf();
  await again.click();
  await page.getByRole("link", { name: "Open the task of row 2" }).and(page.locator(`:not([href$="${first}"])`)).waitFor();
  await row.getByText(/404/).waitFor();
  await again.waitFor();
  await facts.getByText("2 / 3").waitFor();
  assert.notEqual(await taskOf(), first);
  isThere = true;
  await again.click();
  await row.locator(".badge.good").waitFor();
  await image(2).locator("img").waitFor();
  await facts.getByText("3 / 3").waitFor();
  assert.equal(await facts.getByText("Failed").count(), 0);
  assert.ok(await ended());
  assert.equal(await page.getByRole("button", { name: /Run again|failed rows/ }).count(), 0);
  assert.equal(await row.getByText(/404/).count(), 0);
  // Also after a reload.
  await page.reload();
  await image(2).locator("img").waitFor();
  await row.locator(".badge.good").waitFor();

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.locator("dialog[open]");
  await dialog.getByText("3 videos of 3 tasks").waitFor();
  await dialog.getByRole("button", { name: "Create link" }).click();
  const address = await dialog.locator(".shares a").getAttribute("href");
  const shared = await (await fetch(address)).text();
  assert.equal((shared.match(/<video/g) ?? []).length, 3, shared.slice(0, 400));
  await page.keyboard.press("Escape");
  await image(2).click();
  await page.waitForURL(/\/tasks\/VP\w+\?video=1/);
  await close(page);
});

test("all pages of templates and batches are accessible, in both languages and at both widths", async () => {
  const number = await template("Seen <b>here</b>");
  const body = { clientBatchId: "seen", name: "Seen <b>here</b>", template: number, rows: [{ product: "Blue mug", clip }, { product: "Red mug", clip: "http://127.0.0.1:9/x.mp4" }] };
  const { batchNo } = await service.call("/batches", { method: "POST", body });
  await batchEnded(batchNo);
  const problems = [];
  for (const locale of ["en-GB", "zh-CN"]) {
    const schemes = locale === "zh-CN" && !process.env.LOOK ? ["light"] : undefined;
    const page = await open(browser, service, { locale });
    const look = async (name) => problems.push(...await checkPage(page, `${name}-${locale}`, schemes));
    await page.at("/batches");
    await page.locator(".task-row").first().waitFor();
    await look("batches");
    await page.at("/templates");
    await page.locator(".template-row").first().waitFor();
    await look("templates");
    await page.at(`/batches/${batchNo}`);
    await page.locator(".table tbody tr").nth(1).waitFor();
    await look("batch");
    const save = page.getByRole("button", { name: locale === "zh-CN" ? "结果表（CSV）" : "Results as CSV" });
    const [csv] = await Promise.all([page.waitForEvent("download"), save.click()]);
    const headers = { "en-GB": "Row,Task,State,Links,Error", "zh-CN": "行号,任务,状态,链接,错误" };
    assert.equal(readFileSync(await csv.path(), "utf8").split("\n")[0], `\uFEFFproduct,clip,${headers[locale]}`);
    await page.at(`/templates/${number}`);
    await page.locator(".table tbody tr").nth(1).waitFor();
    await look("template");
    await page.at(`/templates/${number}/fill`);
    const product = page.locator("[data-cell='0-0']");
    await product.waitFor();
    await paste(product, `Blue mug\t9.90\t${clip}\nA product with a name far too long\t12\tn/a\nGreen mug\t\t${clip}`);
    await page.getByTestId("cell-errors").locator("li").nth(1).waitFor();
    await product.focus();
    await page.locator(".row-stage img").waitFor();
    await look("fill");
    await page.at("/new/baseVideoMix");
    await page.evaluate((draft) => sessionStorage.setItem("clipmill.draft.baseVideoMix", JSON.stringify(draft)),
      { ...request(clip, "Blue mug"), params: { ...request(clip, "Blue mug").params, videoList: [{ _id: "g", videos: [{ _id: "c", url: clip, duration: 7.6 }], totalDuration: 1 }] } });
    await page.reload();
    await page.getByRole("button", { name: locale === "zh-CN" ? "保存为模板" : "Save as template" }).click();
    const dialog = page.locator("dialog[open]");
    await dialog.getByRole("checkbox").first().check();
    await dialog.getByRole("checkbox", { name: /Blue mug/ }).check();
    await look("save");
    await close(page);
  }
  assert.deepEqual(problems, []);
});
