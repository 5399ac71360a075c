import { defineConfig } from "vite";

// Relative addresses, so that the page can lie in any folder of a host.
export default defineConfig({
  base: "./",
  build: { target: "es2022", assetsInlineLimit: 0, chunkSizeWarningLimit: 700 },
  worker: { format: "es" },
  server: { fs: { allow: [".."] } },
});
