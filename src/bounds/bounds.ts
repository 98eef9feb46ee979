/** A megabyte in bytes. */
export const megabyte = 1024 * 1024;

/**
 * The limits of a single body, file or response, because a large one would block the server for long. Excess is refused
 * with a message; docs/admin-api.md lists the limits.
 */
export const inputLimits = {
  /** A request body, in megabytes. */
  body: 5,
  /** A snapshot, as a body or a file, in megabytes: it can have many changes. */
  snapshotBody: 64,
  /** A file other than a snapshot, a response or a fixture, such as a scenario or a config file, in megabytes. */
  file: 5,
  /** A file with a response of the service, in megabytes: a list of thousands of investments. */
  responseFile: 64,
  /** A file with a fixture, in megabytes; only a sealed fixture may have more than 512. */
  fixtureFile: 2_000,
  /** Lists and objects within each other in a JSON body. */
  jsonDepth: 100,
  /** Values in a JSON body: every member, every item. */
  jsonValues: 50_000,
  /** Values per character of a snapshot, which may be large; even a list of nulls has fewer. */
  snapshotValues: 1 / 4,
  /** Different names of members in a body that may be a snapshot. */
  jsonNames: 50_000,
  /** Characters of a JSON body in which the position of an error is searched. */
  searchedText: 100_000,
  /** Characters in the text of a scenario: a thousand ordinary steps. */
  scenarioText: 100_000,
  /** Characters in a config file. */
  configText: 100_000,
  /** Tokens of a YAML document: names, values, commas, spaces. */
  yamlParts: 40_000,
  /** Values repeated by the aliases of a YAML document. */
  repeatedValues: 5_000,
  /** Steps of a scenario. */
  steps: 1_000,
  /** Changes made at once by one repetition of a scenario. */
  changes: 3_000,
  /** Scenarios with which an environment begins, which are saved in it, or which a fixture in a command names. */
  scenarios: 100,
  /** Runs of an environment. */
  runs: 5_000,
  /** Repetitions of all runs of an environment. */
  repetitions: 20_000,
  /** The changes of an environment, in megabytes of JSON: its snapshot also holds its runs, fixture and traffic. */
  timeline: 48,
  /** Changes listed by a clock advance. */
  applied: 1_000,
  /** Requests in the journal of an environment. */
  journal: 1_000,
  /** Investors of an investment that a command or scenario creates; also its signing parties, payments and events. */
  listed: 500,
  /** Keys of a fixture. */
  keys: 10_000,
  /** Hints about one request: a URL that clients can send has fewer parameters. */
  hints: 10_000,
  /** Payments, and events, that changes add to an investment: each change copies and sums all of them. */
  added: { new_payment: 500, event: 3_000 },
  /** Offerings of a fixture in a command. */
  offerings: 1_000,
  /** Investments that a file generates, and in the fixture of a command also the listed ones: half a second of work. */
  investments: 5_000,
  /** Characters in the body of a fault, as JSON. */
  faultBody: 1_000_000,
  /** Characters of all headers of a fault: clients read about 16,000 at most, the server's own headers included. */
  faultHeaders: 8_000,
  /** Different names in all faults of an environment: fewer than `jsonNames`, so that a snapshot can be restored. */
  faultNames: 40_000,
  /** Bytes in a piece of a dripping response. */
  drip: 1_000_000,
  /** Characters in the rules of all active faults, as JSON. */
  faultRules: 10_000_000,
  /** Characters of a string in a resource, such as a name or the description of an event. */
  text: 10_000,
  /** Errors in a message. */
  errors: 100,
  /** Errors that are looked for: each further error costs time, and no message lists it. */
  foundErrors: 1_000,
  /** Characters of a quoted string from outside in a message. */
  quoted: 60,
  /** Characters of a path in a message. */
  path: 1_000,
} as const;
