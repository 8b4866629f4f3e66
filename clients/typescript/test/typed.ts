// Checked by tsc, not run: typed access to callbacks, errors in tables, and rows of a batch.
import type { CallbackEvent, Client, InvalidRequest, models, WaitAllTimeout } from "clipmill";

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
  return (await client.batchRows(number, { state: "failed" })).list;
}

export async function waitForAll(client: Client, numbers: Set<string>): Promise<models.Task[]> {
  return client.waitAll(numbers, { timeout: 60, onChange: ({ taskNo }) => taskNo.length });
}

export const stillOpen = (error: WaitAllTimeout): string[] => [...error.open.keys()];

export async function speakFirst(client: Client): Promise<Uint8Array> {
  const voice: models.VoiceEntry | undefined = (await client.voices()).list[0];
  return client.speak("Hello.", voice ? { voice: voice.name, speed: 1.1 } : {});
}
