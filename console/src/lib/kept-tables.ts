// Tables that are being filled in, by their templates. They follow the rule of drafts: the storage of the tab has them,
// or that of the device for users who stay signed in, so that nothing is left for the next user of the browser.

import { isBlank } from "./spreadsheet";
import { stays, TABLE_SLOT } from "./session";

const OLD_MS = 30 * 24 * 3600 * 1000;
/** The database of earlier versions, which outlived the tab in any case. */
const OLD_DATABASE = "clipmill-tables";

export interface KeptTable {
  templateNo: string;
  version: number;
  /** Names of the columns when it was kept. */
  columns: string[];
  rows: string[][];
  name: string;
  /** Makes sending again safe: the same table under the same id is one batch. */
  clientBatchId: string;
  partial: boolean;
  at: number;
  /** Made by another page just now, so that it is not announced as unsent. */
  fresh?: boolean;
}

/** One of the two, never both: a copy in the tab would outlive the submission of the table in another tab. */
const storage = (): Storage => (stays.value ? localStorage : sessionStorage);

export function keepTable(table: KeptTable): void {
  try {
    storage().setItem(TABLE_SLOT + table.templateNo, JSON.stringify(table));
  } catch {
    // Too large for the storage: the table lives as long as the page.
  }
}

export function keptTable(templateNo: string): KeptTable | undefined {
  try {
    const kept = storage().getItem(TABLE_SLOT + templateNo);
    return kept === null ? undefined : JSON.parse(kept) as KeptTable;
  } catch {
    return undefined;
  }
}

export function forgetTable(templateNo: string): void {
  storage().removeItem(TABLE_SLOT + templateNo);
}

/** Tables with rows that have not been submitted. Tables that nobody opened for a month are deleted. */
export function unsentTables(): KeptTable[] {
  const numbers = Object.keys(storage()).filter((name) => name.startsWith(TABLE_SLOT)).map((name) => name.slice(TABLE_SLOT.length));
  return numbers.flatMap((templateNo) => {
    const table = keptTable(templateNo);
    if (table !== undefined && Date.now() - table.at <= OLD_MS) return table.rows.every(isBlank) ? [] : [table];
    forgetTable(templateNo);
    return [];
  });
}

// The storage of a tab is deleted with the tab.
addEventListener("beforeunload", (event) => {
  if (!stays.value && unsentTables().length > 0) event.preventDefault();
});

/** Keeps tables of earlier versions for users who stay signed in, and deletes their database. */
function moveOldTables(): void {
  const opening = indexedDB.open(OLD_DATABASE);
  // There is none.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  opening.onsuccess = () => {
    const database = opening.result;
    const reading = database.transaction("tables").objectStore("tables").getAll() as IDBRequest<KeptTable[]>;
    reading.onsuccess = () => {
      for (const table of reading.result) if (stays.value && keptTable(table.templateNo) === undefined) keepTable(table);
      database.close();
      indexedDB.deleteDatabase(OLD_DATABASE);
    };
  };
}
if (typeof indexedDB !== "undefined") moveOldTables();
