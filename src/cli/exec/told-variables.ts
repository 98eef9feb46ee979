import type { Sandbox } from "../../control.ts";

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
export function toldBy(
  sandbox: Pick<Sandbox, "url" | "baseUrl" | "adminUrl" | "keys" | "offerings">,
): Readonly<Record<(typeof toldVariables)[number], string | undefined>> {
  return {
    OFFERING_SANDBOX_URL: sandbox.url,
    OFFERING_SANDBOX_BASE_URL: sandbox.baseUrl,
    OFFERING_SANDBOX_ADMIN_URL: sandbox.adminUrl,
    OFFERING_SANDBOX_MARKETING_KEY: sandbox.keys.marketing,
    OFFERING_SANDBOX_PARTNER_KEY: sandbox.keys.partner,
    OFFERING_SANDBOX_OFFERING_ID: sandbox.offerings[0]?.id,
  };
}
