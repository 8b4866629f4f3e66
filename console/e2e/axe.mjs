// Reports serious accessibility violations, found by axe.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPO } from "./harness.mjs";

const AXE = readFileSync(join(REPO, "console/node_modules/axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

export async function seriousViolations(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((rules) => globalThis.axe.run(document, { resultTypes: ["violations"], runOnly: rules }), RULES);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 4).map((node) => `${node.target.join(" ")} (${node.any[0]?.message ?? node.all[0]?.message ?? ""})`).join("; ")}`);
}

/** Waits until animations of colours and dialogs have ended. */
export const waitForAnimations = async (page) => {
  await page.waitForFunction(() => document.querySelectorAll(".skeleton, .spinner, .veil").length === 0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined)));
  });
};

/**
 * Checks the current page at both widths, light and dark, and returns its problems. With LOOK, it saves screenshots in
 * that folder.
 */
export async function checkPage(page, name, schemes = ["light", "dark"]) {
  const problems = [];
  for (const [size, viewport] of Object.entries({ desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 844 } })) {
    await page.setViewportSize(viewport);
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await waitForAnimations(page);
      problems.push(...(await seriousViolations(page)).map((what) => `${name}, ${size}, ${colorScheme}: ${what}`));
      if (process.env.LOOK) await page.screenshot({ path: join(process.env.LOOK, `${name}-${size}-${colorScheme}.png`) });
    }
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (over > 0) problems.push(`${name}, ${size}: wider than the window by ${over} px`);
  }
  await page.setViewportSize({ width: 1360, height: 900 });
  return problems;
}
