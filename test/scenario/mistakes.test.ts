import { describe, expect, test } from "vitest";
import { FileMistakes } from "../../src/model/mistakes.ts";
import { examineScenario } from "../../src/scenario/parse.ts";
import { checkScenario, parseScenario } from "../../src/scenario/parse.ts";

function mistakesIn(text: string, file = "mine.yaml"): string[] {
  try {
    parseScenario(text, file);
    return [];
  } catch (error) {
    if (!(error instanceof FileMistakes)) throw error;
    return error.mistakes.map(({ line, column, message }) => `${line}:${column} ${message}`);
  }
}

const effect = "event: PAYMENT SUBMITTED";
const durationExpected =
  "expected a duration such as 90s, 1h30m or 2d, or a span such as 1d..3d, the shorter one first.";

const empty = "1:1 This is empty; expected at least one step: steps: [{ event: PAYMENT SUBMITTED }].";
const indentation =
  "The indentation does not fit; expected this to begin in the same column as the members or items beside it";
const orQuoted = `${indentation}, or text with a colon in it to be in "quotation marks".`;

describe("a mistake has its place, the expected form and the nearest valid name", () => {
  test.for<[name: string, text: string, mistakes: string[]]>([
    [
      "a misspelt member",
      `steps:\n  - afer: 2m\n    ${effect}`,
      ['2:5 steps[0] has no member "afer". Did you mean "after"?'],
    ],
    [
      "a misspelt member of a new investment",
      `investment:\n  payments:\n    - { statu: pending }\nsteps: [{ ${effect} }]`,
      ['3:9 investment.payments[0] has no member "statu". Did you mean "status"?'],
    ],
    [
      "a malformed duration",
      `steps:\n  - { after: 2 minutes, ${effect} }`,
      [`2:14 steps[0].after is "2 minutes"; ${durationExpected}`],
    ],
    [
      "a span that ends before it begins",
      `steps:\n  - { after: 3d..1d, ${effect} }`,
      [`2:14 steps[0].after is "3d..1d"; ${durationExpected}`],
    ],
    [
      "two triggers",
      `steps:\n  - { after: 2m, at: 3m, ${effect} }`,
      ["2:18 steps[0] has the triggers after and at; expected one trigger."],
    ],
    [
      "a step that does nothing",
      "steps:\n  - { after: 2m }",
      [
        "2:5 steps[0] does nothing; expected an effect: event, investment, payment, sign, investor, offering, key, or fault.",
      ],
    ],
    [
      "a moment before the step before",
      `steps:\n  - { after: 2h, ${effect} }\n  - { at: 1h, ${effect} }`,
      ["3:11 steps[1].at is earlier than the step before it; expected 2h or later."],
    ],
    [
      "an instant before that of the step before",
      `steps:\n  - { at: 2026-01-15, ${effect} }\n  - { after: 1h, ${effect} }\n  - { at: 2026-01-15, ${effect} }`,
      ["4:11 steps[2].at is earlier than the step before it; expected 2026-01-15T01:00:00.000Z or later."],
    ],
    [
      "steps after the last year",
      `steps:\n  - { at: 9999-12-31, ${effect} }\n  - { after: 1d, ${effect} }\n  - { at: 9999-12-31, ${effect} }`,
      ["3:5 steps[1] goes on after the year 9999; expected its dates to be earlier."],
    ],
    [
      "a fault that lasts beyond the last year",
      `steps:\n  - { at: 9999-12-31, fault: { delay: 1s, for: 23h } }\n  - { after: 30m, fault: { delay: 1s, for: 1d } }`,
      ["3:5 steps[1] goes on after the year 9999; expected its dates to be earlier."],
    ],
    [
      "an event before the first step, which creates the investment",
      `investment: { events: [{ event: A, action: B, create_date: 2026-01-14 }] }\nsteps: [{ at: 2026-01-15, ${effect} }]`,
      [
        "1:60 investment.events[0].create_date is before the creation of investment; expected 2026-01-15T00:00:00.000Z or later.",
      ],
    ],
    [
      "an alias of no payment",
      "steps:\n  - payment: { alias: wire, amount: 10 }\n  - payment: { alias: wier, status: succeeded }",
      [
        '3:23 steps[1].payment.alias is "wier", which no earlier step has; expected the alias of an earlier payment, or an amount for a new one. Did you mean "wire"?',
      ],
    ],
    [
      "a new payment without an amount",
      "steps:\n  - payment: { status: pending }",
      ["2:14 steps[0].payment is new and has no amount; expected an amount, or the alias of an earlier payment."],
    ],
    [
      "a misspelt status",
      "steps:\n  - payment: { amount: 1, status: succeded }",
      [
        '2:35 steps[0].payment.status is "succeded"; expected "succeeded", "pending", or "failed". Did you mean "succeeded"?',
      ],
    ],
    [
      "half an event",
      "steps:\n  - event: [PAYMENT SUBMITTED, PAYMENT]",
      ['2:32 steps[0].event[1] is "PAYMENT"; expected an event and an action, such as "PAYMENT SUBMITTED".'],
    ],
    [
      "a payment that is not there",
      "investment: { payments: [{ amount: 1 }] }\nsteps:\n  - payment: { number: 1, status: failed }\n  - payment: { number: 2, alias: a }",
      [
        "4:14 steps[1].payment has an alias and a number; expected one of the two.",
        "4:24 steps[1].payment.number is 2; the investment begins with one payment.",
      ],
    ],
    [
      "a signer who is nobody",
      "steps:\n  - sign: everybody",
      [
        '2:11 steps[0].sign is "everybody"; expected "all", "investors", "countersigners", an e-mail address or a number from 1, or a list of addresses and numbers.',
      ],
    ],
    [
      "signers in other words",
      "repeat: 20\nsteps:\n  - sign: countersigner\n  - sign: [all]\n  - sign: 2",
      [
        "1:9 repeat is 20; expected an object such as { count: 20, every: 10m }.",
        '3:11 steps[0].sign is "countersigner"; expected "all", "investors", "countersigners", an e-mail address or a number from 1, or a list of addresses and numbers. Did you mean "countersigners"?',
        '4:12 steps[1].sign[0] is "all"; expected an e-mail address or the place of a signing party, such as 2; a group such as all stands alone.',
      ],
    ],
    [
      "places of nobody and nothing",
      "steps:\n  - sign: 2\n  - payment: { number: 1 }",
      [
        "2:11 steps[0].sign is 2; the investment has one signing party.",
        "3:24 steps[1].payment.number is 1; the investment begins with no payment; expected an alias.",
      ],
    ],
    [
      "more repetitions a day than a day has room for",
      `repeat: { count: 99, every: 2h, per_day: 13 }\nsteps: [{ ${effect} }]`,
      ["1:42 repeat.per_day is 13; expected 12 at most, with one every 2h."],
    ],
    [
      "a number for each repetition",
      `repeat: { count: 2, every: 1m }\nsteps: [{ investment: { investment_number: 9 } }]`,
      ["2:44 steps[0].investment.investment_number would be the same in each repetition; expected none."],
    ],
    [
      "an investor who is nobody",
      "investment: { investors: [{ email: ada@example.com }] }\nsteps:\n  - investor: { email: adda@example.com, is_kyc: true }",
      [
        '3:24 steps[0].investor.email is "adda@example.com", whom investors do not have; expected ada@example.com. Did you mean "ada@example.com"?',
      ],
    ],
    [
      "more changes at once than an investment takes",
      `steps:\n${"  - { event: [A B, A B, A B, A B] }\n".repeat(800)}`,
      ["752:5 steps[750] goes too far: more than 3,000 changes on one investment."],
    ],
    [
      "a repetition on an investment that exists",
      `investment: first\nrepeat: { count: 2, every: 1m }\nsteps: [{ ${effect} }]`,
      ["2:9 repeat creates new investments, but investment names an existing one; expected only one of the two."],
    ],
    [
      "an alias for each repetition",
      `investment: { alias: a }\nrepeat: { count: 2, every: 1m }\nsteps: [{ ${effect} }]`,
      ["1:22 investment.alias would be the same in each repetition; expected none."],
    ],
    [
      "an id of a part for each repetition",
      `investment: { investors: [{ id: 00000099-0000-4000-8000-000000000001 }] }\nrepeat: { count: 2, every: 1m }\nsteps: [{ ${effect} }]`,
      ["1:33 investment.investors[0].id would be the same in each repetition; expected none."],
    ],
    [
      "a new investment that a fixture would be refused for",
      `investment:
  create_date: 2026-06-01T00:00:00.000Z
  price: 70000000000000
  quantity: 2
  payments: [{ amount: 70000000000000, create_date: 2020-01-01T00:00:00.000Z }, { alias: a, amount: 1 }, { alias: a }]
steps: [{ ${effect} }]`,
      [
        "4:13 investment.quantity is 2; expected price × quantity to be at most 70,000,000,000,000.",
        "5:13 investment.payments add up to too much; expected a sum of at most 70,000,000,000,000.",
        "5:53 investment.payments[0].create_date is before the creation of investment; expected 2026-06-01T00:00:00.000Z or later.",
        "5:115 investment.payments[2].alias is the same as that of investment.payments[1]; expected a unique one.",
      ],
    ],
    [
      "payments that add up to too much",
      `investment: { payments: [{ amount: 40000000000000 }] }
steps:
  - payment: { alias: wire, amount: 20000000000000 }
  - payment: { alias: wire, amount: 30000000000000 }
  - payment: { amount: 0.01 }`,
      [
        "5:14 steps[2].payment goes too far: payments add up to too much; expected a sum of at most 70,000,000,000,000.",
      ],
    ],
    ["no steps", "description: x\nsteps: []", ["2:8 steps is a list; expected at least one step."]],
    ["an empty file", "", [empty]],
    ["a file of comments", "# steps\n", [empty]],
    [
      "a status beside respond",
      "steps:\n  - fault: { status: 503, headers: { Retry-After: 5 } }",
      [
        '2:14 steps[0].fault has no member "status"; expected it in respond: { status: 503 }.',
        '2:27 steps[0].fault has no member "headers"; expected it in respond: { status: 503 }.',
      ],
    ],
    [
      "short forms of objects and shares",
      "steps:\n  - fault: { respond: 503, share: 20% }\n  - key: { issue: partner }\n  - fault: { truncate: 12.5 % }",
      [
        "2:23 steps[0].fault.respond is 503; expected an object such as { status: 503 }.",
        '2:35 steps[0].fault.share is "20%"; expected a share of the matching requests, from 0 to 1, such as 0.2.',
        "3:19 steps[1].key.issue is not valid; expected an object such as { type: partner }.",
        '4:24 steps[2].fault.truncate is "12.5 %"; expected the share of the body to send, from 0 to 1, such as 0.125.',
      ],
    ],
    [
      "faults in two ways, and drips",
      "steps:\n  - fault: { truncate: 0.5, respond: { status: 503 } }\n  - fault: { drip: 100/1s }\n  - fault: { drip: { bytes: 100 } }",
      [
        '2:12 steps[0].fault needs one of "respond", "connection", "truncate" and "drip" alone, and has "respond" and "truncate".',
        '3:20 steps[1].fault.drip is "100/1s"; expected an object such as { bytes: 100, every: 1s }.',
        "4:20 steps[2].fault.drip.every is missing; expected a duration from 1ms to ten minutes.",
      ],
    ],
    [
      "events as scenarios write them",
      "investment: { events: [{ event: PAYMENT SUBMITTED }, PAYMENT APPROVED] }\nsteps: [{ sign: all }]",
      [
        '1:24 investment.events[0].action is missing; expected the second word of an event, such as SUBMITTED beside "event": "PAYMENT".',
        '1:54 investment.events[1] is "PAYMENT APPROVED"; expected an object such as { "event": "PAYMENT", "action": "SUBMITTED" }.',
      ],
    ],
    ["a space too many", "steps:\n  - sign: all\n     after: 2m", [`3:10 ${orQuoted}`]],
    ["a space too many below a name", "description: x\n offering: aurora\nsteps: []", [`2:9 ${orQuoted}`]],
    ["a space too few", "steps:\n  - sign: all\n   after: 2m", [`3:1 ${indentation}.`]],
    ["an item too far to the right", "steps:\n  - { sign: all }\n   - { sign: all }", [`3:4 ${indentation}.`]],
    [
      "an open bracket",
      "steps:\n  - { sign: all, after: 2m\n  - { next: true }",
      ["3:3 Expected a } before this: a bracket is still open."],
    ],
    ["a bracket too many", "steps: [{ sign: all }]]", ["1:23 Expected no ] here: no such bracket is open."]],
    ["an open quotation", 'description: "x\n', ['2:1 Expected a closing " before this.']],
    ["a name without a colon", "description\nsteps: []", ['1:1 Expected "name: value" on each line.']],
    [
      "a member twice",
      `steps:\n  - ${effect}\n    ${effect}`,
      ["3:5 This member appears twice in its object; expected once."],
    ],
    [
      "a tab before a mapping, which breaks the lines after it too",
      `steps:\n  - event: A B\n\tafter: 2m\n  - after: 1m\n    ${effect}`,
      ["3:1 Expected spaces: YAML takes no tabs before a line."],
    ],
    [
      "an event without its action",
      "steps: [{ event: { event: PAYMENT } }]",
      ["1:18 steps[0].event.action is missing; expected a word of up to 100 characters, such as SUBMITTED."],
    ],
    [
      "a signature of nobody in the file",
      "investment: { signing_parties: [{ email: ada@example.com }] }\nsteps: [{ sign: [ada@example.com, adda@example.com] }]",
      [
        '2:35 steps[0].sign[1] is "adda@example.com", whom signing_parties do not have; expected all or ada@example.com. Did you mean "ada@example.com"?',
      ],
    ],
    ["a tab", `steps:\n\t- ${effect}`, ["2:1 Expected spaces: YAML takes no tabs before a line."]],
    ["a tag", "steps:\n  - event: !secret A B", ["2:12 Expected a value without a tag."]],
    ["an alias of nothing", "steps:\n  - *nothing", ["2:5 Nothing before this has the anchor &nothing."]],
    [
      "an alias of what it is in",
      "steps: &all\n  - event: *all",
      ["2:12 This alias stands for something that contains it."],
    ],
    [
      "two documents",
      `steps: [{ ${effect} }]\n---\nsteps: []`,
      ["2:1 Expected the end of the file: it holds one document."],
    ],
    ["nesting without end", "[".repeat(20_000), [expect.stringMatching(/^1:\d+ This is nested too deeply\.$/)]],
    [
      "a bomb of aliases",
      [
        "a: &a [x, x]",
        "b: &b [*a, *a, *a, *a]",
        "c: &c [*b, *b, *b, *b]",
        "d: &d [*c, *c, *c, *c]",
        "e: &e [*d, *d, *d, *d]",
        "f: [*e, *e, *e, *e, *e, *e]",
      ].join("\n"),
      ["1:1 Aliases repeat too much of this file; expected at most 5,000 values."],
    ],
    [
      "more parts than a scenario has",
      "steps: [".padEnd(100_000, "1,"),
      ["1:1 This has too many values and marks; expected a scenario."],
    ],
    ["a text without end", "#".repeat(100_001), ["1:1 This is longer than 100000 characters; expected a scenario."]],
  ])("%s", ([, text, mistakes]) => {
    expect(mistakesIn(text)).toEqual(mistakes);
  });
});

