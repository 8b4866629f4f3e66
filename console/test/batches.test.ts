import { beforeAll, describe, expect, test, vi } from "vitest";
import { ApiFailure } from "../src/lib/api";
import { detectFileKind } from "../src/lib/file-kind";
import { assets, type LibraryFile } from "../src/lib/assets";
import { decodeTable, intoColumns, fillDown, overlay, parseCells, separatorOf, toCsv, toValues } from "../src/lib/spreadsheet";
import { freshName, isName, findPlaces, isClip, withVariables, findWrittenVariables, type Template } from "../src/lib/templates";
import { dateRange } from "../src/pages/operate/period";
import { isGood } from "../src/pages/operate/keys-dialog";
import { byName, closestFile, isFileName, isNamed, lookUp, namedFiles, type KnownNames } from "../src/pages/templates/library-names";
import { toTemplate, newChoice, earlierChoices, earlierDeclarations, nameWithoutVariables, whereOf, withDefaults, choiceErrors } from "../src/pages/templates/variable-choices";
import { register, t } from "../src/i18n";
import { batchWords } from "../src/i18n/batches";
import { operators } from "../src/i18n/operators";

beforeAll(() => { register(batchWords); register(operators); });

test("texts fit one as well as several", () => {
  expect(t("task.notify.body", { n: 1, all: 1 })).toBe("1 of 1 video is finished");
  expect(t("task.notify.body", { n: 2, all: 3 })).toBe("2 of 3 videos are finished");
  expect(t("drop.over", { n: 1, all: 20, names: "a.mp4" })).toBe("1 of 20 files was not added: a.mp4.");
  expect(t("grant.done", { n: 1 })).toBe("1 point was granted.");
  expect(t("points.change.taken", { n: 2 })).toBe("2 points were deducted.");
  expect(t("fill.links.busy", { done: 0, n: 1 })).toBe("Checked 0 of 1 link or file …");
});

