import { describe, expect, test } from "vitest";
import type { Environment, FaultRule, Sandbox } from "../../src/public/control.ts";
import { exchange } from "../server/exchange.ts";
import { known } from "../support/sandbox.ts";
import { openControl, read } from "../support/sandboxes.ts";
import { until } from "../support/until.ts";

const wholePath = `/investments/${known.whole}`;

/** The head and the bytes after it of each response of a connection, as they came until it ended. */
async function rawResponse({ url }: Sandbox, ...requests: string[]): Promise<string[]> {
  const headers = `Host: localhost\r\nAuthorization: Bearer ${known.keys.partner}\r\n\r\n`;
  const rawRequests = requests.map((request) => `${request.replace(" ", " /api/v1")} HTTP/1.1\r\n${headers}`);
  return (await exchange(url, rawRequests.join(""))).split(/(?=HTTP\/1\.1 )/);
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
      const { text, headers } = await read(sandbox, wholePath);
      const length = Math.floor(text.length * truncate);
      const { id } = await sandbox.faults.add({ truncate, times: 1 });
      // A second request on the same connection gets no response.
      const responses = await rawResponse(sandbox, `GET ${wholePath}`, `GET ${wholePath}`);
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

  test("a fault sends the true response in pieces, and the client gets all of it", async () => {
    const sandbox = await openControl();
    const { text } = await read(sandbox, wholePath);
    const { id } = await sandbox.faults.add({ drip: { bytes: 100, every: "1ms" } });
    expect((await read(sandbox, wholePath)).text).toBe(text);
    const pieces = Math.ceil(text.length / 100);
    expect(await lastRequest(sandbox)).toMatchObject({
      status: 200,
      fault_id: id,
      hints: [`the fault sends the body of ${text.length} bytes in ${pieces} pieces, one every 1 ms`],
    });
  });

  test("faults that spoil a body apply to errors too, and not to responses to HEAD", async () => {
    const sandbox = await openControl({ rateLimit: 0 });
    await sandbox.faults.add({ truncate: 0.5, times: 1 });
    await sandbox.faults.add({ drip: { bytes: 1, every: "10m" }, times: 1 });
    const responses = await rawResponse(
      sandbox,
      `HEAD ${wholePath}`,
      `HEAD ${wholePath}`,
      `GET /investments/${known.unknown}`,
    );
    expect(responses.map((response) => /^HTTP\/1\.1 (\d+)/.exec(response)?.[1])).toEqual(["200", "200", "404"]);
    expect(responses.map(bodyOf).map(({ length }) => length > 0)).toEqual([false, false, true]);
    expect(() => JSON.parse(bodyOf(responses[2]))).toThrow(SyntaxError);
    const { data } = await sandbox.requests.list();
    expect(data.map(({ fault_id }) => fault_id !== null)).toEqual([false, false, true]);
  });
});

const leftEarly = /^the connection ended after 10 of \d+ bytes$/;

test("a drip ends as soon as its client leaves, or the sandbox closes", async () => {
  const sandbox = await openControl();
  await sandbox.faults.add({ drip: { bytes: 10, every: "10m" } });
  const headers = { authorization: `Bearer ${known.keys.partner}` };
  const abortController = new AbortController();
  const abortedResponse = await fetch(sandbox.baseUrl + wholePath, { headers, signal: abortController.signal });
  const openResponse = await fetch(sandbox.baseUrl + wholePath, { headers });
  const reader = openResponse.body?.getReader();
  expect((await reader?.read())?.value).toHaveLength(10);
  const { data, waiting } = await sandbox.requests.list();
  expect(data.map(({ status }) => status)).toEqual([200, 200]);
  expect(waiting.map(({ path }) => path)).toEqual([`/api/v1${wholePath}`, `/api/v1${wholePath}`]);
  abortController.abort();
  await expect(abortedResponse.text()).rejects.toThrow("aborted");
  await until(async () => (await sandbox.requests.list()).waiting.length === 1);
  const [endedEntry, openEntry] = (await sandbox.requests.list()).data;
  expect(endedEntry).toMatchObject({
    id: 1,
    digest: openEntry?.digest,
    hints: [openEntry?.hints[0], expect.stringMatching(leftEarly)],
  });
  const pendingFailure = expect(reader?.read()).rejects.toThrow("terminated");
  await sandbox.close();
  await pendingFailure;
});

test("a scenario plays faults that spoil the response, and a snapshot has them", async () => {
  const sandbox = await openControl();
  const steps: { after: string; fault: FaultRule }[] = [
    { after: "0s", fault: { truncate: 0, for: "1h" } },
    { after: "1h", fault: { drip: { bytes: 50, every: 1 }, delay: 1 } },
  ];
  await sandbox.play({ investment: known.whole, steps });
  await sandbox.restore(await sandbox.snapshot());
  await expect(read(sandbox, wholePath)).rejects.toThrow("terminated");
  await sandbox.clock.advance("1h");
  expect((await read(sandbox, wholePath)).status).toBe(200);
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
