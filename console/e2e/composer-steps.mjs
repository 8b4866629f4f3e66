// Steps that the composer's tests share.

import { readFileSync } from "node:fs";
import { sample, unfold } from "./harness.mjs";

export const files = (page, names) => page.locator(".board input[type=file]").first().setInputFiles(names.map(sample));
export const uploaded = (page, count) => page.waitForFunction((wanted) => (
  document.querySelectorAll(".clip .clip-length").length === wanted && document.querySelectorAll(".clip .veil").length === 0), count);
export const section = (page, name) => page.locator("details.section > summary", { hasText: name }).click();
export const requestOf = async (page) => {
  await unfold(page);
  await page.getByRole("button", { name: "Request as JSON and curl" }).click();
  const text = await page.locator("dialog pre").innerText();
  await page.keyboard.press("Escape");
  return JSON.parse(text);
};

/** Creates the files in the page, so that hundreds cost nothing. */
export const drop = (page, target, count, type = "video/mp4") => page.evaluate(([at, many, kind]) => {
  const transfer = new DataTransfer();
  for (let n = 0; n < many; n += 1) transfer.items.add(new File([`not a film ${n}`], `film-${n}.${kind === "video/mp4" ? "mp4" : "txt"}`, { type: kind }));
  document.querySelector(at).dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: transfer }));
}, [target, count, type]);

export const uploadCity = async (service) => (
  (await service.call("/uploads?fileName=city.mp4", { method: "POST", body: readFileSync(sample("city.mp4")) })).url);
