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
import { checkPathId } from "../../control/path-id.ts";
import type { AdminOperation } from "../../control/operation.ts";
import { type AdminOperationId, adminOperations } from "../../control/operations.ts";
import { describeDefault } from "../../text/json-text.ts";
import { idOf, isMembers, type Members, unknownMember } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { didYouMean, quoted } from "../../text/text.ts";
import { adminOpenApi, type DescribedCall, packageRoot, version } from "../../package.ts";
import { programName } from "../command.ts";
import type { Connection } from "../connection.ts";
import { formatError } from "../output/text.ts";
import { printError } from "../output/terminal.ts";
import { formatBriefly } from "./brief.ts";

const instructions = `A local sandbox of the Investment and Offering Reporting Service, with a clock that is its only time.
Begin with getEnvironment. preview responds to a GET of the service as a key would get it: name the key by its id, alias or label.
Guides are in the package: llms.txt lists them.`;

/** Serves the tools on stdin and stdout until the input ends. Rejects with ValidationError after too long a message. */
export async function serveTools(connection: Connection, canChange: boolean): Promise<void> {
  const tools = await createTools(connection.url, canChange);
  const call = createCaller(connection, canChange);
  const server = new Server(
    { name: programName, version },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [...tools] }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: toolArguments = {} } }) => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, formatUnknownTool(name, tools));
    try {
      return { content: [{ type: "text", text: await call(tool, toolArguments) }] };
    } catch (error) {
      return { isError: true, content: [{ type: "text", text: formatError(error) }] };
    }
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: [scenarioSchema] }));
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => {
    const { name, mimeType } = scenarioSchema;
    if (uri !== scenarioSchema.uri) throw new McpError(ErrorCode.InvalidParams, `There is no resource ${quoted(uri)}.`);
    return { contents: [{ uri, mimeType, text: await readFile(new URL(`schema/${name}`, packageRoot), "utf8") }] };
  });
  const pendingEnd = new Promise<void>((resolve, reject) => {
    process.stdin.once("end", resolve);
    // The transport closes itself only if its buffer is full.
    const onclose = (): void => reject(new ValidationError(tooLongMessage));
    Object.assign(server, { onclose, onerror: reportUnread });
  });
  await server.connect(new StdioServerTransport());
  await pendingEnd;
}

/** Reports a skipped message, without the error, which would quote the message: it may contain a key. */
function reportUnread(): void {
  printError("A message on standard input could not be read; it is skipped.");
}

const tooLongMessage = `A message on standard input is longer than 10 MB; expected a shorter message. ${programName} mcp ends.`;

/** Formats the refusal of a name that is not a tool. */
function formatUnknownTool(name: string, tools: readonly OperationTool[]): string {
  if (Object.hasOwn(adminOperations, name)) {
    const reason = excludedTools[name as AdminOperationId];
    if (reason !== undefined) return `${name} is not a tool. ${reason}`;
    return `${name} changes the sandbox; only ${programName} mcp --allow-changes has it as a tool.`;
  }
  const names = tools.map((tool) => tool.name);
  return `There is no tool ${quoted(name)}.${didYouMean(name, names)}`;
}

/** Returns a function that calls an operation for an agent. It rejects like the admin API, or with ValidationError. */
function createCaller({ url, ...target }: Connection, hasSecretAccess: boolean) {
  const connection = new AdminConnection(url, target);
  /** The environments that the agent opened, by id. The agent may delete only these. */
  const openedEnvironments = new Map<string, OpenedDescription>();
  const callOperation = async (name: OperationTool["name"], parts: CallArguments, id: string): Promise<unknown> => {
    if (name !== "openEnvironment") return connection.call(name, parts, openedEnvironments.get(id) ?? { id });
    const environment = await connection.call(name, parts);
    openedEnvironments.set(environment.id, environment);
    return environment;
  };
  return async ({ name, inputSchema }: OperationTool, toolArguments: Members): Promise<string> => {
    const { environment = connection.environment, part, ...parts } = parseArguments(name, inputSchema, toolArguments);
    const id = checkPathId(environment);
    if (name === "deleteEnvironment" && !openedEnvironments.has(id)) {
      throw new ValidationError(
        `${quoted(id)} was not opened by this agent, so only its owner may delete it: ${programName} environments delete.`,
      );
    }
    return formatBriefly((await callOperation(name, parts, id)) ?? null, part, hasSecretAccess);
  };
}

