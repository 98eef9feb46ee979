import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nearest } from "../../src/text/text.ts";
import { examineScenario } from "../../src/scenario/parse.ts";
import { parseConfig } from "../../src/settings/config-file.ts";
import { openAdmin } from "../admin/admin.ts";
import { caseCount } from "../support/case-count.ts";

const maxLength = 100_000;

/** Repeats a part, with its number in place of `#`, up to the longest text, between a beginning and an end. */
function filled(part: string, begin = "", end = ""): string {
  const parts = [begin];
  let left = maxLength - begin.length - end.length;
  for (let at = 0; left > 0; at++) {
    const numberedPart = part.replaceAll("#", String(at));
    left -= numberedPart.length;
    if (left >= 0) parts.push(numberedPart);
  }
  return parts.join("") + end;
}

/** What is promised for a warm process. */
const promised = 100;

/** Milliseconds of CPU of the cheapest of several calls: the first compiles, and a busy machine makes others dearer. */
async function cpuOf(act: () => unknown): Promise<number> {
  let least = Infinity;
  for (let call = 0; call < 8 && least > promised; call++) {
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Other work on the same cores makes calls dearer, and the coverage of `npm test` too. */
const generous = 2.5 * promised;

const texts: Readonly<Record<string, string>> = {
  "quotation marks on one line": filled('"'),
  "quotation marks on lines": filled('"\n'),
  "commas without brackets": filled(",", "["),
  "strings without commas": filled('""', "["),
  "escapes that do not exist": filled("\\q", '"', '"'),
  "tags on one line": filled("!!a "),
  "misspelled members on one line": filled("stepz#: 1,", "{", "}"),
  "misspelled members on lines": filled("stepz#: 1\n"),
  "repeated members": filled("a: 1\n"),
  "scalars in a list, as many as are possible": "- 1\n".repeat(9_990),
  "members in braces, as many as are possible": `{${Array.from({ length: 9_000 }, (_, at) => `a${at}: 1,`).join("")}}`,
  "anchors, each with an alias of the one before": filled("- &a# *a\n"),
  "lists with an alias of the list before": Array.from({ length: 4_900 }, (_, at) => `- &a${at} [*a${at - 1}]\n`).join(
    "",
  ),
  "steps with payments": `steps:\n${"- { event: A B, payment: { amount: 1 } }\n".repeat(1_000)}`,
  "aliases of almost known anchors": filled("- &abcd# x\n- *abce#\n"),
  "many anchors, then aliases of none": filled("- *abcdefgi#\n", filled("- &abcdefgh# x\n").slice(0, 50_001)),
  "very many digits as an instant": filled("1", "steps: [{at: '", "'}]"),
  "very many digits as a duration": filled("1", "steps: [{after: ", "}]"),
  "names of headers": filled('" #": 1,', "steps: [{fault: {respond: {status: 500, headers: {", "}}}}]"),
  "nested lists": filled("- "),
  "nested maps": Array.from({ length: 440 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
  tabs: filled("\tx\n"),
  "a line that names a key": filled('" ', "key: "),
  pictures: filled("😀 "),
};

describe("a file of 100,000 characters costs little to check", () => {
  test.each(Object.keys(texts))("%s", async (name) => {
    const text = texts[name] ?? "";
    expect(text.length).toBeLessThanOrEqual(maxLength);
    expect(await cpuOf(() => examineScenario(text))).toBeLessThan(generous);
    const ofConfig = (): void => {
      try {
        parseConfig("config.yaml", text, []);
      } catch {
        // A file over a limit.
      }
    };
    expect(await cpuOf(ofConfig)).toBeLessThan(generous);
  });

  test("any repeated part, on one line or many", async () => {
    const piece = fc.constantFrom(
      "a",
      "#",
      ":",
      " ",
      "- ",
      "\n",
      '"',
      "'",
      "&",
      "*",
      "{",
      "}",
      "[",
      "]",
      ",",
      "|",
      "!",
      "\t",
    );
    const part = fc.array(piece, { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(""));
    const begin = fc.constantFrom("", "steps: [", "steps:\n", "{", "investment: {events: [", '"');
    await fc.assert(
      fc.asyncProperty(begin, part, async (before, repeated) => {
        expect(await cpuOf(() => examineScenario(filled(repeated, before)))).toBeLessThan(generous);
      }),
      { numRuns: caseCount(15) },
    );
  });
});

const bodies: Readonly<Record<string, readonly [call: string, body: string]>> = {
  "keys of unknown offerings": [
    "POST /environments",
    filled(
      ',{"type":"partner","offering":"x#"}',
      '{"fixture":{"offerings":[{"alias":"aurora"}],"keys":[{"type":"partner"}',
      "]}}",
    ),
  ],
  "unknown members of an investment": [
    "POST /environments",
    filled(',"amounx#":1', '{"fixture":{"offerings":[{"investments":[{"amount":1', "}]}]}}"),
  ],
  "unknown members of a fixture, on lines": ["POST /environments", filled(',\n"x#":1', '{"fixture":{"seed":1', "}}")],
  "names of wrong scenarios": ["POST /environments", filled(",1", '{"fixture":{"scenarios":[1', "]}}")],
  "unknown members of payments": [
    "POST /environments",
    filled(',{"a":1}', '{"fixture":{"offerings":[{"investments":[{"payments":[{"a":1}', "]}]}]}}"),
  ],
  "wrong payments, on lines": [
    "POST /environments",
    filled(",1", '{"fixture":{"offerings":[{"investments":[{"payments":[\n1', "]}]}]}}"),
  ],
  "wrong keys": ["POST /environments", `{"fixture":{"keys":[${Array(9_999).fill("{}").join()}]}}`],
  "wrong events in many steps": [
    "POST /scenarios/check",
    `{"steps":[${Array(16)
      .fill(`{"event":[${Array(3_000).fill(1).join()}]}`)
      .join()}]}`,
  ],
  "wrong signatures in many steps": [
    "POST /scenarios/check",
    `{"steps":[${Array(97)
      .fill(`{"sign":[${Array(500).fill(0).join()}]}`)
      .join()}]}`,
  ],
  "unknown members of a scenario": ["POST /scenarios/check", filled(',"x#":1', '{"steps":[]', "}")],
  "names in the body of a scenario's fault": [
    "POST /runs",
    filled(',"x#":1', '{"scenario":{"steps":[{"fault":{"respond":{"status":500,"body":{"a":1', "}}}}]}}"),
  ],
  "wrong events in one step": ["POST /scenarios/check", filled(",1", '{"steps":[{"event":[1', "]}]}")],
  "unknown assumptions": ["POST /environments", filled(',"list.orde#":1', '{"assumptions":{"list.order":"x"', "}}")],
  "unknown members of a fault": ["POST /faults", filled(',"dela#":1', '{"delay":1', "}")],
  brackets: ["POST /clock/advance", filled("[")],
};

test.each(Object.keys(bodies))("a body of 100,000 characters costs little to refuse: %s", async (name) => {
  const [call, body] = bodies[name] ?? ["", ""];
  const { admin } = await openAdmin();
  expect(await cpuOf(() => admin(call, body))).toBeLessThan(generous);
  expect((await admin(call, body)).text.length).toBeLessThan(30_000);
});

test("the nearest of any number of names takes a bounded number of steps", () => {
  const looks = (count: number): number => {
    let read = 0;
    const names = Array.from({ length: count }, (_, at) => `abcdefghijklmnopqrst${at}`);
    function* counted(): Generator<string> {
      for (const name of names) {
        read++;
        yield name;
      }
    }
    nearest("abcdefghijklmnopqrstuvwx", counted());
    return read;
  };
  expect(looks(90_000)).toBe(looks(45_000));
});
