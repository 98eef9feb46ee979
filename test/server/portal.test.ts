import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { openSandbox } from "../support/sandbox.ts";

const local = { key: null };

test("the portal is served with its files, without secrets", async () => {
  const { raw, sandbox } = await openSandbox({ adminToken: "let-me-in" });
  const page = await raw("/", local);
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

/** Returns a response as sent over the wire, which `fetch` would unpack. */
async function receive(url: string, accepted: string | undefined, method = "GET") {
  const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
  const [response] = (await once(request(url, { method, headers }).end(), "response")) as [IncomingMessage];
  return { headers: response.headers, body: await buffer(response) };
}

test("the portal's files are compressed for clients that accept it", async () => {
  const { sandbox, raw } = await openSandbox();
  const [, script = ""] = /src="(\/portal\/[^"]+)"/.exec((await raw("/", local)).text) ?? [];
  const uncompressed = await receive(sandbox.url + script, "identity");
  expect((await receive(sandbox.url, "gzip")).headers).toMatchObject({ "content-encoding": "gzip" });
  expect(uncompressed.headers["content-encoding"]).toBeUndefined();
  for (const [acceptEncoding, isCompressed] of [
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
    const { headers, body } = await receive(sandbox.url + script, acceptEncoding);
    const encoding = isCompressed && { "content-encoding": "gzip" };
    const expectedHeaders = {
      date: expect.any(String),
      "content-length": String(body.length),
      vary: "Accept-Encoding",
    };
    expect([acceptEncoding, headers]).toEqual([
      acceptEncoding,
      { ...uncompressed.headers, ...expectedHeaders, ...encoding },
    ]);
    expect((isCompressed ? gunzipSync(body) : body).equals(uncompressed.body)).toBe(true);
    expect(body.length < uncompressed.body.length).toBe(isCompressed);
    const head = await receive(sandbox.url + script, acceptEncoding, "HEAD");
    expect([head.body.length, head.headers["content-length"]]).toEqual([0, expectedHeaders["content-length"]]);
  }
});
