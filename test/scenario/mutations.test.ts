import { readFile } from "node:fs/promises";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FileValidationError, type FileDiagnostic } from "../../src/validation/errors.ts";
import { parseScenario, scenarioDetail } from "../../src/scenario/parse.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { caseCount } from "../support/case-count.ts";
import { anyText } from "../support/any-text.ts";

const names = [
  "closing",
  "joint-investors-with-countersigner",
  "flaky-service",
  "offering-winds-down",
  "busy-day",
  "key-revoked-midway",
  "live-demo",
];
const texts = await Promise.all(
  names.map((name) => readFile(new URL(`../../scenarios/${name}.yaml`, import.meta.url), "utf8")),
);

const marks = "{ } [ ] # ' \" | > << *a .nan null".split(" ");
const spaced = [
  "\n",
  "  ",
  "\t",
  "- ",
  ": ",
  "&a ",
  "!!x ",
  "---\n",
  "? ",
  "__proto__: 1\n",
  "%YAML 1.1\n",
  "\r",
  "\u2028",
  "\uFEFF",
];
const pieces = fc.oneof(fc.constantFrom(...marks, ...spaced), anyText({ maxLength: 5 }));

/** Files with pieces removed, inserted or doubled. */
const mutants = fc
  .tuple(
    fc.constantFrom(...texts),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.option(pieces)), { minLength: 1, maxLength: 4 }),
  )
  .map(([text, cuts]) => {
    let mutant = text;
    for (const [at, length, piece] of cuts) {
      const from = at % (mutant.length + 1);
      const doubled = mutant.slice(from, from + 2 * length);
      mutant = mutant.slice(0, from) + (piece ?? doubled) + mutant.slice(from + (piece === null ? 0 : length));
    }
    return mutant;
  });

function diagnosticsOf(text: string, file: string): readonly FileDiagnostic[] {
  try {
    return parseScenario(text, file).warnings;
  } catch (error) {
    if (error instanceof FileValidationError) return error.errors;
    throw error;
  }
}

test.for(["mutant.yaml", "mutant.json"])(
  "any text as %s is parsed, or has errors with places inside the text",
  (file) => {
    fc.assert(
      fc.property(mutants, (text) => {
        const lines = text.split(/\r\n|\r|\n/);
        for (const { line, column, message } of diagnosticsOf(text, file)) {
          expect(message).not.toBe("");
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
          expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
        }
      }),
      { numRuns: caseCount(50) },
    );
  },
);

test("the printed text of a scenario parses to the same scenario", () => {
  const isSame = (text: string): void => {
    const scenario = parsed(text);
    if (!scenario) return;
    // A copy does not have the original text, so its text is printed.
    const copy = JSON.parse(JSON.stringify(scenario)) as typeof scenario;
    expect(parsed(scenarioDetail(copy).text)).toEqual(scenario);
  };
  texts.forEach(isSame);
  fc.assert(fc.property(mutants, isSame), { numRuns: caseCount(50) });
});

function parsed(text: string): Scenario | undefined {
  try {
    return parseScenario(text, "mutant.yaml").scenario;
  } catch (error) {
    if (error instanceof FileValidationError) return undefined;
    throw error;
  }
}
