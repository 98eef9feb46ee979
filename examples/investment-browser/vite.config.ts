import { defineConfig } from "vitest/config";

/** What the page may know of the sandbox that `npm run dev` starts: not its admin token, should it have one. */
const told = [
  "OFFERING_SANDBOX_BASE_URL",
  "OFFERING_SANDBOX_OFFERING_ID",
  "OFFERING_SANDBOX_MARKETING_KEY",
  "OFFERING_SANDBOX_PARTNER_KEY",
];

export default defineConfig(({ command }) => ({
  // A page that is built holds nobody's key, whatever the variables say while it is.
  envPrefix: command === "serve" ? told : [],
  // The time limits are far beyond what a busy machine needs: they end what hangs.
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
}));
