// Templates of the service's messages in the console's words. `make generate` creates messages.json from the service's
// catalogue.

import table from "./messages.json";

export const templates = table as unknown as Readonly<Record<string, readonly [en: string, zh: string]>>;