describe("tables", () => {
  const cases: [string, string, string[][]][] = [
    ["tabs as copied from a spreadsheet", "a\tb\r\n1\t2\r\n", [["a", "b"], ["1", "2"]]],
    ["quotes, separators and breaks in cells", 'a,b\n"x, ""y""","two\nlines"\n', [["a", "b"], ['x, "y"', "two\nlines"]]],
    ["semicolons", "a;b\n1,5;2\n", [["a", "b"], ["1,5", "2"]]],
    ["a quote inside a cell is a quote", 'a\n5" disk\n', [["a"], ['5" disk']]],
    ["no break at the end", "a\tb", [["a", "b"]]],
    ["empty cells at the end", "a\tb\t\n\t\t\n", [["a", "b", ""], ["", "", ""]]],
    ["cells of a table of results", "a,b,c\n'-5,'=1+1,'quoted'\n", [["a", "b", "c"], ["-5", "=1+1", "'quoted'"]]],
    ["nothing", "", []],
  ];
  test.each(cases)("%s", (_, text, expected) => expect(parseCells(text)).toEqual(expected));

  test("a copied column of texts with commas is one column", () => {
    expect(separatorOf("a\tb, c, d")).toBe(",");
    expect(parseCells("Hello, world\nOne, two", "\t")).toEqual([["Hello, world"], ["One, two"]]);
  });

  test("a thousand rows are parsed", () => {
    const text = Array.from({ length: 1000 }, (_, n) => `product ${n}\t${n}`).join("\n");
    expect(parseCells(text).length).toBe(1000);
  });

  const bytes = (text: string, order: "le" | "be", mark: boolean) => {
    const units = [...(mark ? "\uFEFF" : "") + text].flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]);
    return new Uint8Array(order === "le" ? units : units.map((_, index) => units[index ^ 1] ?? 0));
  };
  test("files are decoded in every encoding that spreadsheets save", () => {
    const table = "product,价格\nMug,蓝\n";
    expect(decodeTable(new TextEncoder().encode(table))).toBe(table);
    for (const order of ["le", "be"] as const) {
      for (const mark of [true, false]) expect(decodeTable(bytes(table, order, mark)).replace("\uFEFF", "")).toBe(table);
    }
    // "产品" in GB18030.
    expect(decodeTable(new Uint8Array([0xb2, 0xfa, 0xc6, 0xb7]))).toBe("产品");
  });

  const columns = [{ name: "product", label: "Name of the product" }, { name: "price" }, { name: "clip" }];
  test("a first line of names or labels assigns cells to columns, and unknown names are returned", () => {
    const { rows, unknown } = intoColumns([["Price", "colour", "NAME OF THE PRODUCT"], ["9.90", "blue", "Mug"], ["", "", ""]], columns);
    expect(rows).toEqual([["Mug", "9.90", ""]]);
    expect(unknown).toEqual(["colour"]);
    const results = [["price", "clip", "Row", "Task", "State", "Links", "Error"], ["9.90", "a.mp4", "1", "VP01", "completed", "https://a", ""]];
    expect(intoColumns(results, [{ name: "clip" }, { name: "price" }]).rows).toEqual([["a.mp4", "9.90"]]);
  });
  test("without headings, cells follow the order of the columns", () => {
    expect(intoColumns([["Mug", "9.90"], ["Cup", "5", "x", "too many"]], columns).rows).toEqual([["Mug", "9.90", ""], ["Cup", "5", "x"]]);
  });
  test("a value that equals a column name is not a heading", () => {
    expect(intoColumns([["Mug", "price", "b.mp4"]], columns).rows).toEqual([["Mug", "price", "b.mp4"]]);
  });
  test("pasted cells replace the table from a cell on, up to the maximum number of rows", () => {
    expect(overlay([["a", "b"]], { row: 0, column: 1 }, [["1", "out"], ["2"]], 2, 9)).toEqual([["a", "1"], ["", "2"]]);
    expect(overlay([["a", "b"]], { row: 1, column: 0 }, [["1"], ["2"], ["3"]], 2, 3)).toEqual([["a", "b"], ["1", ""], ["2", ""]]);
  });

  test("several files fill empty cells and never replace filled ones", () => {
    const table = [["a", "old"], ["b", "kept"], ["c", ""]];
    expect(fillDown(table, { row: 0, column: 1 }, ["1", "2", "3", "4"], 2, 4)).toEqual([["a", "1"], ["b", "kept"], ["c", "2"], ["", "3"]]);
  });
  test("empty cells use the defaults, empty rows are skipped, and the positions are returned", () => {
    expect(toValues([["Mug", "", ""], ["", " ", ""], ["Cup", "5", ""]], columns)).toEqual({ rows: [{ product: "Mug" }, { product: "Cup", price: "5" }], places: [0, 2] });
  });
  test("a saved table can be imported again", () => {
    const rows = [["Mug, \"blue\"", "two\nlines", "x"]];
    const again = parseCells(toCsv(columns, rows).replace("\uFEFF", ""));
    expect(intoColumns(again, columns).rows).toEqual(rows);
  });
});

