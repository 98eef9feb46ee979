import { catalogue, type Assumptions } from "../../assumptions/catalogue.ts";
import { parseAssumption } from "../../assumptions/parse-assumption.ts";
import type { Row } from "../../assumptions/row.ts";
import type { Kind } from "./kind.ts";

/** Assumptions set otherwise than in the profile: `list.order=unordered`, several separated by commas. */
export const assumptionValues: Kind<Partial<Assumptions>> = {
  placeholder: "id=value",
  expected: `an assumption and its value, such as "list.order=unordered"`,
  schema: {
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(catalogue.map((row) => [row.id, rowSchema(row)])),
  },
  shape: "map",
  words: [],
  read: (text) => {
    const changes: Partial<Assumptions> = {};
    // A value may hold commas of its own (pending,failed): only a comma before another id separates.
    for (const part of text.split(/,(?=\s*[\w.]+=)/)) {
      const equals = part.indexOf("=");
      if (equals < 1) return undefined;
      Object.assign(changes, parseAssumption(part.slice(0, equals).trim(), part.slice(equals + 1)));
    }
    return changes;
  },
};

function rowSchema(row: Row): object {
  const { accepts, question } = row;
  const words = { enum: Object.keys(row.values).flatMap(asWritten) };
  if (accepts === "text") return { description: question, type: "string" };
  if (!accepts) return { description: question, ...words };
  return { description: question, type: "integer", minimum: accepts.from, maximum: accepts.to };
}

/** A value as YAML and JSON have it: 404 is a number there, and the empty string has no quotes of its own. */
function asWritten(value: string): (string | number | boolean | null)[] {
  if (/^\d+$/.test(value)) return [value, Number(value)];
  if (value === '""') return [""];
  if (value === "null") return [value, null];
  return [value];
}
