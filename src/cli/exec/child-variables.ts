import { resolve } from "node:path";
import type { EnvironmentDescription, LocalSandbox } from "../../control.ts";

type Variable = (sandbox: LocalSandbox, description: EnvironmentDescription) => string | undefined;

/** The environment variables of the command of `exec`: the sandbox, and the first offering of its fixture. */
const childValues = {
  OFFERING_SANDBOX_URL: ({ url }) => url,
  OFFERING_SANDBOX_BASE_URL: ({ baseUrl }) => baseUrl,
  OFFERING_SANDBOX_ADMIN_URL: ({ adminUrl }) => adminUrl,
  OFFERING_SANDBOX_MARKETING_KEY: (_, { marketing_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_PARTNER_KEY: (_, { partner_key: key }) => key ?? undefined,
  OFFERING_SANDBOX_OFFERING_ID: (_, { offerings }) => offerings[0]?.id,
  OFFERING_SANDBOX_CASES_DIR: ({ casesDir }) => (casesDir === null ? undefined : resolve(casesDir)),
} satisfies Readonly<Record<string, Variable>>;

export const childVariableNames: readonly string[] = Object.keys(childValues);

/** The values of the variables. Missing ones are undefined: the child must not inherit stale ones. */
export async function childVariables(sandbox: LocalSandbox): Promise<Readonly<Record<string, string | undefined>>> {
  const description = await sandbox.describe();
  return Object.fromEntries(
    Object.entries<Variable>(childValues).map(([name, valueOf]) => [name, valueOf(sandbox, description)]),
  );
}

/**
 * The variables that name addresses without a proxy, with those of this machine, which a proxy of the network cannot
 * reach. A `*` stands for all addresses only if it is alone.
 */
export function withoutProxy({ NO_PROXY = "", no_proxy = "" }: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const names = new Set([NO_PROXY, no_proxy, "localhost,127.0.0.1,::1"].join().split(/[\s,]+/));
  names.delete("");
  const value = names.has("*") ? "*" : [...names].join();
  return { NO_PROXY: value, no_proxy: value };
}
