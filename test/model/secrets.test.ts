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
])("with the secrets %j, %s is redacted to %s", (secrets, text, redacted) => {
  const registry = new Secrets();
  for (const secret of secrets) registry.add(secret);
  expect(registry.redact(text)).toBe(redacted);
  for (const secret of secrets) registry.delete(secret);
  expect(registry.redact(text)).toBe(text);
});

test("every printed part of a path can be redacted", () => {
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
    fc.property(target, fc.nat(), fc.integer({ min: 8, max: 60 }), ([segments, parameters], at, length) => {
      const printedPath = printablePath(`/${segments.join("/")}`, parameters);
      const secret = printedPath.slice(at % printedPath.length).slice(0, length);
      fc.pre(secret.length >= 8 && !secret.includes(hidden));
      const secrets = new Secrets();
      secrets.add(secret);
      expect(secrets.redact(printedPath)).not.toContain(secret);
    }),
    { numRuns: 1000 },
  );
});

test("redaction hides every letter of any secret, overlapping ones included, and no other letter", () => {
  const secret = fc.stringMatching(/^[ab-]{3,7}$/);
  const pieces = fc.array(fc.oneof(fc.nat(3), fc.stringMatching(/^[abc-]{0,4}$/)), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(secret, { minLength: 1, maxLength: 4 }), pieces, (secrets, textPieces) => {
      const text = textPieces.map((piece) => (typeof piece === "number" ? (secrets[piece] ?? "c") : piece)).join("");
      const registry = new Secrets();
      for (const each of secrets) registry.add(each);
      const expectedText = Array.from(text, (letter, at) => {
        const isSecret = secrets.some((each) =>
          Array.from(each, (_, offset) => at - offset).some((from) => from >= 0 && text.startsWith(each, from)),
        );
        return isSecret ? hidden : letter;
      }).join("");
      const runs = /…+/g;
      expect(registry.redact(text).replaceAll(runs, hidden)).toBe(expectedText.replaceAll(runs, hidden));
    }),
    { numRuns: 500 },
  );
});
