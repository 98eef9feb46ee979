import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { AdminOperation } from "../../control/operation.ts";
import { type AdminOperationId, adminOperations } from "../../control/operations.ts";
import type { Members } from "../../mistakes/members.ts";
import { adminOpenApi, type DescribedCall } from "../../package.ts";

/** A tool, and the operation that it calls. */
export interface OperationTool extends Tool {
  readonly name: AdminOperationId;
}

const isAFile = "It is a document for a file: `offering-sandbox snapshot` and `restore` move it.";
const isOfPortal = "The portal's page is made from it.";

/** The operations that are not tools, and why: each tool costs every agent room. */
export const leftOut: Partial<Record<AdminOperationId, string>> = {
  getMetrics: "They are for a scraper, in its own format.",
  getAdminOpenApi: "The tools are made from it.",
  stopSandbox: "Others may use the server; whoever started it stops it.",
  getSnapshot: isAFile,
  restoreSnapshot: isAFile,
  replay: isAFile,
  getPulse: isOfPortal,
  getOutline: isOfPortal,
  compare: isOfPortal,
  makeLinks: isOfPortal,
};

/** Defaults of a tool that differ from the defaults of the operation. */
export const toolDefaults: Partial<Record<AdminOperationId, Members>> = { listEnvironments: { summary: true } };

/** The tools for an agent: the operations that read, and with `allowsChanges` also those that change something. */
export async function toolsFor(url: string, allowsChanges: boolean): Promise<readonly OperationTool[]> {
  const { paths, components } = await adminOpenApi(url);
  const { schemas } = components;
  const operations = Object.entries(adminOperations) as [AdminOperationId, AdminOperation][];
  const available = operations.filter(([id, { changes }]) => leftOut[id] === undefined && (allowsChanges || !changes));
  return available.map(([id, { method, path, summary, changes, body }]) => {
    const described = paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`The OpenAPI document lacks ${id}.`);
    const taken = id === "checkScenario" ? checkedScenario : body === undefined ? {} : (schemas[body] as BodySchema);
    const title = id
      .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
      .replace(/^./, (first) => first.toUpperCase());
    // No other call undoes these changes.
    const destructiveHint = changes && (method === "DELETE" || id === "resetEnvironment");
    return {
      name: id,
      title,
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
export const scenarioSchema = {
  uri: "offering-sandbox:scenario.schema.json",
  name: "scenario.schema.json",
  title: "The JSON Schema of scenario files",
  mimeType: "application/schema+json",
} as const;

const scenario = {
  description: `A scenario, or the text of its file. Its schema is the resource ${scenarioSchema.uri}.`,
};

/** The body of `checkScenario` is a scenario itself: as an argument it has the name that it has for `playScenario`. */
const checkedScenario: BodySchema = { properties: { scenario }, required: ["scenario"] };

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
  description: "The one part of a shortened answer to get: data[3], data[list.order].values.",
};

/** The schema of a tool's arguments: the parameters of path and query, and the members of the body, by their names. */
function argumentsSchema(
  parameters: BodySchema,
  { properties, required = [], additionalProperties = false }: BodySchema,
  reads: boolean,
  schemas: Readonly<Record<string, object>>,
): Tool["inputSchema"] {
  const members = { ...parameters.properties, ...properties, ...(reads && { part: partSchema }) };
  const named = new Set<string>();
  const collect = (schema: unknown): void => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/(?:components\/schemas|\$defs)\/(\w+)"/g)) {
      if (named.has(name)) continue;
      named.add(name);
      collect(schemas[name]);
    }
  };
  collect(members);
  const schema = {
    type: "object",
    properties: members,
    required: [...(parameters.required ?? []), ...required],
    additionalProperties,
    ...(named.size > 0 && { $defs: Object.fromEntries(Array.from(named, (name) => [name, schemas[name]])) }),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll("#/components/schemas/", "#/$defs/")) as Tool["inputSchema"];
}
