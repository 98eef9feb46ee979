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
  const byAddress = ["10.1.2.3:4120", "[fe80::1]", "[fe80::1]:4120"];
  const foreign = ["evil.example", "sandbox.evil.example", "[sandbox", "[::1]x", "[::1]:x", "sandbox:x", "", ":4120"];
  test.each([
    [undefined, ownHosts, [...byAddress, ...foreign]],
    ["10.1.2.3", [...ownHosts, "10.1.2.3"], [...byAddress.slice(1), ...foreign]],
    ["Box.example", [...ownHosts, "box.EXAMPLE:1"], [...byAddress, ...foreign]],
    ["0.0.0.0", [...ownHosts, ...byAddress], foreign.slice(0, -2)],
    ["::", [...ownHosts, ...byAddress], foreign.slice(0, -2)],
    ["", [...ownHosts, ...byAddress], foreign.slice(0, -2)],
  ])("bound to %j", (bound, admitted, refusedHosts) => {
    const check = createHostCheck(bound, ["SANDBOX"]);
    const outcome = (host: string | undefined): unknown => {
      try {
        return check({ headers: { host } } as IncomingMessage);
      } catch (error) {
        return error;
      }
    };
    const refusal = { status: 403, code: "host_not_allowed", message: expect.stringContaining("--allowed-hosts") };
    for (const host of [...admitted, ...admitted]) {
      expect([host, outcome(host)]).toEqual([host, undefined]);
      for (const refused of refusedHosts)
        expect([refused, outcome(refused)]).toEqual([refused, expect.objectContaining(refusal)]);
    }
    const several = { status: 400, code: "invalid", message: expect.stringContaining("more than one Host header") };
    expect(outcome("localhost, localhost")).toMatchObject(several);
    const without = { headers: {}, httpVersionMinor: 1 } as IncomingMessage;
    expect(() => check(without)).toThrow("no Host header");
  });
});
