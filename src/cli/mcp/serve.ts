import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Tool,
} from "@modelcontextprotocol/sdk/types.js";
import { readFile } from "node:fs/promises";
import { AdminConnection } from "../../client/connection.ts";
import type { OpenedDescription } from "../../public/control.ts";
import type { CallArguments } from "../../control/call.ts";
import { copyArguments } from "../../control/control-client.ts";
import { pathId } from "../../control/path-id.ts";
import type { AdminOperation } from "../../control/operation.ts";
import { type AdminOperationId, adminOperations } from "../../control/operations.ts";
import { idOf, type Members, unknownMember } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { didYouMean, quoted } from "../../text/text.ts";
import { adminOpenApi, type DescribedCall, packageRoot, version } from "../../package.ts";
import { programName } from "../command.ts";
import type { Connection } from "../connection.ts";
import { explain } from "../output/text.ts";
import { printError } from "../output/terminal.ts";
import { briefly } from "./brief.ts";

const instructions = `A local sandbox of the Investment and Offering Reporting Service, with a clock that is its only time.
Begin with getEnvironment. preview responds to a GET of the service as a key would get it: name the key by its id, alias or label.
Guides are in the package: llms.txt names them.`;

/**
 * Serves the tools on stdin and stdout until the input ends. Rejects with ValidationError after a message that is too
 * long.
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
    const onclose = (): void => reject(new ValidationError(tooLong));
    Object.assign(server, { onclose, onerror: reportUnread });
  });
  await server.connect(new StdioServerTransport());
  await ended;
}

/** Reports a skipped message. The error itself is not shown: it would quote the message, which may hold a key. */
function reportUnread(): void {
  printError("A message on standard input could not be read; it is skipped.");
}

const tooLong = `A message on standard input is longer than 10 MB; expected a shorter one. ${programName} mcp ends.`;

/** Returns the message that refuses a name that is not a tool here. */
function noTool(name: string, tools: readonly OperationTool[]): string {
  if (Object.hasOwn(adminOperations, name)) {
    const reason = leftOut[name as AdminOperationId];
    if (reason !== undefined) return `${name} is not a tool. ${reason}`;
    return `${name} changes the sandbox; only ${programName} mcp --allow-changes has it as a tool.`;
  }
  const names = tools.map((tool) => tool.name);
  return `There is no tool ${quoted(name)}.${didYouMean(name, names)}`;
}

/**
 * Returns a function that calls an operation for an agent. It rejects as the admin API does, or with ValidationError.
 */
function callerFor({ url, ...target }: Connection, givesSecrets: boolean) {
  const connection = new AdminConnection(url, target);
  /** The environments that the agent opened, by id: it may only drop these. */
  const opened = new Map<string, OpenedDescription>();
  const responseTo = async (name: OperationTool["name"], parts: CallArguments, id: string): Promise<unknown> => {
    if (name !== "openEnvironment") return connection.call(name, parts, opened.get(id) ?? { id });
    const environment = await connection.call(name, parts);
    opened.set(environment.id, environment);
    return environment;
  };
  return async ({ name, inputSchema }: OperationTool, given: Members): Promise<string> => {
    const { environment = connection.environment, part, ...parts } = checkedArguments(name, inputSchema, given);
    const id = pathId(environment);
    if (name === "deleteEnvironment" && !opened.has(id)) {
      throw new ValidationError(
        `${quoted(id)} was not opened here; only its owner drops it: ${programName} environments delete.`,
      );
    }
    return briefly((await responseTo(name, parts, id)) ?? null, part, givesSecrets);
  };
}

/**
 * Returns the parts of a call, its environment and the part of the response. Throws ValidationError for wrong
 * arguments.
 */
function checkedArguments(
  name: OperationTool["name"],
  { properties = {}, required = [], additionalProperties }: OperationTool["inputSchema"],
  given: Members,
) {
  const whole = `the call of ${name}`;
  const names = Object.keys(properties);
  const unknown = Object.keys(given).find((each) => !names.includes(each));
  if (unknown !== undefined && additionalProperties === false)
    throw new ValidationError(unknownMember(unknown, names, whole));
  const missing = required.find((each) => !Object.hasOwn(given, each));
  if (missing !== undefined) throw new ValidationError(`${whole} needs ${quoted(missing)}.`);
  const operation: AdminOperation = adminOperations[name];
  const { environment, part, id, ...rest } = { ...toolDefaults[name], ...given };
  const isInPath = operation.path.includes("{id}");
  const members = isInPath || id === undefined ? rest : { ...rest, id };
  const parts = copyArguments(operation, {
    ...(isInPath && { id: typeof id === "number" ? String(id) : idOf(id) }),
    ...(operation.body === undefined
      ? { query: members }
      : { body: operation.body === "ScenarioDocument" ? rest["scenario"] : members }),
  });
  return { ...parts, environment, part };
}

