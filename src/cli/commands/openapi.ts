import { version } from "../../version.ts";
import type { Command } from "../command.ts";
import { assumptionFlags, assumptionsInForce } from "../settings/assumptions-in-force.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { startSettings } from "../settings/start-settings.ts";

/** Prints the OpenAPI document of the service as a sandbox started here would serve it, without examples. */
export const openapi: Command = {
  summary: "Print the service's OpenAPI document.",
  flags: { ...assumptionFlags, "rate-limit": startSettings["rate-limit"] },
  examples: [
    ["openapi > openapi.json", "the service as a sandbox started here emulates it"],
    ["openapi --profile minimal", "nothing that the specification does not promise"],
  ],
  async run({ given }) {
    const { settings } = await loadSettings(given);
    const { openApiDocument } = await import("../../openapi/openapi-document.ts");
    const assumptions = assumptionsInForce(settings);
    const document = openApiDocument({ assumptions, rateLimit: settings["rate-limit"], version });
    console.log(JSON.stringify(document, null, 2));
    return 0;
  },
};
