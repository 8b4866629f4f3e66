import { defineConfig } from "vitest/config";

export default defineConfig({ test: { include: ["test/**/*.test.ts"], environment: "node", setupFiles: ["test/browser.ts"], css: { include: [/src\/styles\//] } } });
