import { Ajv2020 } from "ajv/dist/2020.js";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { AdminOperation } from "../../src/control/operation.ts";
import { adminOperations } from "../../src/control/operations.ts";
import { startSandbox, type Sandbox, type SandboxOptions } from "../../src/index.ts";
import { parse } from "yaml";
import { launch } from "./cli.ts";
import { startForTest } from "../support/sandbox.ts";

interface Reply {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly inputSchema: object;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint: boolean };
}

/** An agent that has started the command and greeted it. */
interface Agent {
  ask(method: string, params?: object): Promise<Reply>;
  tools(): Promise<readonly Tool[]>;
  /** Calls a tool; `isError` is true where the tool refused. */
  call(name: string, toolArguments?: object): Promise<{ readonly text: string; readonly isError: boolean }>;
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
      // Every line must be a message: any other line fails here.
      return JSON.parse(await running.line((line) => (JSON.parse(line) as Reply).id === id)) as Reply;
    },
    tools: async () => ((await agent.ask("tools/list")).result as { readonly tools: Tool[] }).tools,
    async call(name, toolArguments) {
      const { result, error } = await agent.ask("tools/call", { name, arguments: toolArguments });
      if (error) throw new Error(error.message);
      const { content, isError = false } = result as { content: { text: string }[]; isError?: boolean };
      return { text: content[0]?.text ?? "", isError };
    },
    async end() {
      const pendingClose = once(running.child, "close");
      running.child.stdin?.end();
      const [code] = (await pendingClose) as [number | null];
      return { code, stderr: running.stderr, unread: running.lines };
    },
  };
  const clientInfo = { name: "test", version: "1" };
  const greeting = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  expect((await agent.ask("initialize", greeting)).result).toMatchObject({ serverInfo: { name: "offering-sandbox" } });
  write(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return agent;
}

const openSandbox = (options: SandboxOptions = {}): Promise<Sandbox> => startForTest({ scenarios: [], ...options });

const unusedUrl = "http://localhost:1";
const table = Object.entries<AdminOperation>(adminOperations);

describe("the table of operations", () => {
  test("an agent gets the operations that read, and all others with --allow-changes", async () => {
    const [reader, mover] = await Promise.all([openAgent(unusedUrl), openAgent(unusedUrl, "--allow-changes")]);
    const [readingTools, allTools] = await Promise.all([reader.tools(), mover.tools()]);
    const files = ["getAdminOpenApi", "getSnapshot", "restoreSnapshot", "replay"];
    const noTools = ["stopSandbox", ...files, "getMetrics", "getPulse", "getHistogram", "compare", "makeLinks"];
    const listIds = (isIncluded: (operation: AdminOperation) => boolean): string[] =>
      table.filter(([id, operation]) => isIncluded(operation) && !noTools.includes(id)).map(([id]) => id);
    expect(readingTools.map(({ name }) => name)).toEqual(listIds(({ changes }) => !changes));
    expect(allTools.map(({ name }) => name)).toEqual(listIds(() => true));
    expect(allTools.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name)).toEqual(
      readingTools.map(({ name }) => name),
    );
    expect(allTools.filter(({ annotations }) => annotations.destructiveHint).map(({ name }) => name)).toEqual([
      "deleteEnvironment",
      "resetEnvironment",
      "revokeKey",
      "deleteScenario",
      "stopRun",
      "clearRequests",
      "removeFaults",
      "removeFault",
      "clearLimits",
    ]);
    for (const { title, inputSchema } of allTools) {
      expect(title).toMatch(/^[A-Z][a-z]+( [a-z]+)*$/);
      expect(new Ajv2020({ strict: false, validateFormats: false }).compile(inputSchema)).toBeTypeOf("function");
      // Many agents do not accept such a schema.
      for (const keyword of ["anyOf", "oneOf", "allOf", "not"]) expect(inputSchema).not.toHaveProperty(keyword);
    }
    expect(JSON.stringify(readingTools)).not.toContain("?ready");
    // Every session of an agent pays for it.
    expect(JSON.stringify(readingTools).length).toBeLessThan(20_000);
  });

  test("the schema of scenarios is a resource that a tool names; it accepts every shipped one, and no other member", async () => {
    const agent = await openAgent(unusedUrl);
    const { resources } = (await agent.ask("resources/list")).result as {
      readonly resources: readonly { uri: string }[];
    };
    const [{ uri } = { uri: "" }] = resources;
    expect(JSON.stringify((await agent.tools()).find(({ name }) => name === "checkScenario"))).toContain(uri);
    const { contents } = (await agent.ask("resources/read", { uri })).result as {
      contents: readonly { text: string }[];
    };
    const schema = JSON.parse(contents[0]?.text ?? "") as object;
    const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    for (const name of readdirSync("scenarios").filter((file) => file.endsWith(".yaml"))) {
      const scenario = parse(readFileSync(`scenarios/${name}`, "utf8")) as object;
      expect([name, accepts(scenario)]).toEqual([name, true]);
      expect([name, accepts({ ...scenario, stepz: [] })]).toEqual([name, false]);
    }
    const { error } = await agent.ask("resources/read", { uri: "file:///etc/hostname" });
    expect(error?.message).toContain('no resource "file:///etc/hostname"');
  });
});

