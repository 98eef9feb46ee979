import { type AdminOperation, pathsOf } from "../../src/control/operation.ts";
import { adminOperations } from "../../src/control/operations.ts";
import { errorCatalog, type ErrorCode } from "../../src/model/error-catalog.ts";
import { version } from "../../src/package.ts";
import { formatDefault } from "../../src/settings/settings.ts";
import { type Content, schemaPath } from "./responses.ts";
import { namedSchemas } from "./components.ts";

/** An OpenAPI 3.1 document of the admin API, as a JSON value. */
export interface AdminOpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly security: readonly object[];
  /** By path, then by method in lower case. */
  readonly paths: { readonly [path: string]: { readonly [method: string]: object } };
  readonly components: {
    readonly securitySchemes: object;
    readonly headers: object;
    readonly responses: object;
    readonly schemas: { readonly [name: string]: object };
  };
}

const description = `\
Commands over everything in a sandbox that can change. Paths of an environment begin with \`/environments/{environment}\`;
the same paths without it mean the environment \`default\`. HEAD is handled like GET, without a body.

On loopback, any local process may call this API; browser pages of another origin may not. Beyond loopback, the admin token
is required. Bodies are JSON of up to 5 MB, snapshots of up to 64 MB. An unknown member or parameter is rejected by name.
An unknown path gets a 404, an unknown method of a path gets a 405 with \`Allow\`.
`;

/**
 * Creates the OpenAPI 3.1 document of the admin API. The members of responses stay open, so that a generated client
 * still works with the next version.
 */
export function adminOpenApiDocument(): AdminOpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  const { contents, schemas } = namedSchemas();
  for (const [id, operation] of Object.entries<AdminOperation>(adminOperations)) {
    for (const path of pathsOf(operation)) {
      (paths[path] ??= {})[operation.method.toLowerCase()] = operationObject(id, operation, path, contents.get(id));
    }
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Admin API of offering-sandbox",
      version,
      summary: "Commands over a running sandbox.",
      description,
      contact: { name: "The offering-sandbox authors" },
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://localhost:4120/__admin", description: "Sandbox" }],
    tags: [...new Set(Object.values<AdminOperation>(adminOperations).map(tagOf))].map((name) => ({
      name,
      description: tagWords[name] ?? `The ${name} of an environment.`,
    })),
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      securitySchemes: {
        adminToken: {
          type: "http",
          scheme: "bearer",
          description: "The admin token, that of an environment, or the open token; required beyond loopback.",
        },
      },
      headers: {
        "Sandbox-Version": { description: "The version of the sandbox.", required: true, schema: { type: "string" } },
      },
      responses: errorResponses(),
      schemas,
    },
  };
}

const tagWords: Readonly<Record<string, string>> = {
  server: "The process itself.",
  environments: "Private copies of everything that can change; their keys select them.",
};

/** The groups of calls whose name differs from their path's. */
const otherTags: Readonly<Record<string, string>> = {
  health: "server",
  "openapi.json": "server",
  stop: "server",
  metrics: "server",
  reset: "environments",
  snapshot: "environments",
  preview: "environments",
};

function tagOf({ path }: AdminOperation): string {
  const [, first = "", , second = first] = path.split("/");
  return otherTags[second] ?? second;
}

function describe({ path, body, yaml }: AdminOperation, ofDefault: boolean, response: Content | undefined): string {
  const where = ofDefault ? "Acts on the environment `default`." : "Acts on the environment in the path.";
  const text = yaml ? " or the text of a scenario file" : "";
  return [
    path.includes("{environment}") ? where : "Acts on the server.",
    ...(body === undefined ? [] : [`Takes \`${body}\`${text}.`]),
    response === undefined ? "Responds without a body." : `Responds with ${response.summary}.`,
  ].join(" ");
}

function operationObject(id: string, operation: AdminOperation, path: string, response: Content | undefined): object {
  const ofDefault = path !== operation.path;
  return {
    operationId: ofDefault ? `${id}OfDefault` : id,
    summary: ofDefault ? `${operation.summary} (of the default environment)` : operation.summary,
    description: describe(operation, ofDefault, response),
    tags: [tagOf(operation)],
    ...(operation.isPublic ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...queryParameters(operation)],
    ...requestBody(operation),
    responses: { [String(operation.status)]: success(operation, response), ...errorRefs(operation) },
  };
}

function pathParameters(path: string): object[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description:
      name === "environment"
        ? "The id of the environment."
        : "The id or the alias of the resource; of a key also its label.",
    schema: { type: "string" },
  }));
}

function queryParameters({ query = {} }: AdminOperation): object[] {
  return Object.entries(query).map(([name, setting]) => ({
    name,
    in: "query",
    description: `${setting.help.replace(/^./, (first) => first.toUpperCase())}.`,
    "x-default": formatDefault(setting),
    schema: setting.kind.schema,
  }));
}

const yamlText = { schema: { type: "string", description: "The text of a scenario file." } };

function requestBody({ body, yaml }: AdminOperation): object {
  if (body === undefined) return {};
  const json = { "application/json": { schema: { $ref: schemaPath(body) } } };
  const text = { "application/yaml": yamlText, "text/yaml": yamlText };
  return { requestBody: { required: true, content: yaml ? { ...json, ...text } : json } };
}

function success({ creates, textType = "application/json" }: AdminOperation, response: Content | undefined): object {
  const headers = { "Sandbox-Version": { $ref: "#/components/headers/Sandbox-Version" } };
  if (response === undefined) return { description: "Done.", headers };
  return {
    description: creates ? "Created." : "OK.",
    headers,
    content: { [textType]: { schema: response.schema } },
  };
}

/** The errors of the admin API, by status. */
const errorCodes: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ["invalid", "parameter_invalid", "body_malformed"],
  401: ["admin_token_required"],
  403: ["origin_not_allowed", "host_not_allowed", "admin_disabled", "admin_token_insufficient", "refused"],
  404: ["not_found", "path_not_found"],
  409: ["conflict"],
  413: ["body_too_large"],
  415: ["media_type_unsupported"],
  500: ["not_saved", "internal_error"],
};

function errorRefs({ isPublic, isLarge, method, path }: AdminOperation): object {
  const statuses = [
    400,
    ...(isPublic ? [] : [401]),
    403,
    ...(path.includes("{") ? [404] : []),
    ...(isLarge ? [409] : []),
    ...(method === "GET" ? [] : [409, 413, 415, 500]),
  ];
  return Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]));
}

function errorResponses(): object {
  return Object.fromEntries(
    Object.entries(errorCodes).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalog[code].title}`).join("; "),
        content: { "application/problem+json": { schema: { $ref: schemaPath("Problem") } } },
      },
    ]),
  );
}
