import { beforeAll, describe, expect, test } from "vitest";
import { ApiFailure } from "../src/lib/api";
import { decodeTable, intoColumns, overlay, parseCells, separatorOf, toCsv, toValues } from "../src/lib/spreadsheet";
import { freshName, isName, placesIn, variablesIn, withVariables, type Template } from "../src/lib/templates";
import { asked } from "../src/pages/operate/period";
import { isGood } from "../src/pages/operate/keys-dialog";
import { asTemplate, choose, chosenBefore, withDefaults, wrongs } from "../src/pages/templates/choosing";
import { register, t } from "../src/i18n";
import { batchWords } from "../src/i18n/batches";
import { operators } from "../src/i18n/operators";

beforeAll(() => { register(batchWords); register(operators); });

describe("tables", () => {
  const cases: [string, string, string[][]][] = [
    ["tabs as copied from a spreadsheet", "a\tb\r\n1\t2\r\n", [["a", "b"], ["1", "2"]]],
    ["quotes, separators and breaks in cells", 'a,b\n"x, ""y""","two\nlines"\n', [["a", "b"], ['x, "y"', "two\nlines"]]],
    ["semicolons", "a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]],
    ["a quote in the midst is a quote", 'a\n5" disk\n', [["a"], ['5" disk']]],
    ["no break at the end", "a\tb", [["a", "b"]]],
    ["empty cells at the end", "a\tb\t\n\t\t\n", [["a", "b", ""], ["", "", ""]]],
    ["nothing", "", []],
  ];
  test.each(cases)("%s", (_, text, expected) => expect(parseCells(text)).toEqual(expected));

  test("a single column of texts with commas, copied, is one column", () => {
    expect(separatorOf("a\tb, c, d")).toBe(",");
    expect(parseCells("Hello, world\nOne, two", "\t")).toEqual([["Hello, world"], ["One, two"]]);
  });

  test("a thousand rows are read at once", () => {
    const text = Array.from({ length: 1000 }, (_, n) => `product ${n}\t${n}`).join("\n");
    expect(parseCells(text).length).toBe(1000);
  });

  const bytes = (text: string, order: "le" | "be", mark: boolean) => {
    const units = [...(mark ? "\uFEFF" : "") + text].flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]);
    return new Uint8Array(order === "le" ? units : units.map((_, index) => units[index ^ 1] ?? 0));
  };
  test("files are read in every encoding that spreadsheets save", () => {
    const table = "product,价格\nMug,蓝\n";
    expect(decodeTable(new TextEncoder().encode(table))).toBe(table);
    for (const order of ["le", "be"] as const) {
      for (const mark of [true, false]) expect(decodeTable(bytes(table, order, mark)).replace("\uFEFF", "")).toBe(table);
    }
    // "产品" in GB18030.
    expect(decodeTable(new Uint8Array([0xb2, 0xfa, 0xc6, 0xb7]))).toBe("产品");
  });

  const columns = [{ name: "product", label: "Name of the product" }, { name: "price" }, { name: "clip" }];
  test("a first line of names puts cells into their columns, also by labels, and tells the unknown", () => {
    const { rows, unknown } = intoColumns([["Price", "colour", "NAME OF THE PRODUCT"], ["9.90", "blue", "Mug"], ["", "", ""]], columns);
    expect(rows).toEqual([["Mug", "9.90", ""]]);
    expect(unknown).toEqual(["colour"]);
  });
  test("without names, cells stand in the order of the columns", () => {
    expect(intoColumns([["Mug", "9.90"], ["Cup", "5", "x", "too many"]], columns).rows).toEqual([["Mug", "9.90", ""], ["Cup", "5", "x"]]);
  });
  test("a value that happens to be a column's name is no first line", () => {
    expect(intoColumns([["Mug", "price", "b.mp4"]], columns).rows).toEqual([["Mug", "price", "b.mp4"]]);
  });
  test("what is pasted lies over the table from a cell on, and no further than may be", () => {
    expect(overlay([["a", "b"]], { row: 0, column: 1 }, [["1", "out"], ["2"]], 2, 9)).toEqual([["a", "1"], ["", "2"]]);
    expect(overlay([["a", "b"]], { row: 1, column: 0 }, [["1"], ["2"], ["3"]], 2, 3)).toEqual([["a", "b"], ["1", ""], ["2", ""]]);
  });
  test("empty cells are left to the defaults, empty rows out, and their places are known", () => {
    expect(toValues([["Mug", "", ""], ["", " ", ""], ["Cup", "5", ""]], columns)).toEqual({ rows: [{ product: "Mug" }, { product: "Cup", price: "5" }], places: [0, 2] });
  });
  test("a saved table is read back", () => {
    const rows = [["Mug, \"blue\"", "two\nlines", "x"]];
    const again = parseCells(toCsv(columns, rows).replace("\uFEFF", ""));
    expect(intoColumns(again, columns).rows).toEqual(rows);
  });
});

