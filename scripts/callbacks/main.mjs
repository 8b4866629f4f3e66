import { readFileSync } from "node:fs";
const [secret, id, timestamp, signature, path] = process.argv.slice(2);
verify(secret, { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature }, readFileSync(path));