/** Keys whose secrets do not have the issued form. */
const customKeys = ["marketing", "partner"].map((type) => ({ type, key: `mine-${type}-0123456789`, alias: type }));
const id = "00000020-0000-4000-8000-000000000001";
const fixture = { offerings: [{ investments: [{ id, alias: "first" }] }], keys: customKeys };

/** The arguments of reading tools that need some. */
const argumentsByTool: Readonly<Record<string, object>> = {
  preview: { path: `/investments/${id}`, key_id: "partner" },
  getScenario: { id: "closing" },
  checkScenario: { scenario: "steps: []" },
  recordScenario: { investment_id: "first" },
  getRun: { id: "run-1" },
  getInvestment: { id: "first" },
  // The journal has numbers.
  getResponse: { id: 1 },
};

describe("an agent that reads", () => {
  test("gets a response of every tool, and no secret of a key", async () => {
    const sandbox = await openSandbox({ fixture });
    await sandbox.play("closing", { investment_id: "first" });
    await sandbox.clock.advance("1d");
    await sandbox.investments.change("first", { amount: 5000 });
    const issuedKey = await sandbox.keys.issue({ type: "partner" });
    const secrets = [issuedKey.key, ...customKeys.map(({ key }) => key)];
    for (const key of secrets)
      await fetch(`${sandbox.baseUrl}/offerings/x?q=${key}`, { headers: { authorization: `Bearer ${key}` } });
    const agent = await openAgent(sandbox.url);
    for (const { name } of await agent.tools()) {
      const response = await agent.call(name, argumentsByTool[name]);
      expect([name, response.isError, response.text]).toEqual([name, false, expect.any(String)]);
      expect([name, secrets.filter((secret) => response.text.includes(secret))]).toEqual([name, []]);
    }
    const json = async (name: string, args?: object): Promise<{ readonly [member: string]: unknown }> =>
      JSON.parse((await agent.call(name, args)).text);
    expect(await json("preview", argumentsByTool["preview"])).toMatchObject({ status: 200 });
    const { data } = (await json("listExamples")) as { readonly data: readonly { readonly curl: string }[] };
    expect(data.length).toBeGreaterThan(3);
    for (const { curl } of data) expect(curl).toMatch(/^curl .*"Authorization: Bearer …" .*http:\/\/localhost/);
    const withKeys = expect.objectContaining({ keys: expect.anything() as unknown }) as object;
    expect(await json("listEnvironments")).not.toEqual({ data: [withKeys] });
    expect(await json("listEnvironments", { summary: false })).toEqual({ data: [withKeys] });
    const mover = await openAgent(sandbox.url, "--allow-changes");
    const saved = await mover.call("saveScenario", { scenario: "name: mine\nsteps: [{ event: PROFILE SUBMITTED }]" });
    expect(JSON.parse(saved.text)).toMatchObject({ name: "mine", saved: true });
    const keys = await mover.call("listKeys");
    expect(secrets.filter((secret) => keys.text.includes(secret))).toEqual(secrets);
  });

  test("gets each long response shortened to fit, and any part of it in full", async () => {
    const sandbox = await openSandbox();
    const partner = { headers: { authorization: `Bearer ${sandbox.keys.partner}` } };
    await fetch(`${sandbox.baseUrl}/offerings/${sandbox.offering.id}/investments?size=100`, partner);
    const agent = await openAgent(sandbox.url);
    const longResponses = [
      ["getCoverage", {}, "environments"],
      ["listAssumptions", {}, "data[list.order]"],
      [
        "preview",
        { path: `/offerings/${sandbox.offering.id}/investments?size=100`, key_id: sandbox.keys.partner },
        "body",
      ],
      ["listInvestments", { limit: 1000 }, "data[2].investors"],
    ] as const;
    for (const [name, args, part] of longResponses) {
      const { text } = await agent.call(name, args);
      expect([name, text.length < 12_000, text.length > 1_000]).toEqual([name, true, true]);
      const partial = await agent.call(name, { ...args, part });
      expect([name, partial.isError]).toEqual([name, false]);
      expect([name, /… \(|\d (members\}|items\])/.test(partial.text)]).toEqual([name, false]);
    }
    const rows = await sandbox.assumptions.list();
    const orderRow = rows.find((row) => row.id === "list.order");
    const partResponse = await agent.call("listAssumptions", { part: "data[list.order]" });
    expect(JSON.parse(partResponse.text)).toEqual(orderRow);
    const list = JSON.parse((await agent.call("listAssumptions")).text) as { response: { data: object[] } };
    expect(list.response.data.map((row) => "id" in row && row.id)).toEqual(rows.map((row) => row.id));
  });

  test("is told why another tool is not there, and in one sentence which arguments are wrong", async () => {
    const agent = await openAgent((await openSandbox()).url);
    await expect(agent.call("advanceClock")).rejects.toThrow("mcp --allow-changes has it");
    await expect(agent.call("stopSandbox")).rejects.toThrow("only the person who started it may stop it");
    await expect(agent.call("compare")).rejects.toThrow(
      "compare is not a tool. It is only for the pages of the portal",
    );
    await expect(agent.call("listKey")).rejects.toThrow('Did you mean "listKeys"?');
    await expect(agent.call("toString")).rejects.toThrow('no tool "toString"');
    for (const [name, wrongArguments, message] of [
      ["listInvestments", { sarch: "ada" }, 'has no member "sarch". Did you mean "search"?'],
      ["listInvestments", { limit: "many" }, "limit: expected an integer"],
      ["getRun", {}, 'needs "id"'],
      ["getRun", { id: ".." }, 'Nothing has the id ".."'],
      ["getRun", { id: 7 }, "There is no run"],
      ["getClock", { environment: "../default" }, "no environment"],
      ["preview", { path: "/x" }, 'needs "key_id"'],
      ["preview", { path: "/x", body: {} }, 'has no member "body"'],
      ["listAssumptions", { part: "data[list.ordr]" }, 'no part "list.ordr" at that path. Did you mean "list.order"?'],
    ] as const) {
      const text = expect.stringContaining(message) as string;
      expect([name, wrongArguments, await agent.call(name, wrongArguments)]).toEqual([
        name,
        wrongArguments,
        { isError: true, text },
      ]);
    }
  });
});

