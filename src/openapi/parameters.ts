import type { AssumptionId, Assumptions } from "../assumptions/catalog.ts";
import { type Operation, type ParameterName, parameters } from "../model/operations.ts";
import type { JsonObject, ParameterObject } from "./openapi-types.ts";

type ParameterKind = (typeof parameters)[ParameterName]["kind"];

interface Shape {
  readonly schema: JsonObject;
  /** An example that includes all investments of the demo, because importers send every example. */
  readonly example: string | number;
  /** A sentence to add to the specification's own. */
  readonly note: string;
  readonly dependsOn: readonly AssumptionId[];
}

/** Describes the query parameters of an operation (section 4). Their names are literal, brackets included. */
export function queryParameters(operation: Operation, assumptions: Assumptions): ParameterObject[] {
  return operation.parameters.map((name) => {
    const { kind, meaning } = parameters[name];
    const { schema, example, note: diagnostic, dependsOn } = shapes[kind](assumptions);
    return {
      name,
      in: "query",
      description: `${meaning} ${diagnostic}`.trim(),
      schema,
      example,
      "x-assumptions": [...dependsOn, "dates.repeated", "errors.invalid_parameter"],
    };
  });
}

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

/** Returns true if an operation can reject a request for its parameters. */
export function refusesParameters(operation: Operation, assumptions: Assumptions): boolean {
  const has = (...kinds: ParameterKind[]): boolean =>
    operation.parameters.some((name) => kinds.includes(parameters[name].kind));
  return (
    (has("page", "size", "from", "until") &&
      (assumptions["errors.invalid_parameter"] !== "ignore" || assumptions["dates.repeated"] === "reject")) ||
    (has("page") && assumptions["list.past_end"] === "400") ||
    (has("size") && assumptions["list.over_max"] === "reject") ||
    (has("from", "until") && assumptions["dates.date_only"] === "reject")
  );
}

const shapes: Record<ParameterKind, (assumptions: Assumptions) => Shape> = {
  page(assumptions) {
    const first = Number(assumptions["list.first_page"]);
    return {
      schema: { type: "integer", minimum: first, default: first },
      example: first,
      note: `The first page is ${first}.`,
      dependsOn: ["list.first_page", "list.past_end"],
    };
  },
  size(assumptions) {
    const maxSize = assumptions["list.max_size"];
    const overMax = assumptions["list.over_max"];
    const defaultSize = Math.min(assumptions["list.default_size"], maxSize);
    return {
      schema: {
        type: "integer",
        minimum: 1,
        ...(overMax === "reject" && { maximum: maxSize }),
        default: defaultSize,
      },
      example: defaultSize,
      note: {
        reject: "",
        clamp: `Values above ${maxSize} count as ${maxSize}.`,
        ignore: `Values above ${maxSize} are ignored.`,
      }[overMax],
      dependsOn: ["list.default_size", "list.max_size", "list.over_max"],
    };
  },
  from: (assumptions) => instantBound(assumptions, "first"),
  until: (assumptions) => instantBound(assumptions, "last"),
};

function instantBound(assumptions: Assumptions, edge: "first" | "last"): Shape {
  const dateOnly = assumptions["dates.date_only"];
  const instant = { type: "string", format: "date-time" } as const;
  const notes = {
    "whole-day": `A date without a time means its ${edge} millisecond, UTC.`,
    midnight: "A date without a time means its first millisecond, UTC.",
    reject: "A date without a time is rejected.",
  };
  return {
    schema: dateOnly === "reject" ? instant : { anyOf: [instant, { type: "string", format: "date" }] },
    example: { first: "2020-01-01T00:00:00.000Z", last: "2099-12-31T23:59:59.999Z" }[edge],
    note: notes[dateOnly],
    dependsOn: ["dates.date_only"],
  };
}
