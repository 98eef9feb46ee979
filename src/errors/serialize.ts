import type { AssumptionValue } from "../assumptions/catalogue.ts";
import type { HttpError } from "./http-error.ts";

/** An error as a response carries it. */
export interface ErrorBody {
  /** Undefined where there is no body. */
  readonly contentType: string | undefined;
  readonly text: string;
}

/** The one place that writes errors. `json` is the media type of the shapes that have none of their own. */
export function serializeError(error: HttpError, shape: AssumptionValue<"errors.body">, json: string): ErrorBody {
  const { status, code, title, message, problems } = error;
  switch (shape) {
    case "empty":
      return { contentType: undefined, text: "" };
    case "message":
      return { contentType: json, text: JSON.stringify({ message }) };
    case "problem":
      return {
        contentType: "application/problem+json",
        text: JSON.stringify({ type: "about:blank", title, status, detail: message, code }),
      };
    case "jsonapi":
      return {
        contentType: json,
        text: JSON.stringify({
          errors: problems.map(({ detail, source }) => ({ status: String(status), code, title, detail, source })),
        }),
      };
  }
}
