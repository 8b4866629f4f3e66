// The sound of files by their urls: pieces to be listened to, and levels to be drawn. What is decoded at once never lasts
// longer than a piece, so that an hour of music takes no more memory than a minute.

import { BASE, fetchOk } from "./api";

/** Longest that the service answers at once, in seconds. */
export const PIECE_S = 60;
/** Levels are kept for each twentieth of a second. */
export const LEVELS_PER_S = 20;
/** Waveforms show no more than this. */
const MOST_S = 600;
/** Low enough to be light, high enough for loud and quiet to show. */
const RATE = 8000;
const KEPT = 24;

export interface Piece {
  sound: Blob;
  atSeconds: number;
  /** Length of the whole sound. */
  lengthSeconds: number;
}

const pieces = new Map<string, Promise<Piece>>();

/** A minute of a file's sound from a multiple of a minute on. */
export function pieceOf(url: string, number: number): Promise<Piece> {
  const name = `${number} ${url}`;
  const known = pieces.get(name);
  if (known !== undefined) return known;
  const asked = ask(url, number * PIECE_S);
  pieces.set(name, asked);
  asked.catch(() => pieces.delete(name));
  const [oldest] = pieces.keys();
  if (pieces.size > KEPT && oldest !== undefined) pieces.delete(oldest);
  return asked;
}

async function ask(url: string, atSeconds: number): Promise<Piece> {
  const answer = await fetchOk(`${BASE}/sound`, { method: "POST", body: { url, atSeconds, seconds: PIECE_S } });
  const seconds = (name: string) => Number(answer.headers.get(name) ?? 0);
  return { sound: await answer.blob(), atSeconds: seconds("x-at-seconds"), lengthSeconds: seconds("x-length-seconds") };
}

export interface Waveform {
  /** Loudest sample of each twentieth of a second, 0 to 1. */
  levels: number[];
  lengthSeconds: number;
}

const waveforms = new Map<string, Waveform>();

/** The levels of a file's first `seconds`, piece by piece; `found` hears of each piece. */
export async function waveformOf(url: string, seconds: number, found: (wave: Waveform) => void, stop: AbortSignal): Promise<void> {
  let wave = waveforms.get(url) ?? { levels: [], lengthSeconds: Infinity };
  if (wave.levels.length > 0) found(wave);
  while (!stop.aborted) {
    const wanted = Math.min(seconds, wave.lengthSeconds, MOST_S);
    if (wave.levels.length / LEVELS_PER_S >= wanted - 0.2) return;
    const number = Math.floor(wave.levels.length / (LEVELS_PER_S * PIECE_S));
    const piece = await pieceOf(url, number);
    const added = await levelsOf(piece.sound);
    const before = wave.levels.slice(0, number * PIECE_S * LEVELS_PER_S);
    const known = before.length + added.length;
    // A sound may end before it says so.
    const ended = added.length < (PIECE_S - 1) * LEVELS_PER_S;
    wave = { levels: [...before, ...added.slice(0, PIECE_S * LEVELS_PER_S)], lengthSeconds: ended ? known / LEVELS_PER_S : piece.lengthSeconds };
    if (waveforms.size >= KEPT) waveforms.clear();
    waveforms.set(url, wave);
    if (!stop.aborted) found(wave);
  }
}

async function levelsOf(sound: Blob): Promise<number[]> {
  const context = new OfflineAudioContext(1, 1, RATE);
  const decoded = await context.decodeAudioData(await sound.arrayBuffer());
  const samples = decoded.getChannelData(0);
  const step = RATE / LEVELS_PER_S;
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, place) => {
    let loudest = 0;
    for (let at = place * step; at < Math.min(samples.length, (place + 1) * step); at += 1) loudest = Math.max(loudest, Math.abs(samples[at] ?? 0));
    return Math.min(1, loudest);
  });
}
