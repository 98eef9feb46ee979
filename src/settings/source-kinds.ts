import { fileURLToPath } from "node:url";
import { isMembers, type Members } from "../validation/members.ts";
import { ValidationError } from "../validation/errors.ts";
import type { SandboxOptions } from "../public/options.ts";
import { type ValueKind, text, texts } from "./kinds.ts";

/*
 * The kinds for the sources of a sandbox: fixtures, scenarios and snapshots, by name, as files and as documents.
 */

const fixtureName = text("name|file", "a shipped fixture's name or a file");

/** Returns true for an object literal, or an object without a prototype. */
function isPlainObject(value: unknown): value is Members {
  return isMembers(value) && [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

function isFileUrl(value: unknown): value is URL {
  return value instanceof URL && value.protocol === "file:";
}

const textOrObject = { anyOf: [{ type: "string" }, { type: "object" }] };

type SourceOption = NonNullable<SandboxOptions["fixture"]>;

/** Creates the kind of a file, named by a string or its URL, or the content of a file. */
function sourceKind(named: ValueKind<string>, expectedInCode: string): ValueKind<SourceOption> {
  const accepts = (value: unknown): value is SourceOption =>
    named.accepts(value) || isFileUrl(value) || isPlainObject(value);
  return { ...named, schema: textOrObject, expectedInCode, accepts };
}

export const fixture = sourceKind(
  fixtureName,
  "a shipped fixture's name, a file or its URL, or an object with the content of a fixture file",
);

const scenarioNames = texts("name|file", "shipped scenarios' names or files", /\S/);

export const scenarios: ValueKind<readonly (string | object)[]> = {
  ...scenarioNames,
  expectedInCode: "a list of scenarios' names, files, or objects with the content of scenario files",
  schema: { type: "array", items: textOrObject },
  accepts: (value): value is readonly (string | object)[] =>
    Array.isArray(value) && value.every((item) => scenarioNames.accepts([item]) || isPlainObject(item)),
};

const withoutScenarios = (written: string): readonly string[] | undefined =>
  written === "false" ? [] : scenarioNames.read(written);

/** The scenarios of a sandbox; `"fixture"` means the scenarios that its fixture names. */
export const startScenarios: ValueKind<NonNullable<SandboxOptions["scenarios"]>> = {
  ...scenarios,
  expectedInCode: `${scenarios.expectedInCode}, or "fixture" for the fixture's own`,
  accepts: (value): value is NonNullable<SandboxOptions["scenarios"]> =>
    value === "fixture" || scenarios.accepts(value),
  read: withoutScenarios,
};

/** Returns true if `db` is a database that several processes share, and not a file. */
export function isPostgresAddress(db: string | undefined): boolean {
  return /^postgres(?:ql)?:\/\//i.test(db ?? "");
}

const addressForms = [
  // A URL of any kind, in quotation marks or with a blank before it too.
  /^\W*(?:[a-z][a-z\d+.-]+:)+\//i,
  /^\W*(?:postgres(?:ql)?|pg)(?::|:?\/\/)/i,
  /(?:^|\s)(?:host|hostaddr|port|dbname|user|password|passfile|service|sslmode)\s*=/i,
  // user:password@host, user@host:5432, host:5432/name
  /^[^/\s]*(?::[^/\s]*@|@[^/\s]*:\d)|^[\w.-]+:\d+(?:\/|$)/,
];

/** Returns true if a string reads like a database's address: messages about a file would show its password. */
export function isAddress(written: string): boolean {
  return addressForms.some((form) => form.test(written));
}

const snapshotFile = text("file", "a file with a snapshot");

export const snapshot = sourceKind(snapshotFile, "a snapshot, its file or the URL of that");

export const configFile: ValueKind<NonNullable<SandboxOptions["config"]>> = {
  ...text("file", "a file"),
  expectedInCode: "a config file, its URL, or false for none",
  accepts: (value): value is NonNullable<SandboxOptions["config"]> =>
    value === false || snapshotFile.accepts(value) || isFileUrl(value),
};

/** The kinds of the same sources where only strings name them. */
export const namedSources = {
  fixture: fixtureName,
  scenarios: { ...scenarioNames, read: withoutScenarios },
  snapshot: snapshotFile,
};

/** Returns the path of a file's URL, and any other source as it is. Throws ValidationError for another machine's. */
export function pathOf<Source>(source: Source): Exclude<Source, { readonly href: string }> | string {
  if (!(source instanceof URL)) return source as Exclude<Source, { readonly href: string }>;
  try {
    return fileURLToPath(source);
  } catch {
    throw new ValidationError("Expected the URL of a file of this machine.");
  }
}
