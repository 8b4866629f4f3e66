import { expect, test } from "vitest";
import main from "../src/main.tsx?raw";

const SHEETS = import.meta.glob<string>("../src/styles/*.css", { eager: true, query: "?raw", import: "default" });
const nameOf = (path: string) => path.replace(/^.*\//, "");
const ALL = new Map(Object.entries(SHEETS).map(([path, text]) => [nameOf(path), text]));
/** Sheets that main.tsx imports; the others are loaded with a page and remain loaded. */
const FIRST = [...main.matchAll(/styles\/([\w-]+\.css)/g)].map(([, name]) => name);
/** Sheets of one page may share classes. */
const SAME_PAGE: Record<string, string> = { "composer.css": "compose.css", "play.css": "compose.css" };

/** The first class of every selector. */
function classesOf(name: string): Set<string> {
  const text = (ALL.get(name) ?? "").replace(/\/\*[^]*?\*\//g, "");
  const selectors = [...text.matchAll(/([^{}]+)\{/g)].flatMap(([, list = ""]) => (list.trim().startsWith("@") ? [] : list.split(",")));
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []));
}

test("a lazily loaded sheet does not change classes of another page", () => {
  const all = [...ALL.keys()];
  expect(classesOf("play.css")).toContain("timestrip");
  const shared = all.filter((name) => !FIRST.includes(name)).flatMap((name) => {
    const own = classesOf(name);
    const others = all.filter((other) => other !== name && SAME_PAGE[name] !== other);
    return others.flatMap((other) => [...classesOf(other)].filter((one) => own.has(one)).map((one) => `.${one}: ${name} and ${other}`));
  });
  expect(shared).toEqual([]);
});
