import { defineConfig } from "vitest/config";

// The time limits are far longer than a busy machine needs: they only end what hangs.
export default defineConfig({ test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 } });
