import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer, Server } from "node:net";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ListenError } from "../../src/errors/control-error.ts";
import { type Listening, listen, Messages, originForm } from "../../src/server/listen.ts";
import { freePort } from "../support/free-port.ts";
import { hasIpv6 } from "../support/ipv6.ts";
import { until } from "../support/until.ts";

const messages = new Messages();

/** Listens until the end of the test. */
async function open(port: number, host?: string): Promise<Listening> {
  const listening = await listen((_request, response) => response.end("here"), { port, host, messages });
  onTestFinished(() => listening.close());
  return listening;
}

/** Makes the first `count` attempts to listen on a host fail with a code; returns the hosts of all attempts. */
function failOn(host: string, code: string, count = Infinity): string[] {
  const attempts: string[] = [];
  const original = Reflect.get(Server.prototype, "listen") as (...args: unknown[]) => Server;
  let remaining = count;
  vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...args: unknown[]) {
    const options = args[0] as { readonly port: number; readonly host: string };
    attempts.push(options.host);
    if (options.host !== host || remaining-- <= 0) return original.apply(this, args);
    process.nextTick(() => this.emit("error", Object.assign(new Error("told"), { code })));
    return this;
  });
  return attempts;
}

/** Sends a request to a port of each loopback address; returns the responses, or "none". */
async function requestBoth(port: number): Promise<string[]> {
  const urls = [`http://127.0.0.1:${port}`, `http://[::1]:${port}`];
  return Promise.all(
    urls.map((url) =>
      fetch(url).then(
        (response) => response.text(),
        () => "none",
      ),
    ),
  );
}

describe("without a host", () => {
  test.runIf(hasIpv6)("both loopback addresses get the same port", async () => {
    const { port } = await open(0);
    expect(port).toBeGreaterThan(0);
    expect(await requestBoth(port)).toEqual(["here", "here"]);
  });

  test.runIf(hasIpv6)("closing frees the port on both loopback addresses", async () => {
    const listening = await open(await freePort());
    expect(await requestBoth(listening.port)).toEqual(["here", "here"]);
    await Promise.all([listening.close(), listening.close()]);
    await listening.close();
    expect(await requestBoth(listening.port)).toEqual(["none", "none"]);
    expect((await open(listening.port)).port).toBe(listening.port);
  });

  test.runIf(hasIpv6)("a port in use on one loopback address is refused, and the other address is freed", async () => {
    for (const host of ["127.0.0.1", "::1"]) {
      const port = await freePort();
      const blocker = createServer((socket) => socket.destroy()).listen({ port, host, ipv6Only: true });
      await once(blocker, "listening");
      const attempts = failOn("nowhere", "");
      const listening = open(port);
      await expect(listening).rejects.toThrow(ListenError);
      await expect(listening).rejects.toMatchObject({
        code: "EADDRINUSE",
        message: expect.stringContaining(`on ${host}`),
      });
      await expect(listening).rejects.toThrow(`Port ${port} on ${host} is in use; choose another with --port`);
      expect(attempts).toEqual(host === "::1" ? ["127.0.0.1", "::1"] : ["127.0.0.1"]);
      blocker.close();
      await once(blocker, "close");
      await (await open(port)).close();
      vi.restoreAllMocks();
    }
  });

  test.runIf(hasIpv6)("a free port is one that is free on both addresses", async () => {
    const attempts = failOn("::1", "EADDRINUSE", 3);
    const { port } = await open(0);
    expect(attempts).toEqual(Array.from({ length: 4 }, () => ["127.0.0.1", "::1"]).flat());
    expect(await requestBoth(port)).toEqual(["here", "here"]);
  });

  test("ten free ports are tried at most", async () => {
    const attempts = failOn("::1", "EADDRINUSE");
    await expect(open(0)).rejects.toMatchObject({ name: "ListenError", code: "EADDRINUSE" });
    expect(attempts).toHaveLength(20);
  });

  test.each(["EADDRNOTAVAIL", "EAFNOSUPPORT"])("a machine without IPv6 (%s) listens only on IPv4", async (code) => {
    const attempts = failOn("::1", code);
    const { port } = await open(0);
    expect(attempts).toEqual(["127.0.0.1", "::1"]);
    expect(await requestBoth(port)).toEqual(["here", "none"]);
  });
});

test("a server that finishes responds to the requests under way, and accepts no others", async () => {
  const openResponses: ServerResponse[] = [];
  const options = { port: 0, host: "127.0.0.1", messages };
  const listening = await listen((_request, response) => void openResponses.push(response), options);
  onTestFinished(() => listening.close());
  const pendingResponses = requestBoth(listening.port);
  await until(() => openResponses.length === 1);
  const pendingFinish = listening.finish();
  expect(await requestBoth(listening.port)).toEqual(["none", "none"]);
  openResponses[0]?.end("here");
  expect(await pendingResponses).toEqual(["here", "none"]);
  await pendingFinish;
});

test("a server listens only at its host, and refuses an address of another machine", async () => {
  const { port } = await open(0, "127.0.0.1");
  expect(await requestBoth(port)).toEqual(["here", "none"]);
  const listening = open(0, "192.0.2.1");
  await expect(listening).rejects.toMatchObject({ name: "ListenError", code: "EADDRNOTAVAIL" });
  await expect(listening).rejects.toThrow("192.0.2.1 is not an address of this machine; choose one with --host.");
});

test.each([
  ["/", "/"],
  ["/a?b=http://c/d", "/a?b=http://c/d"],
  ["//localhost/a", "//localhost/a"],
  ["http://localhost/a?b", "/a?b"],
  ["HTTPS://localhost:80/a", "/a"],
  ["svn+ssh.v-2://localhost/a", "/a"],
  ["http://localhost", "/"],
  ["http://localhost?a=/b", "/?a=/b"],
  ["http://localhost#a", "/#a"],
  ["", "/"],
  ["*", "/*"],
  ["a/http://b/c", "/a/http://b/c"],
  ["1http://localhost/a", "/1http://localhost/a"],
])("the request target %j is the path %j", (target, path) => {
  expect(originForm(target)).toBe(path);
});
