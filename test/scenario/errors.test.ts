import { expect, test } from "vitest";
import { checkScenario, examineScenario } from "../../src/scenario/parse.ts";

// `test/validation/scenarios` has each error and each warning.

test("a document without lines has errors with paths of members", () => {
  const message =
    'steps[2].after is "soon"; expected a duration such as 90s, 1h30m or 2d, or a span such as 1d..3d, the shorter one first.';
  const document = { steps: [{ event: "A B" }, { sign: "all" }, { after: "soon", event: "A B" }] };
  expect(() => checkScenario(document)).toThrow(message);
  expect(examineScenario(document)).toEqual({ errors: [{ line: 1, column: 1, message }], warnings: [] });
  expect(checkScenario({ steps: [{ event: "PAYMENT SUBMITTED" }] }).name).toBe("inline");
});

test("no more impossible effects are tried than a list of errors shows", () => {
  const steps = Array.from({ length: 1000 }, (_, at) => ({ investor: { email: `b${at}@example.com` } }));
  const investors = Array.from({ length: 500 }, (_, at) => ({ email: `a${at}@example.com` }));
  const { errors } = examineScenario({ investment: { investors }, steps });
  expect(errors).toHaveLength(101);
  expect(errors[10]?.message).toBe(
    'steps[10].investor is impossible: no investor has the email b10@example.com (did you mean "a10@example.com"?).',
  );
  expect(errors.at(-1)?.message).toBe("… and 1 more.");
});
