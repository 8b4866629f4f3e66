// Undo and redo. Values share unchanged parts, so that a long history needs little memory.

const MAX = 200;
/** Changes to the same target within this time are one step, for example typing a word or dragging a slider. */
const TOGETHER_MS = 1200;

export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #last: { of: string; at: number } | null = null;

  /** Records the value before a change; `target` identifies the changed field if several changes may be one step. */
  note(before: T, target: string | null, now: number): void {
    const together = target !== null && this.#last !== null && this.#last.of === target && now - this.#last.at < TOGETHER_MS;
    this.#last = target === null ? null : { of: target, at: now };
    this.#future = [];
    if (!together) this.#past = [...this.#past.slice(-(MAX - 1)), before];
  }

  /** The value before the last step, if there is one. */
  undo(now: T): T | undefined {
    const before = this.#past.pop();
    if (before === undefined) return undefined;
    this.#future.push(now);
    this.#last = null;
    return before;
  }

  redo(now: T): T | undefined {
    const after = this.#future.pop();
    if (after === undefined) return undefined;
    this.#past.push(now);
    this.#last = null;
    return after;
  }

  get steps(): { back: number; forth: number } {
    return { back: this.#past.length, forth: this.#future.length };
  }
}
