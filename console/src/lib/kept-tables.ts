// Tables that are being filled in, kept by the browser until they are sent: leaving loses nothing. By the template that
// they fill; those that nobody came back for go after a month.

const NAME = "clipmill-tables";
const STORE = "tables";
const OLD_MS = 30 * 24 * 3600 * 1000;

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
}

let opened: Promise<IDBDatabase> | undefined;
let known: IDBDatabase | undefined;

function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => { known = asked.result; resolve(asked.result); };
    asked.onerror = () => reject(asked.error);
  });
  return opened;
}

async function ask<T>(mode: IDBTransactionMode, what: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    // Once it is open nothing is waited for: what is kept as the page closes is asked for in the same turn.
    const transaction = (known ?? (await database())).transaction(STORE, mode);
    return await new Promise<T>((resolve, reject) => {
      const asked = what(transaction.objectStore(STORE));
      if (mode === "readwrite") transaction.commit();
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } catch {
    // A private window: the table lives as long as the page.
    return undefined;
  }
}

export async function keepTable(table: KeptTable): Promise<void> {
  await ask("readwrite", (store) => store.put(table, table.templateNo));
}

export async function keptTable(templateNo: string): Promise<KeptTable | undefined> {
  return ask<KeptTable | undefined>("readonly", (store) => store.get(templateNo));
}

export async function forgetTable(templateNo: string): Promise<void> {
  await ask("readwrite", (store) => store.delete(templateNo));
}

export async function forgetTables(): Promise<void> {
  await ask("readwrite", (store) => store.clear());
}

/** Templates whose tables wait to be sent. */
export async function keptTables(): Promise<KeptTable[]> {
  const all = (await ask<KeptTable[]>("readonly", (store) => store.getAll())) ?? [];
  const old = all.filter((table) => Date.now() - table.at > OLD_MS);
  for (const table of old) await forgetTable(table.templateNo);
  return all.filter((table) => !old.includes(table));
}
