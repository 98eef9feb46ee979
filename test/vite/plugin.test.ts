import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createSocketServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { build, createServer as createServerOfVite, preview } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { offeringSandbox, type PageRequest } from "../../src/vite/plugin.ts";
import { start } from "../cli/cli.ts";
import { freePort } from "../support/free-port.ts";
import { until } from "../support/until.ts";
import { addressIn, configWith, projectWith, serve, servePage } from "./vite.ts";

/** Resolves when a sandbox has ended. A sandbox without a server stays for some seconds. */
const waitForEnd = ({ url }: { readonly url: string }): Promise<void> =>
  until(async () => {
    await wait(50);
    return connectSandbox(url).then(
      () => false,
      () => true,
    );
  });

/** Longer than a sandbox stays without a server. */
const waitIdleTime = () => wait(4000);

const byHeader = ({ headers }: PageRequest): string | undefined => headers["x-key"]?.toString();

test("a request gets the key of the option, unless it has its own", async () => {
  const { url, sandbox } = await servePage({ key: byHeader });
  const keys = await sandbox.keys.list();
  const id = keys.find(({ type }) => type === "marketing")?.id ?? "";
  const sendRequest = async (headers: Record<string, string>): Promise<[number, string | null | undefined]> => {
    const { status } = await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`, { headers });
    return [status, (await sandbox.requests.list({ limit: 1 })).data[0]?.key_type];
  };
  expect(await sendRequest({ "x-key": "marketing" })).toEqual([200, "marketing"]);
  expect(await sendRequest({ "x-key": "partner" })).toEqual([200, "partner"]);
  expect(await sendRequest({ "x-key": "aurora-marketing" })).toEqual([200, "marketing"]);
  expect(await sendRequest({ "x-key": id })).toEqual([200, "marketing"]);
  expect(await sendRequest({ "x-key": "marketing", authorization: `Bearer ${sandbox.keys.partner}` })).toEqual([
    200,
    "partner",
  ]);
  expect(await sendRequest({})).toEqual([401, null]);
});

test("an unknown name of a key is refused with the names of the keys, and not echoed", async () => {
  const { url, lines } = await servePage({ key: "sandbox_partner_pasted", fixture: "minimal" });
  expect((await fetch(`${url}api/v1/x`)).status).toBe(500);
  expect(lines.join("\n")).toContain("no such key for the page; expected marketing, partner, ");
  expect(lines.join("\n")).not.toContain("pasted");
});

test("a page reads the offering and the ids of its keys, and no secret", async () => {
  const root = await projectWith({ "main.js": "console.log(import.meta.env);" });
  const { url, sandbox } = await servePage({}, { root });
  const keys = await sandbox.keys.list();
  const idOf = (secret: string): string | undefined => keys.find(({ key }) => key === secret)?.id;
  const module = await (await fetch(`${url}main.js`)).text();
  expect(module).toContain(`"OFFERING_SANDBOX_OFFERING_ID": "${sandbox.offering.id}"`);
  expect(module).toContain(`"OFFERING_SANDBOX_MARKETING_KEY_ID": "${idOf(sandbox.keys.marketing)}"`);
  expect(module).toContain(`"OFFERING_SANDBOX_PARTNER_KEY_ID": "${idOf(sandbox.keys.partner)}"`);
  expect(module).not.toMatch(/sandbox_(partner|marketing)_/);
});

test("the data of the sandbox is live, and its address is printed next to those of Vite", async () => {
  const { sandbox, lines } = await servePage();
  const { speed, now } = await sandbox.clock.get();
  expect([speed, now.slice(0, 4)]).toEqual([1, String(new Date().getUTCFullYear())]);
  expect((await sandbox.runs.list()).map(({ scenario }) => scenario)).toContain("live-demo");
  const { port } = new URL(sandbox.url);
  expect(lines.at(-1)).toBe(`  ➜  Sandbox: http://localhost:${port}/  commands: --url http://localhost:${port}`);
});

test("a failure of the service reaches the page as it is", async () => {
  const { url, sandbox } = await servePage();
  const sendRequest = (): Promise<Response> => fetch(`${url}api/v1/offerings/${sandbox.offering.id}`);
  await sandbox.faults.add({ respond: { status: 503, headers: { "Retry-After": "7" } }, times: 1 });
  const refusal = await sendRequest();
  expect([refusal.status, refusal.headers.get("retry-after")]).toEqual([503, "7"]);
  const { id } = await sandbox.faults.add({ connection: "reset" });
  await expect(sendRequest()).rejects.toThrow("fetch failed");
  await sandbox.faults.remove(id);
  await sandbox.faults.add({ truncate: 0.5 });
  const cutResponse = await sendRequest();
  await expect(cutResponse.text()).rejects.toThrow("terminated");
});

test("a reset returns to the time of the machine, and not to that of the start", async () => {
  const { sandbox } = await servePage();
  await wait(200);
  await sandbox.clock.set({ now: "2031-05-01", speed: 0 });
  const earliest = Date.now() - 50;
  await sandbox.reset();
  const { now, speed } = await sandbox.clock.get();
  expect([Date.parse(now) >= earliest, now < "2031", speed]).toEqual([true, true, 1]);
});

test("a restart of Vite leaves the sandbox as it is, and the last close ends it", async () => {
  const { vite, url, sandbox } = await servePage();
  await sandbox.clock.set({ now: "2031-05-01", speed: 0 });
  await vite.restart();
  expect(await sandbox.clock.get()).toMatchObject({ now: "2031-05-01T00:00:00.000Z" });
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
  await vite.close();
  await waitForEnd(sandbox);
});

test("changed options of an edited config apply to the running sandbox", async () => {
  const { vite, sandbox } = await servePage({ rateLimit: 7 });
  // A restart creates the new server before it closes the old one.
  const port = Number(new URL(sandbox.url).port);
  const config = { ...vite.config.inlineConfig, plugins: [offeringSandbox({ config: false, rateLimit: 3, port })] };
  const next = await serve(config);
  await vite.close();
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 3 });
  await next.vite.close();
  await waitForEnd(sandbox);
});

