// Captions in the editor: parsed from SRT or VTT, or created from plain text; written as SRT or VTT.

export interface Cue {
  _id: string;
  /** Seconds. */
  start: number;
  end: number;
  /** Lines of the file, including the word timestamps of VTT. */
  text: string;
}

export type Format = "srt" | "vtt";

export interface Captions {
  cues: Cue[];
  format: Format;
  /** Name of the opened file. */
  name?: string;
}

export class NoCaptions extends Error {}

/** Whole milliseconds avoid rounding errors in sums of typed seconds. */
const ms = (seconds: number) => Math.round(seconds * 1000);

let counter = 0;
export function newCue(start: number, end: number, text = ""): Cue {
  counter += 1;
  return { _id: `cue-${Date.now().toString(36)}-${counter}`, start: ms(start) / 1000, end: ms(end) / 1000, text };
}

const TIME = /(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?/;
const TIMING = new RegExp(`^\\s*${TIME.source}\\s*-->\\s*${TIME.source}`);

function seconds([h, m, s, f]: (string | undefined)[]): number {
  return Number(h ?? 0) * 3600 + Number(m) * 60 + Number(s) + Number((f ?? "0").padEnd(3, "0")) / 1000;
}

/** Parses an SRT or VTT file; its content determines the format. */
export function readCaptions(file: string): Captions {
  const lines = file.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n").replaceAll("\r", "\n").split("\n");
  const format: Format = /^WEBVTT(\s|$)/.test(lines[0] ?? "") ? "vtt" : "srt";
  const cues = lines.flatMap((line, at) => {
    const match = TIMING.exec(line);
    if (match === null) return [];
    const rest = lines.slice(at + 1);
    const end = rest.findIndex((text, place) => TIMING.test(text) || (text.trim() === "" && endsHere(rest, place)));
    const block = rest.slice(0, end < 0 ? rest.length : end);
    // The number before the next timing line belongs to the next cue, even without an empty line in between.
    if (end >= 0 && TIMING.test(rest[end] ?? "") && /^\d+$/.test(block.at(-1)?.trim() ?? "")) block.pop();
    return [newCue(seconds(match.slice(1, 5)), seconds(match.slice(5, 9)), block.join("\n").trim())];
  });
  if (cues.length === 0) throw new NoCaptions();
  return { cues: cues.filter((cue) => cue.text !== "").sort((a, b) => a.start - b.start), format };
}

/** An empty line ends a cue unless more of its text follows. */
function endsHere(lines: readonly string[], place: number): boolean {
  const next = lines.slice(place + 1).findIndex((line) => line.trim() !== "");
  if (next < 0) return true;
  const [line = "", after = ""] = lines.slice(place + 1 + next);
  return TIMING.test(line) || TIMING.test(after) || /^(NOTE|STYLE|REGION)\b/.test(line);
}

/** `00:01:02.345`. */
export function cueTime(time: number, mark: "." | ","): string {
  const all = Math.max(0, ms(time));
  const pad = (value: number, size: number) => String(value).padStart(size, "0");
  return `${pad(Math.floor(all / 3_600_000), 2)}:${pad(Math.floor(all / 60_000) % 60, 2)}:${pad(Math.floor(all / 1000) % 60, 2)}${mark}${pad(all % 1000, 3)}`;
}

const WORD_TIMES = /<\d{1,3}(?::\d{1,2}){1,2}[.,]\d{1,3}>/g;
/** Without empty lines, which would end the cue. */
const linesOf = (cue: Cue, format: Format) => {
  const lines = cue.text.split("\n").map((line) => line.trim()).filter((line) => line !== "").join("\n");
  // `-->` would start a new cue.
  return (format === "srt" ? lines.replace(WORD_TIMES, "") : lines).replaceAll("-->", "→");
};

/** The reason why a cue cannot be shown. */
export type CueError = "times" | null;
export const cueError = (cue: Cue): CueError => (cue.end > cue.start && cue.start >= 0 ? null : "times");

/** The captions as a file. Cues without text or with invalid times are skipped. */
export function writeCaptions(captions: Captions, format: Format = captions.format): string {
  const mark = format === "srt" ? "," : ".";
  const cues = captions.cues.filter((cue) => cue.text.trim() !== "" && cueError(cue) === null).sort((a, b) => a.start - b.start);
  const blocks = cues.map((cue, place) => `${place + 1}\n${cueTime(cue.start, mark)} --> ${cueTime(cue.end, mark)}\n${linesOf(cue, format)}\n`);
  if (blocks.length === 0) return "";
  return `${format === "vtt" ? "WEBVTT\n\n" : ""}${blocks.join("\n")}`;
}

/** Reading speed and maximum length of a cue, in characters; a wide character counts as two and a half. */
const READ_A_SECOND = 15;
const MAX = 42;
const SHORTEST_S = 1;
const WIDE = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/g;
const weight = (text: string) => text.replace(/\s/g, " ").length + 1.5 * (text.match(WIDE)?.length ?? 0);

/** Creates a cue for each line or sentence of a text and splits long ones, over `length` seconds or at reading speed. */
export function splitIntoCues(text: string, length?: number): Cue[] {
  const parts = text.split(/\n+/).flatMap((line) => sentences(line.trim())).flatMap(splitSentence).filter((part) => part !== "");
  const weights = parts.map((part) => Math.max(weight(part), SHORTEST_S * READ_A_SECOND));
  const whole = weights.reduce((sum, one) => sum + one, 0);
  const perSecond = length !== undefined && length > 0 ? whole / length : READ_A_SECOND;
  let at = 0;
  return parts.map((part, place) => {
    const start = at;
    at += (weights[place] ?? 0) / perSecond;
    return newCue(start, at, part);
  });
}

function sentences(line: string): string[] {
  return line.split(/(?<=[.!?…]["”’)]?)\s+|(?<=[。！？…][”’」]?)(?=\S)/u).map((part) => part.trim());
}

/** Splits a sentence into parts that fit on the frame, at commas if possible. */
function splitSentence(sentence: string): string[] {
  if (weight(sentence) <= MAX) return [sentence];
  const pieces = sentence.split(/(?<=[,;:，、；：])\s*|\s+/u).filter((piece) => piece !== "");
  if (pieces.length < 2) return [...splitByCharacters(sentence)];
  const count = Math.ceil(weight(sentence) / MAX);
  const each = weight(sentence) / count;
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const joined = last === undefined ? piece : `${last}${/[\u2E80-\u9FFF，、；：]$/.test(last) ? "" : " "}${piece}`;
    if (last === undefined || weight(joined) > Math.max(each, MAX * 0.6)) lines.push(piece);
    else lines[lines.length - 1] = joined;
  }
  return lines.flatMap((line) => (weight(line) > MAX && line !== sentence ? splitSentence(line) : [line]));
}

/** Splits text without spaces, such as Chinese. */
function splitByCharacters(text: string): string[] {
  const count = Math.ceil(weight(text) / MAX);
  const each = Math.ceil([...text].length / count);
  return Array.from({ length: count }, (_, place) => [...text].slice(place * each, (place + 1) * each).join(""));
}

export function shiftCues(cues: readonly Cue[], by: number): Cue[] {
  return cues.map((cue) => ({ ...cue, start: Math.max(0, ms(cue.start + by) / 1000), end: Math.max(0, ms(cue.end + by) / 1000) }));
}

/** Decodes UTF-8 or UTF-16, otherwise GB18030, which Chinese programs write. */
export function decodeCaptions(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes);
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

/** Parses a typed time: `7`, `7.5`, `1:02.5`, `1:02:03`. Null if it is not a time. */
export function parseTime(text: string): number | null {
  const match = /^\s*(?:(?:(\d+):)?(\d{1,2}):)?(\d+(?:[.,]\d+)?)\s*$/.exec(text);
  if (match === null) return null;
  return Number(match[1] ?? 0) * 3600 + Number(match[2] ?? 0) * 60 + Number((match[3] ?? "").replace(",", "."));
}

/** The format for editing: `1:02.35`. */
export function formatTime(time: number): string {
  const hundredths = Math.round(time * 100);
  const [m, s] = [Math.floor(hundredths / 6000), (hundredths % 6000) / 100];
  return `${m}:${s.toFixed(2).padStart(5, "0")}`;
}
