import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import type { Sandbox } from "../../src/public/control.ts";
import type { RequestEntry } from "../../src/public/requests.ts";
import { known } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { openControl, read } from "../support/sandboxes.ts";

const wholePath = `/investments/${known.whole}`;

/** Collects, from the log, the statuses of requests for the investment, or the end of their connection. */
function collectOutcomes() {
  const outcomes: unknown[] = [];
  const onRequest = ({ status, connection, path }: RequestEntry): void => {
    if (path.endsWith(wholePath)) outcomes.push(status ?? connection);
  };
  return { outcomes, onRequest };
}

/** Sends several requests over one connection without waiting for responses. */
function pipeline({ url }: Sandbox, ...paths: string[]) {
  const socket = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {});
  const pendingClose = new Promise((resolve) => socket.once("close", resolve));
  const headers = `Host: localhost\r\nAuthorization: Bearer ${known.keys.partner}\r\n\r\n`;
  socket.write(paths.map((path) => `GET /api/v1${path} HTTP/1.1\r\n${headers}`).join(""));
  return { socket, pendingClose };
}

describe("faults", () => {
  test("a fault responds with a status, headers and a body", async () => {
    const sandbox = await openControl();
    const rule = {
      respond: { status: 503, headers: { "Retry-After": 7, "X-Why": "maintenance" }, body: { wait: true } },
    };
    const fault = await sandbox.faults.add(rule);
    expect(fault).toEqual({
      id: expect.any(String),
      summary: "every request: status 503 (Retry-After: 7, X-Why: maintenance, a body)",
      warning: null,
      ...rule,
      used: 0,
      active: true,
      from: "2026-01-15T12:00:00.000Z",
      until: null,
    });
    const { status, headers, json } = await read(sandbox, wholePath);
    expect([status, headers.get("retry-after"), headers.get("x-why"), json]).toEqual([
      503,
      "7",
      "maintenance",
      { wait: true },
    ]);
    expect(await sandbox.faults.list()).toEqual([{ ...fault, used: 1 }]);
    expect((await sandbox.requests.list()).data).toMatchObject([
      { status: 503, code: null, fault_id: fault.id, assumptions: [], retry_after_seconds: 7 },
    ]);
  });

  test.each([-1, "1e20", "123456789012345678", "soon"])(
    "the invalid Retry-After %s is sent, and recorded as null",
    async (value) => {
      const sandbox = await openControl();
      await sandbox.faults.add({ respond: { status: 503, headers: { "Retry-After": value } } });
      expect((await read(sandbox, wholePath)).headers.get("retry-after")).toBe(String(value));
      expect((await sandbox.requests.list()).data).toMatchObject([{ status: 503, retry_after_seconds: null }]);
    },
  );

  test("a body is sent as it is, with its media type", async () => {
    const sandbox = await openControl();
    const plainText = "text/plain; charset=utf-8";
    for (const [respond, contentType, text] of [
      [{ status: 503, body: { wait: [1] } }, "application/json; charset=utf-8", '{"wait":[1]}'],
      [{ status: 200, body: null }, "application/json; charset=utf-8", "null"],
      [{ status: 500, body: "<h1>Oops</h1>" }, plainText, "<h1>Oops</h1>"],
      [{ status: 503, body: "" }, null, ""],
      [{ status: 204 }, null, ""],
      [{ status: 200, body: "<p>", headers: { "Content-Type": "text/html" } }, "text/html", "<p>"],
      [{ status: 200, body: "<p>", headers: { "Content-Type": "" } }, "", "<p>"],
    ] as const) {
      await sandbox.faults.add({ respond, times: 1 });
      const response = await read(sandbox, wholePath);
      expect([response.status, response.headers.get("content-type"), response.text]).toEqual([
        respond.status,
        contentType,
        text,
      ]);
    }
    expect((await read(sandbox, wholePath)).status).toBe(200);
  });

  test("a change of the timeline says which requests a fault applies to, and what it does to them", async () => {
    const sandbox = await openControl();
    const rules = [
      { share: 0.2, respond: { status: 503 } },
      { match: { method: "GET", path: "/offerings/*" }, delay: "1s..3s", times: 2 },
    ] as const;
    for (const rule of rules) await sandbox.play({ steps: [{ fault: { ...rule, for: "1m" } }] });
    expect((await sandbox.timeline()).flatMap(({ kind, summary }) => (kind === "new_fault" ? summary : []))).toEqual([
      "Fault begins for 20 % of requests: status 503",
      "Fault begins for GET /offerings/*: delay 1 s to 3 s, 2 times",
    ]);
  });

  test("later changes of a body object do not change the fault", async () => {
    const sandbox = await openControl();
    const body = { since: new Date(0), list: [1] };
    await sandbox.faults.add({ respond: { status: 500, body } });
    body.list.push(2);
    expect((await read(sandbox, wholePath)).json).toEqual({ since: "1970-01-01T00:00:00.000Z", list: [1] });
  });

  test.each(["reset", "empty"] as const)("a fault ends the connection: %s", async (connection) => {
    const { outcomes, onRequest } = collectOutcomes();
    const sandbox = await openControl({ onRequest });
    await sandbox.faults.add({ connection, times: 1 });
    await expect(read(sandbox, wholePath)).rejects.toThrow("fetch failed");
    expect((await read(sandbox, wholePath)).status).toBe(200);
    await until(() => expect(outcomes).toEqual([connection, 200]));
    const { data } = await sandbox.requests.list();
    expect(data).toMatchObject([
      { status: null, connection, code: null },
      { status: 200, connection: null },
    ]);
  });

  test.each([
    { delay: "10m" },
    { delay: "10m", respond: { status: 503 } },
    { delay: "10m", connection: "empty" as const },
  ])("a delayed request ends when its client leaves: %o", async (fault) => {
    const { outcomes, onRequest } = collectOutcomes();
    const sandbox = await openControl({ onRequest });
    await sandbox.faults.add(fault);
    const abortController = new AbortController();
    const pendingFailure = expect(
      fetch(sandbox.baseUrl + wholePath, {
        signal: abortController.signal,
        headers: { authorization: `Bearer ${known.keys.partner}` },
      }),
    ).rejects.toThrow("aborted");
    await until(async () => expect(await sandbox.faults.list()).toMatchObject([{ used: 1 }]));
    abortController.abort();
    await pendingFailure;
    await until(async () => {
      expect((await sandbox.requests.list()).data).toMatchObject([{ status: null, connection: null }]);
      expect(outcomes).toEqual([null]);
    });
  });

  test("a read does not count for a scenario if its client left before the response", async () => {
    const sandbox = await openControl();
    const steps = [{ after_reads: 1, investment: { step: "COUNTERSIGN" } }];
    const { id } = await sandbox.play({ investment: known.whole, steps });
    await sandbox.faults.add({ delay: "10m", times: 1 });
    const { socket } = pipeline(sandbox, wholePath);
    await until(async () => expect(await sandbox.faults.list()).toMatchObject([{ used: 1 }]));
    socket.destroy();
    await until(async () => expect((await sandbox.requests.list()).data).toMatchObject([{ status: null }]));
    expect(await sandbox.runs.list()).toMatchObject([{ id, status: "waiting" }]);
    await read(sandbox, wholePath);
    expect(await sandbox.runs.list()).toMatchObject([{ id, status: "finished" }]);
  });

  test("pipelined requests behind a delayed one end with the connection", async () => {
    const { outcomes, onRequest } = collectOutcomes();
    const sandbox = await openControl({ onRequest });
    await sandbox.faults.add({ delay: "10m" });
    const { socket } = pipeline(sandbox, wholePath, wholePath, wholePath);
    await until(async () => expect(await sandbox.faults.list()).toMatchObject([{ used: 3 }]));
    socket.destroy();
    await until(() => expect(outcomes).toEqual([null, null, null]));
  });

  test.each(["reset", "empty"] as const)(
    "a fault that ends a connection ends the pipelined requests on it: %s",
    async (connection) => {
      const { outcomes, onRequest } = collectOutcomes();
      const sandbox = await openControl({ onRequest });
      await sandbox.faults.add({ delay: "10m", times: 1 });
      await sandbox.faults.add({ connection, times: 1 });
      const { pendingClose } = pipeline(sandbox, wholePath, wholePath);
      await pendingClose;
      await until(() => expect(outcomes).toEqual([connection, null]));
    },
  );
});

