/** In bytes. */
export const megabyte = 1024 * 1024;

/**
 * The bounds of what comes in at once, so that no body, file or answer occupies the server for long. What is larger is refused
 * with a message; docs/admin-api.md lists them.
 */
export const bounds = {
  /** A request body, in megabytes. */
  body: 5,
  /** The body that is a snapshot, in megabytes: it holds any number of changes. */
  snapshotBody: 64,
  /** Lists and objects within each other in a JSON body. */
  jsonDepth: 100,
  /** Values in a JSON body: every member, every item. */
  jsonValues: 50_000,
  /** Values in a snapshot for each of its characters: it may be large, and even a list of nulls has fewer. */
  snapshotValues: 1 / 4,
  /** Characters in which the place of a mistake is looked for in a JSON body. */
  searchedText: 100_000,
  /** Characters in the text of a scenario: a thousand ordinary steps. */
  scenarioText: 100_000,
  /** Characters in a config file. */
  configText: 100_000,
  /** Tokens of a YAML text: names, values, commas, blanks. */
  yamlParts: 60_000,
  /** Values that the aliases of a YAML text repeat. */
  repeatedValues: 5_000,
  /** Steps of a scenario. */
  steps: 1_000,
  /** Changes that one repetition of a scenario makes at once. */
  changes: 3_000,
  /** Repetitions of all runs of an environment. */
  repetitions: 20_000,
  /** The changes and runs of an environment, in megabytes of JSON: its snapshot has room for its fixture and traffic too. */
  environment: 48,
  /** Changes that an advance of the clock lists. */
  applied: 1_000,
  /** Investors of an investment that is created by a command or a scenario; likewise signing parties, payments and events. */
  listed: 500,
  /** Offerings of a fixture in a command. */
  offerings: 1_000,
  /** Investments that a fixture in a command has and generates: half a second of work. */
  investments: 5_000,
  /** Characters in the body of a fault, as JSON. */
  faultBody: 1_000_000,
  /** Characters in the rules of all faults in force, as JSON. */
  faultRules: 10_000_000,
  /** Mistakes in a message. */
  mistakes: 100,
  /** Characters of a text from outside that a message repeats. */
  quoted: 60,
  /** Characters of a path that a message repeats. */
  path: 1_000,
} as const;
