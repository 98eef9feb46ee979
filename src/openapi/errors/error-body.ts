import { z } from "zod";
import { errorCatalogue } from "../../errors/catalogue.ts";
import type { AssumptionValue } from "../../assumptions/catalogue.ts";
import type { ServiceError } from "./service-errors.ts";

/** The body of an error in one of the shapes of `errors.body`; undefined where there is none. */
export function errorBody(shape: AssumptionValue<"errors.body">, error: ServiceError): z.ZodType | undefined {
  const { codes, source } = error;
  const { status } = errorCatalogue[codes[0]];
  const code = z.enum(codes);
  const title = z.enum(codes.map((each) => errorCatalogue[each].title));
  const detail = z.string();
  switch (shape) {
    case "empty":
      return undefined;
    case "message":
      return z.strictObject({ message: detail });
    case "problem":
      return z.strictObject({ type: z.literal("about:blank"), title, status: z.literal(status), detail, code });
    case "jsonapi": {
      const problem = z.strictObject({ status: z.literal(String(status)), code, title, detail });
      return z.strictObject({
        errors: z.array(source ? problem.extend({ source: sourceSchema(source) }) : problem).min(1),
      });
    }
  }
}

function sourceSchema(source: NonNullable<ServiceError["source"]>): z.ZodType {
  return z.strictObject(
    "parameter" in source ? { parameter: z.enum(source.parameter) } : { header: z.enum(source.header) },
  );
}
