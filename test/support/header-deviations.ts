import type { ResponseObject } from "../../src/openapi/openapi-types.ts";
import type { Exchange } from "./exchange.ts";
import { validatorOf } from "./validators.ts";

/** Headers of HTTP itself and of CORS, which a response need not describe. */
const general = /^(access-control-.+|connection|content-length|content-type|date|keep-alive|transfer-encoding|vary)$/;

/** Returns how headers deviate from a described response. `assumptions` are those allowed for the response. */
export function headerDeviations(
  { document, headers }: Exchange,
  response: ResponseObject,
  assumptions: readonly string[],
): string[] {
  const validate = validatorOf(document);
  const described = Object.entries(response.headers);
  const wrongHeaders = described.flatMap(([name, { $ref }]) => {
    const header = document.components.headers[$ref.replace("#/components/headers/", "")];
    const text = headers[name.toLowerCase()];
    if (text === undefined) return header?.required === false ? [] : [`the header ${name} is missing`];
    const value = header?.schema["type"] === "integer" ? Number(text) : text;
    return validate(`${$ref}/schema`, value).map((deviation) => `the header ${name}: ${deviation}`);
  });
  const names = new Set(described.map(([name]) => name.toLowerCase()));
  const undescribedNames = Object.keys(headers).filter((name) => !names.has(name) && !general.test(name));
  const usedAssumptions = headers["sandbox-assumptions"]?.replaceAll(";calibrated", "").split(", ") ?? [];
  const unexpectedAssumptions = usedAssumptions.filter((id) => !assumptions.includes(id));
  return [
    ...wrongHeaders,
    ...undescribedNames.map((name) => `the header ${name} is not described`),
    ...unexpectedAssumptions.map((id) => `Sandbox-Assumptions names ${id}, on which the response cannot depend`),
  ];
}
