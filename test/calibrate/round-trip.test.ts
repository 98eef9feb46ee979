import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assume } from "../../src/assumptions/catalog.ts";
import { orderOfErrors } from "../../src/assumptions/precedence.ts";
import type { CalibrationReport } from "../../calibrate/report.ts";
import { caseCount } from "../support/case-count.ts";
import { writeFixture } from "../support/write-fixture.ts";
import { anyAssumptions, type Assumed, calibrateSandbox } from "./calibrated.ts";
import { startForTest } from "../support/sandbox.ts";

/** The part of a value that GET requests can reveal. */
function shownBy(id: string, value: string | number | null | undefined, assumed: Assumed): string {
  // A status outside the specification shows that such statuses are served, not which investments have one.
  if (id === "investment.statuses" && value === "unseen") return "any";
  if (id !== "precedence") return String(value);
  const hiddenErrors = ["405", "429", assumed["errors.invalid_parameter"] === "ignore" && "400"];
  return orderOfErrors(String(value))
    .filter((error) => !hiddenErrors.includes(error))
    .join();
}

/** Rows whose decision differs from the sandbox's assumption. */
function wrongRows({ rows }: CalibrationReport, assumed: Assumed): string[] {
  // Without a size parameter, a page is limited by the largest size.
  const effective: Assumed = {
    ...assumed,
    "list.default_size": Math.min(Number(assumed["list.default_size"]), Number(assumed["list.max_size"])),
  };
  return Object.entries(rows).flatMap(([id, { value, confidence, because }]) =>
    (["high", "medium"].includes(confidence) || (id === "precedence" && value !== null)) &&
    shownBy(id, value, assumed) !== shownBy(id, effective[id], assumed)
      ? `${id}=${effective[id]}, decided ${value}: ${because}`
      : [],
  );
}

/** Orders by modify_date, one item a page: an investment of "demo" changes its page between requests. */
const movingPage = {
  ...assume("conventional"),
  "errors.invalid_parameter": "ignore",
  "list.default_size": 1,
  "list.order": "-modify_date",
};

/** The longest page; the slow tests use the largest possible one. */
const longest = caseCount(250);

test.each([
  { name: "demo", investments: 0, never: [] },
  { name: "more than a page", investments: longest + 100, never: ["list.max_size", "list.default_size"] },
])(
  "any assumptions on $name are decided correctly, or undetermined with a reason",
  async ({ name, investments, never }) => {
    const large = { name: "large", offerings: [{ generate: { investments } }] };
    const sandbox = await startForTest({ fixture: investments > 0 ? await writeFixture(large) : name });
    const sized = anyAssumptions.map((assumed) => ({
      ...assumed,
      "list.max_size": Math.min(Number(assumed["list.max_size"]), investments > 0 ? longest : Infinity),
    }));
    await fc.assert(
      fc.asyncProperty(sized, fc.boolean(), async (assumed, withOptions) => {
        await sandbox.assumptions.set(assumed);
        const { report, earlyEnd } = await calibrateSandbox(sandbox, { maxRequests: 90, withOptions });
        expect(earlyEnd).toBeUndefined();
        expect(wrongRows(report, assumed)).toEqual([]);
        expect(report.unsupported).toEqual([]);
        expect(report.deviations).toEqual([]);
        for (const { confidence, because } of Object.values(report.rows))
          if (confidence === "none") expect(because).toMatch(/\w/);
        for (const id of never) expect(report.rows[id]?.confidence).not.toBe("none");
      }),
      { numRuns: caseCount(1) + 1, examples: [[movingPage, false]] },
    );
  },
);
