import { onOrOff, origin, text } from "../settings/kinds.ts";
import type { Given, Settings, Values } from "../settings/setting.ts";

const group = "Which sandbox:";

/** The flags of every command that speaks to a running sandbox. */
export const connectionFlags = {
  url: {
    group,
    kind: origin,
    default: "http://localhost:4120",
    describe: "where it runs; OFFERING_SANDBOX_URL says so too",
  },
  token: {
    group,
    kind: text("token", "a token without spaces", /^\S+$/),
    describe: "the admin token, where it asks for one; OFFERING_SANDBOX_ADMIN_TOKEN says so too",
  },
  environment: {
    group,
    kind: text("id", "an environment's id", /^[\w-]+$/),
    default: "default",
    describe: "the environment that is meant",
  },
  json: { kind: onOrOff, default: false, describe: "print JSON" },
} as const satisfies Settings;

/** Which sandbox a command speaks to. */
export type Connection = Values<typeof connectionFlags>;

const variables = { url: "OFFERING_SANDBOX_URL", token: "OFFERING_SANDBOX_ADMIN_TOKEN" } as const;

/** What the environment's variables say of it. An empty variable says nothing. */
export function connectionVariables(environment: Readonly<Record<string, string | undefined>>): Given[] {
  return Object.entries(variables).flatMap(([setting, place]) => {
    const said = environment[place] ?? "";
    return said === "" ? [] : [{ setting, text: said, place }];
  });
}
