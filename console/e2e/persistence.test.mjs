// Unfinished work survives a revoked key, a closed tab and failures of the network and the service.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { close, launch, open, paste, sample, Service } from "./harness.mjs";

let service;
let browser;
let upload;
before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  upload = (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url;
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

async function signIn(page, key, { stay = false } = {}) {
  await page.getByLabel("API key").fill(key);
  if (stay) await page.getByLabel("Stay signed in on this device").check();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel("API key").waitFor({ state: "detached" });
}

async function draft(page) {
  await page.at("/new/baseVideoMix");
  const videoList = [3, 3.5, 4].map((totalDuration) => ({ videos: [{ url: upload, duration: 7.6 }], totalDuration }));
  await paste(page, { taskType: "baseVideoMix", params: { videoList } });
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
}

const choose = async (page) => {
  await page.locator("input[type=file]").first().setInputFiles(sample("bigbuckbunny.mp4"));
  await page.locator(".clip").waitFor();
};

test("a revoked key does not delete drafts", async () => {
  const key = /cm_live_\w+/.exec(service.command("key", "issue", "first"))[0];
  const page = await open(browser, service, { key: null });
  await page.at("/new");
  await signIn(page, key);
  await draft(page);
  const list = JSON.parse(service.command("key", "list", "first", "--json"));
  service.command("key", "revoke", String(list.find((entry) => key.startsWith(entry.prefix)).keyId));
  // Another call may end the session before this one.
  const ended = page.getByText("your drafts are still here");
  await Promise.race([page.getByRole("radio", { name: "Fill and crop" }).check(), ended.waitFor()]);
  await ended.waitFor();
  await signIn(page, service.key);
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await close(page);
});

test("a user who stays signed in finds key and draft in a new tab, until signing out in any tab", async () => {
  const first = await open(browser, service, { key: null });
  await first.at("/new");
  await signIn(first, service.key, { stay: true });
  await draft(first);
  const second = await first.context().newPage();
  await second.goto(`${service.base}/console/new/baseVideoMix`);
  await second.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await second.getByText("Draft saved").waitFor();
  await second.getByRole("button", { name: "Preferences" }).click();
  await second.getByRole("button", { name: "Sign out" }).click();
  await first.getByLabel("API key").waitFor();
  assert.equal(await first.evaluate(() => /cm_live|draft/.test(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]))), false);
  await close(first);
});

test("a draft that cannot be saved is not lost silently: the home page mentions it, and closing the tab and signing out ask first", async () => {
  const page = await open(browser, service);
  await page.at("/new/baseVideoMix");
  await page.locator(".strip.is-empty").waitFor();
  await page.route(/\/open-api\/v1\/drafts/, (route) => route.abort());
  await draft(page);
  await page.getByText("This draft is only in this browser").waitFor();
  // Without "Stay signed in", closing the tab deletes the draft, even on pages that have not loaded it.
  await page.at("/");
  await page.locator(".draft-card").getByText("Only in this browser").waitFor();
  await page.getByRole("link", { name: "Tasks", exact: true }).click();
  await page.getByRole("button", { name: "Refresh" }).click();
  const asked = page.waitForEvent("dialog");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), "beforeunload");
  await question.dismiss();

  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.locator("dialog").getByText("Drafts that are not saved in your account yet").waitFor();
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");
  await page.unroute(/\/open-api\/v1\/drafts/);
  await page.getByRole("navigation").getByRole("link", { name: "New task" }).click();
  // The home page saves what could not be saved before.
  await page.waitForFunction(() => document.querySelectorAll(".draft-card").length > 0 && document.querySelectorAll(".draft-card .badge").length === 0);
  await page.locator(".draft-link").first().click();
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await page.getByText("Draft saved").waitFor();
  // A saved draft needs no question.
  await page.getByRole("button", { name: "Preferences" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("API key").waitFor();
  await signIn(page, service.key);
  await page.at("/");
  await page.locator(".draft-link").first().click();
  await page.getByRole("button", { name: "Make 3 videos" }).waitFor();
  await close(page);
});

