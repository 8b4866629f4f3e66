/** Splits a text at Latin or Chinese commas. */
export function labelsIn(text: string): string[] {
  return [...new Set(text.split(/[,，、]/).map((one) => one.trim()).filter((one) => one !== ""))];
}
