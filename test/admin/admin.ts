import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { Sandbox, SandboxOptions } from "../../src/public/control.ts";
import type { AdminOpenApiDocument } from "../../scripts/admin-openapi/document.ts";
import { openSandbox, type TestResponse, type RequestOptions } from "../support/sandbox.ts";
import { validatorOf } from "../support/validators.ts";

/** The closed OpenAPI document of the admin API, which only allows the documented members. */
export const document = JSON.parse(
  readFileSync(new URL("../../schema/openapi-admin.json", import.meta.url), "utf8"),
  (_member, value: unknown) => (isShape(value) ? { additionalProperties: false, ...value } : value),
) as AdminOpenApiDocument;

function isShape(value: unknown): value is object {
  return typeof value === "object" && value !== null && "properties" in value && "type" in value;
}

/** How an admin request differs from a plain one of a local process. */
interface AdminRequestOptions extends Omit<RequestOptions, "method" | "body"> {
  /** The body, sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
}

export interface TestAdmin {
  readonly sandbox: Sandbox;
  /** Sends a request below `/__admin`; checks the response against the OpenAPI document. */
  readonly admin: (call: string, body?: unknown, ask?: AdminRequestOptions) => Promise<TestResponse>;
  /** Errors passed to `onFailure`: the unforeseen ones. */
  readonly failures: readonly unknown[];
}

/** Opens a sandbox and sends it admin requests as a local process: `admin("PUT /clock", { speed: 1 })`. */
export async function openAdmin(options: SandboxOptions = {}): Promise<TestAdmin> {
  const failures: unknown[] = [];
  const { sandbox, raw } = await openSandbox({ onFailure: (error) => failures.push(error), ...options });
  return {
    sandbox,
    failures,
    async admin(call, body, { key = null, headers = {} } = {}) {
      const [method = "", path = ""] = call.split(" ");
      const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
      const bodyHeaders = {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text ?? "")),
      };
      const response = await raw(`/__admin${path}`, {
        method,
        key,
        headers: text === undefined ? headers : { ...bodyHeaders, ...headers },
        ...(text === undefined ? {} : { body: text }),
      });
      expect(deviations(method, path, response)).toEqual([]);
      return response;
    },
  };
}

interface DescribedOperation {
  readonly operationId: string;
  readonly responses: {
    readonly [status: string]: {
      readonly $ref?: string;
      readonly content?: Readonly<Record<string, { readonly schema: object }>>;
    };
  };
}

/** The schemas of responses by operation, because some do not have a name in the document. */
const responseSchemas = Object.values(document.paths)
  .flatMap((item) => Object.values(item) as DescribedOperation[])
  .flatMap(({ operationId, responses }) =>
    Object.values(responses).flatMap(({ content }) =>
      content?.["application/json"] ? [[operationId, content["application/json"].schema]] : [],
    ),
  );
const documentWithNames = {
  components: { schemas: { ...document.components.schemas, ...Object.fromEntries(responseSchemas) } },
} as typeof document;

/** Describes how a response deviates from the document. */
function deviations(method: string, path: string, { status, headers, text, json }: TestResponse): string[] {
  const cors = Object.keys(headers).filter((name) => name.startsWith("access-control-"));
  if (method === "HEAD") return [...cors, ...(text === "" ? [] : ["the response to HEAD has a body"])];
  const operation = operationAt(method, path);
  const response = operation?.responses[status];
  if (!response && operation)
    return [`the status ${status} is not one of ${Object.keys(operation.responses).join(", ")}`];
  if (!response || response.$ref !== undefined)
    return [...cors, ...bodyDeviations("problem+json", headers, "Problem", json)];
  if (response.content?.["text/plain"]) {
    return String(headers["content-type"]).startsWith("text/plain;")
      ? cors
      : [...cors, "the response is not plain text"];
  }
  if (!response.content) return [...cors, ...(text === "" ? [] : ["there is a body"])];
  return [...cors, ...bodyDeviations("json; charset=utf-8", headers, operation?.operationId ?? "", json)];
}

function bodyDeviations(type: string, headers: TestResponse["headers"], schema: string, json: unknown): string[] {
  const contentType = headers["content-type"];
  const typeDeviations = contentType === `application/${type}` ? [] : [`the Content-Type is ${contentType}`];
  return [...typeDeviations, ...validatorOf(documentWithNames)(`#/components/schemas/${schema}`, json)];
}

function operationAt(method: string, path: string): DescribedOperation | undefined {
  const pathSegments = path.replace(/\?.*/s, "").split("/");
  const verb = method === "HEAD" ? "get" : method.toLowerCase();
  const match = Object.entries(document.paths).find(([template, item]) => {
    const segments = template.split("/");
    return (
      item[verb] !== undefined &&
      segments.length === pathSegments.length &&
      segments.every((segment, index) => segment.startsWith("{") || segment === pathSegments[index])
    );
  });
  return match?.[1][verb] as DescribedOperation | undefined;
}