const schema = {
  properties: { params: { properties: {
    videoList: { items: { properties: { videos: { items: { properties: { url: { type: "string" }, duration: { type: "number", minimum: 0, maximum: 600 } } } } } } },
    options: { properties: { resolution: { enum: ["720:1280", "1280:720"] }, overlays: { items: { properties: { text: { type: "string", maxLength: 500 } } } } } },
  } } },
};
const request = {
  taskType: "baseVideoMix", clientTaskId: "mine", params: {
    seed: 7, videoList: [{ videos: [{ url: "upload://a", duration: 5 }, { url: "upload://b", duration: 3 }] }],
    options: { resolution: "720:1280", overlays: [{ type: "text", text: "Only today" }, { type: "text", text: "{{product}}\n{{price}}" }] },
  },
};
const places = () => placesIn(request, schema, () => "");
const at = (pointer: string) => places().find((place) => place.pointer === pointer);

describe("templates", () => {
  test("links come first, each place says what kind it is and how far it goes, and what holds variables is none", () => {
    expect(places().map((place) => [place.pointer, place.suggested.type]).slice(0, 2)).toEqual([
      ["/params/videoList/0/videos/0/url", "url"], ["/params/videoList/0/videos/1/url", "url"]]);
    expect(at("/params/options/resolution")?.suggested).toEqual({ type: "choice", choices: ["720:1280", "1280:720"] });
    expect(at("/params/videoList/0/videos/0/duration")?.suggested).toEqual({ type: "number", minimum: 0, maximum: 600 });
    expect(at("/params/options/overlays/0/text")?.suggested).toEqual({ type: "text", maxLength: 500 });
    expect(at("/params/options/overlays/1/text")).toBeUndefined();
    expect([at("/params/seed"), at("/clientTaskId"), at("/taskType")]).toEqual([undefined, undefined, undefined]);
    expect(variablesIn(request)).toEqual(["product", "price"]);
  });

  test("a file that varies loses the length of the one before, others keep theirs", () => {
    const made = withVariables(request, new Map([["/params/videoList/0/videos/0/url", "clip"]]));
    const { videos } = (made.params as { videoList: { videos: unknown[] }[] }).videoList[0] ?? { videos: [] };
    expect(videos).toEqual([{ url: "{{clip}}" }, { url: "upload://b", duration: 3 }]);
    expect(made.clientTaskId).toBeUndefined();
    expect(request.params.videoList[0]?.videos[0]?.url, "the task itself stays").toBe("upload://a");
  });

  test("what is sent declares every variable once, with its limits and default", () => {
    const [clip, length] = [at("/params/videoList/0/videos/0/url"), at("/params/videoList/0/videos/0/duration")];
    if (!clip || !length) throw new Error("no such places");
    const choices = new Map([
      [clip.pointer, { name: "clip", type: "url" as const, fallback: null }],
      ["/params/videoList/0/videos/1/url", { name: "clip", type: "url" as const, fallback: null }],
      [length.pointer, choose(length, new Map(), [])],
    ]);
    const body = asTemplate("Mugs", request, choices, places(), new Map([["product", null], ["price", ""]]), null);
    expect(body.variables.map(({ name, type }) => [name, type])).toEqual([["clip", "url"], [choices.get(length.pointer)?.name, "number"], ["product", "text"], ["price", "text"]]);
    expect(body.variables[1]).toMatchObject({ minimum: 0, maximum: 600, default: 5 });
    expect(body.variables[3]).toEqual({ name: "price", type: "text", default: "" });
    expect((body.request.params as { videoList: { videos: { duration: unknown }[] }[] }).videoList[0]?.videos[0]?.duration).toMatch(/^\{\{/);
  });

  test("the next version begins with the variables of the one before", () => {
    const template = {
      templateNo: "TP1", name: "Mugs", version: 3, createTime: "", updateTime: "",
      request: { ...request, params: { ...request.params, videoList: [{ videos: [{ url: "{{clip}}" }, { url: "upload://b" }] }] } },
      variables: [{ name: "clip", type: "url" as const, default: "upload://a" }, { name: "price", type: "text" as const, default: "9.90", maxLength: 12 }],
    } satisfies Template;
    expect([...chosenBefore(template, places())]).toEqual([["/params/videoList/0/videos/0/url", { name: "clip", type: "url", fallback: "upload://a" }]]);
    const filled = withDefaults(template) as typeof request;
    expect(filled.params.videoList[0]?.videos[0]?.url).toBe("upload://a");
    expect(filled.params.options.overlays[1]?.text, "parts of texts stay").toBe("{{product}}\n{{price}}");
  });

  test("names are names", () => {
    for (const name of ["price", "价格", "a b", "x_1.2-3"]) expect(isName(name)).toBe(true);
    for (const name of ["", " a", "a ", "a  b", "{a}", "a/b", "x".repeat(61)]) expect(isName(name)).toBe(false);
    expect(freshName("Text (title)", ["Text title"])).toBe("Text title 2");
    expect(isName(freshName("???", []))).toBe(true);
    expect(wrongs({ name: "a", type: "number", fallback: "x" })).toEqual({ value: true });
    expect(wrongs({ name: "a/b", type: "text", fallback: "" })).toEqual({ name: true });
  });
});

test("errors of rows stand at their places in the table", async () => {
  // It needs more of a browser than the rest.
  Object.assign(globalThis, { indexedDB: undefined, removeEventListener: () => undefined });
  const { cellErrors } = await import("../src/pages/templates/filling");
  const error = new ApiFailure(400, 40001, "", { total: 5, errors: [{ row: 2, column: "clip", path: "/values/clip", message: "no", got: null, allowed: null }] });
  expect(cellErrors(error, [0, 4])).toEqual({ errors: [{ row: 4, column: "clip", message: "no" }], wrong: 5 });
  expect(cellErrors(new ApiFailure(400, 40001, "", { errors: [{ path: "/template", message: "no" }] }), [])).toBeNull();
});

test("a period is asked for by days, the last of them included", () => {
  const now = Date.parse("2026-11-24T13:00:00Z");
  expect(asked({ span: "7", from: "", to: "" }, now)).toEqual({ from: "2026-11-18", to: "" });
  expect(asked({ span: "", from: "2026-11-01", to: "2026-11-30" }, now)).toEqual({ from: "2026-11-01", to: "2026-12-01" });
});

test("a key is good until it ends or is revoked", () => {
  const key = { keyId: 1, prefix: "", scopes: [], createTime: "", expireTime: null, revokeTime: null, lastUseTime: null, current: false };
  expect(isGood(key)).toBe(true);
  expect(isGood({ ...key, expireTime: "2026-01-01T00:00:00Z" }, Date.parse("2026-01-01T00:00:01Z"))).toBe(false);
  expect(isGood({ ...key, revokeTime: "2026-01-01T00:00:00Z" })).toBe(false);
});

test("words that come later say the same in both languages", () => {
  for (const [word, [english, chinese]] of Object.entries({ ...batchWords, ...operators })) {
    const names = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map((found) => found[1]));
    // Chinese has no plural: a number that only chooses between forms need not be said twice.
    for (const name of names(chinese)) expect([...names(english)], word).toContain(name);
    expect(/[\u4e00-\u9fff]/.test(chinese) || !/[a-z]{3}/i.test(english), word).toBe(true);
  }
  expect(t("fill.errors", { n: 1 })).toBe("1 cell needs attention");
});
