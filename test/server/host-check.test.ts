import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { isLoopback } from "../../src/text/origin.ts";
import { createHostCheck, isWildcard, urlHost } from "../../src/server/host-check.ts";

test.each([
  ["localhost", true, false, "localhost"],
  ["localhost.", true, false, "localhost."],
  ["a.b.localhost", true, false, "a.b.localhost"],
  ["127.0.0.1", true, false, "127.0.0.1"],
  ["127.9.8.7", true, false, "127.9.8.7"],
  ["::1", true, false, "[::1]"],
  ["alocalhost", false, false, "alocalhost"],
  ["localhost.evil.example", false, false, "localhost.evil.example"],
  ["evil.example/.localhost", false, false, "evil.example/.localhost"],
  ["localhost..", false, false, "localhost.."],
  ["127.evil.example", false, false, "127.evil.example"],
  ["128.0.0.1", false, false, "128.0.0.1"],
  ["::2", false, false, "[::2]"],
  ["0.0.0.0", false, true, "0.0.0.0"],
  ["::", false, true, "[::]"],
  ["", false, true, ""],
])("%j: is loopback %s, is a wildcard %s, in a URL %s", (host, loopback, wildcard, inUrl) => {
  expect([isLoopback(host), isWildcard(host), urlHost(host)]).toEqual([loopback, wildcard, inUrl]);
});

describe("the Host check admits names of this machine and allowed ones", () => {
  const ownHosts = ["sandbox", "Sandbox:4120", "localhost", "127.0.0.1:4120", "[::1]:4120", undefined];
  const addressHosts = ["10.1.2.3:4120", "[fe80::1]", "[fe80::1]:4120"];
  const foreignHosts = [
    "evil.example",
    "sandbox.evil.example",
    "[sandbox",
    "[::1]x",
    "[::1]:x",
    "sandbox:x",
    "",
    ":4120",
  ];
  test.each([
    [undefined, ownHosts, [...addressHosts, ...foreignHosts]],
    ["10.1.2.3", [...ownHosts, "10.1.2.3"], [...addressHosts.slice(1), ...foreignHosts]],
    ["Box.example", [...ownHosts, "box.EXAMPLE:1"], [...addressHosts, ...foreignHosts]],
    ["0.0.0.0", [...ownHosts, ...addressHosts], foreignHosts.slice(0, -2)],
    ["::", [...ownHosts, ...addressHosts], foreignHosts.slice(0, -2)],
    ["", [...ownHosts, ...addressHosts], foreignHosts.slice(0, -2)],
  ])("of a server bound to %j", (bound, admittedHosts, refusedHosts) => {
    const check = createHostCheck(bound, ["SANDBOX"]);
    const checkHost = (host: string | undefined): unknown => {
      try {
        return check({ headers: { host } } as IncomingMessage);
      } catch (error) {
        return error;
      }
    };
    const refusal = { status: 403, code: "host_not_allowed", message: expect.stringContaining("--allowed-hosts") };
    for (const host of [...admittedHosts, ...admittedHosts]) {
      expect([host, checkHost(host)]).toEqual([host, undefined]);
      for (const refusedHost of refusedHosts)
        expect([refusedHost, checkHost(refusedHost)]).toEqual([refusedHost, expect.objectContaining(refusal)]);
    }
    const severalHosts = {
      status: 400,
      code: "invalid",
      message: expect.stringContaining("more than one Host header"),
    };
    expect(checkHost("localhost, localhost")).toMatchObject(severalHosts);
    const requestWithoutHost = { headers: {}, httpVersionMinor: 1 } as IncomingMessage;
    expect(() => check(requestWithoutHost)).toThrow("no Host header");
  });
});