describe("an agent that may change things", () => {
  test("moves the clock, and deletes only its own environments", async () => {
    const sandbox = await openSandbox({ clock: "2026-01-15T12:00:00Z" });
    const agent = await openAgent(sandbox.url, "--allow-changes");
    const response = await agent.call("advanceClock", { by: "2d" });
    expect(JSON.parse(response.text)).toMatchObject({ now: "2026-01-17T12:00:00.000Z" });
    const foreign = await sandbox.openEnvironment();
    const refusal = await agent.call("deleteEnvironment", { environment: foreign.id });
    expect(refusal).toEqual({ isError: true, text: expect.stringContaining("was not opened by this agent") });
    const { text } = await agent.call("openEnvironment");
    const { id: environment } = JSON.parse(text) as { id: string };
    expect(await agent.call("deleteEnvironment", { environment })).toEqual({ isError: false, text: "null" });
    expect((await sandbox.environments()).map((opened) => opened.id)).toEqual(["default", foreign.id]);
  });

  test("opens an environment with the open token, and uses it", async () => {
    const { url } = await openSandbox({ adminToken: "the-admin-token-of-all", openToken: "the-token-to-open-with" });
    const agent = await openAgent(url, "--allow-changes", "--token", "the-token-to-open-with");
    expect(await agent.call("getClock")).toMatchObject({ isError: true });
    const { text } = await agent.call("openEnvironment", { id: "mine" });
    expect(await agent.call("getClock", { environment: "mine" })).toMatchObject({ isError: false });
    const { admin_token: token } = JSON.parse(text) as { admin_token: string };
    const secondAgent = await openAgent(url, "--token", token);
    expect(JSON.parse((await secondAgent.call("getEnvironment")).text)).toMatchObject({ id: "mine" });
  });

  test("plays a scenario by name, and has no file read", async () => {
    const agent = await openAgent((await openSandbox()).url, "--allow-changes");
    for (const [name, args] of [
      ["playScenario", { scenario: "/etc/hostname" }],
      ["playScenario", { scenario: "./package.json" }],
      ["openEnvironment", { fixture: "/etc/hostname" }],
    ] as const)
      expect(await agent.call(name, args)).toEqual({ isError: true, text: expect.stringContaining("reads no files") });
    const response = await agent.call("playScenario", { scenario: "closing" });
    expect(JSON.parse(response.text)).toMatchObject({ scenario: "closing" });
  });
});

