import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import type { AdminOperation } from "../../control/operation.ts";
import { type AdminOperationId, adminOperations } from "../../control/operations.ts";
import { adminOpenApi, type DescribedCall } from "../../package.ts";
import type { Members } from "../../model/members.ts";
import { uses } from "./uses.ts";

/** A tool, and the operation that it calls. */
export interface OperationTool extends Tool {
  readonly name: AdminOperationId;
}

/** Parameters of a tool that are other than the operation's own where an agent leaves them out. */
export const toolDefaults: Partial<Record<AdminOperationId, Members>> = { listEnvironments: { summary: true } };

/** The tools for an agent of a sandbox: the operations that read, and with `allowsChanges` those that change something. */
export async function toolsFor(url: string, allowsChanges: boolean): Promise<readonly OperationTool[]> {
  const { paths, components } = await adminOpenApi(url);
  const tools: OperationTool[] = [];
  for (const [id, use] of Object.entries(uses) as [AdminOperationId, (typeof uses)[AdminOperationId]][]) {
    if (typeof use === "object" || (use !== "reads" && !allowsChanges)) continue;
    const { method, path, summary }: AdminOperation = adminOperations[id];
    const described = paths[path]?.[method.toLowerCase()];
    if (!described) throw new Error(`The OpenAPI document lacks ${id}.`);
    const annotations = { readOnlyHint: use === "reads", destructiveHint: use === "destroys", openWorldHint: false };
    tools.push({
      name: id,
      description: `${summary}.`,
      inputSchema: inputSchema(described, components, toolDefaults[id]),
      annotations,
    });
  }
  return tools;
}

/** In a path it is required; a command has a default. */
const mayBeLeftOut = "environment";

const places = { components: "#/components/schemas/", tool: "#/$defs/" } as const;

/** The schema of a tool's arguments: the parameters of path and query by their names, and `body`. */
function inputSchema(
  { parameters, requestBody }: DescribedCall,
  { schemas }: { readonly schemas: Readonly<Record<string, object>> },
  defaults: Members = {},
): Tool["inputSchema"] {
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  // JSON, and twice the text of a scenario file: as application/yaml and as text/yaml.
  const body = bodies.length > 1 ? { anyOf: bodies.slice(0, 2) } : bodies[0];
  const members = parameters.map(({ name, description, schema }) => {
    const words = name === mayBeLeftOut ? `${description} Left out: that of the command.` : description;
    const ownDefault = name in defaults && { default: defaults[name] };
    return [name, { description: words, ...schema, ...ownDefault }] as const;
  });
  const required = parameters.filter((each) => each.required && each.name !== mayBeLeftOut).map(({ name }) => name);
  const named = new Set<string>();
  const collect = (schema: unknown): void => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (named.has(name)) continue;
      named.add(name);
      collect(schemas[name]);
    }
  };
  collect(bodies);
  const schema = {
    type: "object",
    properties: { ...Object.fromEntries(members), ...(body && { body }) },
    required: [...required, ...(body ? ["body"] : [])],
    additionalProperties: false,
    ...(named.size > 0 && { $defs: Object.fromEntries(Array.from(named, (name) => [name, schemas[name]])) }),
  };
  return JSON.parse(JSON.stringify(schema).replaceAll(places.components, places.tool)) as Tool["inputSchema"];
}
