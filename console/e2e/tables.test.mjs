// Tables of templates: their links, their headings, and the rows of a batch that failed.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { close, launch, open, paste as openRequest, sample, Service } from "./harness.mjs";

let service;
let browser;
let clip;
let folder;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  clip = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
  folder = mkdtempSync(join(tmpdir(), "clipmill-tables-"));
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const request = {
  taskType: "baseVideoMix",
  params: { videoList: [{ videos: [{ url: "{{clip}}" }], totalDuration: 1 }], options: { resolution: "720:1280", overlays: [{ type: "text", text: "{{product}} {{price}}", place: "top" }] } },
};
const variables = [{ name: "product", type: "text", maxLength: 20 }, { name: "price", type: "text", default: "" }, { name: "clip", type: "url" }];
const template = async (name) => (await service.call("/templates", { method: "POST", body: { name, request, variables } })).templateNo;

const cell = (page, row, column) => page.getByLabel(`Row ${row}, ${column}`, { exact: true });
const dead = (n) => `http://127.0.0.1:9/${n}.mp4`;
const paste = (locator, text) => locator.evaluate((element, copied) => {
  element.focus();
  const data = new DataTransfer();
  data.setData("text/plain", copied);
  element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
}, text);

const batchEnded = async (batchNo) => {
  while ((await service.call(`/batches/${batchNo}`)).status < 3) await new Promise((next) => setTimeout(next, 400));
};

test("all links of a table are checked before it is submitted", async () => {
  const page = await open(browser, service);
  await page.at(`/templates/${await template("Links")}/fill`);
  await paste(cell(page, 1, "product"), `One\t1\t${clip}\nTwo\t2\t${dead(1)}\nThree\t3\t${dead(1)}\nFour\t4\t${dead(2)}\n`);
  const submit = page.locator(".submit");
  await page.getByRole("button", { name: "Submit 4 rows" }).waitFor();
  assert.ok(await submit.isEnabled());
  let probes = 0;
  await page.route("**/open-api/v1/probe", async (route) => {
    probes += 1;
    // The first call gets 429 and is repeated.
    if (probes === 1) return route.fulfill({ status: 429, headers: { "Retry-After": "1" }, json: { code: 42900, msg: "later", data: null } });
    await route.continue();
  });
  await page.getByRole("button", { name: "Check 3 links and files" }).click();
  await page.getByText("3 cells need attention").waitFor();
  await page.getByRole("button", { name: "Check 2 links and files" }).waitFor();
  assert.equal(probes, 4);
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map((row) => cell(page, row, "clip").getAttribute("aria-invalid"))), ["false", "true", "true", "true"]);
  assert.match(await cell(page, 4, "clip").getAttribute("title"), /port 9 is not allowed/);
  assert.ok(await submit.isDisabled());
  // The preview gives the reason.
  await cell(page, 2, "clip").focus();
  await page.locator(".row-stage").getByText(/Fix this row to preview it: .*port 9 is not allowed/).waitFor();

  await paste(cell(page, 2, "clip"), `${clip}\n${clip}\n${clip}`);
  await page.getByText("All 1 link or file can be used.").waitFor();
  await page.locator(".submit:enabled").waitFor();
  await page.unroute("**/open-api/v1/probe");

  // A check can be stopped; then no cell is marked.
  const held = [];
  await page.route("**/open-api/v1/probe", (route) => void held.push(route));
  await cell(page, 1, "clip").press("Delete");
  await cell(page, 1, "clip").fill(dead(3));
  await page.getByRole("button", { name: "Check 1 link or file" }).click();
  await page.getByText("Checked 0 of 1 link or file").waitFor();
  await page.getByRole("button", { name: "Stop checking" }).click();
  await page.getByRole("button", { name: "Check 1 link or file" }).waitFor();
  assert.equal(await cell(page, 1, "clip").getAttribute("aria-invalid"), "false");
  // For a row that was not checked, the preview shows the reason instead of the image.
  await page.locator(".row-stage").getByText(/port 9 is not allowed/).waitFor();
  assert.equal(await page.getByText("Fill in a row to preview it.").count(), 0);
  for (const route of held) await route.abort().catch(() => undefined);
  await close(page);
});

test("a misspelt file name is corrected with one click", async () => {
  const page = await open(browser, service);
  await page.at(`/templates/${await template("Misspelt")}/fill`);
  await paste(cell(page, 1, "product"), "One\t1\tciti.mp4\n");
  await page.getByTestId("cell-errors").getByText("No file in your library is named “citi.mp4”").waitFor();
  await page.getByRole("button", { name: "Use city.mp4" }).click();
  await page.locator(".submit:enabled").waitFor();
  assert.equal(await cell(page, 1, "clip").inputValue(), "city.mp4");
  await close(page);
});

