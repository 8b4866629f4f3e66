// From submission to file with types generated from the API's description.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import createClient from "openapi-fetch";
import type { paths } from "./schema.js";

const [base, key, sample] = process.argv.slice(2);
if (!base || !key || !sample) throw new Error("usage: session BASE KEY SAMPLE");
const api = createClient<paths>({ baseUrl: base, headers: { "X-API-Key": key } });

const upload = await api.POST("/open-api/v1/uploads", {
  params: { query: { fileName: "city.mp4" } },
  headers: { "Content-Type": "application/octet-stream" },
  body: await readFile(sample) as unknown as string,
  bodySerializer: (body) => body as unknown as BodyInit,
});
if (!upload.data) throw new Error(`upload: ${upload.error.msg}`);

const submitted = await api.POST("/open-api/v1/video-process/submit", {
  body: {
    taskType: "baseVideoMix",
    params: {
      videoList: [{ videos: [{ url: upload.data.data.url }], totalDuration: 1 }],
      options: { resolution: "720:1280", resolutionMode: "crop" },
    },
  } as paths["/open-api/v1/video-process/submit"]["post"]["requestBody"]["content"]["application/json"],
});
if (!submitted.data) throw new Error(`submit: ${submitted.error.msg}`);
const { taskNo, estimatedDotCount } = submitted.data.data;

for (;;) {
  const status = await api.GET("/open-api/v1/video-process/status/{taskNo}", { params: { path: { taskNo } } });
  if (!status.data) throw new Error(`status: ${status.error.msg}`);
  const task = status.data.data;
  if (task.status >= 4) throw new Error(`${task.statusName}: ${task.errorMsg}`);
  if (task.status === 3) {
    const item = task.items?.[0];
    if (!item?.url) throw new Error("completed without a link");
    const bytes = Buffer.from(await (await fetch(item.url)).arrayBuffer());
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    if (sha256 !== item.sha256) throw new Error(`downloaded ${sha256} instead of ${item.sha256}`);
    if (task.consumedDotCount > estimatedDotCount) throw new Error("costs more than was said");
    console.log(`TypeScript: ${taskNo}, ${bytes.length} bytes, ${task.consumedDotCount} points`);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 500));
}

const refused = await api.POST("/open-api/v1/video-process/submit", { body: { taskType: "none" } as never });
if (refused.error?.code !== 40001) throw new Error("an invalid request was not refused as one");
