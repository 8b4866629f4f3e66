// Files that are being uploaded, stored in IndexedDB, so that uploads resume after a reload or a closed tab.

const NAME = "clipmill";
const STORE = "files";
/** Older files belong to tabs that were never reopened. */
const OLD_MS = 24 * 3600 * 1000;

interface StoredFile {
  file: File;
  at: number;
}

let connection: Promise<IDBDatabase> | undefined;

function database(): Promise<IDBDatabase> {
  connection ??= new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  return connection;
}

async function transact<T>(mode: IDBTransactionMode, operation: (store: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const store = (await database()).transaction(STORE, mode).objectStore(STORE);
    return await new Promise<T>((resolve, reject) => {
      const request = operation(store);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  } catch {
    // No space, or a private window: the file is available only while the page is open.
    return undefined;
  }
}

export async function storeFile(id: string, file: File): Promise<void> {
  await transact("readwrite", (store) => store.put({ file, at: Date.now() } satisfies StoredFile, id));
}

export async function loadFile(id: string): Promise<File | undefined> {
  return (await transact<StoredFile | undefined>("readonly", (store) => store.get(id)))?.file;
}

export async function deleteFile(id: string): Promise<void> {
  await transact("readwrite", (store) => store.delete(id));
}

export async function deleteAllFiles(): Promise<void> {
  await transact("readwrite", (store) => store.clear());
}

/** Deletes the files of tabs that were never reopened. */
export async function deleteOldFiles(): Promise<void> {
  const ids = (await transact("readonly", (store) => store.getAllKeys())) ?? [];
  for (const id of ids.map(String)) {
    const stored = await transact<StoredFile | undefined>("readonly", (store) => store.get(id));
    if (stored !== undefined && Date.now() - stored.at > OLD_MS) await deleteFile(id);
  }
}
