// JSON Pointers (RFC 6901), which identify fields in errors and in controls.

export type Path = readonly (string | number)[];

export function parsePointer(pointer: string): string[] {
  if (pointer === "" || !pointer.startsWith("/")) return [];
  return pointer.slice(1).split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

export function toPointer(path: Path): string {
  return path.map((token) => "/" + String(token).replaceAll("~", "~0").replaceAll("/", "~1")).join("");
}

export function getIn(value: unknown, path: Path): unknown {
  let here = value;
  for (const token of path) {
    if (here === null || typeof here !== "object") return undefined;
    here = (here as Record<string, unknown>)[String(token)];
  }
  return here;
}

/** A copy of `value` with `next` at `path`; undefined removes the key. Unchanged parts are shared. */
export function setIn<T>(value: T, path: Path, next: unknown): T {
  const [head, ...rest] = path;
  if (head === undefined) return next as T;
  if (Array.isArray(value)) {
    const copy = value.slice();
    copy[Number(head)] = setIn(copy[Number(head)], rest, next);
    return copy as T;
  }
  const copy = { ...(value as Record<string, unknown> | undefined) };
  const child = setIn(copy[String(head)], rest, next);
  if (child === undefined) delete copy[String(head)];
  else copy[String(head)] = child;
  return copy as T;
}

/** The pointer with a star for each list index. */
export function kindOf(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}
