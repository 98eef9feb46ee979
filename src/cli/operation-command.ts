import { readFileSync } from "node:fs";
import type { AdminOperation } from "../control/operation.ts";
import type { Members } from "../validation/members.ts";
import { packageRoot } from "../package.ts";
import { alternatives, type ValueType, valueType, onOrOff, text, textOrNull } from "../settings/kinds.ts";
import { flagOf, type Setting, type Settings } from "../settings/settings.ts";
import type { AdminConnection } from "../client/connection.ts";
import { type AdminOperationId, adminOperations, type ResponseOf } from "../control/operations.ts";
import { ControlError } from "../errors/control-error.ts";
import { ValidationError } from "../validation/errors.ts";
import { escapedData } from "../text/text.ts";
import { valuesGiven } from "../settings/values.ts";
import type { Command } from "./command.ts";
import { callerOf, connectionFlags, noteOtherFolder, readConnected } from "./connection.ts";
import { print, printJson } from "./output/terminal.ts";

/** The items of a list, or any other response as it is. */
type Content<TestResponse> = TestResponse extends { readonly data: infer Items }
  ? Exclude<keyof TestResponse, "data"> extends never
    ? Items
    : TestResponse
  : TestResponse;

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
  /** Writes the response for people; undefined to print it as JSON. */
  readonly render: (result: Result, sandbox: AdminConnection, members: Members) => Output | Promise<Output>;
}

type Output = string | undefined;

/** The command with the flags of its connection, and `--json` for the unformatted response. */
export function operationCommand<Id extends AdminOperationId, Result = Content<ResponseOf<Id>>>(
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
  return new ValidationError(error.message.replaceAll(/^[\w.]+(?= is )/gm, nameOf), { cause: error });
}

/** The name of an operand, without the brackets around an optional one. */
function wordOf(operand = ""): string {
  return operand.replaceAll(/[[\]]/g, "");
}

function contentOf(response: unknown): unknown {
  const { data, ...rest } = (response ?? {}) as { readonly data?: unknown };
  return data !== undefined && Object.keys(rest).length === 0 ? data : response;
}

/** A JSON Schema, as far as flags are made from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

let document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } } | undefined;

/** The schemas of the admin API's OpenAPI document, which loads with the first flag made from it, not at a start. */
function schemas(): Readonly<Record<string, Schema>> {
  const file = new URL("schema/openapi-admin.json", packageRoot);
  document ??= JSON.parse(readFileSync(file, "utf8")) as typeof document & object;
  return document.components.schemas;
}

/** A flag for each parameter of an operation's query or member of its body. The sandbox checks the members. */
export function operationFlags({ query, body }: AdminOperation): Settings {
  return body === undefined ? (query ?? {}) : memberFlags(schemas()[body] ?? {});
}

/** Members of an object in the body have their own flags: `match.path` is `--path`. Lists and maps have none. */
function memberFlags({ properties = {} }: Schema, above = ""): Settings {
  const flags: Record<string, Setting> = {};
  for (const [name, { $ref = "", ...rest }] of Object.entries(properties)) {
    const reference = $ref.split("/").at(-1) ?? "";
    const schema: Schema = { ...schemas()[reference], ...rest };
    const description = (schema.description ?? "").replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
    const [words = "", defaultText] = description.replace(/\.$/, "").split(". Default: ");
    const kind = kindOfMember(schema, reference.toLowerCase() || "text", words);
    const flag = name.replace(/_id$/, "").replaceAll("_", "-");
    if (kind) flags[above + name] = { kind, flag, help: words, ...(defaultText !== undefined && { defaultText }) };
    Object.assign(flags, memberFlags(schema, `${name}.`));
  }
  return flags;
}

const number: ValueType<number> = valueType(
  "number",
  "a number",
  (value): value is number => typeof value === "number",
  (written) => (/^-?\d+(\.\d+)?$/.test(written) ? Number(written) : undefined),
);

function kindOfMember({ type, anyOf = [], enum: options }: Schema, placeholder: string, words: string) {
  const types = new Set([type, ...anyOf.map((one) => one.type)].flat());
  if (options) return text(options.join("|"), alternatives(options));
  if (types.has("string")) return types.has("null") ? textOrNull(placeholder, words) : text(placeholder, words);
  if (types.has("boolean")) return onOrOff;
  return types.has("number") || types.has("integer") ? number : undefined;
}

/** The kind of a flag for pairs, which may be repeated: `pattern` finds the name and the value in one. */
export function pairs(
  placeholder: string,
  expected: string,
  pattern: RegExp,
): ValueType<Readonly<Record<string, string>>> {
  return valueType(
    placeholder,
    expected,
    (value): value is Readonly<Record<string, string>> => typeof value === "object",
    (written) => {
      const [, name, value = ""] = pattern.exec(written) ?? [];
      return name === undefined ? undefined : { [name]: value };
    },
    { shape: "map" },
  );
}

/** The members of a body by their paths: `match.path` is the member `path` of `match`. */
function nested(values: Members): Members {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [name = "", member] = path.split(".");
    if (member === undefined) body[name] = value;
    else body[name] = { ...(body[name] as object | undefined), [member]: value };
  }
  return body;
}