describe("dropped files", () => {
  const text = (value: string) => new TextEncoder().encode(value);
  const zip = (entries: string) => [text("PK\x03\x04"), new Uint8Array(100_000), text(entries)];
  const ole = (...names: string[]) => {
    const bytes = new Uint8Array(8192);
    bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const view = new DataView(bytes.buffer);
    view.setUint16(30, 9, true);
    view.setUint32(48, 3, true);
    names.forEach((name, entry) => [...name].forEach((char, index) => view.setUint16(4 * 512 + 128 * entry + 2 * index, char.charCodeAt(0), true)));
    return [bytes];
  };
  const mp4 = [text("\0\0\0\x18ftypmp42")];
  const cases: [string, string, string, Uint8Array<ArrayBuffer>[]][] = [
    ...["xlsx", "XLS", "xlsm", "xlsb", "xltx", "ods", "fods", "numbers", "et", "gsheet"].map((ending): [string, string, string, Uint8Array<ArrayBuffer>[]] => ["workbook", `products.${ending}`, "", []]),
    ["workbook", "products", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", []],
    ["workbook", "products", "application/vnd.apple.numbers", []],
    ["workbook", "an Excel file named as a table.csv", "text/csv", zip("xl/workbook.xml")],
    ["workbook", "no ending", "", zip("xl/workbook.bin")],
    ["workbook", "no ending", "", [text("PK\x03\x04"), new Uint8Array(26), text("mimetypeapplication/vnd.oasis.opendocument.spreadsheet")]],
    ["workbook", "no ending", "", ole("Root Entry", "Workbook")],
    ["workbook", "no ending", "", ole("Root Entry", "Book")],
    ["document", "letter.docx", "", zip("word/document.xml")],
    ["document", "letter.doc", "application/msword", ole("Root Entry", "WordDocument")],
    ["document", "letter.pdf", "application/pdf", [text("%PDF-1.7")]],
    ["table", "products.csv", "application/vnd.ms-excel", [text("product,clip\n")]],
    ["table", "products.TSV", "", [text("product\tclip\n")]],
    ["table", "products", "text/csv", [text("product,clip\n")]],
    ["table", "empty.txt", "text/plain", []],
    ["media", "film.mp4", "video/mp4", mp4],
    ["media", "no ending", "", mp4],
    ["media", "captions.srt", "", [text("1\n")]],
    ["media", "a short OLE file", "", [new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])]],
  ];
  test.each(cases)("%s: %s %s", async (kind, name, type, parts) => expect(await detectFileKind(new File(parts, name, { type }))).toBe(kind));

  test("the kind of a folder depends on its name only", async () => {
    const folder = Object.assign(new File([], "clips"), { slice: () => ({ arrayBuffer: () => Promise.reject(new Error("a folder")) }) });
    expect(await detectFileKind(folder)).toBe("media");
  });
});