test("every mistake is found in one pass, and printed with its line", () => {
  const text = "descripton: x\nsteps:\n  - { after: soon, evnt: A B }\n  - sign: true\n";
  expect(() => parseScenario(text, "mine.yaml")).toThrow(
    [
      'mine.yaml:1:1: the scenario has no member "descripton". Did you mean "description"?',
      "    descripton: x",
      "    ^",
      `mine.yaml:3:14: steps[0].after is "soon"; ${durationExpected}`,
      "      - { after: soon, evnt: A B }",
      "                 ^",
      'mine.yaml:3:20: steps[0] has no member "evnt". Did you mean "event"?',
      "      - { after: soon, evnt: A B }",
      "                       ^",
      'mine.yaml:4:11: steps[1].sign is true; expected "all", "investors", "countersigners", an e-mail address or a number from 1, or a list of addresses and numbers.',
      "      - sign: true",
      "              ^",
    ].join("\n"),
  );
});

test("a JSON file is parsed as strict JSON, and its mistakes have places", () => {
  expect(mistakesIn('{ "steps": [{ "event": "A B", }] }', "mine.json")[0]).toBe(
    '1:31 Expected the name of a member, in "quotation marks"; JSON takes no comma after the last one.',
  );
  expect(mistakesIn('{\n\t"steps": [\n\t\t{ "evnt": "A B" }\n\t]\n}', "mine.json")).toEqual([
    '3:5 steps[0] has no member "evnt". Did you mean "event"?',
  ]);
});

