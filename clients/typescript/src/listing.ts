/** Lists of many entries, fetched page by page while they are iterated. */
import type { Call } from "./call.js";

/** The largest page of a list, except for `diversity`. */
const LARGEST_PAGE = 100;

/** One page of a list. */
export interface Page<Entry> {
  /** The entries of the page. */
  list: Entry[];
  /** Number of entries of all pages; for some filters, counting stops at 10,000. */
  total: number;
  /** Number of the page, from 1. */
  pageNo: number;
  /** Largest number of entries on a page. */
  pageSize: number;
}

/** How a list is requested. */
export interface ListCall {
  /** Path of the list. */
  path: string;
  /** The filters. */
  query?: NonNullable<Call["query"]>;
  /** Entries per call; `whole`: the list has no pages. */
  pageSize?: number | "whole" | undefined;
}

/**
 * All entries of a list. Iterate over it with `for await`: pages are fetched when they are needed.
 *
 * Entries that are added or deleted meanwhile do not disturb the iteration: it returns no entry twice, and entries can be
 * deleted in the loop. A second iteration reads the list again.
 */
export class Listing<Entry> implements AsyncIterable<Entry> {
  readonly #fetch: (path: string, call: Call) => Promise<unknown>;
  readonly #call: ListCall;
  readonly #key: (entry: Entry) => unknown;

  /** @internal */
  constructor(fetch: (path: string, call: Call) => Promise<unknown>, call: ListCall, key: (entry: Entry) => unknown) {
    this.#fetch = fetch;
    this.#call = call;
    this.#key = key;
  }

  /** Iterates over the entries of all pages. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Entry> {
    const seen = new Set<unknown>();
    let total = 0;
    for (let pageNo = 1; ; pageNo += 1) {
      const page = await this.page(pageNo);
      if (page.total < total) {
        // Entries were deleted since the previous page, so later ones have moved to earlier pages.
        pageNo = Math.max(0, pageNo - 1 - Math.ceil((total - page.total) / page.pageSize));
        total = 0;
        continue;
      }
      total = page.total;
      for (const entry of page.list) {
        const key = this.#key(entry);
        // A new entry moves the others to later pages.
        if (seen.has(key)) continue;
        seen.add(key);
        yield entry;
      }
      if (this.#call.pageSize === "whole" || page.list.length < page.pageSize) return;
    }
  }

  /**
   * One page.
   *
   * @param pageNo - Number of the page, from 1.
   */
  async page(pageNo = 1): Promise<Page<Entry>> {
    const { path, query = {}, pageSize = LARGEST_PAGE } = this.#call;
    if (pageSize !== "whole") {
      return this.#fetch(path, { query: { pageNo, pageSize, ...query } }) as Promise<Page<Entry>>;
    }
    const list = (await this.#fetch(path, { query })) as Entry[];
    return { list, total: list.length, pageNo: 1, pageSize: list.length };
  }

  /** Number of entries, by one call; for some filters, counting stops at 10,000. */
  async total(): Promise<number> {
    const { path, query = {}, pageSize } = this.#call;
    if (pageSize === "whole") return (await this.page()).total;
    return ((await this.#fetch(path, { query: { pageNo: 1, pageSize: 1, ...query } })) as Page<Entry>).total;
  }

  /**
   * The entries as an array.
   *
   * @param limit - Maximum number of entries. Default: all.
   */
  async toArray(limit = Number.POSITIVE_INFINITY): Promise<Entry[]> {
    const entries: Entry[] = [];
    if (limit <= 0) return entries;
    for await (const entry of this) {
      entries.push(entry);
      if (entries.length >= limit) break;
    }
    return entries;
  }
}
