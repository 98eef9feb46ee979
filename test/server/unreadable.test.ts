import { expect, test } from "vitest";
import type { RequestEntry } from "../../src/public/control.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { exchange } from "./exchange.ts";

const target = `/api/v1/offerings/${known.aurora}/investments`;
const requestWithSpace = `GET ${target}?create_date[gte]=2026-01-15 12:00 HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test.for([
  ["a space in the target", requestWithSpace, 400, "Its target has a space; write it as %20."],
  ["no version", `GET ${target} \r\n\r\n`, 400, ""],
  ["another protocol", `GET ${target} SSH/1.1\r\n\r\n`, 400, ""],
  ["a header without a name", `GET ${target} HTTP/1.1\r\n: x\r\n\r\n`, 400, ""],
  ["a control character in a header", `GET ${target} HTTP/1.1\r\nHost: localhost\r\nX: \u0001\r\n\r\n`, 400, ""],
  ["two lengths", `GET ${target} HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, ""],
  ["too many headers", `GET ${target} HTTP/1.1\r\nX: ${"x".repeat(70_000)}\r\n\r\n`, 431, "more than 64 KB"],
] as const)(
  "a request with %s is refused with its reason, in the log and the journal",
  async ([, text, status, why]) => {
    const entries: RequestEntry[] = [];
    const { sandbox } = await openSandbox({ onRequest: (entry) => void entries.push(entry) });
    const [head = "", body = ""] = (await exchange(sandbox.url, text)).split("\r\n\r\n");
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} .*\r\n`));
    expect(head).toContain("Content-Type: application/problem+json");
    expect(head).toContain("Connection: close");
    const { detail, code } = JSON.parse(body) as Record<string, string>;
    expect([code, detail]).toEqual(["invalid", expect.stringMatching(/^The request cannot be read\. ./)]);
    expect(detail).toContain(why);
    const entry = { method: "GET", status, code: "invalid", hints: [detail], path: expect.stringContaining(target) };
    expect(entries).toMatchObject(status === 431 ? [{ status }] : [entry]);
    if (status !== 431) expect((await sandbox.requests.list()).data).toMatchObject([entry]);
    expect(await sandbox.replay(await sandbox.snapshot())).toMatchObject({ different: 0 });
  },
);

test("input that is not a request is one line in the log, without a key from it", async () => {
  const entries: RequestEntry[] = [];
  const { sandbox } = await openSandbox({ onRequest: (entry) => void entries.push(entry) });
  const key = known.keys.partner;
  expect(await exchange(sandbox.url, `${key}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
  expect(await exchange(sandbox.url, `GET /${key} ${key} HTTP/1.1\r\nX: ${key}\r\n\r\n`)).not.toContain(key);
  expect(entries).toMatchObject([
    { method: "-", path: "/", status: 400 },
    { method: "GET", status: 400 },
  ]);
  expect(JSON.stringify([entries, await sandbox.requests.list()])).not.toContain(key);
});

test("60 KB of headers are read, and a connection that ends is not logged", async () => {
  const entries: RequestEntry[] = [];
  const { sandbox } = await openSandbox({ onRequest: (entry) => void entries.push(entry) });
  const authorization = `Authorization: Bearer ${known.keys.partner}`;
  const head = `GET /api/v1/offerings/${known.aurora} HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\nConnection: close\r\n`;
  expect(await exchange(sandbox.url, `${head}X: ${"x".repeat(60_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
  expect(entries).toMatchObject([{ status: 200 }]);
});
