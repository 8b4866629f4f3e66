// A real service and a real browser for the console's tests.

import { spawn } from "node:child_process";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { chromium } from "playwright-core";

export const REPO = resolve(import.meta.dirname, "../..");
export const SAMPLES = join(REPO, "samples");
export const sample = (name) => join(SAMPLES, name);
const PROGRAM = process.env.CLIPMILL_PROGRAM ?? join(REPO, "target/debug/clipmill");
/** Timeout of a step on a busy machine. */
export const LONG = Number(process.env.LONG_MS ?? 120_000);

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

function freePort() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}

/** A service with its own data folder; it can be restarted at the same address. */
export class Service {
  static async start(settings = {}) {
    const service = new Service();
    service.settings = settings;
    service.data = mkdtempSync(join(tmpdir(), "clipmill-console-"));
    service.base = `http://127.0.0.1:${await freePort()}`;
    await service.run();
    return service;
  }

  async run() {
    const listen = new URL(this.base).host;
    this.process = spawn(PROGRAM, ["serve", "--data", this.data, "--listen", listen], { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...this.settings } });
    let said = "";
    await new Promise((done, fail) => {
      const hear = (chunk) => {
        said += chunk;
        if (said.includes("listens on")) done();
      };
      this.process.stdout.on("data", hear);
      this.process.stderr.on("data", hear);
      this.process.on("exit", () => fail(new Error(`the service ended: ${said}`)));
    });
    this.key ??= /cm_live_\S+/.exec(readFileSync(join(this.data, "first-key"), "utf8"))?.[0];
  }

  /** Simulates a machine failure. */
  async kill() {
    const ended = new Promise((done) => this.process.once("exit", done));
    this.process.kill("SIGKILL");
    await ended;
  }

  command(...args) {
    return execFileSync(PROGRAM, [...args, "--data", this.data], { encoding: "utf8" });
  }

  adminKey() {
    return /cm_live_\w+/.exec(this.command("key", "issue", "first", "--scope", "read,submit,admin"))[0];
  }

  async call(path, { method = "GET", body, headers = {}, key = this.key } = {}) {
    const json = body !== undefined && typeof body === "object" && !(body instanceof Uint8Array);
    const response = await fetch(`${this.base}/open-api/v1${path}`, {
      method, body: json ? JSON.stringify(body) : body,
      headers: { "X-API-Key": key, ...(json ? { "Content-Type": "application/json" } : {}), ...headers },
    });
    const { code, msg, data } = await response.json();
    if (code !== 0) throw new Error(`${path}: ${code} ${msg} ${JSON.stringify(data)}`);
    return data;
  }

  async stop() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

export const launch = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** Opens a page that fails the test on script errors, violations of its content security policy, or requests to other hosts. */
export async function open(browser, service, { key = service.key, ...options } = {}) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, locale: "en-GB", ...options });
  if (key !== null) {
    await context.addInitScript((value) => {
      if (sessionStorage.getItem("clipmill.key") === null) sessionStorage.setItem("clipmill.key", value);
    }, key);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(LONG);
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(`error: ${error.stack ?? error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, host } = new URL(request.url());
    if (protocol.startsWith("http") && host !== new URL(service.base).host) page.faults.push(`asked ${request.url()}`);
  });
  // A navigation that a question of the page stops is no longer waiting for its response.
  if (process.env.CONSOLE_DIST) await context.route((url) => url.pathname.startsWith("/console"), (route) => fromFolder(route, service).catch(() => undefined));
  page.at = (path) => page.goto(`${service.base}/console${path}`);
  return page;
}

/** With CONSOLE_DIST, pages are served from that folder under the service's policy, so that changes can be tested without a build of the service. */
async function fromFolder(route, service) {
  const path = new URL(route.request().url()).pathname.replace(/^\/console\/?/, "");
  if (path.startsWith("assets/")) return route.fulfill({ path: join(process.env.CONSOLE_DIST, "assets", basename(path)) });
  const policy = (await fetch(`${service.base}/console/`)).headers.get("content-security-policy") ?? "";
  const body = readFileSync(join(process.env.CONSOLE_DIST, "index.html"), "utf8").replaceAll("\"./assets/", "\"/console/assets/");
  return route.fulfill({ body, headers: { "content-security-policy": policy, "content-type": "text/html" } });
}

export async function close(page) {
  const { faults } = page;
  await page.context().close();
  if (faults.length > 0) throw new Error(`the page broke:\n${faults.join("\n")}`);
}

/** Opens the technical details of a new task. */
export async function unfold(page) {
  const fold = page.locator("details.engineers");
  await fold.waitFor();
  if (!(await fold.evaluate((element) => element.open))) await fold.locator("summary").click();
}

/** Opens a request as the draft. */
export async function paste(page, request) {
  await unfold(page);
  await page.getByRole("button", { name: "Open a request" }).click();
  await page.locator("#paste").fill(JSON.stringify(request));
  await page.locator("dialog").getByRole("button", { name: "Open", exact: true }).click();
}

/** Waits for the task's page to show a finished task, and returns its number. */
export async function finished(page) {
  await page.waitForURL(/\/tasks\/VP/);
  await page.locator(".page-head .badge.good").waitFor();
  return /VP\w+/.exec(page.url())[0];
}

/** Waits until the visible video plays: its time advances and frames are decoded. */
export async function plays(page) {
  const video = page.locator(".player video");
  await video.waitFor();
  return video.evaluate(async (element) => {
    element.muted = true;
    await element.play();
    const begin = performance.now();
    while (element.currentTime < 0.4 && performance.now() - begin < 60_000) await new Promise((next) => setTimeout(next, 50));
    return { time: element.currentTime, frames: element.getVideoPlaybackQuality().totalVideoFrames, width: element.videoWidth, height: element.videoHeight, duration: element.duration };
  });
}
