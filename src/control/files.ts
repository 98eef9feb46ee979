import type { Snapshot } from "../public/control.ts";
import type { FixtureDocument } from "../fixture/dataset.ts";
import { readDataset } from "../fixture/load.ts";
import { fixtureFile, parseFixture, readFixture } from "../fixture/read.ts";
import { inputLimits } from "../bounds/bounds.ts";
import { readTextFile } from "../files/file.ts";
import { isMembers } from "../validation/members.ts";
import { codeOf, FileValidationError, FileReadError } from "../validation/errors.ts";
import { isName } from "../text/text.ts";
import type { EnvironmentOptions } from "../public/options.ts";
import { pathOf } from "../settings/source-kinds.ts";
import { isScenarioText, readScenarioFile } from "../scenario/load.ts";
import { parseScenario, readScenarioText } from "../scenario/parse.ts";

/*
 * Replaces files, named in code or on the command line, by their documents: a running sandbox reads no files for
 * callers of its admin API.
 */

/** Replaces files in the options of an environment by their documents. Throws FileReadError and FileValidationError. */
export async function withDocuments(options: EnvironmentOptions): Promise<object> {
  const { fixture, scenarios, snapshot } = options;
  return {
    ...options,
    ...(isPathOrUrl(fixture) && { fixture: await readFixtureDocument(fixture) }),
    ...(Array.isArray(scenarios) && { scenarios: await Promise.all(scenarios.map(readScenarioDocument)) }),
    // Snapshots do not have names: every string is a path.
    ...(isStringOrUrl(snapshot) && { snapshot: await readSnapshotDocument(snapshot) }),
  };
}

function isStringOrUrl(source: unknown): source is string | URL {
  return source instanceof URL || typeof source === "string";
}

function isPathOrUrl(source: unknown): source is string | URL {
  return isStringOrUrl(source) && !(typeof source === "string" && isName(source));
}

async function readFixtureDocument(source: string | URL): Promise<FixtureDocument | string> {
  const path = pathOf(source);
  const file = fixtureFile(path);
  try {
    const bytes = await readFixture(file);
    // The sandbox checks the fixture again, but only this process knows the lines of its file.
    await readDataset(file, bytes, { investmentStatuses: "any" });
    const { content } = await parseFixture(file, bytes);
    return { name: file.name, ...(content as FixtureDocument) };
  } catch (error) {
    if (mayBeName(path, error)) return path;
    throw error;
  }
}

/** Replaces the file in a body that plays a scenario by its document. Throws like `withDocuments`. */
export async function withScenario(body: { readonly scenario?: unknown }): Promise<object> {
  return "scenario" in body ? { ...body, scenario: await readScenarioDocument(body.scenario) } : body;
}

/** Converts a scenario for a running sandbox: a name or a document stays, a file becomes its document. */
async function readScenarioDocument(source: unknown): Promise<unknown> {
  if (typeof source !== "string" || isScenarioText(source)) return source;
  return convertScenario(source);
}

/** Does the same as `scenarioDocument` for a name or a file. */
export async function convertScenario(source: string): Promise<string | object> {
  if (isName(source)) return source;
  try {
    const text = await readScenarioFile(source);
    const { name } = parseScenario(text, source).scenario;
    return { name, ...(readScenarioText(text, source).value as object) };
  } catch (error) {
    if (mayBeName(source, error)) return source;
    throw error;
  }
}

/** Returns a snapshot, or the snapshot in a file. Throws FileReadError and FileValidationError. */
export async function readSnapshotDocument(source: string | object): Promise<object> {
  const path = pathOf(source);
  if (typeof path !== "string") return path;
  const text = await readTextFile(path, inputLimits.snapshotBody);
  try {
    const content: unknown = JSON.parse(text);
    if (isMembers(content) && content["format"] === ("offering-sandbox-environment" satisfies Snapshot["format"]))
      return content;
  } catch {
    // The text is not JSON, and is refused below.
  }
  const isDamaged = text.includes("offering-sandbox-environment");
  const kind = isDamaged ? "This snapshot is damaged, or ends early" : "This is not a snapshot";
  const message = `${kind}; expected a file that "offering-sandbox snapshot" wrote.`;
  throw new FileValidationError([{ file: path, line: 1, column: 1, message }]);
}

/** Returns true if a string may be a name. A name in a running sandbox may have a dot, but no slash or extension. */
function mayBeName(path: string, error: unknown): boolean {
  const isMissing = error instanceof FileReadError && codeOf(error.cause) === "ENOENT";
  return isMissing && !/[/\\]|\.(json|ya?ml)$/i.test(path);
}
