// Creates the preview images of caption styles (src/assets/captions) with the renderer: node tools/caption-pictures.mjs,
// with ffmpeg, after a change of src/lib/caption-styles.ts or of caption rendering. Check the images before you commit them.

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runnerImport } from "vite";
import { sample, Service } from "../e2e/harness.mjs";

const { module: { CAPTION_STYLES } } = await runnerImport(join(import.meta.dirname, "../src/lib/caption-styles.ts"));
const FOLDER = join(import.meta.dirname, "../src/assets/captions");
const WORDS = "1\n00:00:00,000 --> 00:00:04,000\nYour words\n您的文字\n";
const WIDTH = 296;

const service = await Service.start();
try {
  const upload = async (name, body) => (await service.call(`/uploads?fileName=${name}`, { method: "POST", body })).url;
  const [clip, captions] = [await upload("city.mp4", readFileSync(sample("city.mp4"))), await upload("words.srt", new TextEncoder().encode(WORDS))];
  mkdirSync(FOLDER, { recursive: true });
  for (const { name, style } of CAPTION_STYLES) {
    const options = { resolution: "1080:1350", resolutionMode: "crop", subtitle: { url: captions, style } };
    const request = { taskType: "baseVideoMix", params: { videoList: [{ videos: [{ url: clip }], totalDuration: 4 }], options } };
    const answer = await fetch(`${service.base}/open-api/v1/preview`, {
      method: "POST", headers: { "X-API-Key": service.key, "Content-Type": "application/json" }, body: JSON.stringify({ request, atSeconds: 1.2, width: WIDTH }),
    });
    if (!answer.ok) throw new Error(`${name}: ${await answer.text()}`);
    execFileSync("ffmpeg", ["-v", "error", "-y", "-f", "jpeg_pipe", "-i", "-", "-c:v", "libwebp", "-quality", "72", "-compression_level", "6", join(FOLDER, `${name}.webp`)],
      { input: Buffer.from(await answer.arrayBuffer()) });
  }
} finally {
  await service.stop();
}
