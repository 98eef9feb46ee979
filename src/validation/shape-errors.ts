import { z } from "zod";
import { isMembers, unknownMember } from "./members.ts";
import {
  takeErrors,
  formatErrors,
  ValidationError,
  createIssueAt,
  type Issue,
  createIssue,
  type Path,
  pathText,
} from "./errors.ts";
import { isKeyMember } from "../secrets/secrets.ts";
import { didYouMean, either, describeValue } from "../text/text.ts";

/**
 * Reads a value. Finds every unknown member, wrong type and wrong value; `rootName` names the whole value, `describe`
 * the values, and `parentPath` is the path to the value.
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
  rootName: string,
  describe = describeValue,
  parentPath: Path = [],
): { readonly value?: z.output<Schema>; readonly errors: readonly Issue[] } {
  let parsed: z.ZodSafeParseResult<z.output<Schema>>;
  try {
    parsed = schema.safeParse(content);
  } catch (error) {
    // zod throws it for a hundred thousand issues or more.
    if (!(error instanceof RangeError)) throw error;
    return { errors: [createIssueAt(parentPath, "has too many errors to list; expected fewer.", rootName)] };
  }
  if (parsed.success) return { value: parsed.data, errors: [] };
  return { errors: takeErrors(issuesOf(parsed.error.issues, schema, content, rootName, describe, parentPath)) };
}

function* issuesOf(
  issues: readonly z.core.$ZodIssue[],
  schema: z.ZodType,
  content: unknown,
  rootName: string,
  describe: (value: unknown) => string,
  parentPath: Path,
): Generator<Issue> {
  for (const { issue, path: inner } of unfoldUnions(issues)) {
    const path = [...parentPath, ...inner];
    if (issue.code === "unrecognized_keys") {
      const names = membersAt(schema, inner);
      // Our own schemas know where unknown members belong.
      const place = issue.message.startsWith("Unrecognized key") ? undefined : issue.message;
      for (const name of issue.keys) {
        yield createIssue([...path, name], "name", () => unknownMember(name, names, pathText(path, rootName), place));
      }
    } else if (issue.code === "invalid_key") {
      const [reason] = issue.issues;
      const message = `has a name that does not fit; expected ${reason?.message}.`;
      yield createIssue(path, "name", () => `${pathText(path, rootName)} ${message}`);
    } else {
      const message = (value: unknown): string =>
        issue.code === "custom" && isMembers(value)
          ? `needs ${expected(issue)}.`
          : `is ${valueText(path, value, describe)}; expected ${expected(issue)}.${suggestion(issue, value)}`;
      yield createIssueAt(path, () => message(valueAt(content, inner)), rootName);
    }
  }
}

/** Replaces the issue of a union by the issues of the one alternative whose type fits. */
function* unfoldUnions(
  issues: readonly z.core.$ZodIssue[],
  parentPath: Path = [],
): Generator<{ readonly issue: z.core.$ZodIssue; readonly path: Path }> {
  for (const issue of issues) {
    const path = [
      ...parentPath,
      ...issue.path.map((segment) => (typeof segment === "number" ? segment : String(segment))),
    ];
    const alternatives = issue.code === "invalid_union" ? issue.errors : [];
    const [likely, ...otherIssues] = alternatives.filter((inner) => !inner.some(isOfAnotherType));
    if (likely && otherIssues.length === 0) yield* unfoldUnions(likely, path);
    else yield { issue, path };
  }
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
  if (schema instanceof z.ZodPipe) return formsOf(schema.out);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(formsOf) : [schema];
}

const typeWords: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
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
  if (typeof value !== "string") return "";
  // Our own refinements may have names to choose from.
  const names: unknown =
    issue.code === "invalid_value" ? issue.values : issue.code === "custom" && issue.params?.["names"];
  return Array.isArray(names) ? didYouMean(value, names.map(String)) : "";
}

/** Describes a value without the secret of any key. */
function valueText(path: Path, value: unknown, describe: (value: unknown) => string): string {
  if (typeof value !== "string" || !path.some(isKeyMember)) return describe(value);
  return path.at(-1) === "type" ? "not a key type" : "not valid";
}

function valueAt(content: unknown, path: Path): unknown {
  let value = content;
  for (const segment of path) value = (value as Record<string | number, unknown>)[segment];
  return value;
}

/** Reads a value like `readShape`. Throws ValidationError with every error. */
export function parseShape<Schema extends z.ZodType>(
  schema: Schema,
  content: unknown,
  rootName: string,
  parentPath: Path = [],
): z.output<Schema> {
  const { value, errors } = readShape(schema, content, rootName, describeValue, parentPath);
  if (errors.length > 0) throw new ValidationError(formatErrors(errors, ({ message }) => message));
  return value as z.output<Schema>;
}
