import fc from "fast-check";
import { expect, test } from "vitest";
import { printablePath } from "../../src/service/target.ts";
import { hidden, Secrets } from "../../src/model/secrets.ts";

test.each([
  [["sesameopen"], "/sesameopen.json?x=sesameopens", "/….json?x=…s"],
  [["sesameopen", "sesameopenwide"], "/sesameopenwide", "/…"],
  [["openwide", "sesameopen"], "/sesameopenwide", "/…"],
  [["sesameopen"], "/sesameopensesameopen", "/……"],
  [["ababab"], "ababababab-ab", "…-ab"],
  [["alpha/v1/beta"], "/api/alpha/v1/beta/x", "/api/…/x"],
  [["page=12345678"], "/?page=123456789", "/?…9"],
  [["2026-01-15"], "?create_date[gte]=2026-01-15T10:00:00Z", "?create_date[gte]=…T10:00:00Z"],
  [["00000000-0000-4000-8000-000000000000"], "/x/00000000-0000-4000-8000-000000000000", "/x/…"],
  [["T10+02:00", "T10 02:00"], "?a=T10%2B02:00&b=T10+02:00", "?a=…&b=…"],
  [[], "/anything", "/anything"],
])("of the secrets %j, %s shows %s", (secrets, text, shown) => {
  const known = new Secrets();
  for (const secret of secrets) known.add(secret);
  expect(known.redact(text)).toBe(shown);
  for (const secret of secrets) known.delete(secret);
  expect(known.redact(text)).toBe(text);
});

test("whatever is shown of a path can be redacted", () => {
  const digits = fc.stringMatching(/^-?\d{1,9}$/);
  const word = fc.stringMatching(/^[a-zA-Z_.\-[\]]{1,24}$/);
  const date = fc.constantFrom(
    "2026-01-15",
    "20260115T101530Z",
    "2026-01-15t10:15:30,5 02:00",
    "2026-01-15T10:00:00+02:00",
    "2026-01-15T10:00:00.000Z",
  );
  const segment = fc.oneof(fc.constant("v1"), word, fc.uuid(), fc.string());
  const query = fc.array(fc.tuple(word, fc.oneof(digits, date, fc.string())), { maxLength: 4 });
  const target = fc.tuple(fc.array(segment, { minLength: 1, maxLength: 5 }), fc.option(query, { nil: undefined }));
  fc.assert(
    fc.property(target, fc.nat(), fc.integer({ min: 8, max: 60 }), ([segments, given], at, length) => {
      const shown = printablePath(`/${segments.join("/")}`, given);
      const secret = shown.slice(at % shown.length).slice(0, length);
      fc.pre(secret.length >= 8 && !secret.includes(hidden));
      const secrets = new Secrets();
      secrets.add(secret);
      expect(secrets.redact(shown)).not.toContain(secret);
    }),
    { numRuns: 1000 },
  );
});

test("no letter of a secret is shown, whatever secrets hold or overlap one another, and every other letter is", () => {
  const secret = fc.stringMatching(/^[ab-]{3,7}$/);
  const pieces = fc.array(fc.oneof(fc.nat(3), fc.stringMatching(/^[abc-]{0,4}$/)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), pieces, (secrets, written) => {
      const text = written.map((piece) => (typeof piece === "number" ? (secrets[piece] ?? "c") : piece)).join("");
      const known = new Secrets();
      for (const each of secrets) known.add(each);
      const shown = Array.from(text, (letter, at) => {
        const isSecret = secrets.some((each) =>
          Array.from(each, (_, offset) => at - offset).some((from) => from >= 0 && text.startsWith(each, from)),
        );
        return isSecret ? hidden : letter;
      }).join("");
      const runs = /…+/g;
      expect(known.redact(text).replaceAll(runs, hidden)).toBe(shown.replaceAll(runs, hidden));
    }),
    { numRuns: 500 },
  );
});