test("the bodies of faults are limited in size, each and in total", async () => {
  const sandbox = await openControl();
  const addFault = (length: number) => sandbox.faults.add({ respond: { status: 500, body: "x".repeat(length) } });
  await expect(addFault(1_000_000)).rejects.toThrow(
    /respond\.body is .*…".*; expected a value that JSON can hold in 1,000,000/,
  );
  for (let index = 0; index < 10; index++) await addFault(990_000);
  await expect(addFault(990_000)).rejects.toMatchObject({
    code: "conflict",
    message: "All faults together may have 10,000,000 characters; remove some.",
  });
  await sandbox.faults.remove((await sandbox.faults.list())[0]?.id);
  await addFault(990_000);
});

test("faults are limited in number; exhausted ones do not count", async () => {
  const sandbox = await openControl({ rateLimit: 0 });
  const addFault = () => sandbox.faults.add({ respond: { status: 503 }, times: 1 });
  for (let index = 0; index < 1000; index++) await addFault();
  await expect(addFault()).rejects.toMatchObject({
    code: "conflict",
    message: "There are 1000 faults already; remove some.",
  });
  expect((await read(sandbox, wholePath)).status).toBe(503);
  await addFault();
  await expect(addFault()).rejects.toThrow("There are 1000 faults already");
});
