import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { readFile } from "node:fs/promises";
import { AdminConnection } from "../../client/connection.ts";
import type { EnvironmentDescription, ExampleCall, KeyDescription, OpenedDescription } from "../../public/control.ts";
import type { CallParts } from "../../control/call.ts";
import { plainParts } from "../../control/control-client.ts";
import { pathId } from "../../control/path-id.ts";
import type { AdminOperation } from "../../control/operation.ts";
import { adminOperations } from "../../control/operations.ts";
import { type Members, unknownMember, idOf } from "../../mistakes/members.ts";
import { Mistake } from "../../mistakes/mistakes.ts";
import { hidden, issuedForm } from "../../secrets/secrets.ts";
import { didYouMean, quoted } from "../../text/text.ts";
import { packageRoot, version } from "../../package.ts";
import { programName } from "../command.ts";
import type { Connection } from "../connection.ts";
import { explain } from "../output/text.ts";
import { printError } from "../output/terminal.ts";
import { briefly, partOf } from "./brief.ts";
import { leftOut, type OperationTool, scenarioSchema, toolDefaults, toolsFor } from "./tools.ts";

const instructions = `A local sandbox of the Investment and Offering Reporting Service, with a clock that is its only time.
Begin with getEnvironment. preview answers a GET of the service as a key would get it: name the key by its id, alias or label.
Guides are in the package: llms.txt names them.`;

const tooLongAnswer = "A message on standard input is longer than 10 MB; expected a shorter one.";

/**
 * Serves the tools on stdin and stdout until the input ends; pending calls still get their answers. Rejects with
 * Mistake after a message that is too long.
 */
export async function serveTools(connection: Connection, allowsChanges: boolean): Promise<void> {
  const tools = await toolsFor(connection.url, allowsChanges);
  const call = callerFor(connection, allowsChanges);
  const server = new Server(
    { name: programName, version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, noTool(name, tools));
    try {
      return { content: [{ type: "text", text: await call(tool, given) }] };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: explain(error) }] };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [scenarioSchema] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const { name, mimeType } = scenarioSchema;
    if (uri !== scenarioSchema.uri) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${quoted(uri)}.`);
    return { contents: [{ uri, mimeType, text: await readFile(new URL(`schema/${name}`, packageRoot), "utf8") }] };
  });
  const ended = new Promise<void>((resolve, reject) => {
    process.stdin.once("end", resolve);
    // The transport closes itself only if its buffer is full.
    const onclose = (): void => reject(new Mistake(`${tooLongAnswer} ${programName} mcp ends.`));
    Object.assign(server, { onclose, onerror: reportUnread });
  });
  await server.connect(new StdioServerTransport());
  await ended;
}

/** Reports a skipped message. The error itself is not shown: it would quote the message, which may hold a key. */
function reportUnread(): void {
  printError("A message on standard input could not be read; it is skipped.");
}

/** Returns the message that refuses a name that is not a tool here. */
function noTool(name: string, tools: readonly OperationTool[]): string {
  if (Object.hasOwn(adminOperations, name)) {
    const reason = leftOut[name as keyof typeof adminOperations];
    if (reason !== undefined) return `${name} is not a tool. ${reason}`;
    return `${name} changes the sandbox; only ${programName} mcp --allow-changes has it as a tool.`;
  }
  const hint = didYouMean(
    name,
    tools.map((tool) => tool.name),
  );
  return `There is no tool ${quoted(name)}.${hint}`;
}

/**
 * Returns a function that calls an operation for an agent: it returns the answer as JSON, shortened to fit. Rejects as
 * the admin API does, or with Mistake for arguments.
 */
function callerFor({ url, ...target }: Connection, givesSecrets: boolean) {
  const connection = new AdminConnection(url, target);
  /** The environments that the agent opened, by id: it may only drop these. */
  const opened = new Map<string, OpenedDescription>();
  const answerTo = async (name: OperationTool["name"], parts: CallParts, id: string): Promise<unknown> => {
    if (name !== "openEnvironment") return connection.call(name, parts, opened.get(id) ?? { id });
    const environment = await connection.call(name, parts);
    opened.set(environment.id, environment);
    return environment;
  };
  return async ({ name, inputSchema }: OperationTool, given: Members): Promise<string> => {
    const { environment = connection.environment, part, ...parts } = checkedArguments(name, inputSchema, given);
    const id = pathId(environment);
    if (name === "dropEnvironment" && !opened.has(id)) {
      throw new Mistake(
        `${quoted(id)} was not opened here; only its owner drops it: ${programName} environments close.`,
      );
    }
    const whole = (await answerTo(name, parts, id)) ?? null;
    const answer = givesSecrets ? whole : withoutSecrets(whole);
    return briefly(part === undefined ? answer : partOf(answer, idOf(part)));
  };
}

/** The arguments of a call: its parts, its environment, and the part of the answer to return. */
interface ToolArguments extends CallParts {
  readonly environment?: unknown;
  readonly part?: unknown;
}

/** Checks the arguments of a call. Throws Mistake for unknown and missing ones. */
function checkedArguments(
  name: OperationTool["name"],
  { properties = {}, required = [], additionalProperties }: OperationTool["inputSchema"],
  given: Members,
): ToolArguments {
  const whole = `the call of ${name}`;
  const names = Object.keys(properties);
  const unknown = Object.keys(given).find((each) => !names.includes(each));
  if (unknown !== undefined && additionalProperties === false) throw new Mistake(unknownMember(unknown, names, whole));
  const missing = required.find((each) => !Object.hasOwn(given, each));
  if (missing !== undefined) throw new Mistake(`${whole} needs ${quoted(missing)}.`);
  const operation: AdminOperation = adminOperations[name];
  const { environment, part, id, ...others } = { ...toolDefaults[name], ...given };
  const isInPath = operation.path.includes("{id}");
  const members = isInPath || id === undefined ? others : { ...others, id };
  const parts = plainParts(operation, {
    ...(isInPath && { id: typeof id === "number" ? String(id) : idOf(id) }),
    ...(operation.body === undefined
      ? { query: members }
      : { body: name === "checkScenario" ? others["scenario"] : members }),
  });
  return { ...parts, environment, part };
}

function withoutSecrets(answer: unknown): unknown {
  const text = JSON.stringify(answer, conceal);
  return JSON.parse(text.replace(issuedForm, hidden)) as unknown;
}

/** Members of answers that hold the secret of a key. */
const secretMembers: ReadonlySet<string> = new Set<keyof KeyDescription | keyof EnvironmentDescription>([
  "key",
  "marketing_key",
  "partner_key",
]);

/** Replaces secrets, also in the `curl` command of an example, which contains the example's `key`. */
function conceal(this: Partial<ExampleCall>, name: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (secretMembers.has(name)) return hidden;
  return name === ("curl" satisfies keyof ExampleCall) ? value.replaceAll(this.key ?? hidden, hidden) : value;
}
