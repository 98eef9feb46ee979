import { Ajv2020 } from "ajv/dist/2020.js";
import { once } from "node:events";
import { describe, expect, onTestFinished, test } from "vitest";
import { uses } from "../../src/cli/mcp/uses.ts";
import type { AdminOperation } from "../../src/control/operation.ts";
import { adminOperations } from "../../src/control/operations.ts";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import { launch } from "./cli.ts";

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Tool {
  readonly name: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
}

/** An agent that has started the command and greeted it. */
interface Agent {
  ask(method: string, params?: object): Promise<Reply>;
  tools(): Promise<readonly Tool[]>;
  /** Calls a tool; `isError` is true where the tool refused. */
  call(name: string, given?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
  write(line: string): void;
  /** Ends the input, and returns the exit code with all that was printed to stderr. */
  end(): Promise<{ readonly code: number | null; readonly stderr: string; readonly unread: readonly string[] }>;
}

async function openAgent(url: string, ...args: readonly string[]): Promise<Agent> {
  const running = launch(["mcp", "--url", url, ...args], {}, "pipe");
  // The command may end before it has read everything.
  running.child.stdin?.on("error", () => {});
  const write = (line: string): void => void running.child.stdin?.write(`${line}\n`);
  let last = 0;
  const agent: Agent = {
    write,
    async ask(method, params) {
      const id = (last += 1);
      write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      // Every line is a message: another one fails here.
      return JSON.parse(await running.line((line) => (JSON.parse(line) as Reply).id === id)) as Reply;
    },
    tools: async () => ((await agent.ask("tools/list")).result as { readonly tools: Tool[] }).tools,
    async call(name, given) {
      const { result, error } = await agent.ask("tools/call", { name, arguments: given });
      if (error) throw new Error(error.message);
      const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
      return { text: content[0]?.text ?? "", isError };
    },
    async end() {
      const closed = once(running.child, "close");
      running.child.stdin?.end();
      const [code] = (await closed) as [number | null];
      return { code, stderr: running.stderr, unread: running.lines };
    },
  };
  const clientInfo = { name: "test", version: "1" };
  const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  expect((await agent.ask("initialize", greeting)).result).toMatchObject({ serverInfo: { name: "offering-sandbox" } });
  write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return agent;
}

async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ scenarios: [], ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

const nobody = "http://localhost:1";
const table = Object.entries<AdminOperation>(adminOperations);
const namesOf = (...wanted: readonly string[]): string[] =>
  Object.entries(uses).flatMap(([id, use]) => (typeof use === "string" && wanted.includes(use) ? [id] : []));

describe("the table of operations", () => {
  test("operations that read are those without changes", () => {
    const without = table.filter(([, { changes }]) => !changes).map(([id]) => id);
    const leftOut = ["getAdminOpenApi", "stopSandbox", "getSnapshot"];
    expect(namesOf("reads")).toEqual(without.filter((id) => !leftOut.includes(id)));
  });

  test("few operations are left out, each with a reason", () => {
    const reasons = Object.entries(uses).flatMap(([id, use]) => (typeof use === "object" ? [[id, use.leftOut]] : []));
    expect(Object.fromEntries(reasons)).toEqual({
      getAdminOpenApi: expect.stringMatching(/\.$/),
      stopSandbox: expect.stringMatching(/\.$/),
      getSnapshot: expect.stringMatching(/\.$/),
      restoreSnapshot: expect.stringMatching(/\.$/),
    });
  });

  test("an agent gets the reading ones, and the others with --allow-changes", async () => {
    const [reader, mover] = await Promise.all([openAgent(nobody), openAgent(nobody, "--allow-changes")]);
    const [few, all] = await Promise.all([reader.tools(), mover.tools()]);
    expect(few.map(({ name }) => name)).toEqual(namesOf("reads"));
    expect(all.map(({ name }) => name)).toEqual(namesOf("reads", "changes", "destroys"));
    for (const { name, inputSchema, annotations } of all) {
      const { readOnlyHint, destructiveHint } = annotations;
      expect([name, readOnlyHint, destructiveHint]).toEqual([
        name,
        namesOf("reads").includes(name),
        namesOf("destroys").includes(name),
      ]);
      expect(new Ajv2020({ strict: false, validateFormats: false }).compile(inputSchema)).toBeTypeOf("function");
    }
  });
});

/** Keys whose secrets have no form of ours. */
const ownKeys = ["marketing", "partner"].map((type) => ({ type, key: `mine-${type}-0123456789`, alias: type }));
const id = "00000020-0000-4000-8000-000000000001";
const fixture = { offerings: [{ investments: [{ id, alias: "first" }] }], keys: ownKeys };

/** What the reading tools need beside nothing. */
const given: Readonly<Record<string, object>> = {
  preview: { body: { path: `/investments/${id}`, key_id: "partner" } },
  compare: { body: { investment_id: "first" } },
  replay: { body: { answers: true } },
  getScenario: { id: "closing" },
  checkScenario: { body: "steps: []" },
  recordScenario: { body: { investment_id: "first" } },
  getRun: { id: "run-1" },
  getInvestment: { id: "first" },
  // The journal has numbers.
  getAnswer: { id: 1 },
};

describe("an agent that reads", () => {
  test("gets an answer of every tool, and no secret of a key", async () => {
    const sandbox = await openSandbox({ fixture });
    await sandbox.play("closing", { investment_id: "first" });
    await sandbox.clock.advance("1d");
    await sandbox.investments.change("first", { amount: 5000 });
    const issued = await sandbox.keys.issue({ type: "partner" });
    const secrets = [issued.key, ...ownKeys.map(({ key }) => key)];
    for (const key of secrets)
      await fetch(`${sandbox.baseUrl}/offerings/x?q=${key}`, { headers: { authorization: `Bearer ${key}` } });
    const agent = await openAgent(sandbox.url);
    for (const { name } of await agent.tools()) {
      const answer = await agent.call(name, given[name]);
      expect([name, answer.isError, answer.text]).toEqual([name, false, expect.any(String)]);
      expect([name, secrets.filter((secret) => answer.text.includes(secret))]).toEqual([name, []]);
    }
    const { text } = await agent.call("preview", given["preview"]);
    expect(JSON.parse(text)).toMatchObject({ status: 200 });
    const mover = await openAgent(sandbox.url, "--allow-changes");
    const keys = await mover.call("listKeys");
    expect(secrets.filter((secret) => keys.text.includes(secret))).toEqual(secrets);
  });

  test("is told why another tool is not there", async () => {
    const agent = await openAgent(nobody);
    await expect(agent.call("advanceClock")).rejects.toThrow("mcp --allow-changes has it");
    await expect(agent.call("stopSandbox")).rejects.toThrow("whoever started it stops it");
    await expect(agent.call("listKey")).rejects.toThrow('Did you mean "listKeys"?');
    await expect(agent.call("toString")).rejects.toThrow('no tool "toString"');
  });

  test.each([
    ["listInvestments", { sarch: "ada" }, 'has no member "sarch". Did you mean "search"?'],
    ["listInvestments", { limit: "many" }, "limit: expected a whole number"],
    ["getRun", {}, 'needs "id"'],
    ["getRun", { id: ".." }, 'Nothing has the id ".."'],
    ["getRun", { id: 7 }, "There is no run"],
    ["getClock", { environment: "../default" }, "no environment"],
    ["preview", { body: { path: "/x" } }, "key_id is missing"],
    ["preview", {}, 'needs "body"'],
  ])("gets one sentence for wrong arguments of %s: %j", async (name, wrong, message) => {
    const sandbox = await openSandbox();
    const agent = await openAgent(sandbox.url);
    expect(await agent.call(name, wrong)).toEqual({ isError: true, text: expect.stringContaining(message) });
  });
});

describe("an agent that may change things", () => {
  test("moves the clock, and drops no environment but its own", async () => {
    const sandbox = await openSandbox({ clock: "2026-01-15T12:00:00Z" });
    const agent = await openAgent(sandbox.url, "--allow-changes");
    const moved = await agent.call("advanceClock", { body: { by: "2d" } });
    expect(JSON.parse(moved.text)).toMatchObject({ now: "2026-01-17T12:00:00.000Z" });
    const others = await sandbox.openEnvironment();
    const refused = await agent.call("dropEnvironment", { environment: others.id });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining("was not opened here") });
    const { text } = await agent.call("openEnvironment", { body: {} });
    const { id: environment } = JSON.parse(text) as { id: string };
    expect(await agent.call("dropEnvironment", { environment })).toEqual({ isError: false, text: "null" });
    expect((await sandbox.environments()).map((each) => each.id)).toEqual(["default", others.id]);
  });

