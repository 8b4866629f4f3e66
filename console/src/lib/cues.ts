// Captions of a file as they lie on a timeline: SRT and VTT, as far as times and words go.

export interface Cue {
  start: number;
  end: number;
  text: string;
}

const TIMES = /(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})\s*-->\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,](\d{1,3})/;
const MOST = 2000;

export function cuesOf(text: string): Cue[] {
  const cues: Cue[] = [];
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n{2,}/)) {
    const lines = block.split("\n");
    const place = lines.findIndex((line) => TIMES.test(line));
    const found = TIMES.exec(lines[place] ?? "");
    if (found === null || cues.length >= MOST) continue;
    const seconds = (from: number) => (
      Number(found[from] ?? 0) * 3600 + Number(found[from + 1]) * 60 + Number(found[from + 2]) + Number((found[from + 3] ?? "").padEnd(3, "0")) / 1000);
    const words = lines.slice(place + 1).join(" ").replace(/<[^>]*>|\{\\[^}]*\}/g, "").trim();
    if (words !== "") cues.push({ start: seconds(1), end: seconds(5), text: words });
  }
  return cues;
}
