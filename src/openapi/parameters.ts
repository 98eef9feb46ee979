import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import { type Operation, type ParameterName, parameters } from "../model/operations.ts";
import type { JsonObject, ParameterObject } from "./openapi-types.ts";

type Kind = (typeof parameters)[ParameterName]["kind"];

interface Shape {
  readonly schema: JsonObject;
  /** What is said beside the specification's words. */
  readonly remark: string;
  readonly restsOn: readonly AssumptionId[];
}

/** The query parameters of an operation (section 4). Their names are literal, brackets included. */
export function queryParameters(operation: Operation, assumptions: Assumptions): ParameterObject[] {
  return operation.parameters.map((name) => {
    const { kind, meaning } = parameters[name];
    const { schema, remark, restsOn } = shapes[kind](assumptions);
    return {
      name,
      in: "query",
      description: `${meaning} ${remark}`.trim(),
      schema,
      "x-assumptions": [...restsOn, "dates.repeated", "errors.invalid_parameter"],
    };
  });
}

/** The parameter in the path. */
export function pathParameter({ subject }: Operation, example: string | undefined): ParameterObject {
  return {
    name: "id",
    in: "path",
    required: true,
    description: `The id of the ${subject}.`,
    schema: { type: "string", format: "uuid" },
    ...(example === undefined ? {} : { example }),
    "x-assumptions": ["ids.case"],
  };
}

/** Whether a request of an operation can be refused for its parameters. */
export function refusesParameters(operation: Operation, assumptions: Assumptions): boolean {
  const has = (...kinds: Kind[]): boolean => operation.parameters.some((name) => kinds.includes(parameters[name].kind));
  return (
    (has("page", "size", "from", "until") &&
      (assumptions["errors.invalid_parameter"] === "400" || assumptions["dates.repeated"] === "reject")) ||
    (has("size") && assumptions["list.over_max"] === "reject") ||
    (has("from", "until") && assumptions["dates.date_only"] === "reject")
  );
}

const shapes: Record<Kind, (assumptions: Assumptions) => Shape> = {
  page(assumptions) {
    const first = Number(assumptions["list.first_page"]);
    return {
      schema: { type: "integer", minimum: first, default: first },
      remark: `Counted from ${first}.`,
      restsOn: ["list.first_page", "list.past_end"],
    };
  },
  size(assumptions) {
    const largest = assumptions["list.max_size"];
    const clamps = assumptions["list.over_max"] === "clamp";
    return {
      schema: {
        type: "integer",
        minimum: 1,
        ...(clamps ? {} : { maximum: largest }),
        default: Math.min(assumptions["list.default_size"], largest),
      },
      remark: clamps ? `Above ${largest} it counts as ${largest}.` : "",
      restsOn: ["list.default_size", "list.max_size", "list.over_max"],
    };
  },
  from: (assumptions) => bound(assumptions, "first"),
  until: (assumptions) => bound(assumptions, "last"),
};

function bound(assumptions: Assumptions, edge: "first" | "last"): Shape {
  const dateOnly = assumptions["dates.date_only"];
  const instant = { type: "string", format: "date-time" } as const;
  const remarks = {
    "whole-day": `A date without time is its ${edge} millisecond, UTC.`,
    midnight: "A date without time is its first millisecond, UTC.",
    reject: "A date without time is refused.",
  };
  return {
    schema: dateOnly === "reject" ? instant : { anyOf: [instant, { type: "string", format: "date" }] },
    remark: remarks[dateOnly],
    restsOn: ["dates.date_only"],
  };
}