test.each([
  ["of a value", "steps:\n  - key: { issue: { type: partner, key: sk_live_secret } }", "2:36"],
  ["of syntax", "steps:\n  - key: { issue: { type: partner, key: sk_live_secret }", "2:57"],
  [
    "beside the key of a fault",
    "steps:\n  - fault: { match: { key_id: sk_live_secret, methd: GET }, respond: { status: 503 } }",
    "2:47",
  ],
  ["of a repeated member", "steps:\n  - key: { issue: { key: sk_live_secret, type: partner, type: admin } }", "2:63"],
])("a line that may hold the text of a key is not shown for a mistake %s", (_, text, position) => {
  expect(mistakesIn(text).map((line) => line.split(" ")[0])).toContain(position);
  expect(() => parseScenario(text, "mine.yaml")).toThrow(/^(?![^]*sk_live_secret)[^]*\n    \(not shown: /);
});

test("a line about keys without a text as long as a key is shown", () => {
  const line = "  - { key: { issue: { type: parner } } }";
  expect(() => parseScenario(`steps:\n${line}`, "mine.yaml")).toThrow(`Did you mean "partner"?\n    ${line}\n`);
});

test("a document without lines has mistakes with paths of members", () => {
  const document = { steps: [{ event: "A B" }, { sign: "all" }, { after: "soon", event: "A B" }] };
  expect(() => checkScenario(document)).toThrow(`steps[2].after is "soon"; ${durationExpected}`);
  expect(examineScenario(document)).toEqual({
    mistakes: [{ line: 1, column: 1, message: `steps[2].after is "soon"; ${durationExpected}` }],
    warnings: [],
  });
  expect(checkScenario({ steps: [{ event: "PAYMENT SUBMITTED" }] }).scenario.name).toBe("inline");
});

test("all of very many mistakes are found", () => {
  const text = `steps:\n${"- {ax,bx,cx,dx,ex,fx,gx,hx,ix,jx,kx,lx}\n".repeat(900)}`;
  expect(mistakesIn(text).length).toBeGreaterThan(10_799);
});
