import { adminOpenApi } from "../../package.ts";
import { onOrOff } from "../../settings/kinds.ts";
import { startSettings } from "../../settings/start-settings.ts";
import type { TextValue } from "../../settings/values.ts";
import type { Command } from "../command.ts";
import { connectionFlags, readConnected } from "../connection.ts";
import { assumptionSettings, assumptionsInForce, loadSettings } from "../settings/load.ts";
import { printJson } from "../output/terminal.ts";

const adminFlag = { admin: { kind: onOrOff, default: false, help: "the admin API instead of the service" } } as const;
const { url } = connectionFlags;

export const openapiCommand: Command = {
  name: "openapi",
  summary: "Print the OpenAPI document of the service, or of the admin API.",
  flags: { ...adminFlag, url, ...assumptionSettings, rateLimit: startSettings.rateLimit },
  examples: [
    ["openapi > openapi.json", "the service as a sandbox started here emulates it"],
    ["openapi --profile minimal", "only what the specification promises"],
    ["openapi --admin", "the admin API, for a client in any language"],
  ],
  async run({ given }) {
    // The setting `admin` of `start` has another meaning.
    const ofStart = given.filter(({ setting }) => setting !== "admin");
    const { flags, connection } = readConnected(adminFlag, given);
    const document = flags.admin ? adminOpenApi(connection.url) : serviceDocument(ofStart, connection.url);
    printJson(await document);
  },
};

async function serviceDocument(given: readonly TextValue[], origin: string): Promise<unknown> {
  const { settings } = await loadSettings(given);
  const { describeService } = await import("../../server/service-description.ts");
  return describeService({ assumptions: assumptionsInForce(settings), rateLimit: settings.rateLimit }, origin);
}
