// The operations pages, and their effects on the users' pages.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { close, launch, open, paste, sample, Service } from "./harness.mjs";

let service;
let browser;
let admin;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  admin = service.adminKey();
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

function addUser(name, points) {
  return JSON.parse(service.command("user", "add", name, "--points", String(points), "--json"));
}

async function task(key, url) {
  const body = { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url }] }] } };
  return (await service.call("/video-process/submit", { method: "POST", body, key })).taskNo;
}

async function ended(key, taskNo) {
  for (;;) {
    const status = await service.call(`/video-process/status/${taskNo}`, { key });
    if (status.status >= 3) return status;
    await new Promise((next) => setTimeout(next, 300));
  }
}

const uploaded = async (key, name) =>
  (await service.call(`/uploads?fileName=${name}`, { method: "POST", body: readFileSync(sample(name)), key })).url;

const code = (path, key) => fetch(`${service.base}/open-api/v1${path}`, { headers: { "X-API-Key": key } }).then((response) => response.json()).then((body) => body.code);
const row = (page, name) => page.locator(".table tbody tr", { hasText: name });

test("a key is issued, shown once, and revoked permanently", async () => {
  addUser("keya", 10);
  const page = await open(browser, service, { key: admin });
  await page.at("/operate/users");
  await row(page, "keya").getByRole("button", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Issue a key" }).click();
  await page.getByRole("checkbox", { name: /Submit/ }).uncheck();
  await page.getByLabel("Expires").selectOption("90");
  await page.getByRole("button", { name: "Issue a key" }).click();
  const key = await page.locator(".key-values .code").innerText();
  assert.match(key, /^cm_live_\w{36}$/);
  assert.equal(await code("/video-process/balance", key), 0);
  await page.locator(".dialog-actions").getByRole("button", { name: "Close" }).click();
  const line = page.locator("dialog tbody tr", { hasText: key.slice(0, 12) });
  await line.getByText(/Valid until/).waitFor();
  assert.equal(await page.locator("dialog").getByText(key).count(), 0, "it is not shown again");
  await line.getByRole("button", { name: /Revoke/ }).click();
  await page.getByRole("button", { name: "Revoke permanently" }).click();
  await page.locator("dialog tbody tr", { hasText: "Revoked" }).waitFor();
  assert.equal(await code("/video-process/balance", key), 40101);
  await close(page);
});

test("a user who is switched off sees the reason on every page, and loses nothing after being switched on", async () => {
  const user = addUser("offa", 100);
  const page = await open(browser, service, { key: admin });
  const theirs = await open(browser, service, { key: user.apiKey });
  await theirs.at("/points");
  await theirs.locator(".card.main").waitFor();
  await page.at("/operate/users");
  await row(page, "offa").getByRole("button", { name: "Switch off" }).click();
  const go = page.locator("dialog").getByRole("button", { name: "Switch off" });
  assert.ok(await go.isDisabled(), "a reason is asked for");
  await page.getByLabel("Message to the user").fill("invoice 17 <b>is</b> unpaid");
  await go.click();
  await row(page, "offa").getByText("invoice 17 <b>is</b> unpaid").waitFor();
  await theirs.at("/tasks");
  await theirs.getByText(/invoice 17 <b>is<\/b> unpaid/).first().waitFor();
  // Signing in shows the same reason and does not accept the key.
  const stranger = await open(browser, service, { key: null });
  await stranger.at("/");
  await stranger.getByLabel("API key").fill(user.apiKey);
  await stranger.getByRole("button", { name: "Sign in" }).click();
  await stranger.locator(".field-error", { hasText: "invoice 17" }).waitFor();
  await close(stranger);
  await row(page, "offa").getByRole("button", { name: "Switch on" }).click();
  await row(page, "offa").getByText("On", { exact: true }).waitFor();
  await theirs.at("/points");
  await theirs.locator(".card.main", { hasText: "100" }).waitFor();
  assert.equal(await theirs.getByText("invoice 17").count(), 0);
  await close(theirs);
  await close(page);
});

test("points are deducted with a reason, and never more than are available", async () => {
  const user = addUser("pointa", 100);
  const page = await open(browser, service, { key: admin });
  await page.at("/operate/users");
  await row(page, "pointa").getByRole("button", { name: "Points" }).click();
  await page.getByRole("button", { name: "Deduct" }).first().click();
  await page.getByLabel("Reason").fill("paid back");
  await page.getByLabel("Points", { exact: true }).fill("101");
  const take = page.locator(".dialog-actions").getByRole("button", { name: "Deduct" });
  assert.ok(await take.isDisabled());
  await page.getByText("At most 100").waitFor();
  await page.getByLabel("Points", { exact: true }).fill("40");
  await take.click();
  await row(page, "pointa").getByText("60", { exact: true }).waitFor();
  const { list } = await service.call("/video-process/records?type=adjust", { key: user.apiKey });
  assert.deepEqual(list.map(({ dotCount, remark }) => [dotCount, remark]), [[-40, "paid back"]]);
  await close(page);
});

test("pausing asks first, and informs waiting users until the queue is resumed", async () => {
  const user = addUser("waita", 1000);
  const url = await uploaded(user.apiKey, "city.mp4");
  const page = await open(browser, service, { key: admin });
  const theirs = await open(browser, service, { key: user.apiKey });
  await page.at("/operate/queue");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.keyboard.press("Escape");
  assert.equal((await service.call("/admin/queue", { key: admin })).paused, false, "asking is not doing");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByLabel("Message to waiting users").fill("a new disk until noon");
  await page.getByRole("button", { name: "Pause the queue" }).click();
  await page.locator(".notice.warn", { hasText: "a new disk until noon" }).waitFor();
  await theirs.at("/tasks");
  await theirs.locator(".empty").waitFor();
  assert.equal(await theirs.getByText("a new disk").count(), 0, "a user without tasks sees no notice");
  const taskNo = await task(user.apiKey, url);
  await theirs.at(`/tasks/${taskNo}`);
  await theirs.locator(".notice.warn", { hasText: "Message from the operator: a new disk until noon" }).waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await ended(user.apiKey, taskNo);
  await theirs.at("/tasks");
  await theirs.locator(".task-row .badge.good").waitFor();
  assert.equal(await theirs.getByText("a new disk").count(), 0);
  await close(theirs);
  await close(page);
});

test("failures are counted by cause, usage is summed up, and the pages are accessible", async () => {
  const user = addUser("costa", 1000);
  const url = await uploaded(user.apiKey, "city.mp4");
  await ended(user.apiKey, await task(user.apiKey, url));
  for (let n = 0; n < 2; n += 1) await ended(user.apiKey, await task(user.apiKey, `http://127.0.0.1:9/${n}.mp4`));
  const problems = [];
  for (const locale of ["en-GB", "zh-CN"]) {
    const page = await open(browser, service, { key: admin, locale });
    const chinese = locale === "zh-CN";
    const schemes = chinese && !process.env.LOOK ? ["light"] : undefined;
    await page.at("/operate/failures");
    const cause = page.locator(".causes button", { hasText: "URL_BLOCKED" });
    await cause.getByText("2", { exact: true }).waitFor();
    await cause.click();
    await page.locator(".table tbody tr", { hasText: "URL_BLOCKED" }).first().waitFor();
    problems.push(...await checkPage(page, `failures-${locale}`, schemes));
    await page.at("/operate/usage");
    await row(page, "costa").waitFor();
    const cells = await row(page, "costa").locator("td").allInnerTexts();
    assert.ok(Number(cells[1]) > 0 && cells[3] === "1" && /B$/.test(cells[5]), cells.join(" | "));
    problems.push(...await checkPage(page, `usage-${locale}`, schemes));
    await page.at("/operate/users");
    await row(page, "costa").waitFor();
    problems.push(...await checkPage(page, `users-${locale}`, schemes));
    for (const [button, name] of [[chinese ? "点数" : "Points", "points"], [chinese ? "密钥" : "Keys", "keys"], [chinese ? "停用" : "Switch off", "off"]]) {
      await row(page, "costa").getByRole("button", { name: button, exact: true }).click();
      await page.locator("dialog[open]").waitFor();
      problems.push(...await checkPage(page, `users-${name}-${locale}`, schemes));
      await page.keyboard.press("Escape");
    }
    await page.at("/operate/queue");
    await page.getByRole("button", { name: chinese ? "暂停" : "Pause" }).click();
    problems.push(...await checkPage(page, `queue-pause-${locale}`, schemes));
    await close(page);
  }
  assert.deepEqual(problems, []);
});

for (const [locale, words] of Object.entries({
  "en-GB": { points: "Points", give: "Grant", take: "Deduct", required: "Required", keys: "Keys", scopes: "Read, Submit", cause: "The link points to a blocked address" },
  "zh-CN": { points: "点数", give: "发放", take: "扣除", required: "必填", keys: "密钥", scopes: "读取, 提交", cause: "链接指向不允许访问的地址" },
})) {
  test(`failures can be found and opened, forms mark required fields and suggest no points, scopes and codes are translated, in ${locale}`, async () => {
    const name = `failing-${locale.toLowerCase()}`;
    const user = addUser(name, 100);
    const taskNo = await task(user.apiKey, "http://127.0.0.1:9/1.mp4");
    await ended(user.apiKey, taskNo);
    const page = await open(browser, service, { key: admin, locale });
    await page.at("/operate/users");
    await row(page, name).getByRole("button", { name: words.points, exact: true }).click();
    const points = page.locator("#form-points");
    assert.equal(await points.inputValue(), "");
    const go = page.locator(".dialog-actions button").nth(1);
    assert.ok(await go.isDisabled(), "no points");
    await points.fill("5");
    await page.locator(".dialog-actions button:enabled", { hasText: words.give }).waitFor();
    assert.equal(await page.locator("#form-remark").getAttribute("aria-required"), "false");
    await page.locator(".segments button", { hasText: words.take }).click();
    await page.locator(".field", { has: page.locator("#form-remark") }).getByText(words.required).waitFor();
    await page.keyboard.press("Escape");
    await row(page, name).getByRole("button", { name: words.keys, exact: true }).click();
    await page.locator("dialog tbody").getByText(words.scopes).first().waitFor();

    await page.at("/operate/failures");
    await page.locator(".panel-head input[type=search]").fill(taskNo.slice(-12).toLowerCase());
    const taskRow = page.locator(".table tbody tr", { hasText: taskNo });
    await taskRow.getByText(words.cause).waitFor();
    await page.waitForFunction(() => document.querySelectorAll(".table tbody tr").length === 1);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await taskRow.getByRole("button", { name: taskNo }).click();
    await page.waitForFunction((copied) => navigator.clipboard.readText().then((text) => text === copied), taskNo);
    await taskRow.getByRole("link", { name: taskNo }).click();
    await page.waitForURL(new RegExp(`/operate/tasks/${taskNo}$`));
    await page.locator(".page-head", { hasText: name }).waitFor();
    await page.locator(".table tbody tr").getByText(words.cause).waitFor();
    assert.deepEqual(await checkPage(page, `user-task-${locale}`, ["light"]), []);
    await page.at("/operate/tasks/VP00000000000000000000000000");
    await page.locator(".empty").waitFor();
    await close(page);
  });
}

test("a key without the scope admin makes no calls that are rejected", async () => {
  const page = await open(browser, service);
  let refused = 0;
  page.on("response", (response) => { if (response.status() === 403) refused += 1; });
  for (const path of ["/points", "/operate", "/tasks"]) {
    const balance = page.waitForResponse(/\/balance\b/);
    await page.at(path);
    await balance;
  }
  await page.at("/operate");
  await page.getByText("This key does not have the admin scope").waitFor();
  assert.equal(refused, 0);
  await close(page);
});

test("a draft that costs more than the available points cannot be submitted, until points are granted", async () => {
  const user = addUser("shorta", 1);
  const url = await uploaded(user.apiKey, "city.mp4");
  const page = await open(browser, service, { key: user.apiKey });
  await page.at("/new/baseVideoMix");
  await paste(page, { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url, duration: 7.6 }], totalDuration: 3 }] } });
  const notice = page.locator(".notice.warn", { hasText: "You need 2 more points. Ask the operator" });
  await notice.waitFor();
  assert.ok(await page.locator(".submit").isDisabled());
  await service.call("/admin/grants", { method: "POST", key: admin, body: { userId: user.userId, points: 2, remark: "" } });
  await notice.getByRole("button", { name: "Refresh" }).click();
  await page.locator(".submit:enabled").waitFor();
  await close(page);
});