  test("opens an environment with the open token, and uses it", async () => {
    const { url } = await openSandbox({ adminToken: "the-admin-token-of-all", openToken: "the-token-to-open-with" });
    const agent = await openAgent(url, "--allow-changes", "--token", "the-token-to-open-with");
    expect(await agent.call("getClock")).toMatchObject({ isError: true });
    const { text } = await agent.call("openEnvironment", { body: { id: "mine" } });
    expect(await agent.call("getClock", { environment: "mine" })).toMatchObject({ isError: false });
    const { admin_token: token } = JSON.parse(text) as { admin_token: string };
    const other = await openAgent(url, "--token", token);
    expect(JSON.parse((await other.call("getEnvironment")).text)).toMatchObject({ id: "mine" });
  });

  test("lists environments without their keys, unless asked for them", async () => {
    const agent = await openAgent((await openSandbox()).url);
    const list = async (query?: object): Promise<unknown> =>
      JSON.parse((await agent.call("listEnvironments", query)).text);
    const [brief, whole] = [await list(), await list({ summary: false })];
    expect(brief).toEqual({ data: [expect.not.objectContaining({ keys: expect.anything() as unknown })] });
    expect(whole).toEqual({ data: [expect.objectContaining({ keys: expect.anything() as unknown })] });
  });

