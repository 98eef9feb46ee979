import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Environment, Sandbox } from "../../src/control.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { document } from "../admin/admin.ts";
import { openSandbox } from "../support/sandbox.ts";

/* Every public function for any argument. The functions are found on the objects themselves: a new one is tried too. */

type Method = (...given: readonly unknown[]) => unknown;

/** The functions of an object and of the groups of commands in it, by name. */
function* functionsOf(object: object, above = ""): Generator<readonly [name: string, method: Method]> {
  const names = new Set<string>();
  for (let at: object | null = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  }
  for (const name of names) {
    const value: unknown = Reflect.get(object, name);
    if (name === "constructor" || name.startsWith("#")) continue;
    if (typeof value === "function") yield [above + name, value.bind(object) as Method];
    else if (isGroup(object, name, value)) yield* functionsOf(value, `${name}.`);
  }
}

/** Groups of commands are members of their own; what getters of the class give is not commanded through it. */
function isGroup(object: object, name: string, value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(object, name);
}

const circular: Record<string, unknown> = {};
circular["self"] = circular;
const revoked = Proxy.revocable({}, {});
revoked.revoke();
const hurl = (): never => {
  throw revoked.proxy;
};

/** Values that no function expects. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  1e18,
  10n,
  "",
  " ",
  "\0",
  "\ud800",
  "..",
  "__proto__",
  "constructor",
  "x".repeat(300),
  Symbol("any"),
  Symbol.iterator,
  () => 1,
  [],
  [null],
  [[[]]],
  Array.from({ length: 3 }),
  {},
  { __proto__: null },
  Object.create({ now: 5 }),
  JSON.parse('{ "__proto__": 5, "toString": 5, "valueOf": null, "then": 5, "length": -1 }'),
  { toString: 1, toJSON: 1 },
  { toJSON: hurl },
  { toJSON: () => 10n },
  { [Symbol.toPrimitive]: hurl },
  circular,
  revoked.proxy,
  new Proxy({}, { ownKeys: hurl }),
  new Proxy([], { get: hurl }),
  Object.defineProperty({}, "now", { get: hurl, enumerable: true }),
  new Map([["now", 5]]),
  new Date(Number.NaN),
  new URL("http://localhost/"),
  new URL("file://elsewhere/x"),
  /x/,
  new Error("any"),
  Promise.resolve({}),
  new Uint8Array(2),
];

/** Every name of a member that the admin API knows: those of its bodies are among them. */
const members = [
  ...new Set(
    Array.from(
      JSON.stringify(document).matchAll(/"(\w+)":\{"(?:type|\$ref|anyOf|description|enum)"/g),
      ([, name = ""]) => name,
    ),
  ),
];

// fast-check itself looks into its values, and cannot into a revoked proxy.
const value = fc.constantFrom(...hostile.filter((one) => one !== revoked.proxy));
const argument = fc.oneof(
  value,
  fc.dictionary(
    fc.constantFrom(...members),
    fc.oneof(value, fc.dictionary(fc.constantFrom(...members), value, { maxKeys: 2 })),
    {
      minKeys: 1,
      maxKeys: 3,
    },
  ),
);
const argumentLists = fc.array(argument, { minLength: 1, maxLength: 3 });

/** An error may be hostile too. */
function inText(error: unknown): string {
  return error === revoked.proxy ? "a hostile error" : String(error);
}

/** Calls a function; tells what it did other than answer, or reject with one of these errors. */
async function fault(call: () => unknown, allowed: readonly string[]): Promise<string | undefined> {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    return `threw at once: ${inText(error)}`;
  }
  try {
    await answer;
    return undefined;
  } catch (error) {
    const text = inText(error);
    return allowed.some((name) => text.startsWith(`${name}: `)) ? undefined : `rejected with ${text}`;
  }
}

/** What would end the test before its time. */
const endings = /^(?:close|\[Symbol)/;

async function tryAll(of: Sandbox | Environment, lists: readonly (readonly unknown[])[]): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, method] of functionsOf(of)) {
    if (endings.test(name)) continue;
    const documented =
      name === "reload" ? ["ControlError", "Mistake", "FileMistakes", "UnreadableFile"] : ["ControlError"];
    for (const given of lists) {
      const found = await fault(() => method(...given), documented);
      if (found !== undefined) faults.push(`${name}: ${found}`);
    }
  }
  return [...new Set(faults)];
}

test("every command takes any argument or rejects with ControlError, in process and over HTTP", async () => {
  const failures: unknown[] = [];
  const { sandbox } = await openSandbox({ onFailure: (error) => failures.push(error) });
  const connected = await connectSandbox(sandbox.url);
  const names = Array.from(functionsOf(connected), ([name]) => name);
  expect(names).toEqual(expect.arrayContaining(["clock.set", "play", "openEnvironment", "restore"]));
  const alone = hostile.map((one) => [one]);
  expect(await tryAll(sandbox, alone)).toEqual([]);
  expect(await tryAll(connected, alone.slice(0, 12))).toEqual([]);
  await fc.assert(
    fc.asyncProperty(argumentLists, async (given) => {
      for (const of of [sandbox, connected]) expect(await tryAll(of, [given])).toEqual([]);
    }),
    { numRuns: 6 },
  );
  expect(failures).toEqual([]);
});

/** Options that would be files, addresses and names to look up. */
const worldly = new Set(["db", "host", "port", "fixture", "scenarios"]);

test("startSandbox and connectSandbox take any argument or reject with what they document", async () => {
  const { sandbox } = await openSandbox();
  const documented = [
    "Mistake",
    "FileMistakes",
    "UnreadableFile",
    "UnwritableFile",
    "UnusableDatabase",
    "CannotListen",
  ];
  const settings = [
    "clock",
    "speed",
    "seed",
    "profile",
    "assumptions",
    "rateLimit",
    "delay",
    "corsOrigins",
    "allowedHosts",
  ];
  const all = [...worldly, ...settings, "admin", "adminToken", "assumptionHeader", "onRequest", "onFailure"];
  const started = async (options: unknown): Promise<void> => (await startSandbox(options as object)).close();
  const faults: unknown[] = [];
  for (const one of hostile) {
    if (typeof one !== "object" || one === revoked.proxy) faults.push(await fault(() => started(one), documented));
    for (const name of all) {
      if (worldly.has(name) && typeof one === "string" && one !== "\0") continue;
      // What is accepted would start a server for each.
      faults.push(await fault(() => started({ [name]: one, speed: -1 }), documented));
    }
    faults.push(await fault(() => connectSandbox(one as string), ["Mistake", "CannotConnect"]));
    for (const name of ["token", "environment"]) {
      const connected = (): unknown => connectSandbox(sandbox.url, { [name]: one });
      faults.push(await fault(connected, ["Mistake", "ControlError"]));
    }
    faults.push(await fault(() => connectSandbox(sandbox.url, one as object), ["Mistake", "ControlError"]));
  }
  expect([...new Set(faults)]).toEqual([undefined]);
});
