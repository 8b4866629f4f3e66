// Drafts on the server: several of each type, on several devices, with conflicts and limits.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { requestOf, uploadCity } from "./composer-steps.mjs";
import { close, finished, launch, open, paste, sample, Service } from "./harness.mjs";

let service;
let browser;
let city;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  city = await uploadCity(service);
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

/** Another user, without drafts. */
function user(name) {
  const { apiKey } = JSON.parse(service.command("user", "add", name, "--points", "1000", "--json"));
  return apiKey;
}
const LINK = "https://media.example.com/a.mp4";
const mix = (name, seconds = 2, url = LINK) => ({ taskType: "baseVideoMix", name, params: { videoList: [{ videos: [{ url, duration: 7.6 }], totalDuration: seconds }], options: { preset: "draft" } } });
const saved = (page) => page.getByTestId("save-status").getByText("Draft saved").waitFor();
const cards = (page) => page.locator(".draft-card");
const card = (page, name) => page.locator(".draft-link", { hasText: name });
const draftsOf = (key) => service.call("/drafts?pageSize=100", { key });
const name = (page) => page.getByRole("textbox", { name: "Task name" });

/** Starts a draft from the home page. */
async function start(page, request) {
  await page.at("/");
  await page.getByRole("link", { name: "One video from my clips" }).click();
  await page.locator(".strip.is-empty").waitFor();
  await paste(page, request);
  await saved(page);
}

test("several drafts of a type are saved, and continue on another device with the same content", async () => {
  const key = user("several");
  const page = await open(browser, service, { key });
  await start(page, mix("Blue mug"));
  await start(page, mix("Red mug", 3));
  assert.equal((await draftsOf(key)).total, 2);
  const before = await requestOf(page);
  const other = await open(browser, service, { key });
  await other.at("/");
  await card(other, "Blue mug").waitFor();
  await card(other, "Red mug").click();
  await other.getByLabel("Trim to").waitFor();
  assert.deepEqual(await requestOf(other), before);
  await other.getByLabel("Trim to").fill("4");
  await saved(other);
  // A reload and a list show the change.
  await other.reload();
  assert.equal(await other.getByLabel("Trim to").inputValue(), "4");
  // The first device gets the newer version.
  await page.at("/");
  await card(page, "Red mug").click();
  await page.waitForFunction(() => document.querySelector("[id$=totalDuration]")?.value === "4");
  await page.at("/");
  await card(page, "Blue mug").click();
  await page.waitForFunction(() => document.querySelector("[id$=totalDuration]")?.value === "2");
  await close(other);
  await close(page);
});

for (const [locale, words] of [["en-GB", ["Keep both", "Use the other version"]], ["zh-CN", ["两个都保留", "使用另一个版本"]]]) {
  test(`a draft that was changed elsewhere is not overwritten: both or the other version, in ${locale}`, async () => {
    const key = user(`conflict-${locale}`);
    await service.call("/drafts", { method: "POST", key, body: { name: "Mug", taskType: "baseVideoMix", body: mix("Mug") } });
    const first = await open(browser, service, { key, locale });
    const second = await open(browser, service, { key, locale });
    for (const page of [first, second]) {
      await page.at("/");
      await card(page, "Mug").click();
      await page.locator(".names input").first().waitFor();
    }
    const status = (page) => page.getByTestId("save-status").getByText(locale === "en-GB" ? "Draft saved" : "草稿已保存");
    await first.locator(".names input").first().fill("Mug of the first");
    await status(first).waitFor();
    await second.locator(".names input").first().fill("Mug of the second");
    await second.getByRole("button", { name: words[0] }).waitFor();
    assert.deepEqual(await checkPage(second, `conflict-${locale}`), []);
    assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.name), ["Mug of the first"]);
    if (locale === "en-GB") {
      await second.getByRole("button", { name: words[0] }).click();
      await status(second).waitFor();
      assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.name), ["Mug of the second", "Mug of the first"]);
      // The other version opens, and deleting it keeps the own one.
      await second.at("/");
      await card(second, "Mug of the first").click();
      await second.waitForFunction(() => document.querySelector(".names input")?.value === "Mug of the first");
      await second.at("/");
      await second.getByRole("button", { name: "Delete the draft Mug of the first" }).click();
      await second.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
      await card(second, "Mug of the first").waitFor({ state: "detached" });
      assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.name), ["Mug of the second"]);
      await card(second, "Mug of the second").click();
      await second.waitForFunction(() => document.querySelector(".names input")?.value === "Mug of the second");
    } else {
      await second.getByRole("button", { name: words[1] }).click();
      await second.waitForFunction(() => document.querySelector(".names input").value === "Mug of the first");
      // The own version is an undo step away.
      await second.keyboard.press("Control+z");
      await second.waitForFunction(() => document.querySelector(".names input").value === "Mug of the second");
      await status(second).waitFor();
      assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.name), ["Mug of the second"]);
    }
    await close(first);
    await close(second);
  });
}

test("of two versions with the same name, the kept one gets a number", async () => {
  const key = user("same-name");
  await service.call("/drafts", { method: "POST", key, body: { name: "Cup", taskType: "baseVideoMix", body: mix("Cup") } });
  const first = await open(browser, service, { key });
  const second = await open(browser, service, { key });
  for (const page of [first, second]) {
    await page.at("/");
    await card(page, "Cup").click();
    await page.getByLabel("Trim to").waitFor();
  }
  await first.getByLabel("Trim to").fill("3");
  await saved(first);
  await second.getByLabel("Trim to").fill("4");
  await second.getByRole("button", { name: "Keep both" }).click();
  await saved(second);
  assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.name), ["Cup (2)", "Cup"]);
  await close(first);
  await close(second);
});

