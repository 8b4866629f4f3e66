// Invitations by link, and who is signed in.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { close, launch, open, Service } from "./harness.mjs";

let service;
let browser;
let admin;
let user;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  admin = service.adminKey();
  user = JSON.parse(service.command("user", "add", "Maria", "--points", "500", "--json"));
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const userId = async () => (await service.call("/admin/users?search=Maria", { key: admin })).list[0].userId;
/** The fragment of a new invitation. */
const invite = async () => new URL((await service.call("/admin/invitations", { method: "POST", key: admin, body: { userId: await userId(), hours: 1 } })).url).hash;
const listed = async () => (await service.call("/admin/invitations", { key: admin })).list;

for (const [locale, words] of [
  ["en-GB", { title: "You are invited", go: "Accept and sign in", signed: "Signed in as Maria", used: "This invitation cannot be used", back: "Sign in with an API key", key: "API key", stay: "Stay signed in on this device", once: "you need a new invitation" }],
  ["zh-CN", { title: "您收到了邀请", go: "接受并登录", signed: "当前用户：Maria", used: "此邀请无法使用", back: "使用 API 密钥登录", key: "API 密钥", stay: "在此设备上保持登录", once: "再次登录需要新的邀请" }],
]) {
  test(`an invitation signs in once, after a click, and its code leaves the address, in ${locale}`, async () => {
    const hash = await invite();
    const page = await open(browser, service, { key: null, locale });
    await page.at(hash);
    await page.getByRole("heading", { level: 1, name: words.title }).waitFor();
    assert.equal(page.url(), `${service.base}/console`);
    assert.deepEqual(await checkPage(page, `invitation-${locale}`), []);
    assert.ok(await page.getByRole("checkbox", { name: words.stay }).isChecked());
    await page.getByRole("checkbox", { name: words.stay }).uncheck();
    await page.getByText(words.once).waitFor();
    await page.getByRole("checkbox", { name: words.stay }).check();
    // Opening the link does not use it.
    assert.equal((await listed())[0].useTime, null);
    await page.getByRole("button", { name: words.go }).click();
    await page.locator(".goal-card").first().waitFor();
    await page.locator(`[title="${words.signed}"]`).waitFor();
    assert.notEqual((await listed())[0].useTime, null);
    assert.equal(await page.evaluate((code) => JSON.stringify([location.href, Object.entries(sessionStorage), Object.entries(localStorage)]).includes(code), hash.slice("#invitation=".length)), false);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator(".side-name", { hasText: "Maria" }).waitFor();
    assert.deepEqual(await checkPage(page, `signed-in-${locale}`, ["light"]), []);
    // A new tab is signed in too.
    await page.close();
    const tab = await page.context().newPage();
    await tab.goto(`${service.base}/console`);
    await tab.locator(".side-name", { hasText: "Maria" }).waitFor();
    await close(page);

    const second = await open(browser, service, { key: null, locale });
    await second.at(hash);
    await second.getByRole("button", { name: words.go }).click();
    await second.getByRole("heading", { level: 1, name: words.used }).waitFor();
    assert.deepEqual(await checkPage(second, `invitation-used-${locale}`), []);
    await second.getByRole("button", { name: words.back }).click();
    await second.getByLabel(words.key).waitFor();
    await close(second);
  });
}

test("an invitation that is opened by a signed-in user asks first, and replaces the session", async () => {
  const page = await open(browser, service);
  await page.at("/tasks");
  await page.locator(".side-name", { hasText: "first" }).waitFor();
  // A link that is pasted into an open tab only changes the fragment.
  const hash = await invite();
  await page.evaluate((fragment) => { location.hash = fragment; }, hash);
  await page.getByText(`You are signed in as first.`).waitFor();
  assert.equal(new URL(page.url()).hash, "");
  await page.getByRole("button", { name: "Do not accept" }).click();
  await page.getByRole("heading", { level: 1, name: "Tasks" }).waitFor();
  await page.evaluate((fragment) => { location.hash = fragment; }, hash);
  await page.getByRole("button", { name: "Accept and sign in" }).click();
  await page.locator(".side-name", { hasText: "Maria" }).waitFor();
  await page.locator(".side-balance", { hasText: "500 points" }).waitFor();
  await close(page);
});

test("a person who pastes a key sees the name of the user", async () => {
  const page = await open(browser, service, { key: user.apiKey });
  await page.at("/");
  await page.locator(".side-name", { hasText: "Maria" }).waitFor();
  await close(page);
});

test("an operator invites a person, copies the link once, and revokes invitations", async () => {
  const page = await open(browser, service, { key: admin });
  await page.at("/operate/users");
  const row = page.locator(".table tbody tr", { hasText: "Maria" });
  await row.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("The link expires").selectOption("72");
  await page.getByRole("checkbox", { name: /Submit/ }).uncheck();
  assert.deepEqual(await checkPage(page, "invite-dialog"), []);
  await page.getByRole("button", { name: "Create the link" }).click();
  const link = await page.locator("dialog .code").innerText();
  assert.match(link, /\/console#invitation=cm_inv_\w+$/);
  await page.getByRole("button", { name: "Copy" }).waitFor();
  assert.deepEqual(await checkPage(page, "invite-link"), []);
  await page.locator(".dialog-actions").getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Invitations" }).click();
  const first = page.locator(".table tbody tr").first();
  await first.getByText(/Valid until/).waitFor();
  assert.equal(await page.getByText("cm_inv_").count(), 0);
  assert.deepEqual((await listed())[0].scopes, ["read"]);
  assert.deepEqual(await checkPage(page, "operate-invitations"), []);
  await first.getByRole("button", { name: "Revoke the invitation of Maria" }).click();
  await page.locator("dialog").getByRole("button", { name: "Revoke" }).click();
  await first.getByText("Revoked").waitFor();
  await page.locator(".table tbody tr", { hasText: "Used" }).first().waitFor();

  const stranger = await open(browser, service, { key: null });
  await stranger.at(new URL(link).hash);
  await stranger.getByRole("button", { name: "Accept and sign in" }).click();
  await stranger.getByRole("heading", { name: "This invitation cannot be used" }).waitFor();
  await close(stranger);
  await close(page);
});
