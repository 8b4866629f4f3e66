// Thumbnails of clips. Files that the browser can decode are drawn here; for other files and links, the service
// provides a thumbnail.

import { api } from "./api";
import { media, noteMedia } from "./media";
import { fieldErrorText } from "./service-message";

const WIDTH = 240;

class Semaphore {
  #free: number;
  #queue: (() => void)[] = [];
  constructor(atOnce: number) {
    this.#free = atOnce;
  }
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

const localDecodes = new Semaphore(2);
const remoteProbes = new Semaphore(1);

/** Draws a frame of a local video or image; undefined if the browser cannot decode it. */
export function fileThumb(file: File): Promise<string | undefined> {
  return localDecodes.run(async () => {
    const address = URL.createObjectURL(file);
    try {
      return await (file.type.startsWith("image/") ? imageThumb(address) : videoThumb(address));
    } catch {
      return undefined;
    } finally {
      URL.revokeObjectURL(address);
    }
  });
}

async function imageThumb(address: string): Promise<string> {
  const image = new Image();
  image.src = address;
  await image.decode();
  return draw(image, image.naturalWidth, image.naturalHeight);
}

async function videoThumb(address: string): Promise<string> {
  const video = document.createElement("video");
  video.muted = true;
  video.preload = "auto";
  video.src = address;
  await once(video, "loadeddata");
  video.currentTime = Math.min(1, (video.duration || 1) / 3);
  await once(video, "seeked");
  const thumb = await draw(video, video.videoWidth, video.videoHeight);
  video.removeAttribute("src");
  video.load();
  return thumb;
}

function once(element: HTMLMediaElement, event: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("late")), 10_000);
    element.addEventListener("error", () => reject(new Error("cannot decode")), { once: true });
    element.addEventListener(event, () => {
      clearTimeout(late);
      resolve();
    }, { once: true });
  });
}

async function draw(source: CanvasImageSource, width: number, height: number): Promise<string> {
  if (width === 0 || height === 0) throw new Error("no frame");
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.max(1, Math.round((WIDTH * height) / width));
  canvas.getContext("2d")?.drawImage(source, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.75));
  if (blob === null) throw new Error("no frame");
  return URL.createObjectURL(blob);
}

const requestedUrls = new Set<string>();

/** Requests the duration, problem and thumbnail of a link or an earlier upload. */
export function probeUrl(url: string): void {
  const facts = media.value.get(url);
  if (requestedUrls.has(url) || (facts?.thumb !== undefined && facts.duration !== undefined)) return;
  requestedUrls.add(url);
  void remoteProbes.run(() => probe(url));
}

async function probe(url: string): Promise<void> {
  try {
    if (media.value.get(url)?.duration === undefined) {
      noteMedia(url, { probing: true });
      const { media: probed } = await api.probe(url);
      // An image has the duration 0, which cannot be declared.
      const duration = probed.video?.duration || probed.audio?.duration;
      noteMedia(url, { probing: false, ...(duration ? { duration } : {}) });
    }
    if (media.value.get(url)?.thumb !== undefined) return;
    const thumbnail = await api.thumbnail(url, WIDTH);
    noteMedia(url, { thumb: URL.createObjectURL(thumbnail) });
  } catch (error) {
    const problem = fieldErrorText(error);
    // A result may be missing only because its task has not ended. The estimate rejects those that will never exist.
    const isUsable = problem === undefined || url.startsWith("result:");
    noteMedia(url, { probing: false, ...(isUsable ? {} : { problem }) });
    if (problem === undefined) setTimeout(() => requestedUrls.delete(url), 5000);
  }
}