test("errors use the headings of the columns, and the focus moves to the next wrong cell after a correction", async () => {
  const page = await open(browser, service);
  const labelled = variables.map((variable) => ({ ...variable, label: { product: "Product name", price: "Price", clip: "Product clip" }[variable.name] }));
  const { templateNo } = await service.call("/templates", { method: "POST", body: { name: "Labelled", request, variables: labelled } });
  await page.at(`/templates/${templateNo}/fill`);
  await page.getByRole("button", { name: "Submit", exact: true }).waitFor();
  await paste(cell(page, 1, "Product name"), "One\t1\tciti.mp4\nTwo\t2\tcitty.mp4\nThree\t3\tcity.mp4\n");
  const errors = page.getByTestId("cell-errors");
  await errors.getByRole("button", { name: "Row 1, Product clip" }).waitFor();
  assert.ok(await page.getByRole("button", { name: "Fix 2 cells first" }).isDisabled());
  await page.getByRole("button", { name: "Use city.mp4" }).first().click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("data-cell") === "1-2");
  await page.getByRole("button", { name: "Use city.mp4" }).first().click();
  await page.getByRole("button", { name: "Submit 3 rows" }).click();
  await page.waitForURL(/\/batches\/BP/);
  await page.getByRole("heading", { level: 1, name: "Labelled" }).waitFor();
  await page.at("/batches");
  await page.locator(".task-row", { hasText: "Labelled" }).waitFor();
  await close(page);
});

test("the failed rows of a batch fill the template again, as a new batch", async () => {
  const templateNo = await template("Failed rows");
  const rows = [{ product: "Good", clip }, { product: "Bad", price: "9", clip: dead(1) }, { product: "Worse", clip: dead(2) }];
  const { batchNo } = await service.call("/batches", { method: "POST", body: { clientBatchId: "failed-rows", name: "June", template: templateNo, rows } });
  await batchEnded(batchNo);
  const page = await open(browser, service);
  await page.at(`/batches/${batchNo}`);
  const button = page.getByRole("button", { name: "Fill the template with the failed rows" });
  await button.click();
  await page.waitForURL(/\/fill$/);
  await page.getByText("2 failed rows are in the table").waitFor();
  await cell(page, 2, "clip").waitFor();
  assert.deepEqual(await page.locator(".sheet tbody input").evaluateAll((inputs) => inputs.map((input) => input.value)), ["Bad", "9", dead(1), "Worse", "", dead(2)]);
  assert.equal(await page.getByText("Your unsent rows have been restored").count(), 0);
  // Replacing unsent rows requires confirmation.
  await cell(page, 1, "product").fill("Mine");
  await page.at(`/batches/${batchNo}`);
  await button.click();
  await page.locator("dialog[open]").getByRole("button", { name: "Cancel" }).click();
  await page.at(`/templates/${templateNo}/fill`);
  assert.equal(await cell(page, 1, "product").inputValue(), "Mine");
  await page.at(`/batches/${batchNo}`);
  await button.click();
  await page.locator("dialog[open]").getByRole("button", { name: "Delete and fill" }).click();
  await page.waitForURL(/\/fill$/);
  assert.equal(await cell(page, 1, "product").inputValue(), "Bad");
  await page.locator(".submit:enabled").click();
  await page.waitForURL((url) => /\/batches\/BP/.test(url.pathname) && !url.pathname.endsWith(batchNo));
  await close(page);
});

test("the page asks about headings that do not match, and results are imported with file names", async () => {
  const templateNo = await template("Headings");
  const page = await open(browser, service);
  await page.at(`/templates/${templateNo}/fill`);
  await cell(page, 1, "clip").waitFor();
  const table = join(folder, "table.csv");
  writeFileSync(table, "produkt;preis;clip\nMug;9;city.mp4\n");
  await page.getByLabel("Open a table").setInputFiles(table);
  const dialog = page.locator("dialog[open]");
  await dialog.getByText("Column produkt: the template has no such column; did you mean product?").waitFor();
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, "headings.png") });
  await dialog.getByRole("button", { name: "Add the rows below it" }).click();
  await page.locator(".submit:enabled").waitFor();
  const cells = () => page.locator(".sheet tbody input").evaluateAll((inputs) => inputs.map((input) => input.value));
  assert.deepEqual(await cells(), ["Mug", "9", "city.mp4"]);
  await page.locator(".submit").click();
  await page.waitForURL(/\/batches\/BP/);
  await batchEnded(/BP\w+/.exec(page.url())[0]);
  const [csv] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Results as CSV" }).click()]);
  const text = readFileSync(await csv.path(), "utf8");
  assert.match(text, /^\uFEFF[^\n]*\n[^\n]*city\.mp4/);
  assert.doesNotMatch(text, /upload:/);
  await page.at(`/templates/${templateNo}/fill`);
  await cell(page, 1, "clip").waitFor();
  writeFileSync(table, text);
  await page.getByLabel("Open a table").setInputFiles(table);
  await page.getByText("1 row was added.").waitFor();
  assert.equal(await page.getByText("no such columns").count(), 0);
  assert.deepEqual(await cells(), ["Mug", "9", "city.mp4"]);
  await close(page);
});

