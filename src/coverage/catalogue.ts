import {
  anyInvestment,
  ask,
  askLater,
  event,
  investment,
  keyTypes,
  list,
  newInvestment,
  offering,
  one,
  wholeList,
} from "./remedies.ts";

/** A behaviour of the service or of a client. */
export interface Behaviour {
  /** `refusals.429`: its group, and its name in it. */
  readonly id: string;
  readonly group: string;
  /** Of the specification. */
  readonly section: string;
  readonly sentence: string;
  /** A line of JavaScript that provokes it, with a `sandbox`. */
  readonly remedy: string;
}

/** A mistake of a client. */
export interface Risk {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
}

export const risks = [
  { id: "too-early", section: "8", sentence: "asked before the time that Retry-After named" },
  { id: "refused-again", section: "5", sentence: "repeated a request after a 401 or 403" },
  { id: "not-found-again", section: "7", sentence: "asked three times for the same thing that is not there" },
  { id: "unknown-request", section: "4", sentence: "sent a parameter, path or method that does not exist" },
] as const satisfies readonly Risk[];

export type RiskId = (typeof risks)[number]["id"];

type Row = readonly [name: string, section: string, sentence: string, remedy: string];

const operations = [
  ["offering", "an offering", offering, ""],
  ["investments", "the investments of an offering", list, ""],
  ["investment", "an investment", one, anyInvestment],
  ["status", "the status of an investment", `${one}/status`, anyInvestment],
  ["events", "the events of an investment", `${one}/events`, anyInvestment],
] as const;

const bounds = ["create_date[gte]", "create_date[lte]", "modify_date[gte]", "modify_date[lte]"] as const;
const bounded = (name: string): Row => [
  `list.${nameOf(name)}`,
  "4",
  `The list is filtered by ${name}.`,
  name.endsWith("[gte]") ? wholeList(`&${name}=2020-01-01`) : ask(`${list}?${name}=2020-01-01`),
];

/** `create_date[gte]` as a part of an id: `create_date.gte`. */
export function nameOf(parameter: string): string {
  return parameter.replace("[", ".").replace("]", "");
}

const later = "2999-01-01";
const failing = (times: number): string => `await sandbox.faults.add({ respond: { status: 503 }, times: ${times} });`;
const limited = `await sandbox.limits.set(sandbox.keys.partner, 120); ${ask(offering)}`;
const revoked = "await sandbox.keys.revoke(sandbox.keys.partner);";
const nothing = `${list}?create_date[gte]=${later}`;
const moved = (name: string, change: string): Row => [
  name,
  "2.1",
  `The ${name} of an investment has changed between two reads of it.`,
  `${newInvestment('status: "PENDING", step: null')} ${ask(one)} await sandbox.investments.change(id, { ${change} }); ${ask(one)}`,
];

