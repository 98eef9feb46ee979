import type { Sandbox } from "../../control.ts";
import { firstSecret } from "../../control/first.ts";

/** The variables that tell the command that `exec` runs where the sandbox is and what to ask with. */
export const toldVariables = [
  "OFFERING_SANDBOX_URL",
  "OFFERING_SANDBOX_BASE_URL",
  "OFFERING_SANDBOX_ADMIN_URL",
  "OFFERING_SANDBOX_MARKETING_KEY",
  "OFFERING_SANDBOX_PARTNER_KEY",
  "OFFERING_SANDBOX_OFFERING_ID",
] as const;

/** Their values for the first offering of a sandbox; undefined where its fixture has none. */
export async function toldBy(
  sandbox: Sandbox,
): Promise<Readonly<Record<(typeof toldVariables)[number], string | undefined>>> {
  const description = await sandbox.describe();
  return {
    OFFERING_SANDBOX_URL: sandbox.url,
    OFFERING_SANDBOX_BASE_URL: sandbox.baseUrl,
    OFFERING_SANDBOX_ADMIN_URL: sandbox.adminUrl,
    OFFERING_SANDBOX_MARKETING_KEY: firstSecret(description, "marketing"),
    OFFERING_SANDBOX_PARTNER_KEY: firstSecret(description, "partner"),
    OFFERING_SANDBOX_OFFERING_ID: description.offerings[0]?.id,
  };
}
