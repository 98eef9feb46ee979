import { readFileSync } from "node:fs";
import type { AdminOperation } from "../control/operation.ts";
import type { Members } from "../validation/members.ts";
import { packageRoot } from "../package.ts";
import { alternatives, type ValueKind, valueKind, onOrOff, text, textOrNull } from "../settings/kinds.ts";
import { flagOf, type Setting, type Settings } from "../settings/settings.ts";
import type { AdminConnection } from "../client/connection.ts";
import { type AdminOperationId, adminOperations, type ResponseOf } from "../control/operations.ts";
import { ControlError } from "../errors/control-error.ts";
import { ValidationError } from "../validation/errors.ts";
import { escapedData } from "../text/text.ts";
import { pickDefined } from "../validation/members.ts";
import type { Command } from "./command.ts";
import { callerOf, connectionFlags, noteOtherFolder, readConnected } from "./connection.ts";
import { print, printJson } from "./output/terminal.ts";

/** The items of a list, or any other response unchanged. */
type Content<Response> = Response extends { readonly data: infer Items }
  ? Exclude<keyof Response, "data"> extends never
    ? Items
    : Response
  : Response;

/** A command that calls an operation of a running sandbox. All other properties come from the operation. */
interface OperationCommand<Result> extends Pick<Command, "operand"> {
  /** @default the summary of the operation */
  readonly summary?: string;
  /** @default only the name */
  readonly examples?: Command["examples"];
  /** The member of the body for the operand, unless it is an id in the path. @default the name of the operand */
  readonly member?: string;
  /** @default the flags for the operation's query or body */
  readonly flags?: () => Settings;
  /** Sends the request; `members` are the values of the flags and the operand. @default one call of the operation */
  readonly request?: (sandbox: AdminConnection, members: Members, operand: string | undefined) => Promise<Result>;
  /** Formats the response; undefined to print it as JSON. */
  readonly render: (result: Result, sandbox: AdminConnection, members: Members) => Output | Promise<Output>;
}

type Output = string | undefined;

/** Creates a command with the flags of its connection, and `--json` for the unformatted response. */
export function operationCommand<Id extends AdminOperationId, Result = Content<ResponseOf<Id>>>(
  name: string,
  id: Id,
  { operand, member = operandName(operand), flags, request, render, ...presentation }: OperationCommand<Result>,
): Command {
  const operation: AdminOperation = adminOperations[id];
  const isInPath = operation.path.includes("{id}");
  const ownFlags = (): Settings => {
    const { [member]: _ofOperand, ...remainingFlags } = flags?.() ?? operationFlags(operation);
    return remainingFlags;
  };
  const callOnce = async (sandbox: AdminConnection, members: Members, word?: string): Promise<Result> => {
    const parts = { ...(isInPath && { id: word }), ...(operation.body ? { body: members } : { query: members }) };
    return contentOf(await sandbox.call(id, parts)) as Result;
  };
  const summary = `${operation.summary}.`;
  return {
    name,
    summary,
    examples: [[name, presentation.summary ?? summary]],
    ...presentation,
    ...(operand !== undefined && { operand }),
    get flags() {
      return { ...ownFlags(), ...connectionFlags };
    },
    async run({ flagValues, operands: [word] }) {
      const { flags: values, connection } = readConnected(ownFlags(), flagValues);
      const members = nestMembers(pickDefined({ ...values, ...(!isInPath && { [member]: word }) }));
      const sandbox = await callerOf(connection);
      const result = await (request ?? callOnce)(sandbox, members, word).catch((error: unknown) => {
        throw rewordError(error, ownFlags(), member, operand);
      });
      const output = connection.json ? undefined : await render(escapedData(result), sandbox, members);
      if (output === undefined) printJson(result);
      else print(output);
      if (operation.changes && !connection.isNamed) await noteOtherFolder(sandbox);
    },
  };
}