/** Returns the arguments of a call, its environment and the part of the response. Throws ValidationError. */
function parseArguments(
  name: OperationTool["name"],
  { properties = {}, required = [], additionalProperties }: OperationTool["inputSchema"],
  toolArguments: Members,
) {
  const subject = `the call of ${name}`;
  const names = Object.keys(properties);
  const unknownArgument = Object.keys(toolArguments).find((argument) => !names.includes(argument));
  if (unknownArgument !== undefined && additionalProperties === false)
    throw new ValidationError(unknownMember(unknownArgument, names, subject));
  const missingArgument = required.find((argument) => !Object.hasOwn(toolArguments, argument));
  if (missingArgument !== undefined) throw new ValidationError(`${subject} needs ${quoted(missingArgument)}.`);
  const operation: AdminOperation = adminOperations[name];
  const { environment, part, id, ...rest } = { ...toolDefaults[name], ...toolArguments };
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

const fileReason = "It transfers a document for a file: use `offering-sandbox snapshot` and `restore`.";
const portalReason = "It is only for the pages of the portal.";

/** The operations that are not tools, with the reason. Each tool takes room in the context of every agent. */
const excludedTools: Partial<Record<AdminOperationId, string>> = {
  getMetrics: "Metrics are for a scraper, in its own format.",
  getAdminOpenApi: "The tools are created from this document.",
  stopSandbox: "Other clients may use the server; only the person who started it may stop it.",
  getSnapshot: fileReason,
  restoreSnapshot: fileReason,
  replay: fileReason,
  getPulse: portalReason,
  getHistogram: portalReason,
  compare: portalReason,
  makeLinks: portalReason,
};

/** Defaults of a tool that differ from the defaults of the operation. */
const toolDefaults: Partial<Record<AdminOperationId, Members>> = { listEnvironments: { summary: true } };

/** Creates the tools for an agent: the operations that read, and with `canChange` also those that change something. */
async function createTools(url: string, canChange: boolean): Promise<readonly OperationTool[]> {
  const { paths, components } = await adminOpenApi(url);
  const { schemas } = components;
  const operations = Object.entries(adminOperations) as [AdminOperationId, AdminOperation][];
  const available = operations.filter(
    ([id, { changes }]) => excludedTools[id] === undefined && (canChange || !changes),
  );
  return available.map(([id, { method, path, summary, changes, body }]) => {
    const described = paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`The OpenAPI document lacks ${id}.`);
    const bodySchema =
      body === "ScenarioDocument" ? scenarioBody : body === undefined ? {} : (schemas[body] as BodySchema);
    const words = id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    // The changes of these operations cannot be undone by another call.
    const destructiveHint = changes && (method === "DELETE" || id === "resetEnvironment");
    return {
      name: id,
      title: words.replace(/^./, (first) => first.toUpperCase()),
      description: `${summary}.`,
      inputSchema: argumentsSchema(parameterSchema(described, toolDefaults[id]), bodySchema, !changes, schemas),
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

/** The schema of scenario files: a resource, so that only agents that write a scenario have it in their context. */
const scenarioSchema = {
  uri: "offering-sandbox:scenario.schema.json",
  name: "scenario.schema.json",
  title: "The JSON Schema of scenario files",
  mimeType: "application/schema+json",
} as const;

const scenario = {
  description: `A scenario, or the text of its file. Its schema is the resource ${scenarioSchema.uri}.`,
};

/** The schema for a body that is a scenario itself. The argument has the same name as in `playScenario`. */
const scenarioBody: BodySchema = { properties: { scenario }, required: ["scenario"] };

/** The parameter that is optional here although the operation requires it. */
const optionalParameter = "environment";

function parameterSchema({ parameters }: DescribedCall, defaults: Members = {}): BodySchema {
  const members = parameters.map(({ name, description, "x-default": defaultText, schema }) => {
    const ownDefault = name === optionalParameter ? "the environment of the command" : defaults[name];
    return [name, { description, ...schema, "x-default": ownDefault?.toString() ?? defaultText }] as const;
  });
  const required = parameters.flatMap(({ name, required: isRequired }) =>
    isRequired && name !== optionalParameter ? [name] : [],
  );
  return { properties: Object.fromEntries(members), required };
}

const partSchema = {
  type: "string",
  description: "The path of one part of a shortened response, to get it in full: data[3], data[list.order].values.",
};

/** Returns the schema of a tool's arguments: the parameters of path and query, and the members of the body. */
function argumentsSchema(
  parameters: BodySchema,
  { properties, required = [], additionalProperties = false }: BodySchema,
  isReadOnly: boolean,
  schemas: Readonly<Record<string, object>>,
): Tool["inputSchema"] {
  const members = { ...parameters.properties, ...properties, ...(isReadOnly && { part: partSchema }) };
  const schemaNames = new Set(schemaNamesIn(members));
  for (const name of schemaNames) for (const nestedName of schemaNamesIn(schemas[name])) schemaNames.add(nestedName);
  const schema = {
    type: "object",
    properties: members,
    required: [...(parameters.required ?? []), ...required],
    additionalProperties,
    ...(schemaNames.size > 0 && {
      $defs: Object.fromEntries(Array.from(schemaNames, (name) => [name, schemas[name]])),
    }),
  };
  const text = JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/");
  return JSON.parse(text, (_name, member: unknown) => {
    // Some agents refuse a schema with members that JSON Schema does not define.
    if (isMembers(member)) describeDefault(member);
    return member;
  }) as Tool["inputSchema"];
}

function schemaNamesIn(schema: unknown): readonly string[] {
  return JSON.stringify(schema).match(/(?<="#\/(?:components\/schemas|\$defs)\/)\w+(?=")/g) ?? [];
}
