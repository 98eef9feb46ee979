import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Sandbox } from "../../src/public/control.ts";
import { ControlError } from "../../src/errors/control-error.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { document } from "../admin/admin.ts";
import { environmentSettings } from "../../src/settings/environment-settings.ts";
import { investmentFilter, pulseSince, requestFilter, timelineFilter } from "../../src/settings/queries.ts";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox } from "../support/sandbox.ts";

// Calls every public function with any argument. The functions are found on the objects, so a new one is included.

type Method = (...parameters: readonly unknown[]) => unknown;

/** The greatest number of arguments of each function. */
const arities = new WeakMap<Method, number>();

/** The functions of an object and of its groups of commands, by name. */
function* functionsOf(object: object, prefix = ""): Generator<readonly [name: string, method: Method]> {
  const names = new Set<string>();
  for (
    let level: object | null = object;
    level && level !== Object.prototype;
    level = Object.getPrototypeOf(level) as object | null
  ) {
    for (const name of Object.getOwnPropertyNames(level)) names.add(name);
  }
  for (const name of names) {
    const value: unknown = Reflect.get(object, name);
    if (name === "constructor" || name.startsWith("#")) continue;
    if (typeof value === "function") {
      const method = value.bind(object) as Method;
      const [, parameters = ""] = /\((.*?)\)/s.exec(String(value)) ?? [];
      arities.set(method, parameters === "" ? 0 : parameters.split(",").length);
      yield [prefix + name, method];
    } else if (isGroup(object, name, value)) yield* functionsOf(value, `${name}.`);
  }
}

/** Groups of commands are own properties; values of getters in the class are not commands. */
function isGroup(object: object, name: string, value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(object, name);
}

const circular: Record<string, unknown> = {};
circular["self"] = circular;

const plainValues = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  1e18,
  10n,
  Symbol("any"),
  Symbol.iterator,
];
const strings = ["", " ", "\0", "\ud800", "..", "__proto__", "constructor", "x".repeat(300)];
const arrays = [[], [null], [[[]]], Array.from({ length: 3 }), new Uint8Array(2)];
const objects = [
  {},
  () => 1,
  { __proto__: null },
  Object.create({ now: 5 }),
  JSON.parse('{ "__proto__": 5, "toString": 5, "valueOf": null, "then": 5, "length": -1 }'),
  { toString: 1, toJSON: 1 },
  { toJSON: () => 10n },
  circular,
];
const instances = [new Map([["now", 5]]), new Date(Number.NaN), /x/, new Error("any"), Promise.resolve({})];
const addresses = [new URL("http://localhost/"), new URL("file://elsewhere/x")];

/** Values of types and forms that no function expects. */
const hostile: readonly unknown[] = [...plainValues, ...strings, ...arrays, ...objects, ...instances, ...addresses];

