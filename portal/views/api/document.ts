/** The service's OpenAPI document, read with nothing taken for granted: templates and assumptions change its parts. */
import { isMembers, type Members } from "../../members.ts";

export interface Parameter {
  readonly name: string;
  readonly isInPath: boolean;
  readonly description: string;
  readonly example: string;
}

interface Example {
  /** Its name in the document: of an error, the code. */
  readonly name: string;
  readonly title: string;
  readonly value: unknown;
}

export interface ResponseDescription {
  readonly status: string;
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly Example[];
}

export interface Operation {
  readonly id: string;
  /** Below the base address: `/offerings/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly responses: readonly ResponseDescription[];
  readonly assumptions: readonly string[];
}

export function operationsOf(document: unknown): readonly Operation[] {
  const read = reader(document);
  return Object.entries(read(read(document)["paths"])).flatMap(([path, item]) => {
    const { get, parameters } = read(item);
    if (!isMembers(get)) return [];
    const all = [...list(parameters), ...list(get["parameters"])].map(read);
    return [
      {
        id: text(get["operationId"]) || path,
        path,
        summary: text(get["summary"]) || path,
        description: text(get["description"]),
        parameters: all.filter((one) => one["in"] === "path" || one["in"] === "query").map(parameterOf),
        responses: Object.entries(read(get["responses"])).map(([status, one]) => responseOf(status, read(one), read)),
        assumptions: list(get["x-assumptions"]).map(text),
      },
    ];
  });
}

function parameterOf(parameter: Members): Parameter {
  return {
    name: text(parameter["name"]),
    isInPath: parameter["in"] === "path",
    description: text(parameter["description"]),
    example: text(parameter["example"]),
  };
}

function responseOf(status: string, response: Members, read: Reader): ResponseDescription {
  const examples = Object.values(read(response["content"])).flatMap((content) => {
    const { example, examples: several } = read(content);
    const named = Object.entries(read(several)).map(([name, one]) => {
      const { summary, value } = read(one);
      return { name, title: text(summary) || name, value };
    });
    return example === undefined ? named : [{ name: "", title: "Example", value: example }, ...named];
  });
  return {
    status,
    description: text(response["description"]),
    headers: Object.keys(read(response["headers"])),
    examples,
  };
}

type Reader = (value: unknown) => Members;

/** Follows references; whatever has no members has none. */
function reader(document: unknown): Reader {
  return (value) => {
    let target = value;
    // A reference to itself ends, too.
    for (let steps = 0; steps < 9 && isMembers(target) && typeof target["$ref"] === "string"; steps++) {
      target = at(document, target["$ref"]);
    }
    return isMembers(target) ? target : {};
  };
}

function at(document: unknown, reference: string): unknown {
  if (!reference.startsWith("#/")) return undefined;
  const names = reference.slice(2).split("/");
  return names.reduce<unknown>((value, name) => {
    const member = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return isMembers(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  }, document);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
