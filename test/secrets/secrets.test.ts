import fc from "fast-check";
import { expect, test } from "vitest";
import { caseCount } from "../support/case-count.ts";
import { redactedPath, redactedTarget } from "../../src/service/target.ts";
import { hidden, Secrets, withoutLookalikes, withoutPastedKeys } from "../../src/secrets/secrets.ts";

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
  [["sesameopen"], "/x?hex=736573616d656f70656e&b=YTpzZXNhbWVvcGVuOg==", "/x?hex=…&b=YTp…Og=="],
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
  ["create_date[gte]", "1736899200000"],
  ["amount", "1250000.00000"],
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
  ["q", `abcdefghijklmnopqrstuvwxy, 12345678901234567, ${"a ".repeat(120)}`],
  ["page", "key 0123456789abcdef"],
])("of the parameters %s, each of the values %s is concealed", (names, values) => {
  const pairs = names.split(", ").flatMap((name) => values.split(", ").map((value) => [name, value] as const));
  for (const [name, value] of pairs) expect(redactedPath("/x", [[name, value]])).toBe(`/x?${name}=…`);
});

/** The characters around a pasted key. */
const around = fc.tuple(
  fc.oneof(fc.constantFrom("", "Bearer ", "key: ", "PENDING,", "https://x.example/?a="), fc.string({ maxLength: 10 })),
  fc.oneof(fc.constantFrom("", " ", ",x", "&b=2"), fc.string({ maxLength: 10 })),
);

/** Encodes even what needs no encoding. */
function encodedWholly(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** The ways in which a client writes a value: unchanged, encoded once, or by accident twice. */
const writings = [
  (text: string) => text,
  encodeURIComponent,
  encodedWholly,
  (text: string) => encodeURIComponent(encodeURIComponent(text)),
  (text: string) => encodeURIComponent(encodedWholly(text)),
];

/** Returns the strings that a reader can get from a printed path by decoding it. */
function decodings(printed: string): string[] {
  const texts = [printed];
  for (let times = 0; times < 2; times++) {
    texts.push(new URLSearchParams(`=${(texts.at(-1) ?? "").replaceAll("&", "%26")}`).get("") ?? "");
  }
  return [...texts, ...texts.map((text) => text.replaceAll(" ", "+"))];
}

/** Targets with a string as a segment, a value or the name of a parameter. */
const targets = [
  (text: string) => `/api/v2/offerings/${text}/investments`,
  (text: string) => `/api/v2/offerings?page=1&q=${text}&size=2`,
  (text: string) => `/api/v2/offerings?${text}=1`,
];

test("no key of this server is printed, wherever and however it is in a target", () => {
  const key = fc.stringMatching(/^[A-Za-z0-9._~+/-]{8,30}={0,2}$/);
  fc.assert(
    fc.property(key, around, fc.constantFrom(...writings), fc.nat(2), (secret, [before, after], write, place) => {
      const secrets = new Secrets();
      secrets.add(secret);
      const sent = write(before + secret + after);
      const target = redactedTarget(targets[place]?.(sent) ?? sent);
      for (const text of decodings(secrets.redact(target))) expect(text).not.toContain(secret);
    }),
    { numRuns: 1000 },
  );
});

const [letters, decimals] = ["abcdefghijklmnopqrstuvwxyz", "0123456789"];
const alphabet = letters + letters.toUpperCase() + decimals;

/** Random characters, each as likely as any other. */
function random(characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  const character = fc.constantFrom(...Array.from(characters));
  return fc.noBias(fc.array(character, { minLength, maxLength })).map((list) => list.join(""));
}

/** Keys as vendors issue them: digits are next to letters. */
const vendorKeys = fc
  .oneof(
    random(`${decimals}abcdef`, 32, 64),
    random(alphabet, 32, 48),
    random(`${alphabet}+/`, 32, 64).map((text) => `${text}==`),
    random(`${alphabet}-_`, 32, 64),
    random(letters.toUpperCase() + decimals, 16, 16).map((text) => `AKIA${text}`),
    ...["sk_live_", "pk_test_", "ghp_", "glpat-", "xoxb-", "whsec_"].map((prefix) =>
      random(alphabet, 24, 40).map((text) => prefix + text),
    ),
    fc.tuple(...[0, 1, 2].map(() => random(`${alphabet}-_`, 20, 40))).map((parts) => `eyJ${parts.join(".")}`),
  )
  .filter((key) => key.split(/(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)/i).length > 5);

const cases = [(text: string) => text, (text: string) => text.toUpperCase(), (text: string) => text.toLowerCase()];

test("no key of another service is printed, wherever it is in a target", () => {
  const places = fc.tuple(fc.constantFrom(...cases), fc.constantFrom(...writings), fc.constantFrom(...targets));
  fc.assert(
    fc.property(vendorKeys, around, places, (vendorKey, [before, after], [inCase, write, targetWith]) => {
      const key = inCase(vendorKey);
      const target = redactedTarget(targetWith(write(before + key + after)));
      // Not even its greater part.
      const part = key.slice(Math.floor(key.length / 3));
      for (const text of decodings(target)) expect(text).not.toContain(part);
    }),
    { numRuns: caseCount(1000) },
  );
});

/** What a client gets wrong first: versions, numbers, ids, names, dates, hosts and paths. */
const plain = fc.oneof(
  fc.tuple(fc.constantFrom("v", ""), fc.nat(30), fc.nat(30), fc.nat(30)).map(([v, ...parts]) => v + parts.join(".")),
  fc.tuple(fc.nat(30), fc.constantFrom("alpha", "beta", "rc")).map(([number, stage]) => `v${number}${stage}1`),
  fc.tuple(fc.nat(9), random(`${decimals}abcdef`, 7, 12)).map(([number, commit]) => `1.${number}.0-12-g${commit}`),
  fc.maxSafeNat().map((number) => String(number % 1e15)),
  fc.tuple(fc.nat(999_999_999), fc.nat(99_999)).map(([whole, part]) => `${whole}.${part}`),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.nat(99_999).map((number) => `INV-2026-${number}`),
  fc.constantFrom(
    ..."listInvestmentsByOfferingV2 getSigningPartyOfInvestment signing_parties.0.first_name investors-of-2026-q1".split(
      " ",
    ),
    ..."sandbox-eu2.staging.example.com ip-10-0-0-12.internal localhost:3000 web:8080 ada+test@example.com".split(" "),
    ..."aurora-partner at-signers run-1 {id} :id undefined [object_Object] strengthsWeaknesses en-US,en;q=0.9".split(
      " ",
    ),
    ..."node-v20.19.0-linux-x64.tar.gz v0.0.0-20191109021931-daa7c04131f5 20260115T101530Z my-e2e-tests-k8s".split(" "),
  ),
);

test("no version, number, name, id, date or host is concealed, as a segment, a value or in a message", () => {
  fc.assert(
    fc.property(plain, plain, (left, right) => {
      for (const text of [`/api/${left}/offerings/${right}`, `/${left}?page=${right.replaceAll("+", "%2B")}&q=`]) {
        expect(decodeURIComponent(redactedTarget(text))).toBe(decodeURIComponent(text));
      }
      for (const message of [`amount is "${left}"; expected ${right}.`, `There is no "${right}" in ${left}.`]) {
        expect(withoutPastedKeys(withoutLookalikes(message))).toBe(message);
      }
    }),
    { numRuns: caseCount(1000) },
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
