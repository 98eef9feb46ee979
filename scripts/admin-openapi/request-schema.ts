import { z } from "zod";
import { catalogue } from "../../src/assumptions/catalogue.ts";
import { type ErrorCode, errorCatalogue } from "../../src/errors/http-error.ts";
import { operations } from "../../src/model/operations.ts";
import { instant, uuid } from "../../src/model/schemas.ts";
import { keyTypes } from "../../src/model/vocabulary.ts";

export const countFromZero = z.int().min(0);
export const environmentId = z.string().regex(/^[\w-]{1,64}$/);

/** An entry of the journal. */
export const request = z.strictObject({
  id: z.int().min(1).meta({ description: "Counts up from 1." }),
  date: instant,
  method: z.string(),
  path: z.string().meta({ description: "Path and query; anything that could be a secret is left out." }),
  status: countFromZero.nullable().meta({ description: "Null where the connection ended without a response." }),
  connection: z.enum(["reset", "empty"]).nullable().meta({
    description:
      "How a fault ended the connection; null where none did. Without this and a status, the client has left.",
  }),
  code: z
    .enum(Object.keys(errorCatalogue) as ErrorCode[])
    .nullable()
    .meta({
      description: "The code of the error in the response; null for none, and for the response of a fault.",
    }),
  milliseconds: z.number(),
  key_id: uuid
    .nullable()
    .meta({ description: "The key that was sent, even a revoked one; null for none of that kind." }),
  key_label: z.string().nullable(),
  environment: environmentId.nullable(),
  fault_id: z.string().nullable().meta({ description: "The id of the fault that was applied; null for none." }),
  hints: z.array(z.string()).meta({ description: "The reason for an error, and hints at mistakes." }),
  operation: z.enum(operations.map(({ id }) => id)).nullable(),
  key_type: z.enum(keyTypes).nullable(),
  offering_id: uuid.nullable().meta({
    description: "The offering in the path, or that of the investment in it; null where there is none of this id.",
  }),
  investment_id: uuid.nullable(),
  assumptions: z.array(z.enum(catalogue.map(({ id }) => id))),
  page: countFromZero.nullable(),
  size: countFromZero.nullable(),
  shown: countFromZero.nullable().meta({ description: "Number of investments on the page." }),
  total: countFromZero.nullable().meta({ description: "Number of investments on all pages." }),
  retry_after_seconds: countFromZero.nullable(),
});
