import { defineConfig } from "vite";

/** The service that the development server forwards calls to. */
const service = process.env.CLIPMILL_URL ?? "http://127.0.0.1:8080";

export default defineConfig(({ command }) => ({
  // Files refer to each other relatively; the service adds the path of its build.
  base: command === "serve" ? "/console/" : "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    // The service embeds this folder; it is checked in, so that building the service needs no Node.
    outDir: "../crates/clipmill-server/console/dist",
    emptyOutDir: true,
    target: "es2022",
    // The content security policy of the pages allows files of their own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Names without hashes, so that a change touches few of the files that are checked in.
    rolldownOptions: {
      output: { entryFileNames: "assets/[name].js", chunkFileNames: "assets/[name].js", assetFileNames: "assets/[name][extname]" },
    },
  },
  server: {
    proxy: { "/open-api": service, "/files": service, "/openapi.json": service },
  },
}));
