// Colours of requests: `#RGB`, `#RRGGBB` or `#RRGGBBAA`.

export function splitColour(text: string): { rgb: string; alpha: number } {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text);
  if (short) return { rgb: `#${short.slice(1).map((digit) => `${digit}${digit}`).join("")}`.toLowerCase(), alpha: 255 };
  const long = /^#([0-9a-f]{6})([0-9a-f]{2})?$/i.exec(text);
  return long ? { rgb: `#${long[1]}`.toLowerCase(), alpha: parseInt(long[2] ?? "ff", 16) } : { rgb: "#000000", alpha: 255 };
}

export function joinColour(rgb: string, alpha: number): string {
  const bounded = Math.max(0, Math.min(255, alpha));
  return rgb.toUpperCase() + (bounded === 255 ? "" : bounded.toString(16).padStart(2, "0").toUpperCase());
}