/** Names flags and the operand instead of members of the body: `--status is 42; expected …` for `respond.status`. */
function rewordError(error: unknown, flags: Settings, member: string, operand?: string): unknown {
  if (!(error instanceof ControlError && error.code === "invalid")) return error;
  const nameOf = (path: string): string => {
    const flag = flags[path];
    if (flag) return `--${flagOf(path, flag)}`;
    return path === member ? `the ${operandName(operand)}` : path;
  };
  return new ValidationError(error.message.replaceAll(/^[\w.]+(?= is )/gm, nameOf), { cause: error });
}

/** Returns the name of an operand without the brackets of an optional operand. */
function operandName(operand = ""): string {
  return operand.replaceAll(/[[\]]/g, "");
}

function contentOf(response: unknown): unknown {
  const { data, ...rest } = (response ?? {}) as { readonly data?: unknown };
  return data !== undefined && Object.keys(rest).length === 0 ? data : response;
}

/** The parts of a JSON Schema that flags are created from. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly "x-default"?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

let document: { readonly components: { readonly schemas: Readonly<Record<string, Schema>> } } | undefined;

/** Returns the schemas of the admin API's OpenAPI document, which is read when the first flag needs it. */
function schemas(): Readonly<Record<string, Schema>> {
  const file = new URL("schema/openapi-admin.json", packageRoot);
  document ??= JSON.parse(readFileSync(file, "utf8")) as typeof document & object;
  return document.components.schemas;
}

/** Returns a flag for each query parameter or body member of an operation. The sandbox validates the members. */
export function operationFlags({ query, body }: AdminOperation): Settings {
  return body === undefined ? (query ?? {}) : memberFlags(schemas()[body] ?? {});
}

/** Returns a flag for each member: `match.path` is `--path`. Lists and maps get no flag. */
function memberFlags({ properties = {} }: Schema, pathPrefix = ""): Settings {
  const flags: Record<string, Setting> = {};
  for (const [name, { $ref = "", ...rest }] of Object.entries(properties)) {
    const reference = $ref.split("/").at(-1) ?? "";
    const schema: Schema = { ...schemas()[reference], ...rest };
    const { description = "", "x-default": defaultText } = schema;
    const help = description.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, "");
    const kind = kindOfMember(schema, reference.toLowerCase() || "text", help);
    const flag = name.replace(/_id$/, "").replaceAll("_", "-");
    if (kind) flags[pathPrefix + name] = { kind, flag, help, ...(defaultText !== undefined && { defaultText }) };
    Object.assign(flags, memberFlags(schema, `${name}.`));
  }
  return flags;
}

const numberType: ValueKind<number> = valueKind(
  "number",
  "a number",
  (value): value is number => typeof value === "number",
  (input) => (/^-?\d+(\.\d+)?$/.test(input) ? Number(input) : undefined),
);

function kindOfMember({ type, anyOf = [], enum: options }: Schema, placeholder: string, words: string) {
  const types = new Set([type, ...anyOf.map((option) => option.type)].flat());
  if (options) return text(options.join("|"), alternatives(options));
  if (types.has("string")) return types.has("null") ? textOrNull(placeholder, words) : text(placeholder, words);
  if (types.has("boolean")) return onOrOff;
  return types.has("number") || types.has("integer") ? numberType : undefined;
}

/** Returns the type of a repeatable flag for pairs. `pattern` matches the name and the value of a pair. */
export function pairsType(
  placeholder: string,
  expected: string,
  pattern: RegExp,
): ValueKind<Readonly<Record<string, string>>> {
  return valueKind(
    placeholder,
    expected,
    (value): value is Readonly<Record<string, string>> => typeof value === "object",
    (input) => {
      const [, name, value = ""] = pattern.exec(input) ?? [];
      return name === undefined ? undefined : { [name]: value };
    },
    { shape: "map" },
  );
}

/** Nests the members of a body by their paths: `match.path` becomes the member `path` of `match`. */
function nestMembers(values: Members): Members {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [name = "", member] = path.split(".");
    if (member === undefined) body[name] = value;
    else body[name] = { ...(body[name] as object | undefined), [member]: value };
  }
  return body;
}
