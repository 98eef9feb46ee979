/** Where the ledger is, and the key to read it with. */
export interface Settings {
  /** The base address, which ends with `/api/v1`. */
  readonly baseUrl: string;
  readonly offeringId: string;
  /** The key. A Marketing key is enough, because personal data is not read. */
  readonly key: string;
}

/**
 * Returns the settings in the environment variables, which `offering-sandbox exec` sets. Throws Error for a missing
 * one.
 */
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