/** Names of all members in the admin API's document, including those of its bodies. */
const members = [
  ...new Set(
    Array.from(
      JSON.stringify(document).matchAll(/"(\w+)":\{"(?:type|\$ref|anyOf|description|enum)"/g),
      ([, name = ""]) => name,
    ),
  ),
];

const hostileArgument = fc.constantFrom(...hostile);
const argument = fc.oneof(
  hostileArgument,
  fc.dictionary(
    fc.constantFrom(...members),
    fc.oneof(hostileArgument, fc.dictionary(fc.constantFrom(...members), hostileArgument, { maxKeys: 2 })),
    { minKeys: 1, maxKeys: 3 },
  ),
);
const anyArguments = fc.array(argument, { minLength: 1, maxLength: 3 });

/** Calls a function. Returns the code of its ControlError, an empty string if it succeeds, or else its error. */
async function outcomeOf(call: () => unknown): Promise<string> {
  let response: unknown;
  try {
    response = call();
  } catch (error) {
    return `threw at once: ${String(error)}`;
  }
  try {
    await response;
    return "";
  } catch (error) {
    return error instanceof ControlError ? error.code : `rejected with ${String(error)}`;
  }
}

/** Calls a function. Returns undefined if it succeeds or rejects as documented, or else a description of the error. */
async function undocumentedError(call: () => unknown, allowedErrors: readonly string[]): Promise<string | undefined> {
  const outcome = await outcomeOf(call);
  const isAllowed =
    /^\w*$/.test(outcome) || allowedErrors.some((name) => outcome.startsWith(`rejected with ${name}: `));
  return isAllowed ? undefined : outcome;
}

/** Tables of the options of commands. */
const tables = {
  "investments.list": investmentFilter,
  "requests.list": requestFilter,
  pulse: pulseSince,
  timeline: timelineFilter,
  openEnvironment: environmentSettings,
};

/** Strings that a query would parse as values of another type. */
const convertibleStrings = ["null", "true", "0", "20260115"];

/** All items in the slow tests, every fourth in the fast ones; the length of the list decides which. */
function sampleItems<Item>(items: readonly Item[]): readonly Item[] {
  return items.filter((_, index) => (index + items.length) % 4 < caseCount(1));
}

/** Functions that would end the test, or exist only on a sandbox of this process. */
const skippedCommands = /^(?:close|reload|\[Symbol)/;

/**
 * Calls the same commands of two sandboxes with the same arguments. Describes each call that fails with an
 * undocumented error, or that only one of the sandboxes refuses.
 */
async function differences(
  sandbox: Sandbox,
  twinSandbox: Sandbox,
  lists: readonly (readonly unknown[])[],
  onlyCommand?: string,
): Promise<string[]> {
  const twinMethods = new Map(functionsOf(twinSandbox));
  const deviations: string[] = [];
  for (const [name, method] of functionsOf(sandbox)) {
    const twin = twinMethods.get(name);
    if (!twin || skippedCommands.test(name) || (onlyCommand !== undefined && onlyCommand !== name)) continue;
    for (const [index, parameters] of lists.entries()) {
      if (parameters.length > Math.max(1, arities.get(twin) ?? 0) || (arities.get(twin) === 0 && index > 0)) continue;
      const outcomes = [await outcomeOf(() => method(...parameters)), await outcomeOf(() => twin(...parameters))];
      const [first = "", second = ""] = outcomes;
      if (outcomes.every((outcome) => /^\w*$/.test(outcome)) && (first === "") === (second === "")) continue;
      deviations.push(`${name}, ${index}: ${outcomes.map((outcome) => outcome || "succeeds").join(" / ")}`);
    }
  }
  return deviations;
}

test("every command accepts any argument or rejects with ControlError, alike in process and over HTTP", async () => {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const [{ sandbox }, { sandbox: twinSandbox }] = [await openSandbox({ onFailure }), await openSandbox({ onFailure })];
  const connectedSandbox = await connectSandbox(twinSandbox.url);
  const names = Array.from(functionsOf(connectedSandbox), ([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["clock.set", "play", "openEnvironment", "restore"]));
  for (const firstArguments of [[], [known.whole]]) {
    const argumentLists = sampleItems(hostile).map((item) => [...firstArguments, item]);
    expect(await differences(sandbox, connectedSandbox, argumentLists)).toEqual([]);
  }
  for (const [name, table] of Object.entries(tables)) {
    const parameterLists = Object.keys(table).flatMap((member) =>
      [...hostile, ...convertibleStrings].map((item) => [{ [member]: item }]),
    );
    expect(await differences(sandbox, connectedSandbox, sampleItems(parameterLists), name)).toEqual([]);
  }
  await fc.assert(
    fc.asyncProperty(anyArguments, async (parameters) => {
      expect(await differences(sandbox, connectedSandbox, [parameters])).toEqual([]);
    }),
    { numRuns: caseCount(2) },
  );
  expect(failures).toEqual([]);
});

/** Options with files, addresses and names, whose values would be looked up. */
const lookedUpOptions = new Set(["db", "host", "port", "fixture", "scenarios"]);

test("startSandbox and connectSandbox accept any argument or reject as documented", async () => {
  const { sandbox } = await openSandbox();
  const documentedErrors =
    "ValidationError FileValidationError FileReadError FileWriteError DatabaseError ListenError".split(" ");
  const settings = "clock speed seed profile assumptions rateLimit delay corsOrigins allowedHosts".split(" ");
  const optionNames = [
    ...lookedUpOptions,
    ...settings,
    "admin",
    "adminToken",
    "assumptionHeader",
    "onRequest",
    "onFailure",
  ];
  const startAndClose = async (options: unknown): Promise<void> => (await startSandbox(options as object)).close();
  const faults: unknown[] = [];
  for (const hostileValue of sampleItems(hostile)) {
    faults.push(await undocumentedError(() => sandbox.reload(hostileValue as object), documentedErrors));
    if (typeof hostileValue !== "object")
      faults.push(await undocumentedError(() => startAndClose(hostileValue), documentedErrors));
    for (const name of optionNames) {
      if (lookedUpOptions.has(name) && typeof hostileValue === "string" && hostileValue !== "\0") continue;
      // A speed of -1 is refused, so an accepted value starts no server.
      faults.push(await undocumentedError(() => startAndClose({ [name]: hostileValue, speed: -1 }), documentedErrors));
    }
    faults.push(
      await undocumentedError(() => connectSandbox(hostileValue as string), ["ValidationError", "ConnectionError"]),
    );
    for (const name of ["token", "environment"]) {
      const connect = (): unknown => connectSandbox(sandbox.url, { [name]: hostileValue });
      faults.push(await undocumentedError(connect, ["ValidationError", "ControlError"]));
    }
    faults.push(
      await undocumentedError(
        () => connectSandbox(sandbox.url, hostileValue as object),
        ["ValidationError", "ControlError"],
      ),
    );
  }
  expect([...new Set(faults)]).toEqual([undefined]);
});
