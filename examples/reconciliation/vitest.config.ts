import { defineConfig } from "vitest/config";

// The time limits are far beyond what a busy machine needs: they end what hangs.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } });
