import { once } from "node:events";
import { createServer } from "node:http";
import { build, preview } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectSandbox, startSandbox } from "../../src/index.ts";
import { offeringSandbox, type PageRequest } from "../../src/vite/plugin.ts";
import { start } from "../cli/cli.ts";
import { freePort } from "../support/free-port.ts";
import { addressIn, configWith, projectWith, serve, servePage } from "./vite.ts";

const byHeader = ({ headers }: PageRequest): string | undefined => headers["x-key"]?.toString();

test("a request gets the key of the option, unless it has its own", async () => {
  const { url, sandbox } = await servePage({ key: byHeader });
  const { data: keys } = { data: await sandbox.keys.list() };
  const id = keys.find(({ type }) => type === "marketing")?.id ?? "";
  const ask = async (headers: Record<string, string>): Promise<[number, string | null | undefined]> => {
    const { status } = await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`, { headers });
    return [status, (await sandbox.requests.list({ limit: 1 })).data[0]?.key_type];
  };
  expect(await ask({ "x-key": "marketing" })).toEqual([200, "marketing"]);
  expect(await ask({ "x-key": "partner" })).toEqual([200, "partner"]);
  expect(await ask({ "x-key": "aurora-marketing" })).toEqual([200, "marketing"]);
  expect(await ask({ "x-key": id })).toEqual([200, "marketing"]);
  expect(await ask({ "x-key": "marketing", authorization: `Bearer ${sandbox.keys.partner}` })).toEqual([
    200,
    "partner",
  ]);
  expect(await ask({})).toEqual([401, null]);
});

test("a name of no key is refused by the names of the keys, and not echoed", async () => {
  const { url, lines } = await servePage({ key: "sandbox_partner_pasted", fixture: "minimal" });
  expect((await fetch(`${url}api/v1/x`)).status).toBe(500);
  expect(lines.join("\n")).toContain("none of the sandbox's; expected marketing, partner, ");
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

test("its data is live, and it is printed beside the addresses of Vite", async () => {
  const { sandbox, lines } = await servePage();
  const { speed, now } = await sandbox.clock.get();
  expect([speed, now.slice(0, 4)]).toEqual([1, String(new Date().getUTCFullYear())]);
  expect((await sandbox.runs.list()).map(({ scenario }) => scenario)).toContain("live-demo");
  const { port } = new URL(sandbox.url);
  expect(lines.at(-1)).toBe(`  ➜  Sandbox: http://localhost:${port}/  commands: --url http://localhost:${port}`);
});

test("a failure of the service reaches the page as it is", async () => {
  const { url, sandbox } = await servePage();
  const ask = (): Promise<Response> => fetch(`${url}api/v1/offerings/${sandbox.offering.id}`);
  await sandbox.faults.add({ respond: { status: 503, headers: { "Retry-After": "7" } }, times: 1 });
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "7"]);
  const { id } = await sandbox.faults.add({ connection: "reset" });
  await expect(ask()).rejects.toThrow("fetch failed");
  await sandbox.faults.remove(id);
  await sandbox.faults.add({ truncate: 0.5 });
  const cut = await ask();
  await expect(cut.text()).rejects.toThrow("terminated");
});

test("a restart of Vite keeps the sandbox as it is, and the last close ends it", async () => {
  const { vite, url, sandbox } = await servePage();
  await sandbox.clock.set({ now: "2031-05-01", speed: 0 });
  await vite.restart();
  expect(await sandbox.clock.get()).toMatchObject({ now: "2031-05-01T00:00:00.000Z" });
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
  await vite.close();
  await expect(connectSandbox(sandbox.url)).rejects.toThrow("No sandbox answers");
});

test("other options of an edited config apply to the sandbox that runs", async () => {
  const { vite, sandbox } = await servePage({ rateLimit: 7 });
  // A restart creates the new server before it closes the old one.
  const config = { ...vite.config.inlineConfig, plugins: [offeringSandbox({ config: false, rateLimit: 3 })] };
  const next = await serve(config);
  await vite.close();
  expect(await sandbox.describe()).toMatchObject({ rate_limit: 3 });
  await next.vite.close();
  await expect(connectSandbox(sandbox.url)).rejects.toThrow("No sandbox answers");
});

test("a sandbox of the same folder is used, and replaced when it has ended", async () => {
  const port = await freePort();
  const first = await startSandbox({ config: false, port });
  onTestFinished(() => first.close());
  const { url, sandbox } = await servePage({ port });
  expect(sandbox.url).toBe(first.url);
  const ask = async (): Promise<number> => (await fetch(`${url}api/v1/offerings/${first.offering.id}`)).status;
  expect(await ask()).toBe(200);
  expect(await first.requests.count()).toBe(1);
  await first.close();
  expect([await ask(), await ask()]).toEqual([500, 200]);
});

test("a sandbox of another folder, and another program, keep their ports", async () => {
  const { ready } = await start(["--port", String(await freePort())]);
  const elsewhere = Number(new URL(ready.url).port);
  const other = await servePage({ port: elsewhere });
  expect(Number(new URL(other.sandbox.url).port)).toBeGreaterThan(elsewhere);
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

test("a preview has it too; a build and Vitest start none", async () => {
  const port = await freePort();
  const lines: string[] = [];
  const config = await configWith({ port }, lines);
  await build(config);
  await expect(connectSandbox(`http://localhost:${port}`)).rejects.toThrow("No sandbox answers");
  const shown = await preview(config);
  shown.printUrls();
  const sandbox = await connectSandbox(addressIn(lines));
  const url = shown.resolvedUrls?.local[0] ?? "";
  expect((await fetch(`${url}api/v1/offerings/${sandbox.offering.id}`)).status).toBe(200);
  await shown.close();
  vi.stubEnv("VITEST", "true");
  await serve(config);
  await expect(connectSandbox(`http://localhost:${port}`)).rejects.toThrow("No sandbox answers");
});
