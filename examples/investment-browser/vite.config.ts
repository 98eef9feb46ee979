import { offeringSandbox } from "offering-sandbox/vite";
import { defineConfig } from "vitest/config";

export default defineConfig({
  // The page names the type of a key, and never has the key itself.
  plugins: [offeringSandbox({ key: ({ headers }) => headers["sandbox-key"]?.toString() })],
  // The time limits are far longer than a busy machine needs: they only end what hangs.
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
});
