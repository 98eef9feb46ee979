import { describe, expect, test } from "vitest";
import type { Environment, FaultRule, Sandbox } from "../../src/public/control.ts";
import { exchange } from "../server/exchange.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";
import { until } from "../support/until.ts";

const whole = `/investments/${known.whole}`;

/** The head and the bytes after it of each response of a connection, as they came until it ended. */
async function rawResponse({ url }: Sandbox, ...requests: string[]): Promise<string[]> {
  const headers = `Host: localhost\r\nAuthorization: Bearer ${known.keys.partner}\r\n\r\n`;
  const written = requests.map((request) => `${request.replace(" ", " /api/v1")} HTTP/1.1\r\n${headers}`);
  return (await exchange(url, written.join(""))).split(/(?=HTTP\/1\.1 )/);
}

const bodyOf = (response = ""): string => response.slice(response.indexOf("\r\n\r\n") + 4);

async function lastRequest(sandbox: Environment) {
  return (await sandbox.requests.list({ limit: 1 })).data[0];
}

describe("spoiled responses", () => {
  test.each([0, Math.PI / 10, 0.5, 1])(
    "a fault cuts the true response off after a share of its body: %d",
    async (truncate) => {
      const sandbox = await openControl();
      const { text, headers } = await read(sandbox, whole);
      const length = Math.floor(text.length * truncate);
      const { id } = await sandbox.faults.add({ truncate, times: 1 });
      // A second request on the same connection gets no response.
      const responses = await rawResponse(sandbox, `GET ${whole}`, `GET ${whole}`);
      expect(responses).toHaveLength(1);
      expect(responses[0]).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(responses[0]).toContain(`Content-Length: ${headers.get("content-length")}\r\n`);
      expect(bodyOf(responses[0])).toBe(text.slice(0, length));
      expect((await sandbox.requests.list()).data[1]).toMatchObject({
        status: 200,
        connection: "truncated",
        fault_id: id,
        hints: [`the fault sends ${length} of ${text.length} bytes of the body, then ends the connection`],
      });
    },
  );

  test("a fault lets the true response drip: it comes whole, in pieces", async () => {
    const sandbox = await openControl();
    const { text } = await read(sandbox, whole);
    const { id } = await sandbox.faults.add({ drip: { bytes: 100, every: "1ms" } });
    expect((await read(sandbox, whole)).text).toBe(text);
    const pieces = Math.ceil(text.length / 100);
    expect(await lastRequest(sandbox)).toMatchObject({
      status: 200,
      fault_id: id,
      hints: [`the fault sends the body of ${text.length} bytes in ${pieces} pieces, one every 1 ms`],
    });
  });

  test("errors of the service are spoiled too, and a HEAD meets no such fault", async () => {
    const sandbox = await openControl({ rateLimit: 0 });
    await sandbox.faults.add({ truncate: 0.5, times: 1 });
    await sandbox.faults.add({ drip: { bytes: 1, every: "10m" }, times: 1 });
    const unknown = await rawResponse(sandbox, `HEAD ${whole}`, `HEAD ${whole}`, `GET /investments/${known.unknown}`);
    expect(unknown.map((response) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1])).toEqual(["200", "200", "404"]);
    expect(unknown.map(bodyOf).map(({ length }) => length > 0)).toEqual([false, false, true]);
    expect(() => JSON.parse(bodyOf(unknown[2]))).toThrow(SyntaxError);
    const { data } = await sandbox.requests.list();
    expect(data.map(({ fault_id }) => fault_id !== null)).toEqual([false, false, true]);
  });
});

const leftEarly = /^the connection ended after 10 of \d+ bytes$/;

test("a drip ends as soon as its client leaves, or the sandbox closes", async () => {
  const sandbox = await openControl();
  await sandbox.faults.add({ drip: { bytes: 10, every: "10m" } });
  const headers = { authorization: `Bearer ${known.keys.partner}` };
  const leaving = new AbortController();
  const left = await fetch(sandbox.baseUrl + whole, { headers, signal: leaving.signal });
  const stayed = await fetch(sandbox.baseUrl + whole, { headers });
  const reader = stayed.body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(10);
  const { data, waiting } = await sandbox.requests.list();
  expect(data.map(({ status }) => status)).toEqual([200, 200]);
  expect(waiting.map(({ path }) => path)).toEqual([`/api/v1${whole}`, `/api/v1${whole}`]);
  leaving.abort();
  await expect(left.text()).rejects.toThrow("aborted");
  await until(async () => (await sandbox.requests.list()).waiting.length === 1);
  const [over, still] = (await sandbox.requests.list()).data;
  expect(over).toMatchObject({
    id: 1,
    digest: still?.digest,
    hints: [still?.hints[0], expect.stringMatching(leftEarly)],
  });
  const broken = expect(reader?.read()).rejects.toThrow("terminated");
  await sandbox.close();
  await broken;
});

test("a scenario plays faults that spoil the response, and a snapshot has them", async () => {
  const sandbox = await openControl();
  const steps: { after: string; fault: FaultRule }[] = [
    { after: "0s", fault: { truncate: 0, for: "1h" } },
    { after: "1h", fault: { drip: { bytes: 50, every: 1 }, delay: 1 } },
  ];
  await sandbox.play({ investment: known.whole, steps });
  await sandbox.restore(await sandbox.snapshot());
  await expect(read(sandbox, whole)).rejects.toThrow("terminated");
  await sandbox.clock.advance("1h");
  expect((await read(sandbox, whole)).status).toBe(200);
  const hints = (await sandbox.requests.list()).data.flatMap((entry) => entry.hints);
  expect(hints.map((hint) => hint.replaceAll(/\d+/g, "n"))).toEqual([
    "the fault sends n of n bytes of the body, then ends the connection",
    "the fault sends the body of n bytes in n pieces, one every n ms",
  ]);
  expect((await sandbox.timeline()).map(({ summary }) => summary)).toEqual([
    "Fault begins: body cut off after 0 %",
    "Fault begins: delay 1 ms, body in pieces of 50 bytes, one every 1 ms",
  ]);
});
