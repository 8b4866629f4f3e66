// Tables that are being filled in, by template. Like drafts, they are stored in the tab's session storage, or on the
// device for users who stay signed in, so that nothing remains for the next user of the browser.

import { isBlank } from "./spreadsheet";
import { staysSignedIn, TABLE_SLOT } from "./session";

const OLD_MS = 30 * 24 * 3600 * 1000;
/** The database of earlier versions, which was not deleted with the tab. */
const OLD_DATABASE = "clipmill-tables";

export interface StoredTable {
  templateNo: string;
  version: number;
  /** Column names at the time of storing. */
  columns: string[];
  rows: string[][];
  name: string;
  /** Makes repeated submissions safe: the same table with the same ID is one batch. */
  clientBatchId: string;
  partial: boolean;
  at: number;
  /** Just created by another page, so it is not announced as unsent. */
  fresh?: boolean;
}

/** Never both: a copy in this tab would remain after the table is submitted in another tab. */
const storage = (): Storage => (staysSignedIn.value ? localStorage : sessionStorage);

export function storeTable(table: StoredTable): void {
  try {
    storage().setItem(TABLE_SLOT + table.templateNo, JSON.stringify(table));
  } catch {
    // Too large for the storage: the table is available only while the page is open.
  }
}

export function loadTable(templateNo: string): StoredTable | undefined {
  try {
    const stored = storage().getItem(TABLE_SLOT + templateNo);
    return stored === null ? undefined : JSON.parse(stored) as StoredTable;
  } catch {
    return undefined;
  }
}

export function deleteTable(templateNo: string): void {
  storage().removeItem(TABLE_SLOT + templateNo);
}

/** Tables with unsubmitted rows. Deletes tables that have not been opened for a month. */
export function unsentTables(): StoredTable[] {
  const numbers = Object.keys(storage()).filter((name) => name.startsWith(TABLE_SLOT)).map((name) => name.slice(TABLE_SLOT.length));
  return numbers.flatMap((templateNo) => {
    const table = loadTable(templateNo);
    if (table !== undefined && Date.now() - table.at <= OLD_MS) return table.rows.every(isBlank) ? [] : [table];
    deleteTable(templateNo);
    return [];
  });
}

// Closing the tab deletes its session storage.
addEventListener("beforeunload", (event) => {
  if (!staysSignedIn.value && unsentTables().length > 0) event.preventDefault();
});

/** Moves tables of earlier versions for users who stay signed in, and deletes the old database. */
function moveOldTables(): void {
  const opening = indexedDB.open(OLD_DATABASE);
  // The database does not exist.
  opening.onupgradeneeded = () => opening.transaction?.abort();
  opening.onsuccess = () => {
    const database = opening.result;
    const reading = database.transaction("tables").objectStore("tables").getAll() as IDBRequest<StoredTable[]>;
    reading.onsuccess = () => {
      for (const table of reading.result) if (staysSignedIn.value && loadTable(table.templateNo) === undefined) storeTable(table);
      database.close();
      indexedDB.deleteDatabase(OLD_DATABASE);
    };
  };
}
if (typeof indexedDB !== "undefined") moveOldTables();