/** The behaviours by their groups. */
const rows: Readonly<Record<string, readonly Row[]>> = {
  operations: operations.flatMap(([name, words, path, setup]) =>
    keyTypes.map((type): Row => {
      const line = path === list ? wholeList("", `sandbox.keys.${type}`) : ask(path, `sandbox.keys.${type}`);
      const key = type === "partner" ? "Partner" : "Marketing";
      return [`${name}.${type}`, "4", `A ${key} key reads ${words}.`, setup ? `${setup} ${line}` : line];
    }),
  ),
  refusals: [
    ["missing", "5.3", "A call without a key is answered 401.", `await fetch(\`\${sandbox.baseUrl}${offering}\`);`],
    ["malformed", "5.3", "A malformed or unknown key is answered 401.", ask(offering, "not a key")],
    ["revoked", "5.3", "A revoked key is answered 401.", `${revoked} ${ask(offering)}`],
    ["offering", "5.4", "Another offering is answered 403.", ask("/offerings/${sandbox.offerings[1].id}")],
    [
      "list",
      "5.4",
      "The list of another offering is answered 403.",
      ask("/offerings/${sandbox.offerings[1].id}/investments"),
    ],
    ["unknown", "7", "An investment that does not exist is answered 404.", ask("/investments/${crypto.randomUUID()}")],
    [
      "other-offering",
      "7",
      "An investment of another offering is answered 404.",
      `const { id } = await sandbox.investments.create({ offering_id: sandbox.offerings[1].id }); ${ask(one)}`,
    ],
    ["429", "8", "More than 120 requests a minute are answered 429.", limited],
  ],
  filters: [
    ["list.page", "4", "The list is asked for a page.", wholeList()],
    ["list.size", "4", "The list is asked for a size of its pages.", wholeList()],
    ...bounds.map(bounded),
    [
      "events.create_date.gte",
      "4",
      "Events are filtered by create_date[gte].",
      filteredEvents("create_date[gte]=2020-01-01"),
    ],
    [
      "events.create_date.lte",
      "4",
      "Events are filtered by create_date[lte].",
      filteredEvents(`create_date[lte]=${later}`),
    ],
    [
      "pair",
      "4",
      "Two bounds of one date are given.",
      wholeList(`&create_date[gte]=2020-01-01&create_date[lte]=${later}`),
    ],
    ["list.none", "4", "No investment matches a filter.", ask(nothing)],
    ["events.none", "4", "No event matches a filter.", filteredEvents(`create_date[gte]=${later}`)],
  ],
  pages: [
    ["size-given", "4", "A page has the size that was asked for.", wholeList()],
    ["size-none", "8", "A page has the service's own size.", ask(nothing)],
    ["second", "4", "A second page is read.", wholeList()],
    ["last", "4", "The last page of several is read.", wholeList()],
    ["past-end", "8", "A page after the last is asked for.", ask(`${list}?page=1000&size=100`)],
    ["empty", "8", "A list is empty.", ask(nothing)],
  ],
  persons: [
    [
      "birthdate-absent",
      "2.3",
      "A Partner key reads an investment of which an investor has no birthdate.",
      investment("investors: [{ birthdate: null }]"),
    ],
  ],
  events: [
    ["none", "4.2", "An investment has no events.", investment("events: []", "/events")],
    [
      "filtered-to-none",
      "4.2",
      "An investment that has events shows none of the dates asked for.",
      `${investment(event, "/events")} ${ask(`${one}/events?create_date[gte]=${later}`)}`,
    ],
  ],
  time: [
    moved("status", 'status: "CLOSED"'),
    moved("step", 'step: "SIGNERS"'),
    moved("paid_amount", "paid_amount: 1"),
    [
      "event",
      "4.2",
      "An investment has a new event.",
      `${newInvestment("events: []")} ${ask(`${one}/events`)} await sandbox.investments.recordEvent(id, { event: "PROFILE", action: "SUBMITTED" }); ${ask(`${one}/events`)}`,
    ],
    ["investment", "4", "A list has a new investment.", `${ask(list)} ${newInvestment("")} ${ask(list)}`],
    [
      "list-moved",
      "4",
      "A list has changed between two of its pages.",
      `${ask(`${list}?size=1&page=1`)} ${newInvestment("")} ${ask(`${list}?size=1&page=2`)}`,
    ],
    ["key-revoked", "5.3", "A key is revoked while it is in use.", `${ask(offering)} ${revoked} ${ask(offering)}`],
  ],
  reactions: [
    [
      "waited",
      "8",
      "After a 429, the client waits as long as Retry-After says.",
      `${limited} await sandbox.clock.advance("1m"); ${askLater(offering)}`,
    ],
    [
      "came-back",
      "8",
      "After that, it repeats the request, which is answered.",
      `${limited} await sandbox.clock.advance("1m"); ${askLater(offering)}`,
    ],
    ["stopped-401", "5.3", "After a 401, the client does not use the key again.", `${revoked} ${ask(offering)}`],
    [
      "list-anew",
      "7",
      "After a 404 for an investment, the client reads the list anew.",
      `${ask("/investments/${crypto.randomUUID()}")} ${askLater(nothing)}`,
    ],
    ["walked-to-end", "4", "The client reads all pages of a list that has several.", wholeList()],
    [
      "retried",
      "1",
      "The client repeats a request after a 5xx or a broken connection.",
      `${failing(1)} ${ask(offering)} ${askLater(offering)}`,
    ],
    [
      "backed-off",
      "1",
      "It waits longer before the next repetition.",
      `${failing(2)} for (const wait of ["1s", "2s", "4s"]) { ${askLater(offering)} await sandbox.clock.advance(wait); }`,
    ],
  ],
};

function filteredEvents(query: string): string {
  return investment(event, `/events?${query}`);
}

export const behaviours: readonly Behaviour[] = Object.entries(rows).flatMap(([group, members]) =>
  members.map(([name, section, sentence, remedy]) => ({ id: `${group}.${name}`, group, section, sentence, remedy })),
);

/** The groups in their order. */
export const groups: readonly string[] = Object.keys(rows);
