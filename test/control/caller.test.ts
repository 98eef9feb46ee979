import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { startRunning } from "../../src/sandbox/start-running.ts";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { ways } from "../support/sandboxes.ts";

const execute = promisify(execFile);

type Command = (...args: readonly unknown[]) => unknown;

/** The error of a command, which may throw it or reject with it. */
async function failureOf(command: () => unknown): Promise<Error> {
  try {
    await command();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error(`no failure: ${command.toString()}`);
}

function expectPlace(error: Error, name: string): void {
  const [message, ...frames] = (error.stack ?? "").slice(error.name.length + 2).split(/\n\s+at /);
  expect(message, name).toBe(error.message);
  expect(frames[0], name).toContain("caller.test.ts");
  if (error.cause instanceof Error) expect(error.cause.message, name).not.toBe(error.message);
}

/** Every command of a client, its groups' too, by name. */
function commandsOf(client: object): [string, Command][] {
  const names = new Set<string>();
  for (
    let prototype: object = client;
    prototype !== Object.prototype;
    prototype = Object.getPrototypeOf(prototype) as object
  )
    for (const name of Object.getOwnPropertyNames(prototype)) if (name !== "constructor") names.add(name);
  return [...names].flatMap((name): [string, Command][] => {
    const value: unknown = Reflect.get(client, name);
    if (typeof value === "function") return [[name, value.bind(client) as Command]];
    if (typeof value !== "object" || value === null || Array.isArray(value) || name === "offering") return [];
    return Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([member, { value: command }]) =>
      typeof command === "function" ? [[`${name}.${member}`, command as Command] as [string, Command]] : [],
    );
  });
}

test.each(ways)("every failed command names the line that called it, %s", async (way) => {
  const { sandbox: server } = await startRunning({ fixture: "minimal" });
  onTestFinished(() => server.close());
  const client = way === "in process" ? server : await connectSandbox(server.url);
  const environment = await client.openEnvironment();
  const invalidArgument = { respons: 1n };
  const commands = [...commandsOf(client), ...commandsOf(environment)].filter(([name]) => name !== "close");
  expect(commands.length).toBeGreaterThan(60);
  let refusalCount = 0;
  for (const [name, command] of commands) {
    if (/^(stop|reload|faults\.remove|requests\.clear|limits\.clear|reset)$/.test(name)) continue;
    const error = await failureOf(async () => command(invalidArgument, invalidArgument)).catch(() => undefined);
    if (error === undefined) continue;
    refusalCount += 1;
    expectPlace(error, name);
  }
  expect(refusalCount).toBeGreaterThan(40);
  await server.close();
  for (const [name, command] of commands) expectPlace(await failureOf(() => command("x", {})), name);
});

test("a failed function that opens a sandbox names the line that called it", async () => {
  expectPlace(await failureOf(() => startSandbox({ fixtures: "demo" } as object)), "startSandbox");
  expectPlace(await failureOf(() => startSandbox({ fixture: "./nowhere.json", config: false })), "a file");
  expectPlace(await failureOf(() => connectSandbox("nowhere")), "connectSandbox");
  expectPlace(await failureOf(() => connectSandbox("http://localhost:1")), "no server there");
});

test("openSandbox of node:test refuses an unknown option, and names the line that called it", async () => {
  const entry = JSON.stringify(new URL("../../dist/node-test.js", import.meta.url).href);
  const script = `
    const { openSandbox } = await import(${entry});
    const context = { name: "a test", after: () => {} };
    for (const options of [{ fixture: "demo" }, { sandboxServerOptions: { prot: 1 } }]) {
      async function theTest() { await openSandbox(context, options); }
      await theTest().catch(({ stack }) => console.log(stack.split("\\n").slice(0, 2).join("")));
    }`;
  const { stdout } = await execute(process.execPath, ["--input-type=module", "-e", script]);
  expect(stdout).toMatch(/^ValidationError: There is no option "fixture"[^\n]*at theTest /m);
  expect(stdout).toMatch(/^ValidationError: There is no option "prot"[^\n]*at theTest /m);
});

test("a getter names the line that read it", async () => {
  const { sandbox } = await startRunning({
    fixture: { offerings: [{ alias: "only" }], keys: [{ type: "marketing", offering: "only" }] },
  });
  onTestFinished(() => sandbox.close());
  expectPlace(await failureOf(() => sandbox.keys.partner), "keys.partner");
});