test("submitting removes the draft, and undo brings it back; it is gone on the other device", async () => {
  const page = await open(browser, service);
  await start(page, mix("Submitted", 1, city));
  const other = await open(browser, service);
  await other.at("/");
  await card(other, "Submitted").click();
  await other.getByLabel("Trim to").waitFor();
  await page.locator(".submit:enabled").click();
  await finished(page);
  await page.getByRole("navigation").getByRole("link", { name: "New task" }).click();
  await page.locator(".goal-card").first().waitFor();
  await page.waitForFunction(() => document.querySelectorAll(".draft-card").length === 0);
  await other.reload();
  await other.getByText("This draft was submitted or deleted on another device.").waitFor();
  await page.goBack();
  await page.goBack();
  await page.locator(".compose").waitFor();
  await page.getByRole("button", { name: "Undo (Ctrl+Z)" }).click();
  assert.equal(await name(page).inputValue(), "Submitted");
  await saved(page);
  await close(other);
  await close(page);
});

test("files that are still being uploaded are only in one browser, and the draft says so", async () => {
  const key = user("uploading");
  const page = await open(browser, service, { key });
  await page.at("/new/baseVideoMix");
  await paste(page, mix("Half"));
  await saved(page);
  const uploads = (url) => url.pathname.endsWith("/uploads");
  await page.route(uploads, (route) => route.abort());
  await page.locator(".board input[type=file]").first().setInputFiles(sample("bigbuckbunny.mp4"));
  await page.getByText("1 file is still being uploaded and only in this browser until then.").waitFor();
  await saved(page);
  const other = await open(browser, service, { key });
  await other.at("/");
  await card(other, "Half").click();
  await other.getByText("1 file is missing here").waitFor();
  assert.equal(await other.locator(".clip").count(), 1);
  await page.unroute(uploads);
  await page.waitForFunction(() => document.querySelectorAll(".clip").length === 2 && document.querySelectorAll(".clip .veil").length === 0);
  await saved(page);
  await other.reload();
  await other.locator(".clip").nth(1).waitFor();
  assert.equal(await other.getByText("is missing here").count(), 0);
  await close(other);
  await close(page);
});

test("without the scope submit, a draft stays in the browser, with the reason", async () => {
  const key = /cm_live_\w+/.exec(service.command("key", "issue", "first", "--scope", "read"))[0];
  const page = await open(browser, service, { key });
  await page.at("/new/baseVideoMix");
  await paste(page, mix("Unsaved"));
  await page.getByText("This draft is only in this browser").waitFor();
  await page.locator(".notice", { hasText: "Submit" }).first().waitFor();
  await page.reload();
  assert.equal(await name(page).inputValue(), "Unsaved");
  await page.at("/");
  await card(page, "Unsaved").waitFor();
  await close(page);
});

test("drafts of a disabled account are saved once it is enabled again", async () => {
  const key = user("disabled");
  const page = await open(browser, service, { key });
  await start(page, mix("Before"));
  service.command("user", "off", "disabled", "--reason", "Unpaid");
  await page.getByLabel("Trim to").fill("4");
  await page.getByText("This draft is only in this browser").waitFor();
  service.command("user", "on", "disabled");
  // The user returns to the tab.
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await saved(page);
  await close(page);
});

test("the 101st draft is kept in the browser until another one is deleted", async () => {
  const key = user("many");
  const add = (n) => service.call("/drafts", { method: "POST", key, body: { name: `Draft ${n}`, taskType: "baseVideoMix", body: mix(`Draft ${n}`) } });
  for (let n = 1; n <= 100; n += 1) {
    // The rate limit allows five calls per second.
    for (let done = false; !done;) done = await add(n).then(() => true, (error) => (/42900/.test(error.message) ? new Promise((next) => setTimeout(next, 1000)) : Promise.reject(error)));
  }
  const page = await open(browser, service, { key });
  await page.at("/new/baseVideoMix");
  await paste(page, mix("One more"));
  await page.getByText("You have 100 drafts, the maximum.").waitFor();
  await page.at("/");
  await page.getByText("You have 100 of at most 100 drafts.").waitFor();
  assert.equal(await cards(page).count(), 6);
  await page.getByRole("button", { name: "Show all 101 drafts" }).click();
  assert.equal(await cards(page).count(), 101);
  await page.getByRole("button", { name: "Delete the draft Draft 7", exact: true }).click();
  await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
  await card(page, /^Draft 7$/).waitFor({ state: "detached" });
  await card(page, "One more").click();
  await page.getByRole("button", { name: "Save again" }).or(page.getByTestId("save-status").getByText("Draft saved")).first().waitFor();
  if (await page.getByRole("button", { name: "Save again" }).count() > 0) await page.getByRole("button", { name: "Save again" }).click();
  await saved(page);
  assert.deepEqual(await checkPage(page, "draft-saved"), []);
  await page.at("/");
  await cards(page).first().waitFor();
  assert.deepEqual(await checkPage(page, "home-drafts"), []);
  await close(page);
});

test("an untouched draft of a goal is not saved", async () => {
  const key = user("untouched");
  const page = await open(browser, service, { key });
  await page.at("/new/vary");
  await page.getByLabel("How many?").waitFor();
  await page.at("/new/many");
  await page.getByLabel("How many?").waitFor();
  await page.reload();
  await page.getByLabel("How many?").fill("3");
  await saved(page);
  assert.deepEqual((await draftsOf(key)).list.map((draft) => draft.taskType), ["proVideoMix"]);
  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  await page.getByTestId("save-status").getByText("Draft saved").waitFor({ state: "detached" });
  await page.at("/");
  await page.locator(".goal-card").first().waitFor();
  assert.equal((await draftsOf(key)).total, 0);
  await close(page);
});