test("an upload resumes when the network is back, and after a reload", async () => {
  const page = await open(browser, service);
  await page.at("/new/videoDeduplication");
  const uploads = (url) => url.pathname.endsWith("/uploads");
  await page.route(uploads, (route) => route.abort());
  await choose(page);
  await page.getByText("No connection. The upload resumes automatically.").waitFor();
  await page.unroute(uploads);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();

  await page.getByRole("button", { name: "Start over" }).click();
  await page.locator("dialog").getByRole("button", { name: "Start over" }).click();
  await page.route(uploads, (route) => route.abort());
  await choose(page);
  await page.getByText("No connection. The upload resumes automatically.").waitFor();
  const asked = page.waitForEvent("dialog").then((dialog) => (dialog.accept(), dialog.type()));
  await Promise.all([page.reload(), asked]);
  assert.equal(await asked, "beforeunload");
  await page.unroute(uploads);
  await page.getByRole("button", { name: "Make 1 video" }).waitFor();
  await close(page);
});

test("a task that is opened while the service is unavailable appears later", async () => {
  const body = { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: upload, duration: 7.6 }], totalDuration: 1 }] } };
  await service.call("/video-process/submit", { method: "POST", body });
  const page = await open(browser, service);
  await page.at("/tasks?status=&type=baseVideoMix");
  await page.locator(".task-link").first().waitFor();
  await service.kill();
  await page.locator(".task-link").first().click();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await service.run();
  await page.locator(".page-head .badge").waitFor();
  await page.locator("a.back").click();
  await page.waitForURL(/type=baseVideoMix/);
  await close(page);
});

const templateOf = async () => (await service.call("/templates", { method: "POST", body: {
  name: "Kept", variables: [{ name: "clip", type: "url" }], request: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "{{clip}}" }] }] } },
} })).templateNo;
const firstCell = (page) => page.locator("[data-cell='0-0']");
const everything = (page) => page.evaluate(async () => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), (await indexedDB.databases()).map(({ name }) => name)]));

test("a table is deleted with its tab, unless the user stays signed in", async () => {
  const templateNo = await templateOf();
  const path = `/templates/${templateNo}/fill`;
  const page = await open(browser, service, { key: null });
  await page.at(path);
  await signIn(page, service.key);
  await firstCell(page).fill("https://example.org/secret.mp4");
  await page.reload();
  assert.equal(await firstCell(page).inputValue(), "https://example.org/secret.mp4");
  const asked = page.waitForEvent("dialog");
  await firstCell(page).fill("https://example.org/secret2.mp4");
  await page.close({ runBeforeUnload: true });
  const question = await asked;
  assert.equal(question.type(), "beforeunload");
  await question.accept();
  const second = await page.context().newPage();
  await second.goto(`${service.base}/console${path}`);
  await signIn(second, service.key, { stay: true });
  await firstCell(second).waitFor();
  assert.equal(await firstCell(second).inputValue(), "");
  assert.doesNotMatch(await everything(second), /secret|clipmill-tables/);

  // Stored for all tabs until the user signs out.
  await firstCell(second).fill("https://example.org/kept.mp4");
  const third = await page.context().newPage();
  await second.close();
  await third.goto(`${service.base}/console${path}`);
  await firstCell(third).waitFor();
  assert.equal(await firstCell(third).inputValue(), "https://example.org/kept.mp4");
  await third.getByRole("button", { name: "Preferences" }).click();
  await third.getByRole("button", { name: "Sign out" }).click();
  await third.getByRole("button", { name: "Sign out and delete" }).click();
  await third.getByLabel("API key").waitFor();
  assert.doesNotMatch(await everything(third), /kept\.mp4/);
  await close(page);
});
