import { expect, onTestFinished, test } from "vitest";
import type { Environment, EnvironmentOptions, RequestEntry, SandboxOptions } from "../../src/public/control.ts";
import { requestLine } from "../../src/testing/request-lines.ts";
import { openForTest, startServer } from "../../src/testing/test-sandbox.ts";
import { stopMachineTime } from "../support/machine-time.ts";
import { known, knownFixture } from "../support/sandbox.ts";
import { read } from "../support/sandboxes.ts";

const list = `/offerings/${known.aurora}/investments`;

/** Runs a test that fails after some requests. Returns the lines of its block below its title. */
async function blockOf(
  act: (environment: Environment) => Promise<unknown>,
  options: EnvironmentOptions = {},
  serverOptions: SandboxOptions = {},
): Promise<string[]> {
  const server = await startServer({ config: false, fixture: knownFixture, ...serverOptions });
  onTestFinished(() => server.close());
  const opened = await openForTest(["a.test.ts", "fails"], server, options);
  await act(opened.environment);
  let block = "";
  await opened.close(true, (text) => (block += text));
  return block.split("\n").slice(1);
}

const ask = (environment: Environment, path: string): Promise<unknown> =>
  read(environment, path, environment.keys.partner);

const jsonTemplate = 'like:{"error":"{detail}"}';

test.each<[path: string, assumptions: EnvironmentOptions["assumptions"], dependsOn: string | undefined]>([
  [`${list}?page=99&size=10`, { "list.past_end": "404" }, "list.first_page=1, list.max_size=100, list.past_end=404"],
  [
    `${list}?page=99`,
    { "list.past_end": "400" },
    "errors.invalid_parameter=400, list.default_size=20, list.first_page=1, list.max_size=100, list.past_end=400",
  ],
  [`${list}?page=0`, {}, "errors.invalid_parameter=400, list.first_page=1"],
  [`${list}?size=200`, {}, "errors.invalid_parameter=400, list.max_size=100, list.over_max=reject"],
  [`${list}?page=1&page=1`, {}, "dates.repeated=reject, errors.invalid_parameter=400"],
  // The specification itself says so.
  [`/investments/${known.unknown}`, {}, undefined],
  ["/nowhere", {}, undefined],
  [`/offerings/${known.borealis}`, {}, undefined],
  // The client reads a refusal in an unusual form.
  [`/investments/${known.unknown}`, { "errors.body": "empty" }, "errors.body=empty"],
  [
    `/investments/${known.unknown}`,
    { "errors.body": jsonTemplate, "limit.headers": "draft-8" },
    "errors.body=like:…, limit.headers=draft-8",
  ],
])("a refusal of %s under %j says what it depends on", async (path, assumptions, dependsOn) => {
  const [line, ...below] = await blockOf((environment) => ask(environment, path), { assumptions });
  expect(line).toContain(path);
  const said = below.filter((text) => text.includes("depends on "));
  expect(said).toEqual(dependsOn === undefined ? [] : [`        depends on ${dependsOn}`]);
});

test("the last three responses with status 200 say what they depend on, but for their usual form", async () => {
  const [, ...lines] = await blockOf(
    async (environment) => {
      for (const page of [1, 2]) await ask(environment, `${list}?page=${page}&size=1`);
      await ask(environment, `/investments/${known.closed}/events`);
      await ask(environment, "/nowhere");
      await ask(environment, `/investments/${known.closed}/status`);
    },
    { assumptions: { "list.document": 'like:{"data":"{data}"}' } },
  );
  expect(lines.map((line) => (line.startsWith("GET") ? line.split(" ").find(Number) : line.trim()))).toEqual([
    "200",
    "depends on list.document=like:…, list.first_page=1, list.included=no, list.order=create_date, money.currency=decimal",
    "200",
    // Another assumption about events may stand next to it.
    expect.stringMatching(/^depends on (?:event\.\w+=\w+, )?events\.order=create_date$/),
    "404",
    "unknown path",
    "200",
    "depends on status.document=resource",
  ]);
});

test("a 429 has its Retry-After and the wait until the next request of its key", async () => {
  const pass = stopMachineTime();
  const lines = await blockOf(
    async (environment) => {
      for (const wait of [0, 0, 50, 60_000]) {
        pass(wait);
        await ask(environment, `/offerings/${known.aurora}`);
      }
      await environment.faults.add({ respond: { status: 503, headers: { "Retry-After": 7 } } });
      await ask(environment, `/offerings/${known.aurora}`);
    },
    { rateLimit: 1 },
  );
  expect(lines.filter((line) => !line.startsWith("GET"))).toEqual([
    "        depends on offering.document=resource, offering.members=specified",
    "        more than 1 request within a minute with this key",
    "        Retry-After: 60; the next request came after 0.05 s",
    "        depends on limit.counts=every-request, limit.retry_after=seconds, limit.window=fixed",
    "        Retry-After: 60; the next request came after 60 s",
    "        Retry-After: 7",
  ]);
});

test("equal hints stand below the first of their requests only", async () => {
  const lines = await blockOf(async (environment) => {
    for (const page of [1, 2, 3]) await ask(environment, `${list}?page=${page}&create_date[gt]=2026-01-01`);
  });
  expect(lines.filter((line) => line.includes("did you mean"))).toEqual([
    "        unknown parameter create_date[gt], did you mean create_date[gte]?",
  ]);
  expect(lines[1]).toContain("did you mean");
});

test("the line of a log says it too", async () => {
  const log: string[] = [];
  const onRequest = (entry: RequestEntry): unknown => entry.status !== 200 && log.push(requestLine(entry));
  await blockOf(
    async (environment) => {
      await ask(environment, `${list}?page=0`);
      await ask(environment, list);
    },
    { rateLimit: 1 },
    { onRequest },
  );
  expect(log.map((line) => line.split("\n").slice(1))).toEqual([
    [
      "        page=0 must be an integer of 1 or more, with at most 15 digits",
      "        depends on errors.invalid_parameter=400, list.first_page=1",
    ],
    [
      "        more than 1 request within a minute with this key",
      "        Retry-After: 60",
      "        depends on limit.counts=every-request, limit.retry_after=seconds, limit.window=fixed",
    ],
  ]);
});
