import type { Connection } from "./service/service.ts";

/** A connection that the page offers without being asked. */
export interface KnownConnection extends Connection {
  readonly name: string;
}

/** The sandbox that `npm run dev` starts; none in the built page. */
export const sandboxConnections: readonly KnownConnection[] = import.meta.env.DEV ? readSandbox(import.meta.env) : [];

function readSandbox(env: ImportMetaEnv): KnownConnection[] {
  const { OFFERING_SANDBOX_BASE_URL: baseUrl, OFFERING_SANDBOX_OFFERING_ID: offeringId } = env;
  if (baseUrl === undefined || offeringId === undefined) return [];
  return [
    { name: "Marketing key", key: env.OFFERING_SANDBOX_MARKETING_KEY ?? "", baseUrl, offeringId },
    { name: "Partner key", key: env.OFFERING_SANDBOX_PARTNER_KEY ?? "", baseUrl, offeringId },
  ];
}
