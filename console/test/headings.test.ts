import { afterEach, describe, expect, test, vi } from "vitest";
import { editDistance, doubtfulHeadings } from "../src/lib/headings";
import { assets, type LibraryFile } from "../src/lib/assets";
import { intoColumns, rowsAt } from "../src/lib/spreadsheet";
import { withNames } from "../src/pages/batches/results-file";
import { libraryNames, lookUp, namesAny } from "../src/pages/templates/library-names";

const columns = [{ name: "product", type: "text" }, { name: "price", type: "text", label: "Preis", default: "" }, { name: "clip", type: "url" }];
const doubt = (...cells: string[][]) => doubtfulHeadings(cells, columns, intoColumns(cells, columns).isHeaded);

describe("a first line that could be headings", () => {
  test("is matched if it nearly names columns, and a remaining column is suggested", () => {
    const cells = [["produkt", "Kosten", "clip"], ["Mug", "9.90", "a.mp4"]];
    const headings = doubt(...cells);
    expect(headings).toMatchObject({ places: [0, 1, 2], sure: [false, false, true], byFilesOnly: false });
    expect(rowsAt(cells, [2, -1, 0], columns)).toEqual([["a.mp4", "", "Mug"]]);
  });
  test("is doubtful if only its file cell is not a file", () => {
    expect(doubt(["Titel", "Euro", "Datei"], ["Mug", "9", "https://a/1.mp4"])).toMatchObject({ places: [-1, -1, -1], byFilesOnly: true });
    expect(doubt(["Mug", "9", "mug"], ["Cup", "9", "cup.mp4"])).toBeNull();
  });
  test("is clear if it names the columns or contains values", () => {
    expect(doubt(["product", "stock", "clip"], ["Mug", "3", "a.mp4"])).toBeNull();
    expect(doubt(["Product A", "9.90", "https://a/1.mp4"], ["Product B", "9", "https://a/2.mp4"])).toBeNull();
    expect(doubt(["Mug", "cheap", ""], ["Cup", "dear", ""])).toBeNull();
  });
  test("is doubtful if a heading is unknown and a column that must be filled is missing", () => {
    expect(doubt(["名称", "Preis", "clip"], ["Mug", "9", "a.mp4"])).toMatchObject({ places: [0, 1, 2], sure: [false, true, true] });
    expect(doubt(["名称", "库存", "Preis", "clip"], ["Mug", "3", "9", "a.mp4"])).toMatchObject({ places: [-1, -1, 1, 2] });
  });
  test("is doubtful if one of several headings is misspelt", () => {
    expect(doubt(["product", "prise", "clip"], ["Mug", "3", "a.mp4"])).toMatchObject({ places: [0, 1, 2], sure: [true, false, true] });
  });
  test("edit distances are counted", () => {
    expect([editDistance("", "ab"), editDistance("produkt", "product"), editDistance("abc", "abc")]).toEqual([2, 1, 0]);
  });
});

describe("result tables", () => {
  test.each([["Row", "Task", "State", "Links", "Error"], ["行号", "任务", "状态", "链接", "错误"], ["row", "taskNo", "item", "file", "error"]])("are read back without their own columns: %s …", (...own) => {
    const cells = [["product", "clip", ...own], ["Mug", "a.mp4", "1", "VP1", "completed", "https://a", ""]];
    expect(intoColumns(cells, columns)).toEqual({ rows: [["Mug", "", "a.mp4"]], unknown: [], isHeaded: true });
    expect(doubt(...cells)).toBeNull();
  });
  test("other columns of these names are still unknown", () => {
    expect(intoColumns([["product", "clip", "State"], ["Mug", "a.mp4", "x"]], columns).unknown).toEqual(["State"]);
  });

  afterEach(() => vi.restoreAllMocks());
  const library = (...names: [url: string, name: string][]) => {
    const files = names.map(([url, name]) => ({ url, name }) as LibraryFile);
    vi.spyOn(assets, "files").mockImplementation(({ q = "", pageSize = 10 }) => {
      const list = files.filter(({ name }) => (name ?? "").toLowerCase().includes(q.toLowerCase()));
      return Promise.resolve({ list: list.slice(0, pageSize), total: list.length, pageNo: 1, pageSize });
    });
  };
  const { signal } = new AbortController();
  test("misspelt names are recognized in libraries of several pages", async () => {
    vi.spyOn(assets, "files").mockImplementation(({ q = "", pageNo = 1, pageSize = 10 }) => {
      const all = Array.from({ length: 144 }, (_, n) => ({ url: `upload://${n}`, name: n === 120 ? "intro.mp4" : `clip-${n}.mp4` }) as LibraryFile).filter(({ name }) => name?.includes(q));
      return Promise.resolve({ list: all.slice((pageNo - 1) * pageSize, pageNo * pageSize), total: all.length, pageNo, pageSize });
    });
    const closest = new Map<string, LibraryFile>();
    await lookUp(["intrro.mp4"], new Map(), signal, closest);
    expect([...closest].map(([cell, { url }]) => [cell, url])).toEqual([["intrro.mp4", "upload://120"]]);
  });
  test("contain unique file names", async () => {
    library(["upload://1", "mug.mp4"], ["upload://2", "twin.mp4"], ["upload://3", "twin.mp4"]);
    expect([...await libraryNames(["upload://1", "upload://2", "upload://9"], signal)]).toEqual([["upload://1", "mug.mp4"]]);
    expect(await namesAny(["mug", "https://a"], signal)).toBe(true);
    expect(await namesAny(["cup"], signal)).toBe(false);
  });
  test("contain names only as complete cells, escaped like others", () => {
    const names = new Map([["upload://1", "a, b.mp4"], ["upload://2", "=x.mp4"]]);
    const csv = "\uFEFFclip,logo,Error\nupload://1,upload://2,upload://1: gone\nupload://3,,\n";
    expect(withNames(csv, names)).toBe("\uFEFFclip,logo,Error\n\"a, b.mp4\",'=x.mp4,upload://1: gone\nupload://3,,\n");
  });
});
