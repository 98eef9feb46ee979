import type { Response } from "express";
import { connect } from "node:net";
import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { sendLarge } from "../../src/admin/admin-router.ts";
import { inputLimits } from "../../src/bounds/bounds.ts";
import { until } from "../support/until.ts";
import { openAdmin } from "./admin.ts";

const noop = (): void => {};
const longest = "x".repeat(inputLimits.text);

describe("a string that a command stores has 10,000 characters at most", () => {
  const calls = {
    "the description of an event": (text: string) => ({ events: [{ event: "A", action: "B", description: text }] }),
    "the action of an event": (text: string) => ({ events: [{ event: "A", action: text }] }),
    "the name of an investor": (text: string) => ({ investors: [{ first_name: text }] }),
    "a status": (text: string) => ({ status: text }),
    "the category of a payment": (text: string) => ({ payments: [{ amount: 1, category: text }] }),
    "the phone number of a signing party": (text: string) => ({ signing_parties: [{ phone_number: text }] }),
  } as const;
  test.each(Object.entries(calls))("%s", async (_name, body) => {
    const { admin } = await openAdmin({ assumptions: { "investment.statuses": "any" } });
    expect(await admin("POST /investments", JSON.stringify(body(longest)))).toMatchObject({ status: 201 });
    const refusal = await admin("POST /investments", JSON.stringify(body(`${longest}x`)));
    expect(refusal).toMatchObject({ status: 400 });
    expect(refusal.json.detail).toMatch(/ is "…+"; expected a string of at most 10,000 characters\.$/);
  });

  test("an email address is refused if it is longer than addresses can be", async () => {
    const { admin } = await openAdmin();
    const { json } = await admin("POST /investments", `{"investors":[{"email":"${"a".repeat(300)}@example.com"}]}`);
    expect(json.detail).toContain("expected an email address");
  });
});

describe("a snapshot of many megabytes", () => {
  const openLarge = async () => {
    const testAdmin = await openAdmin();
    const events = Array.from({ length: 100 }, () => ({ event: "A", action: "B", description: longest }));
    for (let time = 0; time < 10; time++) await testAdmin.admin("POST /investments", JSON.stringify({ events }));
    return testAdmin;
  };

  test("is sent whole, is the one that the library makes, and can be restored", async () => {
    const { admin, sandbox } = await openLarge();
    const { status, text, json } = await admin("GET /snapshot");
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(9_000_000);
    expect(json["content"]).toEqual((await sandbox.snapshot())["content"]);
    expect(await admin("PUT /snapshot", text)).toMatchObject({ status: 200 });
  });

  test("yields to other work, and arrives whole at a client that reads late", async () => {
    const { sandbox } = await openLarge();
    let turnCount = 0;
    let isOver = false;
    const count = (): void => {
      turnCount++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    await sandbox.snapshot();
    isOver = true;
    expect(turnCount).toBeGreaterThan(1);
    const { hostname, port } = new URL(sandbox.url);
    const socket = connect(Number(port), hostname).pause();
    socket.write(`GET /__admin/snapshot HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
    await until(() => expect(socket.bytesWritten).toBeGreaterThan(0));
    let receivedBytes = 0;
    // A client that reads late gets all of it.
    socket.on("data", (chunk) => void (receivedBytes += chunk.length)).resume();
    await until(() => expect(receivedBytes).toBeGreaterThan(9_000_000));
    socket.destroy();
  });
});

test("eight large responses are made at once; a further one is refused until one has ended", async () => {
  let finish: (response: object) => void = () => {};
  const pending = new Promise<object>((resolve) => (finish = resolve));
  const send = (makeDocument: () => Promise<object>) => {
    const response = new PassThrough().resume();
    return sendLarge(Object.assign(response, { type: noop, setTimeout: noop }) as unknown as Response, makeDocument);
  };
  // The responses of other tests have ended.
  await until(() => Promise.all(Array.from({ length: 8 }, () => send(async () => ({})))));
  const pendingResponses = Array.from({ length: 8 }, () => send(() => pending));
  const makeDocument = vi.fn(async () => ({}));
  await expect(send(makeDocument)).rejects.toMatchObject({
    code: "conflict",
    message: "8 large responses are being sent; repeat the call when one has ended.",
  });
  expect(makeDocument).not.toHaveBeenCalled();
  finish({});
  await Promise.all(pendingResponses);
  await send(makeDocument);
  expect(makeDocument).toHaveBeenCalledOnce();
  await expect(send(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await Promise.all(Array.from({ length: 8 }, () => send(makeDocument)));
});
