import { expect, test } from "vitest";
import { keyTarget, TypeAhead } from "../src/lib/grid-keys";

test("arrow keys move in rows and columns, Home and End to the ends", () => {
  const to = (key: string, at: number) => keyTarget(key, at, 10, 4);
  expect(["ArrowRight", "ArrowLeft", "ArrowDown", "ArrowUp", "Home", "End"].map((key) => to(key, 5))).toEqual([6, 4, 9, 1, 0, 9]);
  // At an edge the focus stays.
  expect([to("ArrowLeft", 0), to("ArrowRight", 9), to("ArrowDown", 7), to("ArrowUp", 2)]).toEqual([0, 9, 7, 2]);
  expect([to("Tab", 5), to("a", 5), to(" ", 5)]).toEqual([null, null, null]);
});

test("typed letters find the next name, in either language", () => {
  const names = [["Cut", ""], ["淡入", "fade"], ["Flash", "flash"], ["Fade black", "fadeblack"]];
  const typed = new TypeAhead();
  expect([typed.next("f", names, 0, 0), typed.next("l", names, 1, 100)]).toEqual([1, 2]);
  // A repeated letter continues, and a pause begins a new name.
  expect([typed.next("f", names, 2, 2000), typed.next("f", names, 3, 2100), typed.next("淡", names, 1, 5000)]).toEqual([3, 1, 1]);
  expect(typed.next("x", names, 0, 9000)).toBeNull();
  typed.reset();
  expect(typed.isTyping).toBe(false);
});
