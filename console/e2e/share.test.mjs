// Sharing videos: the dialog, the page behind the link, and the feedback of its viewers.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { checkPage } from "./axe.mjs";
import { close, launch, open, sample, Service } from "./harness.mjs";

let service;
let browser;
let task;

before(async () => {
  [service, browser] = await Promise.all([Service.start(), launch()]);
  const { url } = await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) });
  const params = { seed: 4, videoList: [{ filename: url, duration: 7.6, from: 1, to: 3, copies: 3 }], options: { preset: "draft" } };
  task = (await service.call("/video-process/submit", { method: "POST", body: { taskType: "videoDeduplication", params } })).taskNo;
  while ((await service.call(`/video-process/status/${task}`)).status < 3) await new Promise((next) => setTimeout(next, 200));
});
after(async () => {
  await browser?.close();
  await service?.stop();
});

const share = (body) => service.call(`/share/${task}`, { method: "POST", body });
const feedback = ({ shareId }) => service.call(`/share/${task}/${shareId}/feedback`);
const visit = async (url, options = {}) => {
  const page = await open(browser, service, { key: null, ...options });
  await page.goto(url);
  return page;
};
const card = (page, item) => page.locator(`.videos > li[data-item="${item}"]`);
const said = (page, text) => page.locator("[role=status]", { hasText: text }).waitFor();

test("a shared page has texts, and viewers pick videos and comment without a key", async () => {
  const owner = await open(browser, service);
  await owner.at(`/tasks/${task}`);
  await owner.locator(".page-actions").getByRole("button", { name: "Share" }).click();
  await owner.getByLabel("Title (optional)").fill("Mugs <b>spring</b>");
  await owner.getByLabel("Message (optional)").fill("Dear Li,\nplease pick two.");
  await owner.getByRole("switch", { name: "Let viewers pick videos and comment" }).check();
  await owner.getByRole("button", { name: "Create link" }).click();
  await owner.getByText("No picks or comments yet.").waitFor();
  // The form is ready for the next link.
  assert.deepEqual([await owner.getByLabel("Title (optional)").inputValue(), await owner.getByLabel("Message (optional)").inputValue()], ["", ""]);
  assert.equal(await owner.getByRole("switch", { name: "Let viewers pick videos and comment" }).isChecked(), false);
  const link = owner.locator(".shares a");
  const url = await link.getAttribute("href");

  const li = await visit(url);
  await li.getByRole("heading", { name: "Mugs <b>spring</b>" }).waitFor();
  assert.equal(await li.locator(".message").innerText(), "Dear Li,\nplease pick two.");
  await li.getByRole("button", { name: "Pick: Video 2" }).click();
  await said(li, "Video 2 picked");
  await li.getByText("1 picked", { exact: true }).waitFor();
  assert.equal(await li.getByRole("button", { name: "Picked: Video 2" }).innerText(), "Picked");
  assert.equal(await li.getByRole("button", { name: "Pick: Video 1" }).innerText(), "Pick");
  await card(li, 3).getByText("Comments", { exact: true }).click();
  const form = li.getByRole("form", { name: "Comment on Video 3" });
  await form.getByLabel("Comment", { exact: true }).fill("<img src=x onerror=alert(1)>\nShorter, please");
  await form.getByLabel("Your name (optional)").fill("Li Na");
  await form.getByRole("button", { name: "Send" }).click();
  await said(li, "Comment sent.");
  await card(li, 3).getByText("Comments (1)").waitFor();
  // The name is kept for the next comment.
  const general = li.getByRole("form", { name: "Comments on all videos" });
  assert.equal(await general.getByLabel("Your name (optional)").inputValue(), "Li Na");
  await general.getByLabel("Comment", { exact: true }).fill("All good");
  await general.getByRole("button", { name: "Send" }).click();
  await li.locator("section .comments li", { hasText: "All good" }).waitFor();
  const [file] = await Promise.all([li.waitForEvent("download"), li.getByRole("link", { name: "Download all (3)" }).click()]);
  assert.equal(file.suggestedFilename(), "Mugs -b-spring--b-.zip");

  // Another viewer sees the same picks and comments, and removes a pick by keyboard.
  const bo = await visit(url, { locale: "zh-CN" });
  const heart = bo.getByRole("button", { name: /：视频 2$/ });
  await bo.locator("li.picked").waitFor();
  assert.equal(await heart.innerText(), "已选");
  await heart.focus();
  // The page shows a pick before it is saved.
  const saved = () => bo.waitForResponse((response) => response.url().endsWith("/picks") && response.ok());
  await Promise.all([saved(), bo.keyboard.press("Enter")]);
  await said(bo, "已取消选择视频 2");
  await Promise.all([saved(), bo.getByRole("button", { name: "选这个：视频 1" }).press("Space")]);
  await said(bo, "已选视频 1");
  const comment = card(bo, 3).locator(".comments li");
  assert.equal(await comment.locator("p").evaluate((text) => text.textContent), "<img src=x onerror=alert(1)>\nShorter, please");
  assert.equal(await bo.locator("img, b").count(), 0);

  // The owner sees both, chooses the picked video, and deletes a comment.
  await owner.getByRole("button", { name: "Refresh" }).click();
  await owner.getByText("1 video picked:").waitFor();
  await owner.getByRole("button", { name: "Choose these videos" }).click();
  await owner.locator(".share-comments li", { hasText: "Li Na · Video 3" }).getByText("Shorter, please").waitFor();
  await owner.locator(".share-comments li", { hasText: "All videos" }).getByRole("button", { name: "Delete the comment of Li Na" }).click();
  await owner.getByText("1 comment", { exact: true }).waitFor();
  await owner.getByRole("button", { name: "Revoke" }).click();
  const sure = owner.getByRole("dialog", { name: "Revoke this link?" });
  await sure.getByText("1 pick and 1 comment").waitFor();
  assert.deepEqual(await checkPage(owner, "share-revoke"), []);
  await sure.getByRole("button", { name: "Cancel" }).click();
  await link.waitFor();
  await owner.getByRole("button", { name: "Revoke", exact: true }).click();
  await sure.getByRole("button", { name: "Revoke the link" }).click();
  await link.waitFor({ state: "detached" });
  await owner.keyboard.press("Escape");
  await owner.locator(".marked-bar").getByText("1 video chosen").waitFor();
  await close(owner);

  await li.getByRole("button", { name: "Pick: Video 3" }).click();
  await said(li, "This page is no longer shared");
  assert.equal(await li.getByRole("button", { name: "Pick: Video 3" }).getAttribute("aria-pressed"), "false");
  await li.reload();
  await li.getByRole("heading", { name: "Not shared any more" }).waitFor();
  await Promise.all([li, bo].map(close));
});

