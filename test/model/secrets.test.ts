import fc from "fast-check";
import { expect, test } from "vitest";
import { redactedPath, redactedTarget } from "../../src/service/target.ts";
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
  [["AppKey-0001~own"], "/APPKEY-0001~OWN?x=appkey-0001~own", "/…?x=…"],
  [["AppKey 0001/own"], "/APPKEY+0001/OWN", "/…"],
  [[], "/anything", "/anything"],
])("with the secrets %j, %s is redacted to %s", (secrets, text, redacted) => {
  const registry = new Secrets();
  for (const secret of secrets) registry.add(secret);
  expect(registry.redact(text)).toBe(redacted);
  for (const secret of secrets) registry.delete(secret);
  expect(registry.redact(text)).toBe(text);
});

const uuid = "6dcefa86-0d2d-4c48-88e5-28d9dbe2aed1";

test.each([
  ["status", "PENDING"],
  ["status", "PENDING,CLOSED", "PENDING,CLOSED"],
  ["page", "1e3"],
  ["page", "2+3", "2%2B3"],
  ["size", ""],
  ["size", "100000000"],
  ["include", "investors,signing_parties,payments"],
  ["sort", "-create_date"],
  ["investor", "ada@example.com"],
  ["name", "Ada Lovelace", "Ada+Lovelace"],
  ["name", "Zoë", "Zo%C3%AB"],
  ["name", 'O\'Brien & "Co"', "O'Brien+%26+%22Co%22"],
  ["filter[amount]", "amount>=1000", "amount%3E=1000"],
  ["number", "INV-2026-00012"],
  ["investment_id", uuid],
  ["ids", `${uuid},${uuid}`],
  ["create_date[gte]", "yesterday"],
  ["create_date[gte]", "2026-01-15T25:00:00Z"],
  ["create_date[gte]", "2026-01-15T10:00:00.000+02:00", "2026-01-15T10:00:00.000%2B02:00"],
  ["redirect", "http://localhost:3000/done?x=1", "http://localhost:3000/done%3Fx=1"],
  ["discount", "100%", "100%25"],
  ["q", "…", "%E2%80%A6"],
  ["q", "\u001b[2J\n", "%1B[2J%0A"],
])("a parameter %s with the value %j is printed", (name, value, printed = value) => {
  expect(redactedPath("/x", [[name, value]])).toBe(`/x?${name}=${printed}`);
});

test.each([
  ["token, api_key, client_secret, Password, filter[authorization], session, signature", "1"],
  ["q", 'Bearer abc, basic abc, Bearer%20abc, say token abc, api_key=abc, api_key%3Dabc, {"password":"abc"}'],
  ["q", "http://ada:abc@localhost, eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc, sk_live_51Habcdefg, AB2D-1234-EFGH-5678"],
  ["q", `abcdefghijklmnopqrstuvwxy, 1234567890, ${"a ".repeat(60)}`],
  ["page", "key 0123456789abcdef"],
])("of the parameters %s, each of the values %s is concealed", (names, values) => {
  const pairs = names.split(", ").flatMap((name) => values.split(", ").map((value) => [name, value] as const));
  for (const [name, value] of pairs) expect(redactedPath("/x", [[name, value]])).toBe(`/x?${name}=…`);
});

/** A text around a key, as people paste it. */
const around = fc.tuple(
  fc.oneof(fc.constantFrom("", "Bearer ", "key: ", "PENDING,", "https://x.example/?a="), fc.string({ maxLength: 10 })),
  fc.oneof(fc.constantFrom("", " ", ",x", "&b=2"), fc.string({ maxLength: 10 })),
);

/** As a client writes a value: as it is, encoded once, or by mistake twice. */
const writings = [
  (text: string) => text,
  encodeURIComponent,
  (text: string) => encodeURIComponent(encodeURIComponent(text)),
];

/** The texts that somebody could read from a printed path by decoding it. */
function readings(printed: string): string[] {
  const texts = [printed];
  for (let times = 0; times < 2; times++) {
    texts.push(new URLSearchParams(`=${(texts.at(-1) ?? "").replaceAll("&", "%26")}`).get("") ?? "");
  }
  return [...texts, ...texts.map((text) => text.replaceAll(" ", "+"))];
}

test("no key of this server is printed, wherever and however it is in a query", () => {
  const key = fc.stringMatching(/^[A-Za-z0-9._~+/-]{8,30}={0,2}$/);
  fc.assert(
    fc.property(key, around, fc.constantFrom(...writings), fc.boolean(), (secret, [before, after], write, isName) => {
      const secrets = new Secrets();
      secrets.add(secret);
      const sent = write(before + secret + after);
      const target = redactedTarget(isName ? `/x?${sent}=1` : `/x?q=${sent}`);
      for (const text of readings(secrets.redact(target))) expect(text).not.toContain(secret);
    }),
    { numRuns: 1000 },
  );
});

test("no key of another service is printed, wherever it is in a query", () => {
  const random = fc.oneof(
    fc.stringMatching(/^[\da-f]{32,64}$/),
    fc.stringMatching(/^[A-Za-z\d]{20,40}$/),
    fc.stringMatching(/^[A-Za-z\d_+/-]{20,60}={0,2}$/),
    fc.stringMatching(/^(?:sk_live_|ghp_|AKIA|xoxb-)[A-Z\d]{16,36}$/),
    fc.stringMatching(/^eyJ[\w-]{20,30}\.eyJ[\w-]{20,30}\.[\w-]{20,30}$/),
  );
  // In real keys, digits are next to letters.
  const key = random.filter((text) => text.split(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/i).length > 2);
  fc.assert(
    fc.property(key, around, fc.constantFrom(...writings), (secret, [before, after], write) => {
      const target = redactedTarget(`/x?page=1&q=${write(before + secret + after)}`);
      for (const text of readings(target)) expect(text).not.toContain(secret);
    }),
    { numRuns: 1000 },
  );
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
      const printedPath = redactedPath(`/${segments.join("/")}`, parameters);
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