test("variables written into a text become columns with a type and a default", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  const overlay = { type: "text", text: "{{product}} only {{price}}", place: "top", style: { fontSize: 18 } };
  await openRequest(page, { taskType: "baseVideoMix", name: "{{product}}", params: { videoList: [{ videos: [{ url: clip, duration: 7.6 }], totalDuration: 1 }], options: { resolution: "720:1280", overlays: [overlay] } } });
  await page.getByRole("button", { name: "Save as template" }).click();
  const dialog = page.locator("dialog[open]");
  assert.equal(await dialog.getByLabel("Name of the template").inputValue(), "Join clips");
  const texts = dialog.locator("details", { hasText: "Texts" }).first();
  assert.match(await texts.locator("summary").innerText(), /Texts 2/);
  const line = (name) => texts.locator("li", { hasText: name }).filter({ has: page.locator(`strong:text-is("${name}")`) });
  await line("price").getByLabel("Type").selectOption("number");
  await line("price").getByLabel("When the cell is empty").selectOption("own");
  assert.ok(await dialog.getByRole("button", { name: "Save with 2 columns" }).isDisabled());
  await line("price").getByLabel("Value", { exact: true }).fill("5");
  await dialog.getByText("Numbers, colours and choices").click();
  assert.equal(await dialog.getByText("Clip 1", { exact: true }).count(), 0, "an overlay is not a clip");
  assert.ok(await dialog.getByText("Text 1", { exact: true }).count() > 0);
  if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, "save-written.png") });
  await dialog.getByRole("button", { name: "Save with 2 columns" }).click();
  await page.waitForURL(/\/templates\/TP\w+\/fill/);
  const made = await service.call(`/templates/${/TP\w+/.exec(page.url())[0]}`);
  assert.deepEqual(made.variables.map(({ name, type, default: value }) => [name, type, value ?? null]).sort(), [["price", "number", 5], ["product", "text", null]]);
  await close(page);
});

test("lists are cells with bars, or columns with numbers, and files of the library are added to them", async () => {
  const page = await open(browser, service);
  const slides = {
    name: "Slides", request: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "{{photo}}" }, { $if: "{{ending}}", url: "{{ending}}" }] }] } },
    variables: [{ name: "title", type: "text", default: "" }, { name: "photo", type: "urls", maxItems: 3 }, { name: "ending", type: "url", default: "" }],
  };
  const { templateNo } = await service.call("/templates", { method: "POST", body: slides });
  await page.at(`/templates/${templateNo}`);
  await page.getByText("List of files or links").waitFor();
  await page.getByText("at most 3 entries").waitFor();
  await page.at(`/templates/${templateNo}/fill`);
  await paste(cell(page, 1, "title"), `title\tphoto1\tphoto2\nOne\t${clip}\t\nTwo\t${clip}\tcity.mp4\nThree\t${clip}\tnot a file\n`);
  await page.getByText("1 cell needs attention").waitFor();
  assert.match(await cell(page, 3, "photo").getAttribute("title"), /not a file/);
  await cell(page, 2, "photo").focus();
  assert.equal(await cell(page, 2, "photo").inputValue(), `${clip}|${clip}`);
  await cell(page, 1, "photo").focus();
  assert.equal(await cell(page, 2, "photo").inputValue(), "city.mp4 | city.mp4");
  // What is typed replaces the whole cell, although the cell shows another text while it is edited.
  await cell(page, 3, "photo").fill(`${clip} | ${clip}|${clip} |${clip}`);
  await page.getByText("has 4 entries").first().waitFor();
  await cell(page, 3, "photo").fill(`${clip}||${clip}`);
  await page.getByText("entry 2: must not be empty").first().waitFor();
  await cell(page, 3, "photo").fill(`${clip} | ${clip}`);
  await page.locator(".submit:enabled").waitFor();
  await close(page);
});
