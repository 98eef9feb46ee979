import * as fc from "fast-check";
import { type AssumptionId, catalog } from "../../src/assumptions/catalog.ts";
import { formOf, type Row } from "../../src/assumptions/row.ts";
import { type Calibration, calibrate, type CalibrationOptions } from "../../calibrate/calibration.ts";
import type { LocalSandbox } from "../../src/index.ts";

/** Values of assumptions, by id. */
export type Assumed = Readonly<Record<string, string | number>>;

/** Any set of assumptions: each row has one of its listed values, or a value of its form. */
export const anyAssumptions: fc.Arbitrary<Assumed> = fc.record(
  Object.fromEntries((catalog as readonly (Row & { id: AssumptionId })[]).map((row) => [row.id, anyValue(row)])),
);

function anyValue({ id, values, accepts }: Row): fc.Arbitrary<string | number> {
  // Calibration could not distinguish a shuffled document from the orders that rows about lists and events describe.
  if (id === "documents.order") return fc.constant("specified");
  const choices = Object.keys(values);
  if (typeof accepts === "object") {
    const { from, to } = accepts;
    return fc.oneof(fc.constantFrom(1, 10, 20, 25, 50, 99, 100, 101, 250, 1000), fc.integer({ min: from, max: to }));
  }
  if (id === "signing_party.status") choices.push("awaiting", "NOT_SIGNED", "Sign here, Ada");
  else if (accepts && !accepts.endsWith("template")) choices.push(String(formOf(accepts).example));
  return fc.constantFrom(...choices);
}

/** The sandbox's address, its first offering, and an active key of each type for it. */
export async function subjectOf(sandbox: LocalSandbox): Promise<Pick<CalibrationOptions, "url" | "offering" | "keys">> {
  const all = await sandbox.keys.list();
  const [{ offering_id: offering } = { offering_id: "" }] = all;
  const keys = (["partner", "marketing"] as const).flatMap(
    (type) =>
      all.find((key) => key.type === type && key.offering_id === offering && key.status === "active")?.key ?? [],
  );
  return { url: new URL(sandbox.baseUrl), offering, keys };
}

/** Calibrates against a sandbox; waits advance its clock. */
export async function calibrateSandbox(
  sandbox: LocalSandbox,
  options: Partial<CalibrationOptions> = {},
): Promise<Calibration> {
  let now = 0;
  const clock = {
    now: () => now,
    wait(milliseconds: number) {
      now += milliseconds;
      return sandbox.clock.advance(milliseconds);
    },
  };
  return calibrate({ ...(await subjectOf(sandbox)), version: "1.0.0", clock, ...options });
}
