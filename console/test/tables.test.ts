import { describe, expect, test } from "vitest";
import { ApiFailure } from "../src/lib/api";
import { register } from "../src/i18n";
import { batchWords } from "../src/i18n/batches";

Object.assign(globalThis, { removeEventListener: () => undefined });
const { cellErrors, explainNames, namesIn, withNamedFiles } = await import("../src/pages/templates/table-state");
const { intoColumns } = await import("../src/lib/spreadsheet");
const { joinCell, splitCell } = await import("../src/lib/lists");
const { runConcurrently: aFewAtOnce, linkErrors, linksIn, mediaColumns, problemOf, withLinkErrors } = await import("../src/pages/templates/link-check");

const { tableOf } = await import("../src/pages/batches/failed-rows");

register(batchWords);

const cellError = (row: number, column: string | null, message: string) => ({ row, column, path: "/x", message, got: null, allowed: null });

test("several errors of one cell are merged, errors of rows are not", () => {
  const listed = [cellError(1, "text", "at most 120"), cellError(1, "text", "at most 500"), cellError(1, "text", "at most 500"), cellError(2, null, "a"), cellError(2, null, "b")];
  expect(cellErrors(new ApiFailure(400, 40001, "", { total: 9, errors: listed }), [0, 1])).toEqual({
    errors: [{ row: 0, column: "text", message: "at most 120; at most 500" }, { row: 1, column: null, message: "a" }, { row: 1, column: null, message: "b" }], wrong: 7,
  });
});

describe("lists in cells", () => {
  const variables = [{ name: "title", type: "text" as const }, { name: "photo", type: "urls" as const }, { name: "lines", type: "texts" as const }];
  const file = (name: string) => ({ name, url: `upload://${name.replace(/\W/g, "")}` });

  test("are split and joined like tables of the service", () => {
    expect(splitCell(" a | b\\c |d e")).toEqual(["a", "b\\c", "d e"]);
    expect(splitCell("a\\|b|c\\|")).toEqual(["a|b", "c|"]);
    expect(splitCell("a||b|")).toEqual(["a", "", "b", ""]);
    expect(splitCell("  ")).toEqual([]);
    for (const entries of [["a"], ["a|b", "c", "|"], ["https://a/1.jpg", "漢|字"]]) expect(splitCell(joinCell(entries))).toEqual(entries);
  });
  test("come from columns with numbers", () => {
    const { rows, unknown } = intoColumns([["photo1", "Title", "photo2", "photo3", "title2"], ["a.jpg", "Mug", "b|c.jpg", "", "x"], ["a.jpg", "Cup", "", "d.jpg", ""]], variables);
    expect(rows).toEqual([["Mug", "a.jpg|b\\|c.jpg", ""], ["Cup", "a.jpg||d.jpg", ""]]);
    expect(unknown).toEqual(["title2"]);
    expect(intoColumns([["title", "photo", "photo1"], ["Mug", "a|b", "c"]], variables)).toMatchObject({ rows: [["Mug", "a|b", ""]], unknown: ["photo1"] });
    const own = [...variables, { name: "photo1", type: "url" as const }];
    expect(intoColumns([["photo", "photo1", "photo2"], ["a", "b", "c"]], own).rows).toEqual([["", "a", "", "b"]]);
  });
  test("have the urls of library files in place of their names", () => {
    const known = new Map([["a.jpg", [file("a.jpg")]], ["gone.jpg", []]]) as never;
    const rows = [["Mug", "a.jpg | gone.jpg", "a.jpg"]];
    expect(namesIn(rows, variables)).toEqual(["a.jpg", "gone.jpg"]);
    expect(withNamedFiles(rows, variables, known, null)).toEqual([["Mug", "upload://ajpg|gone.jpg", "a.jpg"]]);
    expect(explainNames([{ row: 0, column: "photo", message: "entry 2: must be" }], rows, variables, known)[0]?.message).toContain("gone.jpg");
  });
  test("are probed link by link", () => {
    const lists = { variables, request: { params: { videoList: [{ videos: [{ url: "{{photo}}" }] }] } } };
    const cells = [["Mug", "https://a/1.jpg | upload://2", "https://a/not"]];
    expect(linksIn(cells, lists)).toEqual(["https://a/1.jpg", "upload://2"]);
    expect(linkErrors(cells, lists, new Map([["upload://2", "gone"]]))).toEqual([{ row: 0, column: "photo", message: "entry 2: gone" }]);
  });
});

describe("checking links", () => {
  const template = {
    variables: [{ name: "product", type: "text" as const }, { name: "clip", type: "url" as const }, { name: "captions", type: "url" as const }],
    request: { name: "{{product}}", params: { videoList: [{ videos: [{ url: "{{ clip }}" }] }], options: { subtitle: { url: "{{captions}}" } } } },
  };
  const rows = [["https://no.link", "https://a/1.mp4", "https://a/1.srt"], ["", " https://a/2.mp4 ", ""], ["", "https://a/1.mp4", ""], ["", "mug.mp4", ""], ["", "upload://1", ""]];

  test("lists each link of a clip once; texts, captions and file names are not links", () => {
    expect(mediaColumns(template)).toEqual([1]);
    expect(linksIn(rows, template)).toEqual(["https://a/1.mp4", "https://a/2.mp4", "upload://1"]);
  });
  test("cells with an unusable link have its message", () => {
    const errors = linkErrors(rows, template, new Map([["https://a/1.mp4", "gone"], ["https://a/2.mp4", null]]));
    expect(errors).toEqual([{ row: 0, column: "clip", message: "gone" }, { row: 2, column: "clip", message: "gone" }]);
    const checked = withLinkErrors({ errors: [{ row: 2, column: "clip", message: "not taken" }], wrong: 3 }, errors);
    expect(checked).toEqual({ errors: [errors[0], { row: 2, column: "clip", message: "not taken" }], wrong: 4 });
  });
  test("only an error of the link itself marks it", async () => {
    const { signal } = new AbortController();
    const failing = (error: unknown) => problemOf("https://a", signal, () => Promise.reject(error));
    expect(await failing(new ApiFailure(400, 40001, "", { errors: [cellError(1, null, "gone")] }))).toBe("gone");
    await expect(failing(new ApiFailure(429, 42900, "later"))).rejects.toThrow("later");
    await expect(failing(new ApiFailure(0, 0, ""))).rejects.toThrow();
  });
  test("runs a few at a time, and stops after a failure", async () => {
    let [running, most] = [0, 0];
    const done: number[] = [];
    const work = async (n: number) => {
      most = Math.max(most, ++running);
      await new Promise((next) => setTimeout(next, 1));
      running -= 1;
      if (n === 5) throw new Error("stop");
      done.push(n);
    };
    await aFewAtOnce([0, 1, 2, 3, 4], 2, work);
    expect([done, most]).toEqual([[0, 1, 2, 3, 4], 2]);
    await expect(aFewAtOnce([5, 6, 7, 8, 9], 2, work)).rejects.toThrow("stop");
    await new Promise((next) => setTimeout(next, 10));
    expect(done.includes(9)).toBe(false);
  });
});

test("values of failed rows become cells", () => {
  const rows = [{ values: { product: "Mug", price: 9.5 } }, { values: { product: "Cup", gift: true, photos: ["a|b", "c"] } }];
  expect(tableOf(rows as never)).toEqual({ columns: ["product", "price", "gift", "photos"], rows: [["Mug", "9.5", "", ""], ["Cup", "", "true", "a\\|b|c"]] });
});