/** A tool, and the operation that it calls. */
type OperationTool = Tool & { readonly name: AdminOperationId };

const isAFile = "It is a document for a file: `offering-sandbox snapshot` and `restore` move it.";
const isOfPortal = "The portal's page is made from it.";

/** The operations that are not tools, and why: each tool costs every agent room. */
const leftOut: Partial<Record<AdminOperationId, string>> = {
  getMetrics: "They are for a scraper, in its own format.",
  getAdminOpenApi: "The tools are made from it.",
  stopSandbox: "Others may use the server; whoever started it stops it.",
  getSnapshot: isAFile,
  restoreSnapshot: isAFile,
  replay: isAFile,
  getPulse: isOfPortal,
  getHistogram: isOfPortal,
  compare: isOfPortal,
  makeLinks: isOfPortal,
};

/** Defaults of a tool that differ from the defaults of the operation. */
const toolDefaults: Partial<Record<AdminOperationId, Members>> = { listEnvironments: { summary: true } };

/** The tools for an agent: the operations that read, and with `allowsChanges` also those that change something. */
async function toolsFor(url: string, allowsChanges: boolean): Promise<readonly OperationTool[]> {
  const { paths, components } = await adminOpenApi(url);
  const { schemas } = components;
  const operations = Object.entries(adminOperations) as [AdminOperationId, AdminOperation][];
  const available = operations.filter(([id, { changes }]) => leftOut[id] === undefined && (allowsChanges || !changes));
  return available.map(([id, { method, path, summary, changes, body }]) => {
    const described = paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`The OpenAPI document lacks ${id}.`);
    const taken = body === "ScenarioDocument" ? scenarioBody : body === undefined ? {} : (schemas[body] as BodySchema);
    const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    // No other call undoes these changes.
    const destructiveHint = changes && (method === "DELETE" || id === "resetEnvironment");
    return {
      name: id,
      title: words.replace(/^./, (first) => first.toUpperCase()),
      description: `${summary}.`,
      inputSchema: argumentsSchema(parameterSchema(described, toolDefaults[id]), taken, !changes, schemas),
      annotations: { readOnlyHint: !changes, destructiveHint, openWorldHint: false },
    };
  });
}

/** The JSON Schema of a body. */
interface BodySchema {
  readonly properties?: Members;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
}

/** The schema of scenario files. Only an agent that writes a scenario reads it, so other agents do not pay for it. */
const scenarioSchema = {
  uri: "offering-sandbox:scenario.schema.json",
  name: "scenario.schema.json",
  title: "The JSON Schema of scenario files",
  mimeType: "application/schema+json",
} as const;

const scenario = {
  description: `A scenario, or the text of its file. Its schema is the resource ${scenarioSchema.uri}.`,
};

/** A body that is a scenario itself has, as an argument, the name that it has for `playScenario`. */
const scenarioBody: BodySchema = { properties: { scenario }, required: ["scenario"] };

/** The argument for an id in the path. It is required here, although a command has a default. */
const mayBeLeftOut = "environment";

function parameterSchema({ parameters }: DescribedCall, defaults: Members = {}): BodySchema {
  const members = parameters.map(({ name, description, schema }) => {
    const words = name === mayBeLeftOut ? `${description} Left out: that of the command.` : description;
    const ownDefault = name in defaults && { default: defaults[name] };
    return [name, { description: words, ...schema, ...ownDefault }] as const;
  });
  const required = parameters.filter((each) => each.required && each.name !== mayBeLeftOut).map(({ name }) => name);
  return { properties: Object.fromEntries(members), required };
}

const partSchema = {
  type: "string",
  description: "The one part of a shortened response to get: data[3], data[list.order].values.",
};

/** The schema of a tool's arguments: the parameters of path and query, and the members of the body, by their names. */
function argumentsSchema(
  parameters: BodySchema,
  { properties, required = [], additionalProperties = false }: BodySchema,
  reads: boolean,
  schemas: Readonly<Record<string, object>>,
): Tool["inputSchema"] {
  const members = { ...parameters.properties, ...properties, ...(reads && { part: partSchema }) };
  const named = new Set(referencedIn(members));
  for (const name of named) for (const below of referencedIn(schemas[name])) named.add(below);
  const schema = {
    type: "object",
    properties: members,
    required: [...(parameters.required ?? []), ...required],
    additionalProperties,
    ...(named.size > 0 && { $defs: Object.fromEntries(Array.from(named, (name) => [name, schemas[name]])) }),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as Tool["inputSchema"];
}

function referencedIn(schema: unknown): readonly string[] {
  return JSON.stringify(schema).match(/(?<="#\/(?:components\/schemas|\$defs)\/)\w+(?=")/g) ?? [];
}
