/** Follows the pointer that pressed an element until it is released or the gesture is cancelled. */
export function followPointer(event: PointerEvent, move: (pointer: PointerEvent) => void, end?: (released: boolean) => void): void {
  const element = event.currentTarget as HTMLElement;
  element.setPointerCapture(event.pointerId);
  const stop = (pointer: PointerEvent) => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", stop);
    element.removeEventListener("pointercancel", stop);
    end?.(pointer.type === "pointerup");
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", stop);
  element.addEventListener("pointercancel", stop);
}
