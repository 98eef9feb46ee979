import type { AdminOperation } from "../../control/operations.ts";
import { answers } from "./answers.ts";
import { errorRefs } from "./error-responses.ts";
import { schemaPath } from "./schemas.ts";

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
