import { type AdminOperation, adminOperations, answers, pathsOf } from "../control/operations.ts";
import { errorCatalogue, type ErrorCode } from "../errors/http-error.ts";
import { namedSchemas, schemaPath } from "./admin-schemas.ts";

/** The errors of the admin API, by status. */
const errorCodes: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: ["invalid", "parameter_invalid", "body_malformed"],
  401: ["admin_token_required"],
  403: ["origin_not_allowed", "host_not_allowed", "admin_closed", "refused"],
  404: ["not_found", "path_not_found"],
  409: ["conflict"],
  413: ["body_too_large"],
  415: ["media_type_unsupported"],
  500: ["not_kept", "internal_error"],
};

/** References to the responses of the errors that an operation can meet, by status. */
export function errorRefs({ open, method, path }: AdminOperation): object {
  const statuses = [
    400,
    ...(open ? [] : [401]),
    403,
    ...(path.includes("{") ? [404] : []),
    ...(method === "GET" ? [] : [409, 413, 415, 500]),
  ];
  return Object.fromEntries(statuses.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]));
}

/** The response of each status that is an error. */
export function errorResponses(): object {
  return Object.fromEntries(
    Object.entries(errorCodes).map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorCatalogue[code].title}`).join("; "),
        content: { "application/problem+json": { schema: { $ref: schemaPath("Problem") } } },
      },
    ]),
  );
}

const yamlText = { schema: { type: "string", description: "The text of a scenario file." } };

/** An operation at one of its paths, as OpenAPI describes it. */
export function operationObject(operation: AdminOperation, path: string): object {
  const ofDefault = path !== operation.path;
  const [, first = "", , second] = operation.path.split("/");
  return {
    operationId: ofDefault ? `${operation.id}OfDefault` : operation.id,
    summary: ofDefault ? `${operation.summary} (of the default environment)` : operation.summary,
    tags: [second ?? first],
    ...(operation.open ? { security: [] } : {}),
    parameters: [...pathParameters(path), ...(operation.filtered ? filterParameters : [])],
    ...requestBody(operation),
    responses: { [String(operation.status ?? 200)]: success(operation), ...errorRefs(operation) },
  };
}

function pathParameters(path: string): object[] {
  const descriptions: Record<string, string> = {
    environment: "The id of the environment.",
    id: "The id of the thing.",
  };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: descriptions[name],
    schema: { type: "string" },
  }));
}

const filterParameters = [
  ["path", { type: "string" }, "The path, or a pattern with * in it."],
  ["status", { type: "integer" }, "The status of the answer."],
  ["key_id", { type: "string" }, "The id of the key that asked."],
  ["since", { type: "string", format: "date-time" }, "Only requests at this instant of the clock or later."],
  ["limit", { type: "integer", minimum: 0 }, "The last so many."],
].map(([name, schema, description]) => ({ name, in: "query", description, schema }));

function requestBody({ body, yaml }: AdminOperation): object {
  if (body === undefined) return {};
  const json = { "application/json": { schema: { $ref: schemaPath(body) } } };
  const text = { "application/yaml": yamlText, "text/yaml": yamlText };
  return { requestBody: { required: true, content: yaml ? { ...json, ...text } : json } };
}

function success({ id, status }: AdminOperation): object {
  const answer = answers[id];
  const headers = { "Sandbox-Version": { $ref: "#/components/headers/Sandbox-Version" } };
  if (status === 204 || answer === null) return { description: "Done.", headers };
  return {
    description: status === 201 ? "What has come into being." : "What was asked for.",
    headers,
    content: { "application/json": { schema: { $ref: schemaPath(answer) } } },
  };
}

/** An OpenAPI 3.1 document of the admin API, as a JSON value. */
export interface AdminOpenApiDocument {
  readonly openapi: "3.1.1";
  readonly info: object;
  readonly servers: readonly object[];
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
Commands over everything in a sandbox that can change. Everything of an environment is under
\`/environments/{environment}\`; the same paths without it mean the environment \`default\`. HEAD is answered as GET, without
a body.

On loopback any local process may call it, and no browser page of another origin. Beyond loopback it takes the admin token.
Bodies are JSON of 5 MB at most, a snapshot of 64 MB; a member or a parameter that is unknown is refused, by name.
An unknown path is 404, another method than a path has is 405 with \`Allow\`.
`;

/** The OpenAPI 3.1 document of the admin API. `version` is the sandbox's. */
export function adminOpenApiDocument(version: string): AdminOpenApiDocument {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of adminOperations) {
    for (const path of pathsOf(operation)) {
      (paths[path] ??= {})[operation.method.toLowerCase()] = operationObject(operation, path);
    }
  }
  return {
    openapi: "3.1.1",
    info: { title: "Admin API of offering-sandbox", version, summary: "Commands over a running sandbox.", description },
    servers: [{ url: "/__admin", description: "The sandbox that serves this document." }],
    security: [{}, { adminToken: [] }],
    paths,
    components: {
      securitySchemes: {
        adminToken: { type: "http", scheme: "bearer", description: "The admin token, where there is one." },
      },
      headers: {
        "Sandbox-Version": { description: "The version of the sandbox.", required: true, schema: { type: "string" } },
      },
      responses: errorResponses(),
      schemas: namedSchemas(),
    },
  };
}
