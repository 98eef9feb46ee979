import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

const local = { key: null };

test("the portal is served with its headers and files, without secrets", async () => {
  const { raw, sandbox } = await openSandbox({ adminToken: "let-me-in" });
  const page = await raw("/", local);
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-cache",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  });
  const policy = page.headers["content-security-policy"] ?? "";
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'; /);
  expect(policy).toMatch(/; require-trusted-types-for 'script'; trusted-types 'none'$/);
  expect(policy).not.toContain("unsafe");
  expect(page.text).toContain("offering-sandbox examples");
  for (const { key } of await sandbox.keys.list()) expect(page.text).not.toContain(key);

  const assets = Array.from(page.text.matchAll(/(?:src|href)="(\/portal\/[^"]+)"/g), ([, path = ""]) => path);
  expect(assets.map((path) => path.replace(/[\da-f]{16}/, "…")).toSorted()).toEqual(
    ["css", "js", "svg"].map((ending) => `/portal/….${ending}`),
  );
  let bytes = 0;
  for (const path of assets) {
    const { status, headers, text } = await raw(path, local);
    bytes += gzipSync(text, { level: 9 }).length;
    const { "content-security-policy": _, "cache-control": caching, "content-type": type, ...rest } = headers;
    expect([status, caching]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(type).toMatch(/^(?:text\/(?:css|javascript); charset=utf-8|image\/svg\+xml.*)$/);
    const head = await raw(path, { ...local, method: "HEAD" });
    expect(head).toMatchObject({ status: 200, text: "", headers: { ...rest, date: expect.any(String) } });
  }
  expect(bytes, "bytes of the program, the style and the icon, gzipped").toBeLessThanOrEqual(70 * 1024);
});

/** The answer as it comes over the wire: `fetch` would unpack it. */
async function received(url: string, accepted: string | undefined, method = "GET") {
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  const [answer] = (await once(request(url, { method, headers }).end(), "response")) as [IncomingMessage];
  return { headers: answer.headers, body: await buffer(answer) };
}

test("the portal's files are compressed for who accepts it", async () => {
  const { sandbox, raw } = await openSandbox();
  const [, script = ""] = /src="(\/portal\/[^"]+)"/.exec((await raw("/", local)).text) ?? [];
  const plain = await received(sandbox.url + script, "identity");
  expect((await received(sandbox.url, "gzip")).headers).toMatchObject({ "content-encoding": "gzip" });
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const [accepted, isCompressed] of [
    [undefined, false],
    ["", false],
    ["gzip", true],
    ["br, gzip, deflate", true],
    ["gzip;q=0", false],
    ["gzip;q=0, *", false],
    ["*;q=0.5", true],
    ["br;q=1, gzip;q=0.1", true],
    ["gzip;q=0.5, identity", false],
    ["identity;q=0.5, gzip", true],
    ["deflate", false],
    ["x-gzip-like, ;;q=", false],
  ] as const) {
    const { headers, body } = await received(sandbox.url + script, accepted);
    const encoding = isCompressed && { "content-encoding": "gzip" };
    const own = { date: expect.any(String), "content-length": String(body.length), vary: "Accept-Encoding" };
    expect([accepted, headers]).toEqual([accepted, { ...plain.headers, ...own, ...encoding }]);
    expect((isCompressed ? gunzipSync(body) : body).equals(plain.body)).toBe(true);
    expect(body.length < plain.body.length).toBe(isCompressed);
    const head = await received(sandbox.url + script, accepted, "HEAD");
    expect([head.body.length, head.headers["content-length"]]).toEqual([0, own["content-length"]]);
  }
});

test("an unknown file of the portal is a 404 with advice", async () => {
  const { raw } = await openSandbox();
  for (const file of [
    "0123456789abcdef.js",
    "0123456789abcdef.css",
    "index.txt",
    "index.html",
    "..%2findex.js",
    "..%2f..%2fpackage.js",
    "%00.js",
    "constructor",
    "a/b.js",
  ]) {
    const { status, json } = await raw(`/portal/${file}`, local);
    expect([file, status, json.code]).toEqual([file, 404, "path_not_found"]);
    expect(json.detail).toMatch(/Reload the page|There is no such path/);
  }
});

test("with admin off, the page and its files are refused; they cannot be posted to", async () => {
  const { raw } = await openSandbox({ admin: false });
  for (const path of ["/", "/portal/0123456789abcdef.js"]) {
    expect((await raw(path, local)).json).toMatchObject({ status: 403, code: "admin_closed" });
    expect((await raw(path, { ...local, method: "POST" })).status).toBe(404);
  }
});