describe("names of library files", () => {
  const file = (name: string | null, url = `upload://${name}`) => ({ name, url }) as LibraryFile;
  const named = (cell: string, ...names: string[]) => namedFiles(cell, byName(names.map((name) => file(name)))).map(({ name }) => name);

  test("the closest match of a file name wins", () => {
    expect(named(" mug.mp4 ", "Mug.mp4", "mug.mp4", "mug.mp4.mov")).toEqual(["mug.mp4"]);
    expect(named("MUG.MP4", "Mug.mp4", "cup.mp4")).toEqual(["Mug.mp4"]);
    expect(named("MUG.MP4", "Mug.mp4", "mug.mp4")).toEqual(["Mug.mp4", "mug.mp4"]);
    expect(named("C:\\clips\\mug.mp4", "mug.mp4")).toEqual(["mug.mp4"]);
    expect(named("mug", "mug.mp4", "mug.srt")).toEqual(["mug.mp4", "mug.srt"]);
    expect(named("n/a", "a.mp4")).toEqual([]);
    expect(named("", "")).toEqual([]);
    expect(namedFiles("mug.mp4", byName([file(null)]))).toEqual([]);
    expect(named("cafe\u0301", "caf\u00e9.mp4")).toEqual(["caf\u00e9.mp4"]);
  });
  test("a dropped file is assigned to the cell that names it", () => {
    expect(["mug.mp4", " MUG.MP4", "mug", "a/mug.mp4", "C:\\a\\Mug.mp4"].filter((cell) => !isNamed(cell, "Mug.mp4"))).toEqual([]);
    expect(["", "a/mug", "mug.", "mug.mov"].filter((cell) => isNamed(cell, "Mug.mp4"))).toEqual([]);
  });
  test("links and empty cells are not names", () => {
    expect(["", " ", "https://a.example/x.mp4", "upload://abc", "x".repeat(256), "a\nb"].filter(isFileName)).toEqual([]);
    expect(["mug.mp4", "蓝色杯子", "n/a"].filter((cell) => !isFileName(cell))).toEqual([]);
  });

  /** A library with this number of files, named by number, newest first. */
  const library = (size: number) => {
    const all = Array.from({ length: size }, (_, n) => file(`${size - n - 1}.mp4`));
    return vi.spyOn(assets, "files").mockImplementation(async ({ q = "", pageNo = 1, pageSize = 10 }) => {
      const matches = all.filter(({ name }) => name?.includes(q));
      return { list: matches.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: matches.length, pageNo, pageSize };
    });
  };
  const { signal } = new AbortController();
  test("few names are searched, many are looked up in the whole library, known ones are cached", async () => {
    const calls = library(2000);
    const known: KnownNames = new Map();
    await lookUp(["7.mp4", "no.mp4", "7.mp4"], known, signal);
    expect([...known].map(([name, found]) => [name, found.map(({ url }) => url)])).toEqual([["7.mp4", ["upload://7.mp4"]], ["no.mp4", []]]);
    // One call for the size of the library, two pages with "7.mp4", one without "no.mp4".
    expect(calls).toHaveBeenCalledTimes(4);
    calls.mockClear();
    await lookUp(Array.from({ length: 500 }, (_, n) => `${n}.MP4`), known, signal);
    expect(calls).toHaveBeenCalledTimes(21);
    expect(known.get("499.MP4")?.[0]?.name).toBe("499.mp4");
    calls.mockClear();
    await lookUp(["7.mp4"], known, signal);
    expect(calls).not.toHaveBeenCalled();
    calls.mockRestore();
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
const places = () => findPlaces(request, schema, () => "");
const at = (pointer: string) => places().find((place) => place.pointer === pointer);

describe("templates", () => {
  test("links come first, each place has a type and limits, and values with variables are skipped", () => {
    expect(places().map((place) => [place.pointer, place.suggested.type]).slice(0, 2)).toEqual([
      ["/params/videoList/0/videos/0/url", "url"], ["/params/videoList/0/videos/1/url", "url"]]);
    expect(at("/params/options/resolution")?.suggested).toEqual({ type: "choice", choices: ["720:1280", "1280:720"] });
    expect(at("/params/videoList/0/videos/0/duration")?.suggested).toEqual({ type: "number", minimum: 0, maximum: 600 });
    expect(at("/params/options/overlays/0/text")?.suggested).toEqual({ type: "text", maxLength: 500 });
    expect(at("/params/options/overlays/1/text")).toBeUndefined();
    expect([at("/params/seed"), at("/clientTaskId"), at("/taskType")]).toEqual([undefined, undefined, undefined]);
    expect(findWrittenVariables(request, schema).map(({ name }) => name)).toEqual(["product", "price"]);
  });

  test("a variable file loses its declared duration, others keep theirs", () => {
    const made = withVariables(request, new Map([["/params/videoList/0/videos/0/url", "clip"]]));
    const { videos } = (made.params as { videoList: { videos: unknown[] }[] }).videoList[0] ?? { videos: [] };
    expect(videos).toEqual([{ url: "{{clip}}" }, { url: "upload://b", duration: 3 }]);
    expect(made.clientTaskId).toBeUndefined();
    expect(request.params.videoList[0]?.videos[0]?.url, "the task itself stays").toBe("upload://a");
  });

  test("the template declares every variable once, with its limits and default", () => {
    const [clip, length] = [at("/params/videoList/0/videos/0/url"), at("/params/videoList/0/videos/0/duration")];
    if (!clip || !length) throw new Error("no such places");
    const choices = new Map([
      [clip.pointer, { name: "clip", type: "url" as const, fallback: null }],
      ["/params/videoList/0/videos/1/url", { name: "clip", type: "url" as const, fallback: null }],
      [length.pointer, newChoice(length, new Map(), [])],
    ]);
    const body = toTemplate("Mugs", request, choices, places(), new Map([["product", { type: "text", fallback: null }], ["price", { type: "text", fallback: "" }]]), null);
    expect(body.variables.map(({ name, type }) => [name, type])).toEqual([["clip", "url"], [choices.get(length.pointer)?.name, "number"], ["product", "text"], ["price", "text"]]);
    expect(body.variables[1]).toMatchObject({ minimum: 0, maximum: 600, default: 5 });
    expect(body.variables[3]).toEqual({ name: "price", type: "text", default: "" });
    expect((body.request.params as { videoList: { videos: { duration: unknown }[] }[] }).videoList[0]?.videos[0]?.duration).toMatch(/^\{\{/);
  });

  test("the next version starts with the variables of the previous one", () => {
    const template = {
      templateNo: "TP1", name: "Mugs", version: 3, createTime: "", updateTime: "",
      request: { ...request, params: { ...request.params, videoList: [{ videos: [{ url: "{{clip}}" }, { url: "upload://b" }] }] } },
      variables: [{ name: "clip", type: "url" as const, default: "upload://a" }, { name: "price", type: "text" as const, default: "9.90", maxLength: 12 }],
    } satisfies Template;
    expect([...earlierChoices(template, places())]).toEqual([["/params/videoList/0/videos/0/url", { name: "clip", type: "url", fallback: "upload://a" }]]);
    const filled = withDefaults(template) as typeof request;
    expect(filled.params.videoList[0]?.videos[0]?.url).toBe("upload://a");
    expect(filled.params.options.overlays[1]?.text, "parts of texts stay").toBe("{{product}}\n{{price}}");
  });

  test("lists and optional parts stay as they are when a template is opened as a task", () => {
    const template = {
      templateNo: "TP1", name: "Slides", version: 1, createTime: "", updateTime: "",
      request: { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: "{{photos}}" }, { $if: "{{ending}}", url: "{{ending}}" }] }], options: { backgroundMusic: { $if: "{{music}}", url: "{{music}}" } } } },
      variables: [
        { name: "photos", type: "urls" as const, default: ["upload://a", "upload://b"], maxItems: 20 },
        { name: "ending", type: "url" as const, default: "" }, { name: "music", type: "url" as const, default: "upload://c" },
      ],
    } satisfies Template;
    const filled = withDefaults(template);
    expect(filled).toMatchObject({ params: { ...template.request.params, options: { backgroundMusic: { $if: "{{music}}", url: "upload://c" } } } });
    const written = findWrittenVariables(filled, schema);
    const declared = earlierDeclarations(written, template);
    expect(declared.get("photos")).toEqual({ type: "urls", fallback: "upload://a|upload://b" });
    expect(toTemplate("", filled, new Map(), [], declared, template).variables).toEqual(expect.arrayContaining([template.variables[0], template.variables[1]]));
    expect(isClip("/params/videoList/0/videos/3/url") && !isClip("/params/options/overlays/0/url")).toBe(true);
  });

  test("variables that are written into the task have a type, limits and a default", () => {
    const written = findWrittenVariables({ ...request, name: "{{product}}", params: { ...request.params, videoList: [{ videos: [{ url: "{{clip}}" }] }] } }, schema);
    expect(written.map(({ name, pointer, suggested }) => [name, pointer, suggested.type])).toEqual([
      ["clip", "/params/videoList/0/videos/0/url", "url"], ["product", "/name", "text"], ["price", "/params/options/overlays/1/text", "text"]]);
    const before = { templateNo: "TP1", name: "", version: 1, createTime: "", updateTime: "", request: {}, variables: [{ name: "price", type: "number" as const, default: 5, minimum: 1 }] };
    const declared = earlierDeclarations(written, before);
    expect([...declared]).toEqual([["clip", { type: "url", fallback: null }], ["product", { type: "text", fallback: null }], ["price", { type: "number", fallback: "5" }]]);
    const limits = new Map(written.map((one) => [one.name, one.suggested]));
    expect(toTemplate("", request, new Map(), [], declared, before, limits).variables).toEqual([
      { name: "clip", type: "url" }, { name: "product", type: "text" }, { name: "price", type: "number", minimum: 1, default: 5 }]);
  });

  test("fields belong to their clip, scene or list entry", () => {
    const words = { group: (n: number) => `group ${n}`, clip: (n: number) => `clip ${n}`, entry: (pointer: string, n: number) => `${pointer} ${n}` };
    expect(whereOf("/params/videoList/1/videos/0/url", "baseVideoMix", words)).toBe("group 2 · clip 1");
    expect(whereOf("/params/videoList/1/totalDuration", "baseVideoMix", words)).toBe("group 2");
    expect(whereOf("/params/videoList/1/filename", "videoDeduplication", words)).toBe("clip 2");
    expect(whereOf("/params/options/overlays/0/style/fontSize", "proVideoMix", words)).toBe("/params/options/overlays/0 1");
  });

  test("the name of a template contains no variables", () => {
    expect(["{{product}}", "Sale – {{product}}", "{{a}}: {{b}} today"].map(nameWithoutVariables)).toEqual([null, "Sale", "today"]);
  });

  test("variable names are validated", () => {
    for (const name of ["price", "价格", "a b", "x_1.2-3"]) expect(isName(name)).toBe(true);
    for (const name of ["", " a", "a ", "a  b", "{a}", "a/b", "x".repeat(61)]) expect(isName(name)).toBe(false);
    expect(freshName("Text (title)", ["Text title"])).toBe("Text title 2");
    expect(isName(freshName("???", []))).toBe(true);
    expect(choiceErrors({ name: "a", type: "number", fallback: "x" })).toEqual({ value: true });
    expect(choiceErrors({ name: "a/b", type: "text", fallback: "" })).toEqual({ name: true });
  });
});

test("errors of rows have positions in the table", async () => {
  // The module needs browser globals when it is loaded.
  Object.assign(globalThis, { indexedDB: undefined, removeEventListener: () => undefined });
  const { cellErrors } = await import("../src/pages/templates/table-state");
  const error = new ApiFailure(400, 40001, "", { total: 5, errors: [{ row: 2, column: "clip", path: "/values/clip", message: "no", got: null, allowed: null }] });
  expect(cellErrors(error, [0, 4])).toEqual({ errors: [{ row: 4, column: "clip", message: "no" }], wrong: 5 });
  expect(cellErrors(new ApiFailure(400, 40001, "", { errors: [{ path: "/template", message: "no" }] }), [])).toBeNull();
});

describe("cells that name files", async () => {
  Object.assign(globalThis, { indexedDB: undefined, removeEventListener: () => undefined });
  const { explainNames, namesIn, currentErrors, withNamedFiles } = await import("../src/pages/templates/table-state");
  const variables = [{ name: "product", type: "text" as const }, { name: "clip", type: "url" as const }];
  const mug = { name: "mug.mp4", url: "upload://mug" } as LibraryFile;
  const known: KnownNames = new Map([["MUG.mp4", [mug]], ["mug", [mug]], ["twin.mp4", [mug, mug]], ["n/a", []]]);
  const rows = [["mug", "MUG.mp4"], ["mug", "mug"], ["x", "twin.mp4"], ["x", "n/a"], ["x", "upload://a"], ["x", ""]];

  test("only names in file columns are looked up", () => expect(namesIn(rows, variables)).toEqual(["MUG.mp4", "mug", "twin.mp4", "n/a"]));
  test("a unique name becomes a URL, while typing only if it is complete", () => {
    expect(withNamedFiles(rows, variables, known, null)).toEqual([["mug", "upload://mug"], ["mug", "upload://mug"], ...rows.slice(2)]);
    expect(withNamedFiles(rows, variables, known, "0-1")?.[0]).toEqual(["mug", "upload://mug"]);
    expect(withNamedFiles(rows, variables, known, "1-1")?.[1]).toEqual(["mug", "mug"]);
    expect(withNamedFiles(rows.slice(2), variables, known, null)).toBeNull();
  });
  test("other names are explained, and a name that is being typed is not an error yet", () => {
    const errors = rows.map((_, row) => ({ row, column: row === 4 ? "product" : "clip", message: "no" }));
    expect(explainNames(errors, rows, variables, known)).toEqual([
      { row: 2, column: "clip", message: "2 files in your library are named “twin.mp4”. Choose the right one from the library." },
      { row: 3, column: "clip", message: "No file in your library is named “n/a”. Drop the file here, choose one from the library or enter a link." },
      { row: 4, column: "product", message: "no" }, { row: 5, column: "clip", message: "no" },
    ]);
  });
  test("a misspelt name suggests the only similar file", () => {
    const file = (name: string) => ({ name, url: `upload://${name}` }) as LibraryFile;
    const files = [file("Blue.mp4"), file("beach-1.mov"), file("beach-2.mov")];
    const names = (cell: string) => closestFile(cell, files)?.name;
    expect([names("bleu.mp4"), names("c:\\clips\\bluee"), names("beach-3.mov"), names("sea.mp4"), names("b")]).toEqual(["Blue.mp4", "Blue.mp4", undefined, undefined, undefined]);
    const errors = [{ row: 0, column: "clip", message: "no" }];
    expect(explainNames(errors, [["x", "bleu.mp4"]], variables, new Map([["bleu.mp4", []]]), new Map([["bleu.mp4", mug]]))[0]?.suggestion).toBe(mug);
  });
  test("a cell that has changed or moved since the check is not marked", () => {
    const errors = [{ row: 1, column: "clip", message: "no" }, { row: 2, column: "clip", message: "no" }, { row: 3, column: null, message: "no" }];
    expect(currentErrors(errors, rows, rows, variables)).toEqual(errors);
    expect(currentErrors(errors, rows, rows.map((row, at) => (at === 1 ? ["mug", "upload://mug"] : row)), variables)).toEqual(errors.slice(1));
    expect(currentErrors(errors, rows, rows.slice(1), variables)).toEqual([]);
  });
});

test("a period of days includes the last day", () => {
  const now = Date.parse("2026-11-24T13:00:00Z");
  expect(dateRange({ span: "7", from: "", to: "" }, now)).toEqual({ from: "2026-11-18", to: "" });
  expect(dateRange({ span: "", from: "2026-11-01", to: "2026-11-30" }, now)).toEqual({ from: "2026-11-01", to: "2026-12-01" });
});

test("a key is valid until it expires or is revoked", () => {
  const key = { keyId: 1, prefix: "", scopes: [], createTime: "", expireTime: null, revokeTime: null, lastUseTime: null, current: false };
  expect(isGood(key)).toBe(true);
  expect(isGood({ ...key, expireTime: "2026-01-01T00:00:00Z" }, Date.parse("2026-01-01T00:00:01Z"))).toBe(false);
  expect(isGood({ ...key, revokeTime: "2026-01-01T00:00:00Z" })).toBe(false);
});

test("lazily loaded texts are complete in both languages", () => {
  for (const [word, [english, chinese]] of Object.entries({ ...batchWords, ...operators })) {
    const names = (text: string) => new Set([...text.matchAll(/\{(\w+)/g)].map((found) => found[1]));
    // Chinese has no plural, so a number that only selects a form can be omitted.
    for (const name of names(chinese)) expect([...names(english)], word).toContain(name);
    expect(/[\u4e00-\u9fff]/.test(chinese) || !/[a-z]{3}/i.test(english), word).toBe(true);
  }
  expect(t("fill.errors", { n: 1 })).toBe("1 cell needs attention");
});
