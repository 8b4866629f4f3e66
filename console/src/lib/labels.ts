// Labels as they are typed.

/** Labels of a text with commas, ours or Chinese ones. */
export function labelsIn(text: string): string[] {
  return [...new Set(text.split(/[,，、]/).map((one) => one.trim()).filter((one) => one !== ""))];
}
