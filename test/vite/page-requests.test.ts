import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { build, createServer as createVite, preview } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { connectSandbox, type Sandbox } from "../../src/index.ts";
import { addressIn, configWith, projectWith, serve, servePage } from "./vite.ts";

interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request with exactly these headers, which `fetch` would not. */
async function sendRequest(
  url: string,
  headers: Record<string, string | string[]>,
  method = "GET",
): Promise<TestResponse> {
  const outgoing = request(url, { method, headers });
  outgoing.on("error", () => {}).end();
  const [response] = (await once(outgoing, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) };
}

const offeringAt = (url: string, { offering }: Sandbox): string => `${url}api/v1/offerings/${offering.id}`;

/** Headers that a page of another origin, or of a rebound name, causes a browser to send. */
const foreignHeaders: Record<string, string>[] = [
  { origin: "https://evil.example" },
  { origin: "http://localhost:1" },
  { origin: "null" },
  { origin: "" },
  { origin: "http://localhost.evil.example" },
  { origin: "file://" },
  { origin: "%" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { "sec-fetch-site": "unheard-of" },
  { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image", "sec-fetch-mode": "no-cors" },
  { host: "evil.example" },
  { host: "evil.example:80" },
  { host: "127.0.0.1.evil.example" },
  { host: "localhost.evil.example" },
  { host: "[::1" },
  { host: "evil.example", origin: "http://evil.example", "sec-fetch-site": "same-origin" },
];

test("no request of another page gets the key, uses up a fault or the limit, or reaches the sandbox", async () => {
  const { url, sandbox } = await servePage();
  await sandbox.faults.add({ respond: { status: 418 }, times: 1 });
  for (const headers of foreignHeaders) {
    const { status, body } = await sendRequest(offeringAt(url, sandbox), headers);
    expect([status, body]).toEqual([403, expect.not.stringContaining("data")]);
  }
  expect(await sandbox.requests.count()).toBe(0);
  expect((await sendRequest(offeringAt(url, sandbox), {})).status).toBe(418);
});

test("the page itself and tools of this machine get the key", async () => {
  const { url, sandbox } = await servePage({}, { server: { port: 0, allowedHosts: ["app.test", ".team.test"] } });
  const { host, port } = new URL(url);
  const headersOfPage = [
    {},
    { origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
    { host: `localhost:${port}`, origin: `http://LOCALHOST:${port}` },
    { host: `127.0.0.1:${port}` },
    { host: `[::1]:${port}` },
    { host: `192.168.1.20:${port}` },
    { host: "page.localhost" },
    { host: "app.test", origin: "https://app.test" },
    { host: "x.team.test" },
    { host: "team.test" },
  ];
  for (const headers of headersOfPage) expect((await sendRequest(offeringAt(url, sandbox), headers)).status).toBe(200);
  expect((await sendRequest(offeringAt(url, sandbox), { host: "notteam.test" })).status).toBe(403);
});

test("any string as Host, Origin or Sec-Fetch-Site is accepted or refused, and breaks nothing", async () => {
  const { url, sandbox } = await servePage({ fixture: "minimal" });
  const value = fc.string({ unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCodePoint(code)) });
  const property = fc.asyncProperty(
    fc.constantFrom("host", "origin", "sec-fetch-site"),
    fc.oneof(
      value,
      value.map((part) => `http://${part}`),
      value.map((part) => `localhost${part}`),
    ),
    async (name, header) => {
      const { status } = await sendRequest(offeringAt(url, sandbox), { [name]: header });
      expect([200, 400, 403]).toContain(status);
    },
  );
  await fc.assert(property, { numRuns: 100 });
});

test("a page of another origin with its own key gets a response, without the CORS headers of the service", async () => {
  const { url, sandbox } = await servePage({}, { server: { port: 0, cors: { origin: "https://partner.example" } } });
  const authorization = `Bearer ${sandbox.keys.marketing}`;
  const { status, headers } = await sendRequest(offeringAt(url, sandbox), {
    origin: "https://evil.example",
    authorization,
  });
  expect([status, headers["access-control-allow-origin"]]).toEqual([200, "https://partner.example"]);
  const { headers: headersOfPage } = await sendRequest(offeringAt(url, sandbox), {});
  expect(headersOfPage["access-control-expose-headers"]).toBeUndefined();
});

test("a preview refuses other origins and hosts too", async () => {
  const lines: string[] = [];
  const config = { ...(await configWith({}, lines)), preview: { port: 0, allowedHosts: ["shown.test"] } };
  await build(config);
  const previewServer = await preview(config);
  onTestFinished(() => previewServer.close());
  previewServer.printUrls();
  const address = offeringAt(previewServer.resolvedUrls?.local[0] ?? "", await connectSandbox(addressIn(lines)));
  for (const headers of foreignHeaders) expect((await sendRequest(address, headers)).status).toBe(403);
  expect((await sendRequest(address, { host: "shown.test" })).status).toBe(200);
});

test("headers of one connection are not passed on, and do not replace the key", async () => {
  const { url, sandbox } = await servePage();
  const { port, pathname } = new URL(offeringAt(url, sandbox));
  const statusFor = async (...lines: string[]): Promise<string> => {
    const socket = connect(Number(port), "localhost");
    socket.write([`GET ${pathname} HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n"));
    const [bytes] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    return bytes.toString().slice(9, 12);
  };
  const headers = [
    "Trailer: X-Late",
    "TE: trailers",
    "Proxy-Authorization: Basic x",
    "Proxy-Connection: close",
    "X-Hop: 1",
  ];
  for (const connection of ["keep-alive", "close, X-Hop", "keep-alive, trailer", ",,"])
    expect(await statusFor(`Connection: ${connection}`, ...headers)).toBe("200");
  expect(await statusFor("Authorization: Bearer unknown", "Connection: authorization")).toBe("401");
});

test("no path below the service leads to the admin API", async () => {
  const { url, sandbox } = await servePage();
  const { port } = new URL(url);
  for (const path of [
    "/api/v1/../../__admin/health",
    "/api/v1/%2e%2e/%2e%2e/__admin/health",
    "/api/v1//localhost/__admin",
  ]) {
    const outgoing = request({ port, path, host: "localhost" }).end();
    const [response] = (await once(outgoing, "response")) as [IncomingMessage];
    expect([response.statusCode, await text(response)]).toEqual([404, expect.stringContaining("There is no")]);
  }
  expect(await sandbox.requests.count({ status: 404 })).toBe(3);
});

test("a path of no operation goes to a rule of the proxy, and the operations do not", async () => {
  const backend = createServer((incoming, response) => response.end(`proxied ${incoming.url}`)).listen(0, "127.0.0.1");
  await once(backend, "listening");
  onTestFinished(() => void backend.close());
  const { port } = backend.address() as { port: number };
  const proxy = {
    "/api/v1/investments/search": `http://127.0.0.1:${port}`,
    "/api/v1/users": `http://127.0.0.1:${port}`,
    "^/api/v1/.*/documents": `http://127.0.0.1:${port}`,
  };
  const { url, sandbox } = await servePage({}, { server: { port: 0, proxy } });
  const bodies = ["users/7", "investments/x/documents", "investments/search", "unruled"].map(
    async (path) => (await sendRequest(`${url}api/v1/${path}`, {})).body,
  );
  expect(await Promise.all(bodies)).toEqual([
    "proxied /api/v1/users/7",
    "proxied /api/v1/investments/x/documents",
    "proxied /api/v1/investments/search",
    expect.stringContaining("404"),
  ]);
  expect((await sendRequest(offeringAt(url, sandbox), {})).status).toBe(200);
});

test("a page below a base reads the service there and at the root, and its HTML has the id of the offering", async () => {
  const root = await projectWith({ "index.html": `<meta content="%OFFERING_SANDBOX_OFFERING_ID% %OTHER%">` });
  const { url, sandbox } = await servePage({}, { root, base: "/app/" });
  expect(url).toMatch(/\/app\/$/);
  const { origin } = new URL(url);
  for (const base of [url, `${origin}/`]) expect((await sendRequest(offeringAt(base, sandbox), {})).status).toBe(200);
  expect(await (await fetch(url)).text()).toContain(`content="${sandbox.offering.id} %OTHER%"`);
});

test("Vite as a middleware of another server adds the key too", async () => {
  const lines: string[] = [];
  const vite = await createVite({ ...(await configWith({}, lines)), server: { middlewareMode: true, ws: false } });
  onTestFinished(() => vite.close());
  const tool = createServer(vite.middlewares).listen(0, "127.0.0.1");
  await once(tool, "listening");
  onTestFinished(() => void tool.close());
  vite.printUrls = () => {};
  const { port } = tool.address() as { port: number };
  const offering = vite.config.env["OFFERING_SANDBOX_OFFERING_ID"];
  const address = `http://127.0.0.1:${port}/api/v1/offerings/${offering}`;
  expect((await sendRequest(address, {})).status).toBe(200);
  expect((await sendRequest(address, { origin: "https://evil.example" })).status).toBe(403);
  expect((await serve(await configWith({}))).url).not.toBe("");
});
