import { expect, test } from "vitest";
import type { JournalEntry } from "../../src/public/control.ts";
import { freePort } from "../support/free-port.ts";
import { serveUnfinished } from "../support/unfinished-responses.ts";
import { launch, openCommandLine, start, type ConnectedCommands, type Running } from "./cli.ts";

async function call({ base_url: base, environment }: ConnectedCommands["ready"], tail: string): Promise<void> {
  const [key] = environment.keys;
  const headers = { authorization: `Bearer ${key?.key}` };
  await fetch(`${base}/offerings/${key?.offering_id}${tail}`, { headers });
}

async function requestPages(ready: ConnectedCommands["ready"], from: number, to: number): Promise<void> {
  for (let page = from; page < to; page++) await call(ready, `/investments?page=${page}&size=1`);
}

function follow({ url }: ConnectedCommands["ready"], ...flags: string[]): Running {
  return launch(["requests", "--follow", "--url", url, ...flags]);
}

function pageOf(line: string): number {
  return Number(/page=(\d+)/.exec((JSON.parse(line) as JournalEntry).path)?.[1]);
}

test("requests --follow shows each request once, even after a reset clears the journal", async () => {
  const { ready, runLine } = await openCommandLine({ rateLimit: 0 });
  await requestPages(ready, 1, 4);
  const following = follow(ready, "--json");
  const numbers: number[] = [];
  const readTo = async (page: number): Promise<void> => {
    numbers.push(...(await following.linesTo((line) => pageOf(line) === page)).map(pageOf));
  };
  await readTo(3);
  await requestPages(ready, 4, 150);
  await readTo(149);
  await runLine("reset");
  await requestPages(ready, 150, 160);
  await readTo(159);
  expect(numbers).toEqual(Array.from({ length: 159 }, (_, index) => index + 1));
  expect(await following.stop("SIGINT")).toBe(0);
  expect([following.lines, following.stderr]).toEqual([[], ""]);
});

test("requests --follow begins with the last entries and applies its filters", async () => {
  const { ready } = await openCommandLine();
  await requestPages(ready, 1, 4);
  const following = follow(ready, "--limit", "1", "--status", "200");
  expect(await following.line(() => true)).toContain("page=3");
  await call(ready, "/nothing");
  await requestPages(ready, 4, 5);
  expect(await following.line(() => true)).toContain("page=4");
  expect(await following.stop("SIGTERM")).toBe(0);
});

test("requests --follow ends when its output is closed or its sandbox ends", async () => {
  const running = await start(["--port", String(await freePort())]);
  await requestPages(running.ready, 1, 2);
  const [reader, closedReader] = [follow(running.ready), follow(running.ready)];
  await Promise.all([reader.line(() => true), closedReader.line(() => true)]);
  closedReader.child.stdout?.destroy();
  const exits = [reader, closedReader].map(({ child }) => new Promise((resolve) => child.once("close", resolve)));
  await requestPages(running.ready, 2, 3);
  expect(await exits[1]).toBe(0);
  await running.stop();
  expect(await exits[0]).toBe(1);
  expect(reader.stderr).toMatch(/^No sandbox responds at \S+: .*\n$/);
});

test.each(["SIGINT", "SIGTERM"] as const)(
  "requests --follow ends at the first %s, even in the middle of a response",
  async (signal) => {
    const unfinished = await serveUnfinished();
    const pendingResponse = unfinished.nextResponse();
    const following = launch(["requests", "--follow", "--url", unfinished.url]);
    await pendingResponse;
    expect(await following.stop(signal)).toBe(0);
    expect(following.stderr).toBe("");
  },
);
