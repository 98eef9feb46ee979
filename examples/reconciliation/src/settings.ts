/** Where the ledger is and what to ask with. */
export interface Settings {
  /** Ends with `/api/v1`. */
  readonly baseUrl: string;
  readonly offeringId: string;
  /** A Marketing key will do: no personal data is looked at. */
  readonly key: string;
}

/** The settings in the environment, where `offering-sandbox exec` puts its own. Throws Error for one that is missing. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const read = (name: string, inSandbox: string): string => {
    const value = env[name] ?? env[inSandbox];
    if (!value) throw new Error(`${name} is not set.`);
    return value;
  };
  return {
    baseUrl: read("SERVICE_BASE_URL", "OFFERING_SANDBOX_BASE_URL"),
    offeringId: read("SERVICE_OFFERING_ID", "OFFERING_SANDBOX_OFFERING_ID"),
    key: read("SERVICE_KEY", "OFFERING_SANDBOX_MARKETING_KEY"),
  };
}
