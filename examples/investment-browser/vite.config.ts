import { defineConfig } from "vitest/config";

/** What the page may know about the sandbox that `npm run dev` starts: not its admin token. */
const told = [
  "OFFERING_SANDBOX_BASE_URL",
  "OFFERING_SANDBOX_OFFERING_ID",
  "OFFERING_SANDBOX_MARKETING_KEY",
  "OFFERING_SANDBOX_PARTNER_KEY",
];

export default defineConfig(({ command }) => ({
  // A built page does not contain a key, whatever variables are set during the build.
  envPrefix: command === "serve" ? told : [],
  // The time limits are far longer than a busy machine needs: they only end what hangs.
  test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000 },
}));
