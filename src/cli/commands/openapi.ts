import { adminOpenApi } from "../../package.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { startSettings } from "../../settings/settings.ts";
import { type Given, readAll } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { assumptionSettings, assumptionsInForce, loadSettings } from "../settings/load.ts";
import { print } from "../output/terminal.ts";

const own = { admin: { kind: onOrOff, default: false, words: "the admin API instead of the service" } } as const;

export const openapi: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document of the service, or of the admin API.",
  flags: { ...own, ...assumptionSettings, "rate-limit": startSettings.rateLimit },
  examples: [
    ["openapi > openapi.json", "the service as a sandbox started here emulates it"],
    ["openapi --profile minimal", "only what the specification promises"],
    ["openapi --admin", "the admin API, for a client in any language"],
  ],
  async run({ given }) {
    // `admin` is another setting to `start`.
    const ofStart = given.filter(({ setting }) => setting !== "admin");
    const { admin } = readAll(own, given);
    print(JSON.stringify(admin ? await adminOpenApi() : await serviceDocument(ofStart), null, 2));
  },
};

async function serviceDocument(given: readonly Given[]): Promise<unknown> {
  const { settings } = await loadSettings(given);
  const { describeService } = await import("../../server/service-description.ts");
  return describeService({ assumptions: assumptionsInForce(settings), rateLimit: settings.rateLimit });
}
