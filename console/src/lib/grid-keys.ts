// Keyboard navigation in a grid of named choices.

const TYPING_MS = 800;

/** The index to which a key moves in `count` choices of `columns` per row; null if the key does not move. */
export function keyTarget(key: string, at: number, count: number, columns: number): number | null {
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: at + 1, ArrowLeft: at - 1, ArrowDown: at + columns, ArrowUp: at - columns, Home: 0, End: count - 1,
  };
  const target = moves[key];
  if (target === undefined) return null;
  return target < 0 || target >= count ? at : target;
}

/** Finds choices by the letters that are typed in quick succession. */
export class TypeAhead {
  private typed = "";
  private last = -Infinity;

  get isTyping(): boolean {
    return this.typed !== "";
  }

  /** The index of the next choice whose name begins with the typed letters; null if there is none. A repeated letter continues to the next choice. */
  next(letter: string, names: readonly string[][], at: number, now: number): number | null {
    this.expire(now);
    this.typed += letter.toLocaleLowerCase();
    this.last = now;
    const repeated = [...this.typed].every((one) => one === this.typed[0]);
    const wanted = repeated ? (this.typed[0] ?? "") : this.typed;
    const start = repeated ? at + 1 : at;
    const order = names.map((_, index) => (start + index) % names.length);
    return order.find((index) => names[index]?.some((name) => name.toLocaleLowerCase().startsWith(wanted))) ?? null;
  }

  reset(): void {
    this.typed = "";
  }

  /** Forgets the letters after a pause. */
  expire(now: number): void {
    if (now - this.last > TYPING_MS) this.typed = "";
  }
}
