import type { AdminConnection } from "../client/connection.ts";
import type { AdminOperation } from "../control/operation.ts";
import { type AdminOperationId, adminOperations, type AnswerOf } from "../control/operations.ts";
import { ControlError } from "../errors/control-error.ts";
import type { Members } from "../mistakes/members.ts";
import { Mistake } from "../mistakes/mistakes.ts";
import { escapedData } from "../text/text.ts";
import { flagOf, type Settings } from "../settings/settings.ts";
import { valuesGiven } from "../settings/values.ts";
import type { Command } from "./command.ts";
import { callerOf, connectionFlags, noteOtherFolder, readConnected } from "./connection.ts";
import { nested, operationFlags } from "./operation-flags.ts";
import { print, printJson } from "./output/terminal.ts";

/** The items of a list, or any other answer as it is. */
type Content<Answer> = Answer extends { readonly data: infer Items }
  ? Exclude<keyof Answer, "data"> extends never
    ? Items
    : Answer
  : Answer;

/** A command that calls an operation of a running sandbox. The row of the operation has everything else. */
interface OperationCommand<Result> extends Pick<Command, "operand"> {
  /** @default the summary of the operation */
  readonly summary?: string;
  /** @default only the name */
  readonly examples?: Command["examples"];
  /** The member of the body that the operand is, unless it is an id in the path. @default the operand's name */
  readonly member?: string;
  /** @default the flags for the operation's query or body */
  readonly flags?: () => Settings;
  /** Sends the request; `members` are the values of the flags and the operand. @default one call of the operation */
  readonly request?: (sandbox: AdminConnection, members: Members, operand: string | undefined) => Promise<Result>;
  /** Writes the answer for people; undefined to print it as JSON. */
  readonly render: (result: Result, sandbox: AdminConnection, members: Members) => Output | Promise<Output>;
}

type Output = string | undefined;

/** The command with the flags of its connection, and `--json` for the unformatted answer. */
export function operationCommand<Id extends AdminOperationId, Result = Content<AnswerOf<Id>>>(
  name: string,
  id: Id,
  { operand, member = wordOf(operand), flags, request, render, ...rest }: OperationCommand<Result>,
): Command {
  const operation: AdminOperation = adminOperations[id];
  const isInPath = operation.path.includes("{id}");
  const ownFlags = (): Settings => {
    const { [member]: _ofOperand, ...others } = flags?.() ?? operationFlags(operation);
    return others;
  };
  const callOnce = async (sandbox: AdminConnection, members: Members, word?: string): Promise<Result> => {
    const parts = { ...(isInPath && { id: word }), ...(operation.body ? { body: members } : { query: members }) };
    return contentOf(await sandbox.call(id, parts)) as Result;
  };
  const summary = `${operation.summary}.`;
  return {
    name,
    summary,
    examples: [[name, rest.summary ?? summary]],
    ...rest,
    ...(operand !== undefined && { operand }),
    get flags() {
      return { ...ownFlags(), ...connectionFlags };
    },
    async run({ given, operands: [word] }) {
      const { flags: values, connection } = readConnected(ownFlags(), given);
      const members = nested(valuesGiven({ ...values, ...(!isInPath && { [member]: word }) }));
      const sandbox = await callerOf(connection);
      const result = await (request ?? callOnce)(sandbox, members, word).catch((error: unknown) => {
        throw reworded(error, ownFlags(), member, operand);
      });
      const output = connection.json ? undefined : await render(escapedData(result), sandbox, members);
      if (output === undefined) printJson(result);
      else print(output);
      if (operation.changes && !connection.isNamed) await noteOtherFolder(sandbox);
    },
  };
}

/** Names flags and the operand in place of members of the body: `--status is 42; expected …` for `respond.status`. */
function reworded(error: unknown, flags: Settings, member: string, operand?: string): unknown {
  if (!(error instanceof ControlError && error.code === "invalid")) return error;
  const nameOf = (path: string): string => {
    const flag = flags[path];
    if (flag) return `--${flagOf(path, flag)}`;
    return path === member ? `the ${wordOf(operand)}` : path;
  };
  return new Mistake(error.message.replaceAll(/^[\w.]+(?= is )/gm, nameOf), { cause: error });
}

/** The name of an operand, without the brackets around an optional one. */
function wordOf(operand = ""): string {
  return operand.replaceAll(/[[\]]/g, "");
}

function contentOf(answer: unknown): unknown {
  const { data, ...others } = (answer ?? {}) as { readonly data?: unknown };
  return data !== undefined && Object.keys(others).length === 0 ? data : answer;
}