describe("the process", () => {
  test("says where no sandbox responds, and continues", async () => {
    const sandbox = await startSandbox();
    const agent = await openAgent(sandbox.url);
    expect(await agent.call("getHealth")).toMatchObject({ isError: false });
    await sandbox.close();
    const text = expect.stringMatching(/^No sandbox responds at http:.*To start a sandbox: npx offering-sandbox$/);
    expect(await agent.call("getHealth")).toEqual({ isError: true, text });
    expect(await agent.tools()).not.toEqual([]);
  });

  test("skips a line that is not a message without repeating it, and ends after the pending responses", async () => {
    const agent = await openAgent((await openSandbox()).url);
    agent.write("canary");
    agent.write('{"canary":1}');
    expect((await agent.ask("ping")).result).toEqual({});
    agent.write(JSON.stringify({ jsonrpc: "2.0", id: 99, method: "tools/call", params: { name: "getHealth" } }));
    const { code, stderr, unread } = await agent.end();
    expect(unread.map((line) => JSON.parse(line))).toMatchObject([{ id: 99, result: { content: [{ type: "text" }] } }]);
    expect(stderr).toMatch(/^(A message on standard input could not be read.*\n){2}$/);
    expect(code).toBe(0);
  });

  test("ends with a message and exit code 2 at a line that is too long", async () => {
    const agent = await openAgent(unusedUrl);
    agent.write("x".repeat(11 * 2 ** 20));
    const { code, stderr } = await agent.end();
    expect(code).toBe(2);
    expect(stderr).toContain("longer than 10 MB");
  });
});
