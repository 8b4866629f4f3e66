// Checked by tsc, not run: typed access to callbacks, errors in tables, and rows of a batch.
import type { CallbackEvent, Client, InvalidRequest, Listing, models, Preview, Speech, WaitAllTimeout } from "clipmill";

export function callbacks(event: CallbackEvent): string {
  if (event.type === "batch.completed" || event.type === "batch.failed" || event.type === "batch.cancelled") {
    const batch: models.Batch = event.data;
    return batch.batchNo;
  }
  const task: models.Task = event.data;
  return task.taskNo;
}

export function wrongCells(error: InvalidRequest): [number | undefined, string | null | undefined][] {
  return error.errors.map(({ row, column }) => [row, column]);
}

export async function failedRows(client: Client, number: string): Promise<models.BatchRow[]> {
  // @ts-expect-error: not the name of a state.
  await client.batchRows(number, { state: "faild" });
  return client.batchRows(number, { state: "failed" }).toArray();
}

export async function waitForAll(client: Client, numbers: Set<string>): Promise<models.Task[]> {
  return client.waitAll(numbers, { timeout: 60, onChange: ({ taskNo }) => taskNo.length });
}

export const stillOpen = (error: WaitAllTimeout): string[] => [...error.open.keys()];

export async function speakFirst(client: Client): Promise<Speech> {
  const voice: models.VoiceEntry | undefined = (await client.voices()).list[0];
  return client.speak("Hello.", voice ? { voice: voice.name, speed: 1.1 } : {});
}

export async function lists(client: Client): Promise<string[]> {
  // @ts-expect-error: not the name of a type.
  client.records({ type: "holds" });
  const uploads: Listing<models.LibraryFile> = client.uploads();
  const numbers: string[] = [];
  for await (const task of client.tasks({ taskType: "baseVideoMix" })) numbers.push(task.taskNo);
  return [...numbers, ...(await uploads.page(2)).list.map(({ url }) => url)];
}

export async function previewFirst(client: Client): Promise<number | undefined> {
  const frame: Preview = await client.preview({ template: "TP01" });
  return frame.atSeconds;
}

export async function uploadBody(client: Client, body: ReadableStream<Uint8Array>): Promise<string> {
  return (await client.upload(body, { onProgress: (sent, total) => console.log(sent, total ?? "?") })).url;
}
