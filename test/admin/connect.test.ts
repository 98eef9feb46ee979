import { createServer, type RequestListener } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { connectSandbox } from "../../src/client/connect.ts";
import { ConnectionError, ControlError } from "../../src/errors/control-error.ts";
import { ValidationError } from "../../src/validation/errors.ts";
import { freePort } from "../support/free-port.ts";
import { serveUnfinished } from "../support/unfinished-responses.ts";
import { hasIpv6 } from "../support/ipv6.ts";
import { listenUntilTestEnds } from "../support/listening.ts";
import { known, openSandbox } from "../support/sandbox.ts";

async function serve(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listenUntilTestEnds(createServer(listener))}`;
}

test("connectSandbox connects by any address of the sandbox", async () => {
  const { sandbox } = await openSandbox();
  const { port } = new URL(sandbox.url);
  for (const url of [
    sandbox.url,
    `${sandbox.url}/`,
    sandbox.baseUrl,
    sandbox.adminUrl,
    `http://127.0.0.1:${port}`,
    ...(hasIpv6 ? [`http://[::1]:${port}`] : []),
  ]) {
    const { clock } = await connectSandbox(url);
    expect(await clock.get()).toMatchObject({ speed: 0 });
  }
});

test("connectSandbox rejects with one line when nothing listens at the address", async () => {
  const url = `http://localhost:${await freePort()}`;
  const failure = await connectSandbox(url).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ConnectionError);
  expect((failure as Error).message).toBe(`No sandbox responds at ${url}: ECONNREFUSED.`);
});

test("connectSandbox rejects with one line when another program listens at the address", async () => {
  const url = await serve((_request, response) => response.end("<h1>Welcome</h1>"));
  await expect(connectSandbox(url)).rejects.toThrow(`No sandbox responds at ${url}: another program responds.`);
  const redirectingUrl = await serve((_request, response) =>
    response.writeHead(302, { location: "http://localhost:1/" }).end(),
  );
  await expect(connectSandbox(redirectingUrl)).rejects.toBeInstanceOf(ConnectionError);
  await expect(connectSandbox(redirectingUrl, 5 as never)).rejects.toThrow("The options are 5; expected an object.");
});

test("connectSandbox rejects with one line when the other program sends nothing, or a response without an end", async () => {
  const timeout = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(timeout.signal);
  const silentUrl = await serve(() => timeout.abort());
  await expect(connectSandbox(silentUrl)).rejects.toThrow(
    `No sandbox responds at ${silentUrl}: something there takes longer than 20 s.`,
  );
  const endlessUrl = await serve((_request, response) => void response.write("not the end"));
  await expect(connectSandbox(endlessUrl)).rejects.toThrow(
    `No sandbox responds at ${endlessUrl}: another program responds.`,
  );
});

test("connectSandbox rejects with one line when the other program sends more than 250 MB", async () => {
  // A busy machine may need longer than the timeout of connectSandbox.
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(new AbortController().signal);
  const chunk = new Uint8Array(50_000_001);
  const url = await serve((_request, response) => {
    response.on("error", () => {}).setHeader("Sandbox-Version", "1.0.0");
    const writeMore = (): void => void (response.destroyed || response.write(chunk, writeMore));
    writeMore();
  });
  await expect(connectSandbox(url)).rejects.toThrow(
    `No sandbox responds at ${url}: something there sends more than 250 MB.`,
  );
});

test.each(["", "localhost:4120", "file:///etc/passwd", "nonsense"])(
  "connectSandbox refuses %j as an address",
  async (url) => {
    await expect(connectSandbox(url)).rejects.toBeInstanceOf(ValidationError);
  },
);

test("connectSandbox connects to a named environment instead of the default one", async () => {
  const { sandbox } = await openSandbox();
  const openedEnvironment = await sandbox.openEnvironment({ id: "mine" });
  const connectedSandbox = await connectSandbox(sandbox.url, { environment: "mine" });
  expect(connectedSandbox.id).toBe("mine");
  expect(connectedSandbox.keys.partner).toBe(openedEnvironment.keys.partner);
  await connectedSandbox.clock.advance("1d");
  expect(await openedEnvironment.clock.get()).toMatchObject({ now: "2026-01-16T12:00:00.000Z" });
  expect(await sandbox.clock.get()).toMatchObject({ now: "2026-01-15T12:00:00.000Z" });
  await expect(connectSandbox(sandbox.url, { environment: "unknown" })).rejects.toBeInstanceOf(ControlError);
});

test("closing a connection leaves the server running", async () => {
  const { sandbox, api } = await openSandbox();
  {
    await using connectedSandbox = await connectSandbox(sandbox.url);
    await connectedSandbox.clock.advance("1d");
    await connectedSandbox.close();
  }
  expect((await api(`/offerings/${known.aurora}`)).status).toBe(200);
});

test("an id with dots or slashes cannot lead to another path", async () => {
  const { sandbox } = await openSandbox();
  const environment = await (await connectSandbox(sandbox.url)).openEnvironment({ id: "mine" });
  for (const id of ["", ".", "..", "../..", "a/../..", "%2e%2e"]) {
    await expect(environment.faults.remove(id)).rejects.toMatchObject({ name: "ControlError", code: "not_found" });
    await expect(environment.keys.revoke(id)).rejects.toMatchObject({ name: "ControlError", code: "not_found" });
  }
  expect((await sandbox.environments()).map(({ id }) => id)).toEqual(["default", "mine"]);
});

describe("a failure of the sandbox", () => {
  const failureOf = async (code: string, status = 500): Promise<unknown> => {
    const url = await serve((request, response) => {
      response.setHeader("Sandbox-Version", "1.0.0");
      const isClockCall = request.url?.endsWith("/clock") === true;
      response.writeHead(isClockCall ? status : 200);
      response.end(
        JSON.stringify(isClockCall ? { code, detail: "It failed." } : { id: "default", keys: [], offerings: [] }),
      );
    });
    const { clock } = await connectSandbox(url);
    return clock.get().catch((error: unknown) => error);
  };

  test("with the code internal_error is not a ControlError", async () => {
    const failure = await failureOf("internal_error");
    expect(failure).not.toBeInstanceOf(ControlError);
    expect(failure).toMatchObject({ message: "It failed." });
  });

  test("with the code of a ControlError is that ControlError, as in process", async () => {
    expect(await failureOf("not_saved")).toMatchObject({
      name: "ControlError",
      code: "not_saved",
      message: "It failed.",
    });
  });

  test.each([
    [400, "invalid"],
    [401, "refused"],
    [403, "refused"],
    [404, "not_found"],
    [409, "conflict"],
    [405, "invalid"],
  ])("with the status %i and an unknown code is a ControlError %s", async (status, code) => {
    expect(await failureOf("of_another_version", status)).toMatchObject({ name: "ControlError", code });
  });
});

test("a call rejects when close() ends it, and when its response breaks off", async () => {
  const unfinished = await serveUnfinished();
  const sandbox = await connectSandbox(unfinished.url);
  const refusal = expect(sandbox.requests.list()).rejects.toThrow(`No sandbox responds at ${unfinished.url}: `);
  await unfinished.nextResponse();
  await sandbox.close();
  await refusal;
  const brokenCall = expect(sandbox.requests.list()).rejects.toBeInstanceOf(ConnectionError);
  (await unfinished.nextResponse()).destroy();
  await brokenCall;
});
