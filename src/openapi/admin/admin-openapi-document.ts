import { adminOperations, pathsOf } from "../../control/operations.ts";
import { errorResponses } from "./error-responses.ts";
import { operationObject } from "./operation-object.ts";
import { namedSchemas } from "./schemas.ts";

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
