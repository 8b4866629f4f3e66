// The audio of files by url, for playback and waveforms. It is loaded in chunks, so that an hour of music needs no more
// memory than a minute.

import { BASE, fetchOk } from "./api";

/** Length of a chunk in seconds, the maximum of the API. */
export const CHUNK_S = 60;
export const LEVELS_PER_S = 20;
/** Maximum length of a waveform. */
const MAX_S = 600;
/** Low enough to be cheap, high enough to show loudness. */
const RATE = 8000;
const CACHE_SIZE = 24;

export interface AudioChunk {
  audio: Blob;
  atSeconds: number;
  /** Length of the whole audio. */
  lengthSeconds: number;
}

const chunks = new Map<string, Promise<AudioChunk>>();

/** Chunk `number` of a file's audio. */
export function loadChunk(url: string, number: number): Promise<AudioChunk> {
  const name = `${number} ${url}`;
  const cached = chunks.get(name);
  if (cached !== undefined) return cached;
  const request = fetchChunk(url, number * CHUNK_S);
  chunks.set(name, request);
  request.catch(() => chunks.delete(name));
  const [oldest] = chunks.keys();
  if (chunks.size > CACHE_SIZE && oldest !== undefined) chunks.delete(oldest);
  return request;
}

async function fetchChunk(url: string, atSeconds: number): Promise<AudioChunk> {
  const response = await fetchOk(`${BASE}/sound`, { method: "POST", body: { url, atSeconds, seconds: CHUNK_S } });
  const seconds = (name: string) => Number(response.headers.get(name) ?? 0);
  return { audio: await response.blob(), atSeconds: seconds("x-at-seconds"), lengthSeconds: seconds("x-length-seconds") };
}

export interface Waveform {
  /** Peak of each twentieth of a second, 0 to 1. */
  levels: number[];
  lengthSeconds: number;
}

const waveforms = new Map<string, Waveform>();

/** Loads the levels of a file's first `seconds`; `update` is called after each chunk. */
export async function loadWaveform(url: string, seconds: number, update: (wave: Waveform) => void, stop: AbortSignal): Promise<void> {
  let wave = waveforms.get(url) ?? { levels: [], lengthSeconds: Infinity };
  if (wave.levels.length > 0) update(wave);
  while (!stop.aborted) {
    const targetSeconds = Math.min(seconds, wave.lengthSeconds, MAX_S);
    if (wave.levels.length / LEVELS_PER_S >= targetSeconds - 0.2) return;
    const number = Math.floor(wave.levels.length / (LEVELS_PER_S * CHUNK_S));
    const chunk = await loadChunk(url, number);
    const added = await levelsOf(chunk.audio);
    const before = wave.levels.slice(0, number * CHUNK_S * LEVELS_PER_S);
    const levelCount = before.length + added.length;
    // The audio may be shorter than reported.
    const ended = added.length < (CHUNK_S - 1) * LEVELS_PER_S;
    wave = { levels: [...before, ...added.slice(0, CHUNK_S * LEVELS_PER_S)], lengthSeconds: ended ? levelCount / LEVELS_PER_S : chunk.lengthSeconds };
    if (waveforms.size >= CACHE_SIZE) waveforms.clear();
    waveforms.set(url, wave);
    if (!stop.aborted) update(wave);
  }
}

async function levelsOf(audio: Blob): Promise<number[]> {
  const context = new OfflineAudioContext(1, 1, RATE);
  const decoded = await context.decodeAudioData(await audio.arrayBuffer());
  const samples = decoded.getChannelData(0);
  const step = RATE / LEVELS_PER_S;
  return Array.from({ length: Math.ceil(samples.length / step) }, (_, place) => {
    let loudest = 0;
    for (let at = place * step; at < Math.min(samples.length, (place + 1) * step); at += 1) loudest = Math.max(loudest, Math.abs(samples[at] ?? 0));
    return Math.min(1, loudest);
  });
}
