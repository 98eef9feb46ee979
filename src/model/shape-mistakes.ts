import { z } from "zod";
import { about, type Finding, finding, type Path, pathText } from "./finding.ts";
import { isMembers, unknownMember } from "./members.ts";
import { listed, Mistake } from "./mistakes.ts";
import { didYouMean, either, quoted } from "./text.ts";

/** Returns zod's issues; undefined if there are a hundred thousand or more, where zod itself throws RangeError. */
export function issuesOf(schema: z.ZodType, content: unknown): readonly z.core.$ZodIssue[] | undefined {
  try {
    return schema.safeParse(content).error?.issues ?? [];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Yields every unknown member, wrong type and wrong value. `whole` names the top. */
export function* shapeMistakes(schema: z.ZodType, content: unknown, whole: string): Generator<Finding> {
  const issues = issuesOf(schema, content);
  if (!issues) yield about([], "has too many mistakes to list; expected fewer.", whole);
  for (const { issue, path } of (issues ?? []).flatMap((one) => unfold(one, []))) {
    if (issue.code === "unrecognized_keys") {
      const known = membersAt(schema, path);
      for (const name of issue.keys) {
        yield finding([...path, name], "name", () => unknownMember(name, known, pathText(path, whole)));
      }
    } else if (issue.code === "invalid_key") {
      const [reason] = issue.issues;
      const message = `has a name that does not fit; expected ${reason?.message}.`;
      yield finding(path, "name", () => `${pathText(path, whole)} ${message}`);
    } else {
      const message = (value: unknown): string =>
        issue.code === "custom" && isMembers(value)
          ? `needs ${expected(issue)}.`
          : `is ${inWords(path, value)}; expected ${expected(issue)}.${suggestion(issue, value)}`;
      yield about(path, () => message(valueAt(content, path)), whole);
    }
  }
}

interface PlacedIssue {
  readonly issue: z.core.$ZodIssue;
  readonly path: Path;
}

/** Replaces the issue of a union by the issues of the one alternative whose type fits. */
function unfold(issue: z.core.$ZodIssue, above: Path): PlacedIssue[] {
  const path = [...above, ...issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment)))];
  if (issue.code !== "invalid_union") return [{ issue, path }];
  const [likely, ...others] = issue.errors.filter((issues) => !issues.some(isOfAnotherType));
  return likely && others.length === 0 ? likely.flatMap((one) => unfold(one, path)) : [{ issue, path }];
}

function membersAt(top: z.ZodType, path: Path): string[] {
  let schemas = formsOf(top);
  for (const segment of path) {
    schemas = schemas.flatMap((schema) => {
      if (schema instanceof z.ZodArray) return formsOf(schema.element);
      return schema instanceof z.ZodObject ? formsOf(schema.shape[segment]) : [];
    });
  }
  return schemas.flatMap((schema) => (schema instanceof z.ZodObject ? Object.keys(schema.shape) : []));
}

function isOfAnotherType({ path, code }: z.core.$ZodIssue): boolean {
  return path.length === 0 && code === "invalid_type";
}

/** Lists the alternatives of a schema, optionals unwrapped and unions taken apart. */
function formsOf(schema: unknown): unknown[] {
  if (schema instanceof z.ZodOptional) return formsOf(schema.unwrap());
  return schema instanceof z.ZodUnion ? schema.options.flatMap(formsOf) : [schema];
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** Describes the expected value. Our own schemas have messages; zod's others are reworded here. */
function expected(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_value") return either(issue.values.map((value) => JSON.stringify(value)));
  if (issue.code === "invalid_type" && issue.message.startsWith("Invalid input")) {
    return typeWords[issue.expected] ?? issue.expected;
  }
  return issue.message;
}

function suggestion(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== "invalid_value" || typeof value !== "string") return "";
  return didYouMean(value, issue.values.map(String));
}

/** Members that declare keys: a misplaced value there may be the text of a key. */
const keyMembers = new Set<unknown>(["keys", "key"]);

/** Describes a value without the text of any key. */
function inWords(path: Path, value: unknown): string {
  if (value === undefined) return "missing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  if (typeof value === "number" && !Number.isFinite(value)) return "beyond the range of numbers";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint" || typeof value === "symbol") return `a ${typeof value}`;
  if (typeof value !== "string") return JSON.stringify(value);
  if (path.some((segment) => keyMembers.has(segment))) return path.at(-1) === "type" ? "not a key type" : "not valid";
  return quoted(value);
}

function valueAt(content: unknown, path: Path): unknown {
  let value = content;
  for (const segment of path) value = (value as Record<string | number, unknown>)[segment];
  return value;
}

/** Throws Mistake with every mistake if the value does not fit the schema; `whole` names the value. */
export function checkShape(schema: z.ZodType, given: unknown, whole: string): void {
  const mistakes = [...shapeMistakes(schema, given, whole)];
  if (mistakes.length > 0) throw new Mistake(listed(mistakes, ({ message }) => message));
}

/** Returns the value if it fits the schema. Throws Mistake as `checkShape` does. */
export function parseShape<Schema extends z.ZodType>(schema: Schema, given: unknown, whole: string): z.infer<Schema> {
  checkShape(schema, given, whole);
  return schema.parse(given);
}
