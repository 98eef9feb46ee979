import { text, type Request, type Response } from "express";
import type { AdminOperation } from "../control/operations.ts";
import { HttpError } from "../errors/http-error.ts";
import { checkShape } from "./check-shape.ts";
import { parseJson } from "./parse-json.ts";

const megabyte = 1024 * 1024;

/** The largest body, and the largest snapshot, which may have any number of changes in it. */
const largest = { usual: 5 * megabyte, snapshot: 64 * megabyte };

const readers = {
  usual: text({ limit: largest.usual, type: () => true }),
  snapshot: text({ limit: largest.snapshot, type: () => true }),
};

const yamlTypes = new Set(["application/yaml", "text/yaml"]);

/**
 * The body of a call: a value of the shape that the call takes, or the text of a scenario file. None at all is the same as
 * one without members. Throws HttpError for a body that will not do.
 */
export async function readBody(operation: AdminOperation, request: Request, response: Response): Promise<unknown> {
  const { "content-length": length = "0", "transfer-encoding": chunked, "content-type": type = "" } = request.headers;
  const mediaType = type.replace(/;.*/s, "").trim().toLowerCase();
  const isYaml = operation.yaml === true && yamlTypes.has(mediaType);
  if (chunked === undefined && Number(length) === 0) return isYaml ? "" : checkShape(operation, {});
  if (!isYaml && mediaType !== "application/json") {
    const types = operation.yaml ? "application/json, application/yaml or text/yaml" : "application/json";
    const detail = `Send the body as ${types}.`;
    throw new HttpError("media_type_unsupported", { detail, source: { header: "Content-Type" } });
  }
  const size = operation.body === "Snapshot" ? "snapshot" : "usual";
  const content = await readText(size, request, response);
  // The body was read to its end, so the connection can go on.
  response.removeHeader("Connection");
  return isYaml ? content : checkShape(operation, await parseJson(content));
}

async function readText(size: keyof typeof readers, request: Request, response: Response): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    readers[size](request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(refusal(error, size)),
    );
  });
  return (request.body as string | undefined) ?? "";
}

/** Why a body could not be read; what is no fault of the body stays what it is. */
function refusal(error: unknown, size: keyof typeof largest): unknown {
  const { status } = error as { readonly status?: number };
  const mostMegabytes = largest[size] / megabyte;
  if (status === 413) return new HttpError("body_too_large", { detail: `This body may have ${mostMegabytes} MB.` });
  if (status === 415) {
    return new HttpError("media_type_unsupported", { detail: "The body's character set or encoding is unknown." });
  }
  if (status === 400) return new HttpError("body_malformed", { detail: "The body is not as its headers say." });
  return error;
}
