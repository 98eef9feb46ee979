import type { Environment } from "../control.ts";
import { Mistake } from "../model/mistakes.ts";
import type { Command } from "./command-line.ts";
import { onOrOff, origin, text } from "../settings/kinds.ts";
import type { Settings, Values } from "../settings/settings.ts";
import { type Given, readValues } from "../settings/values.ts";

/** The environment that a command speaks to. */
export async function connect({ url, token, environment }: Connection): Promise<Environment> {
  const { connectSandbox } = await import("../client/connect.ts");
  return connectSandbox(url, { token, environment });
}

const group = "Target:";

/** The flags of every command that speaks to a running sandbox. */
export const connectionFlags = {
  url: {
    group,
    kind: origin,
    default: "http://localhost:4120",
    words: "address of the sandbox (or OFFERING_SANDBOX_URL)",
  },
  token: {
    group,
    kind: text("token", "a token without spaces", /^\S+$/),
    words: "admin token, if it needs one (or OFFERING_SANDBOX_ADMIN_TOKEN)",
  },
  environment: {
    group,
    kind: text("id", "an environment's id", /^[\w-]+$/),
    default: "default",
    words: "environment to act on",
  },
  json: { kind: onOrOff, default: false, words: "print JSON" },
} as const satisfies Settings;

/** The target of a command. */
type Connection = Values<typeof connectionFlags>;

const variables = { url: "OFFERING_SANDBOX_URL", token: "OFFERING_SANDBOX_ADMIN_TOKEN" } as const;

/** What the environment's variables say of it. An empty variable says nothing. */
function connectionVariables(environment: Readonly<Record<string, string | undefined>>): Given[] {
  return Object.entries(variables).flatMap(([setting, place]) => {
    const said = environment[place] ?? "";
    return said === "" ? [] : [{ setting, text: said, place }];
  });
}

/** A connected command's own flags, and which sandbox it speaks to. Throws a Mistake that names everything that is wrong. */
export function readConnected<Flags extends Settings>(
  own: Flags,
  given: readonly Given[],
): { readonly flags: Values<Flags>; readonly connection: Connection } {
  const mistakes: string[] = [];
  const flags = readValues(own, [given], mistakes);
  const connection = readValues(connectionFlags, [connectionVariables(process.env), given], mistakes);
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return { flags, connection };
}

type Question<Result> = (environment: Environment) => Promise<Result>;

/** A command that asks one thing of an environment of a running sandbox. */
interface ConnectedCommand<Flags extends Settings, Result> extends Pick<
  Command,
  "name" | "summary" | "operand" | "examples"
> {
  readonly flags: Flags;
  /** What to ask. Throws a Mistake for what the person got wrong, before anybody is asked. */
  readonly ask: (flags: Values<Flags>, operand: string | undefined) => Question<Result> | Promise<Question<Result>>;
  /** The answer for people. */
  readonly show: (result: Result, environment: Environment) => string;
}

/** The command as the command line knows it: with the flags that say which sandbox, and `--json` for the answer as it is. */
export function connectedCommand<Flags extends Settings, Result>(command: ConnectedCommand<Flags, Result>): Command {
  const { ask, show, flags: own, ...rest } = command;
  return {
    ...rest,
    flags: { ...own, ...connectionFlags },
    async run({ given, operands: [operand] }) {
      const { flags, connection } = readConnected(own, given);
      const question = await ask(flags, operand);
      const environment = await connect(connection);
      const result = await question(environment);
      console.log(connection.json ? JSON.stringify(result ?? null, null, 2) : show(result, environment));
      return 0;
    },
  };
}
