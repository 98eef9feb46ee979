import { resolve } from "node:path";
import type { EnvironmentDescription, LocalSandbox } from "../../public/control.ts";
import type { childVariableNames } from "../../settings/variables.ts";

type Variable = (sandbox: LocalSandbox, description: EnvironmentDescription) => string | undefined;

/** The variables by which `exec` tells its command of the sandbox, the first offering and the folder for snapshots. */
const childValues = {
  OFFERING_SANDBOX_URL: ({ url }) => url,
  OFFERING_SANDBOX_BASE_URL: ({ baseUrl }) => baseUrl,
  OFFERING_SANDBOX_ADMIN_URL: ({ adminUrl }) => adminUrl,
  OFFERING_SANDBOX_MARKETING_KEY: (_, { marketing_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_PARTNER_KEY: (_, { partner_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_OFFERING_ID: (_, { offerings }) => offerings[0]?.id,
  OFFERING_SANDBOX_CASES_DIR: ({ casesDir }) => (casesDir === null ? undefined : resolve(casesDir)),
} satisfies Readonly<Record<(typeof childVariableNames)[number], Variable>>;

/** The values of these variables; undefined for one without a value, so that the child does not inherit an old one. */
export async function childVariables(sandbox: LocalSandbox): Promise<Readonly<Record<string, string | undefined>>> {
  const description = await sandbox.describe();
  return Object.fromEntries(
    Object.entries<Variable>(childValues).map(([name, valueOf]) => [name, valueOf(sandbox, description)]),
  );
}

/**
 * The variables that name the addresses to reach without a proxy. Adds those of this machine, which a proxy elsewhere
 * cannot reach. Beside other names, a `*` would not stand for all addresses, so it then replaces them.
 */
export function withoutProxy({ NO_PROXY = "", no_proxy = "" }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = new Set([NO_PROXY, no_proxy, "localhost,127.0.0.1,::1"].join().split(/[\s,]+/));
  names.delete("");
  const value = names.has("*") ? "*" : [...names].join();
  return { NO_PROXY: value, no_proxy: value };
}
