// Texts that the service speaks in place of audio files: their voices, price and estimated length.

import { signal } from "@preact/signals";
import { media } from "./media";
import type { Language } from "./prefs";
import type { Voice } from "./types";

/** A voice-over or the audio of a scene: a file, or a text to speak. */
export interface VoiceAudio {
  url?: string;
  text?: string;
  voice?: string;
  speed?: number;
  duration?: number;
  start?: number;
}

/** Maximum characters of a text to listen to. */
export const MAX_PREVIEW_CHARACTERS = 500;

/** Fields of a spoken text. */
export const SPEECH_FIELDS = ["text", "voice", "speed"];

const characters = (text: string) => [...text].length;

/** The beginning of a text that can be listened to: all of it, otherwise whole sentences, words or characters. */
export function listenedPart(text: string, most = MAX_PREVIEW_CHARACTERS): string {
  if (characters(text) <= most) return text;
  for (const granularity of ["sentence", "word", "grapheme"] as const) {
    let part = "";
    for (const { segment } of new Intl.Segmenter(undefined, { granularity }).segment(text)) {
      if (characters(part + segment) > most) break;
      part += segment;
    }
    if (part.trim() !== "") return part.trimEnd();
  }
  return "";
}

/** The points that a text costs. */
export const speechPoints = (text: string, per1000Characters: number): number => Math.ceil((characters(text) * per1000Characters) / 1000);

/** Characters of Chinese, Japanese and Korean, as the service counts them. */
const WIDE = /[\u1100-\u11ff\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uffe6\u{20000}-\u{3ffff}]/gu;
const LETTERS_PER_S = 15;
const WIDE_PER_S = 4;

/** The estimated length of a spoken text, as the service estimates it. */
export function spokenSeconds(text: string, speed = 1): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.max(1, ((characters(text) - wide) / LETTERS_PER_S + wide / WIDE_PER_S) / (speed > 0 ? speed : 1));
}

/** The lengths of texts that were heard, which the service keeps for tasks. */
export const heardLengths = signal<ReadonlyMap<string, number>>(new Map());
const keyOf = ({ text, voice, speed }: VoiceAudio) => JSON.stringify([text, voice || null, speed ?? 1]);

export function noteHeard(audio: VoiceAudio, seconds: number): void {
  heardLengths.value = new Map([...heardLengths.value, [keyOf(audio), seconds]]);
}

/** The length of a WAV file of the service, whose header has 44 bytes. */
export function wavSeconds(wav: ArrayBuffer): number | undefined {
  const bytesPerSecond = wav.byteLength < 44 ? 0 : new DataView(wav).getUint32(28, true);
  return bytesPerSecond === 0 ? undefined : (wav.byteLength - 44) / bytesPerSecond;
}

export interface VoiceLength {
  seconds: number;
  /** The length of the file is not known, or the text has not been spoken. */
  estimated: boolean;
}

/** The service's assumption about a file that it has not probed. */
const UNKNOWN_S = 15;

/** The time until a voice has ended; null if there is neither a file nor a text. */
export function voiceLength(audio: VoiceAudio): VoiceLength | null {
  const heard = heardLength(audio);
  return heard && { ...heard, seconds: heard.seconds + Number(audio.start ?? 0) };
}

function heardLength(audio: VoiceAudio): VoiceLength | null {
  const { url, text, speed, duration } = audio;
  const most = Number(duration ?? Infinity) || Infinity;
  if (text) {
    const heard = heardLengths.value.get(keyOf(audio));
    return { seconds: Math.min(heard ?? spokenSeconds(text, Number(speed ?? 1)), most), estimated: heard === undefined };
  }
  if (!url) return null;
  const file = media.value.get(url)?.duration;
  if (file !== undefined) return { seconds: Math.min(file, most), estimated: false };
  return { seconds: most === Infinity ? UNKNOWN_S : most, estimated: true };
}

/** One of several voices: their average length, which is estimated if they differ. */
export function averageLength(voices: readonly VoiceAudio[]): VoiceLength | null {
  const lengths = voices.flatMap((voice) => voiceLength(voice) ?? []);
  const [first] = lengths;
  if (first === undefined) return null;
  const seconds = lengths.reduce((sum, length) => sum + length.seconds, 0) / lengths.length;
  return { seconds, estimated: lengths.some((length) => length.estimated || length.seconds !== first.seconds) };
}

export interface VoiceChoice {
  name: string;
  title: string;
}

const LANGUAGES: Readonly<Record<Language, RegExp>> = { en: /^en\b/i, zh: /^(zh|cmn|yue)\b/i };

/** The voices of the console's language, and the others. Voices with a title are sorted by it; others keep their order. */
export function groupVoices(voices: readonly Voice[], language: Language): { own: VoiceChoice[]; others: VoiceChoice[] } {
  const choices = voices.map(({ name, title }) => ({ name, title: title?.[language] ?? name, isNamed: title !== null }));
  const isOwn = ({ name }: VoiceChoice) => LANGUAGES[language].test(name);
  const others = choices.filter((voice) => !isOwn(voice));
  if (others.every(({ isNamed }) => isNamed)) others.sort((a, b) => a.title.localeCompare(b.title, language));
  const plain = ({ name, title }: VoiceChoice) => ({ name, title });
  return { own: choices.filter(isOwn).map(plain), others: others.map(plain) };
}