test("a page without feedback has no script, and one works without JavaScript", async () => {
  const { url } = await share({ title: "Only to watch" });
  const page = await visit(url);
  await page.getByRole("heading", { name: "Only to watch" }).waitFor();
  assert.equal(await page.locator("script, button, form").count(), 0);
  await page.locator("video").first().evaluate(async (video) => { video.muted = true; await video.play(); });
  await page.waitForFunction(() => document.querySelector("video").currentTime > 0.2);
  await close(page);
  const made = await share({ feedback: true });
  const plain = await visit(made.url, { javaScriptEnabled: false });
  await plain.getByRole("link", { name: "Download: Video 1" }).waitFor();
  await plain.context().close();
  assert.deepEqual(await feedback(made), { picks: [], comments: [] });
});

test("too many changes are explained and undone", async () => {
  const { url } = await share({ feedback: true });
  const page = await visit(url);
  const heart = page.getByRole("button", { name: "Pick: Video 1" });
  await heart.waitFor();
  await page.route("**/picks", (route) => route.fulfill({ status: 429, json: { code: 42907, msg: "", data: { seconds: 3 } } }));
  await heart.click();
  await said(page, "Try again in 3 s.");
  assert.equal(await heart.getAttribute("aria-pressed"), "false");
  await page.unroute("**/picks");
  await page.route("**/comments", (route) => route.abort());
  const form = page.getByRole("form", { name: "Comments on all videos" });
  await form.getByLabel("Comment", { exact: true }).fill("Kept");
  await form.getByRole("button", { name: "Send" }).click();
  await said(page, "Not saved.");
  assert.equal(await form.getByLabel("Comment", { exact: true }).inputValue(), "Kept");
  await close(page);
});

test("the shared page and the dialog are accessible in both languages", async () => {
  const made = await share({ title: "Spring mugs 春季马克杯", message: "Dear Li Na,\nplease pick the two that you like best.", feedback: true });
  const path = new URL(made.url).pathname;
  const post = (what, body) => fetch(`${service.base}${path}/${what}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  await post("picks", { item: "2", picked: true });
  await post("comments", { item: "2", name: "Li Na", text: "This one, with a shorter ending.\n结尾短一点。" });
  await post("comments", { text: "Lovely colours! ".repeat(12) });
  const problems = [];
  for (const locale of ["en-GB", "zh-CN"]) {
    const page = await visit(made.url, { locale });
    await page.locator("li.picked").waitFor();
    await card(page, 2).locator("summary").click();
    problems.push(...await checkPage(page, `share-${locale}`));
    // Targets for fingers.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const target of await page.locator("button:visible, a:visible, summary:visible, input:visible, textarea:visible").all()) {
      const { height, width } = await target.boundingBox();
      if (height < 44 || width < 44) problems.push(`${locale}: ${await target.innerText()} is ${width} x ${height}`);
    }
    await close(page);
    const owner = await open(browser, service, { locale });
    await owner.at(`/tasks/${task}`);
    await owner.locator(".page-actions .button", { hasText: /Share|分享/ }).click();
    await owner.locator(".share-comments li").first().waitFor();
    problems.push(...await checkPage(owner, `share-dialog-${locale}`));
    await close(owner);
  }
  assert.deepEqual(problems, []);
});
