import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

const megabyte = 1024 * 1024;
const json = "Content-Type: application/json";

/** A connection to a sandbox that collects the responses. */
class Client {
  readonly socket: Socket;
  response = "";

  constructor(url: string, allowHalfOpen = false) {
    this.socket = connect({ port: Number(new URL(url).port), host: "127.0.0.1", allowHalfOpen });
    this.socket.setEncoding("latin1").on("data", (text: string) => (this.response += text));
    this.socket.on("error", () => {});
  }

  send(call: string, ...headers: string[]): void {
    this.socket.write([`${call} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n"));
  }

  chunk(bytes: number): void {
    this.socket.write(`${bytes.toString(16)}\r\n${" ".repeat(bytes)}\r\n`);
  }
}

/** Paths with a body, each with its limit in MB. */
const limits = [
  ["/__admin/clock", 5],
  ["/__admin/snapshot", 64],
] as const;

describe("a body over its limit gets a 413 as soon as the limit is exceeded", () => {
  test("a body of exactly 5 MB is read", async () => {
    const { sandbox } = await openSandbox();
    const request = { method: "PUT", headers: { "content-type": "application/json" } };
    const body = '{"speed": 1}'.padEnd(5 * megabyte);
    expect((await fetch(`${sandbox.adminUrl}/clock`, { ...request, body })).status).toBe(200);
  });

  test.each(limits)("%s, with a declared length of more than %i MB, or in chunks", async (path, limit) => {
    const { sandbox } = await openSandbox();
    const [declared, chunked] = [new Client(sandbox.url), new Client(sandbox.url)];
    declared.send(`PUT ${path}`, json, `Content-Length: ${limit * megabyte + 1}`);
    chunked.send(`PUT ${path}`, json, "Transfer-Encoding: chunked");
    for (let sentMegabytes = 0; sentMegabytes < limit; sentMegabytes++) chunked.chunk(megabyte);
    chunked.chunk(1);
    for (const client of [declared, chunked]) {
      await until(() => /^HTTP\/1\.1 413 [^]*body_too_large/.test(client.response));
      client.socket.destroy();
    }
  });
});

test.each([
  ["PUT", "/snapshot", (snapshot: object) => snapshot],
  ["POST", "/environments", (snapshot: object) => ({ snapshot })],
  ["POST", "/replay", (snapshot: object) => ({ snapshot })],
])("%s %s takes a snapshot of more than 5 MB, of a declared length", async (method, path, bodyOf) => {
  const { sandbox } = await openSandbox();
  const text = JSON.stringify(bodyOf(await sandbox.snapshot()));
  const body = text + " ".repeat(6 * megabyte);
  const request = { method, headers: { "content-type": "application/json" }, body };
  const { ok, status } = await fetch(`${sandbox.adminUrl}${path}`, request);
  expect([ok, status]).toEqual([true, path === "/environments" ? 201 : 200]);
});

test("a body sent with Expect: 100-continue gets 100, is read, and leaves the connection open", async () => {
  const { sandbox } = await openSandbox();
  const client = new Client(sandbox.url);
  const body = '{"speed": 2}';
  for (const _ of [1, 2]) {
    client.response = "";
    client.send("PUT /__admin/clock", json, "Expect: 100-continue", `Content-Length: ${body.length}`);
    await until(() => client.response !== "");
    expect(client.response).toBe("HTTP/1.1 100 Continue\r\n\r\n");
    client.socket.write(body);
    await until(() => client.response.endsWith("}"));
    expect(client.response).toMatch(/\r\n\r\nHTTP\/1\.1 200 [^]*"speed":2/);
  }
  client.socket.destroy();
});

describe("a client that is still sending a refused body", () => {
  test.each([
    ["/__admin/clock", 413],
    ["/__admin/snapshot", 415],
    ["/__admin/nothing", 404],
    ["/api/v1/offerings", 401],
  ])("to %s reads the response with fetch", async (path, status) => {
    const { sandbox } = await openSandbox();
    const headers = { "content-type": status === 413 ? "application/json" : "text/plain" };
    const body = Buffer.alloc(8 * megabyte, " ");
    for (let time = 0; time < 3; time++) {
      expect((await fetch(sandbox.url + path, { method: "PUT", headers, body })).status).toBe(status);
    }
  });

  test("reads the response even if it sends the whole body first, and may continue", async () => {
    const { sandbox } = await openSandbox();
    const client = new Client(sandbox.url);
    client.socket.pause();
    client.send("PUT /__admin/clock", json, `Content-Length: ${12 * megabyte}`);
    await new Promise((resolve) => client.socket.write(" ".repeat(12 * megabyte), resolve));
    client.send("GET /__admin/health");
    client.socket.resume();
    await until(() => /^HTTP\/1\.1 413 [^]*HTTP\/1\.1 200 /.test(client.response));
    client.socket.destroy();
  });

  test("that breaks off gets no response, and leaves the sandbox running", async () => {
    const { sandbox } = await openSandbox();
    const client = new Client(sandbox.url);
    client.send("PUT /__admin/clock", json, "Content-Length: 12");
    client.socket.write('{"speed"');
    client.socket.destroy();
    expect((await fetch(`${sandbox.adminUrl}/health`)).status).toBe(200);
    expect((await sandbox.clock.get()).speed).toBe(0);
  });

  test("does not prevent a sandbox from closing", async () => {
    const { sandbox } = await openSandbox();
    const client = new Client(sandbox.url, true);
    client.send("PUT /__admin/clock", json, "Content-Length: 90000000");
    await until(() => client.response.startsWith("HTTP/1.1 413 "));
    await sandbox.close();
    client.socket.destroy();
  });
});