test("two servers of a folder share its sandbox until the last has closed, in whichever order", async () => {
  const closeInOrder = async (isFirst: boolean): Promise<void> => {
    const lines: string[] = [];
    const config = await configWith({ rateLimit: 7 }, lines);
    const [first, second] = [await serve(config), await serve(config)];
    first.vite.printUrls();
    const sandbox = await connectSandbox(addressIn(lines));
    const [closedServer, openServer] = isFirst ? [first, second] : [second, first];
    await sandbox.faults.add({ respond: { status: 418 } });
    await closedServer.vite.close();
    await waitIdleTime();
    expect((await fetch(`${openServer.url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(418);
    await openServer.vite.close();
    await waitForEnd(sandbox);
  };
  await Promise.all([closeInOrder(true), closeInOrder(false)]);
});

test("a server with other options says that they do not apply while the other server of the folder is open", async () => {
  const lines: string[] = [];
  const port = await freePort();
  const config = await configWith({ rateLimit: 7, port }, lines);
  const first = await serve(config);
  const second = await serve({ ...config, plugins: [offeringSandbox({ config: false, rateLimit: 3, port })] });
  second.vite.printUrls();
  expect(lines.at(-1)).toMatch(/Sandbox: .* \(of another server of this folder\); not applied: rateLimit$/);
  const sandbox = await connectSandbox(addressIn(lines));
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 7 });
  await first.vite.close();
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 3 });
});

test("a wrong option of an edited config is refused, and the next right one applies", async () => {
  const { vite, sandbox, lines } = await servePage({ rateLimit: 7 });
  const port = Number(new URL(sandbox.url).port);
  const createWithOptions = (options: object) =>
    createServerOfVite({
      ...vite.config.inlineConfig,
      plugins: [offeringSandbox({ config: false, port, ...options })],
    });
  await expect(createWithOptions({ speed: "x" })).rejects.toThrow("speed: expected");
  // A missing file is only found when the options apply.
  const serverWithMissingFile = await createWithOptions({ fixture: "missing.json" });
  onTestFinished(() => serverWithMissingFile.close());
  await vite.close();
  expect(lines.join("\n")).toContain("missing.json");
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 7 });
  const validServer = await createWithOptions({ rateLimit: 3 });
  onTestFinished(() => validServer.close());
  await serverWithMissingFile.close();
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 3 });
});

test("no other program at the port gets the admin token, even if it names the folder", async () => {
  const port = await freePort();
  const root = await projectWith();
  const received: string[] = [];
  const program = createServer((incoming, response) => {
    received.push(JSON.stringify(incoming.headers));
    response
      .setHeader("Sandbox-Version", "2.0.0")
      .end(JSON.stringify({ folder: root, version: "2.0.0", started_at: "2026" }));
  }).listen(port, "127.0.0.1");
  await once(program, "listening");
  onTestFinished(() => void program.close());
  vi.stubEnv("OFFERING_SANDBOX_ADMIN_TOKEN", "never-for-strangers");
  await serve({ ...(await configWith({ port, adminToken: "never-for-strangers" })), root }).catch(() => undefined);
  expect(received.length).toBeGreaterThan(0);
  expect(received.join("")).not.toContain("never-for-strangers");
});

test("a tool that closes its server before it opens the next server does not end the sandbox", async () => {
  const lines: string[] = [];
  const config = await configWith({}, lines);
  const first = await serve(config);
  first.vite.printUrls();
  const sandbox = await connectSandbox(addressIn(lines));
  await sandbox.clock.set({ now: "2031-05-01", speed: 0 });
  await first.vite.close();
  const { url } = await serve(config);
  expect(await sandbox.clock.get()).toMatchObject({ now: "2031-05-01T00:00:00.000Z" });
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
});

test("two apps of one working directory have a sandbox each, with the files of their folders", async () => {
  const fixture = (name: string): string =>
    JSON.stringify({ name, offerings: [{ name, alias: "own" }], keys: [{ type: "partner", offering: "own" }] });
  const port = await freePort();
  const open = async (name: string) => {
    const root = await projectWith({ "own.json": fixture(name) });
    const lines: string[] = [];
    const config = await configWith({ port, fixture: "own.json" }, lines);
    const { url, vite } = await serve({ ...config, root });
    vite.printUrls();
    const sandbox = await connectSandbox(addressIn(lines));
    return { url, sandbox, folder: (await sandbox.server()).folder, root };
  };
  const [first, second] = [await open("one"), await open("other")];
  expect([first.sandbox.offering.name, second.sandbox.offering.name]).toEqual(["one", "other"]);
  expect([first.folder, second.folder]).toEqual([first.root, second.root]);
  for (const { url, sandbox } of [first, second])
    expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
});

test("a sandbox of the same folder is used, and replaced when it has ended", async () => {
  const port = await freePort();
  const first = await startSandbox({ config: false, port });
  onTestFinished(() => first.close());
  const { url, sandbox } = await servePage({ port }, { root: process.cwd() });
  expect(sandbox.url).toBe(first.url);
  const requestStatus = async (): Promise<number> =>
    (await fetch(`${url}api/v1/offerings/${first.offering.id}`)).status;
  expect(await requestStatus()).toBe(200);
  expect(await first.requests.count()).toBe(1);
  await first.close();
  expect(await Promise.all([requestStatus(), requestStatus()])).toEqual([200, 200]);
  await first.close();
});

test("after a sandbox was replaced at its address, requests get a key of the new one", async () => {
  const port = await freePort();
  const first = await startSandbox({ config: false, port });
  onTestFinished(() => first.close());
  const { url } = await servePage({ port }, { root: process.cwd() });
  await first.close();
  const second = await startSandbox({
    config: false,
    port,
    fixture: { offerings: [{ alias: "own" }], keys: [{ alias: "only", type: "partner", offering: "own" }] },
  });
  onTestFinished(() => second.close());
  expect((await fetch(`${url}api/v1/offerings/${second.offering.id}`)).status).toBe(200);
  // The page learns of a key that is no longer valid.
  await second.keys.revoke("only");
  expect((await fetch(`${url}api/v1/offerings/${second.offering.id}`)).status).toBe(401);
});

test("the page gets no response of another program at the port of a lost sandbox", async () => {
  const port = await freePort();
  const first = await startSandbox({ config: false, port });
  onTestFinished(() => first.close());
  const { url } = await servePage({ port }, { root: process.cwd() });
  await first.close();
  const program = createServer((_request, response) => response.end("mine")).listen(port, "127.0.0.1");
  await once(program, "listening");
  onTestFinished(() => void program.close());
  const response = await fetch(`${url}api/v1/offerings/${first.offering.id}`);
  expect([response.status, response.headers.has("sandbox-version")]).toEqual([200, true]);
});

test("a port with a silent program is skipped, and the program gets no token", async () => {
  const port = await freePort();
  const received: string[] = [];
  const sockets: Socket[] = [];
  const program = createSocketServer((socket) => {
    sockets.push(socket);
    socket.on("data", (bytes) => received.push(bytes.toString()));
  }).listen(port, "127.0.0.1");
  await once(program, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    program.close();
  });
  vi.stubEnv("OFFERING_SANDBOX_ADMIN_TOKEN", "never-for-strangers");
  const lines: string[] = [];
  const { vite } = await serve(await configWith({ port, adminToken: "never-for-strangers" }, lines));
  vite.printUrls();
  expect(Number(new URL(addressIn(lines)).port)).toBeGreaterThan(port);
  expect(received.join("")).not.toContain("never-for-strangers");
});

test("a refusal names the variable of the port if it is not a number", async () => {
  const config = { ...(await configWith({})), plugins: [offeringSandbox({ config: false })] };
  vi.stubEnv("OFFERING_SANDBOX_PORT", "tcp://10.0.0.1:4120");
  await expect(serve(config)).rejects.toThrow(
    'OFFERING_SANDBOX_PORT: expected an integer from 0 to 65535, not "tcp://10.0.0.1:4120".',
  );
});

test("the address is printed once where a tool prints no addresses, and not twice by Vite", async () => {
  const lines: string[] = [];
  const config = await configWith({}, lines);
  const { vite } = await serve(config);
  await until(() => lines.some((line) => line.includes("Sandbox")));
  await vite.close();
  lines.length = 0;
  const middleware = await createServerOfVite({ ...config, server: { middlewareMode: true, ws: false } });
  onTestFinished(() => middleware.close());
  await until(() => lines.some((line) => line.includes("Sandbox")));
  const count = () => lines.filter((line) => line.includes("Sandbox")).length;
  expect(count()).toBe(1);
});

test("a sandbox of another folder, and another program, stay at their ports", async () => {
  const { ready } = await start(["--port", String(await freePort())]);
  const usedPort = Number(new URL(ready.url).port);
  const nextServer = await servePage({ port: usedPort });
  expect(Number(new URL(nextServer.sandbox.url).port)).toBeGreaterThan(usedPort);
  const port = await freePort();
  const program = createServer((_request, response) => response.end("mine")).listen(port, "127.0.0.1");
  await once(program, "listening");
  onTestFinished(() => void program.close());
  const { sandbox } = await servePage({ port });
  expect(Number(new URL(sandbox.url).port)).toBeGreaterThan(port);
  expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe("mine");
});

test("a sandbox that a variable names is used", async () => {
  const port = await freePort();
  const first = await startSandbox({ config: false });
  onTestFinished(() => first.close());
  vi.stubEnv("OFFERING_SANDBOX_URL", first.url);
  const { sandbox, lines } = await servePage({ port });
  expect([sandbox.url, addressIn(lines)]).toEqual([first.url, first.url]);
});

test("a preview has a sandbox, and a build starts none", async () => {
  const port = await freePort();
  const lines: string[] = [];
  const config = await configWith({ port }, lines);
  await build(config);
  await expect(connectSandbox(`http://localhost:${port}`)).rejects.toThrow("No sandbox responds");
  const previewServer = await preview(config);
  onTestFinished(() => previewServer.close());
  previewServer.printUrls();
  const sandbox = await connectSandbox(addressIn(lines));
  const url = previewServer.resolvedUrls?.local[0] ?? "";
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
});

test("the server of Vitest starts no sandbox and says so, and a server within a test starts one", async () => {
  const lines: string[] = [];
  const config = await configWith({}, lines);
  const { url } = await serve({ ...config, plugins: [{ name: "vitest" }, ...(config.plugins ?? [])] });
  const response = await fetch(`${url}api/v1/x`);
  expect([response.status, await response.json()]).toMatchObject([
    503,
    { detail: expect.stringContaining("is off in Vitest") },
  ]);
  expect(lines.join("\n")).toContain("The plugin offering-sandbox is off in Vitest");
  vi.stubEnv("VITEST", "true");
  expect((await fetch(`${(await serve(config)).url}api/v1/x`)).status).toBe(404);
});
