// Requests a callback to this process and verifies it with the library of Standard Webhooks: with each of the secrets.
import assert from "node:assert";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";

const [base, key, ...secrets] = process.argv.slice(2) as [string, string, ...string[]];

type Received = { headers: IncomingHttpHeaders; body: string };
const received: Received[] = [];
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on("data", (piece: Buffer) => pieces.push(piece));
  request.on("end", () => {
    received.push({ headers: request.headers, body: Buffer.concat(pieces).toString("utf8") });
    response.writeHead(200).end();
  });
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const { port } = server.address() as AddressInfo;
const answer = await fetch(`${base}/open-api/v1/video-process/callbacks/test`, {
  method: "POST",
  headers: { "X-API-Key": key, "Content-Type": "application/json" },
  body: JSON.stringify({ url: `http://127.0.0.1:${port}/`, type: "task.failed" }),
});
const { data } = (await answer.json()) as { data: { delivered: boolean } };
assert(data.delivered, JSON.stringify(data));
const { headers, body } = received[0]!;
for (const secret of secrets) {
  const message = new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string };
  assert.equal(message.type, "task.failed");
}
assert.throws(() => new Webhook(secrets[0]!).verify(`${body} `, headers as Record<string, string>));
console.log(`typescript: a callback verified with ${secrets.length} secrets`);
server.close();
