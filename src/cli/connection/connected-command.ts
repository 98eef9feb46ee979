import type { Environment } from "../../control.ts";
import type { Command } from "../command.ts";
import type { Settings, Values } from "../settings/setting.ts";
import { connect } from "./connect.ts";
import { connectionFlags } from "./connection-flags.ts";
import { readConnected } from "./read-connected.ts";

type Question<Result> = (environment: Environment) => Promise<Result>;

/** A command that asks one thing of an environment of a running sandbox. */
interface ConnectedCommand<Flags extends Settings, Result> extends Pick<Command, "summary" | "operand" | "examples"> {
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