  test("plays a scenario by name or content, and has no file read", async () => {
    const sandbox = await openSandbox();
    const agent = await openAgent(sandbox.url, "--allow-changes");
    for (const body of [{ scenario: "/etc/hostname" }, { scenario: "./package.json" }]) {
      const refused = await agent.call("playScenario", { body });
      expect(refused).toEqual({ isError: true, text: expect.stringContaining("no file is read") });
    }
    const files = await agent.call("openEnvironment", { body: { fixture: "/etc/hostname" } });
    expect(files).toEqual({ isError: true, text: expect.stringContaining("reads no files") });
    const played = await agent.call("playScenario", { body: { scenario: "closing" } });
    expect(JSON.parse(played.text)).toMatchObject({ scenario: "closing" });
  });
});

describe("the process", () => {
  test("says where no sandbox answers, and serves on", async () => {
    const sandbox = await startSandbox();
    const agent = await openAgent(sandbox.url);
    expect(await agent.call("getHealth")).toMatchObject({ isError: false });
    await sandbox.close();
    const text = expect.stringMatching(/^No sandbox answers at http:.*Start one: npx offering-sandbox$/);
    expect(await agent.call("getHealth")).toEqual({ isError: true, text });
    expect(await agent.tools()).not.toEqual([]);
  });

  test("leaves out a line that is no message, without repeating it", async () => {
    const agent = await openAgent(nobody);
    agent.write("canary");
    agent.write('{"canary":1}');
    expect((await agent.ask("ping")).result).toEqual({});
    const { code, stderr, unread } = await agent.end();
    expect([code, unread]).toEqual([0, []]);
    expect(stderr).toMatch(/^(A message on standard input could not be read.*\n){2}$/);
  });

  test("ends with a message and exit code 2 at a line that is too long", async () => {
    const agent = await openAgent(nobody);
    agent.write("x".repeat(11 * 2 ** 20));
    const { code, stderr } = await agent.end();
    expect(code).toBe(2);
    expect(stderr).toContain("longer than 10 MB");
  });

  test("ends with its input, after the answers under way", async () => {
    const { url } = await openSandbox();
    const agent = await openAgent(url);
    agent.write(JSON.stringify({ jsonrpc: "2.0", id: 99, method: "tools/call", params: { name: "getHealth" } }));
    const { code, stderr, unread } = await agent.end();
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(unread[0] ?? "")).toMatchObject({ id: 99, result: { content: [{ type: "text" }] } });
  });
});
