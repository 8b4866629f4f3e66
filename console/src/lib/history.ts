// Steps back and forth. Values share what did not change, so that keeping many costs little.

const MOST = 200;
/** Changes of the same thing within this time are one step: a word typed, a slider drawn. */
const TOGETHER_MS = 1200;

export class History<T> {
  #past: T[] = [];
  #future: T[] = [];
  #last: { of: string; at: number } | null = null;

  /** Notes the value before a change; `of` names what is changed, where changes of it may be one step. */
  note(before: T, of: string | null, now: number): void {
    const together = of !== null && this.#last !== null && this.#last.of === of && now - this.#last.at < TOGETHER_MS;
    this.#last = of === null ? null : { of, at: now };
    this.#future = [];
    if (!together) this.#past = [...this.#past.slice(-(MOST - 1)), before];
  }

  /** The value before the last step; undefined where there is none. */
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
