import { bodyDeviations } from "./body-deviations.ts";
import { describedRequest, describedResponse, type Exchange } from "./exchange.ts";
import { headerDeviations } from "./header-deviations.ts";
import { excerpt } from "./validators.ts";

/** Fails unless a response conforms to the OpenAPI document: its status, its headers, every member of its body. */
export function expectConformance(exchange: Exchange): void {
  const deviations = deviationsIn(exchange);
  if (deviations.length === 0) return;
  const { method, path, status, body } = exchange;
  const error = new Error(
    [
      `The response ${status} to ${method} ${path} is not as the OpenAPI document says:`,
      ...deviations.map((deviation) => `  - ${deviation}`),
      `  body: ${excerpt(body, 300)}`,
    ].join("\n"),
  );
  Error.captureStackTrace(error, expectConformance);
  throw error;
}

/** Describes how a response deviates from the document. */
export function deviationsIn(exchange: Exchange): string[] {
  const { document, status } = exchange;
  const request = describedRequest(exchange);
  const response = describedResponse(document, request.responses, status);
  if (!response) return [`the status ${status} is not one of ${Object.keys(request.responses).join(", ")}`];
  return [...headerDeviations(exchange, response, request["x-assumptions"]), ...bodyDeviations(exchange, response)];
}
