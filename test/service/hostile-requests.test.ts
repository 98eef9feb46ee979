import { connect } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { operations, parameters } from "../../src/model/operations.ts";
import { caseCount } from "../support/case-count.ts";
import { known, openSandbox } from "../support/sandbox.ts";
import { anyText } from "../support/any-text.ts";

const hostileText = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom(..."% %zz %00 ../.. __proto__ constructor [ ] [[ NaN 1e9 -0 ٣ \u202e".split(" ")),
  fc.constantFrom(
    "0000-01-01T00:00:00+23:59",
    "9999-12-31T23:59:59.999999999-23:59",
    "2026-02-30",
    "2026-01-15T24:00:01Z",
  ),
  fc.integer().map(String),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);
const id = fc.oneof(
  fc.constantFrom(known.aurora, known.whole, known.unknown),
  fc.uuid(),
  hostileText.map(encodeURIComponentSafely),
);
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...operations.map((operation) => operation.path)), id)
    .map(([template, value]) => template.replace(":id", value)),
  hostileText.map((text) => `/${text}`),
);
const name = fc.oneof(fc.constantFrom(...Object.keys(parameters)), hostileText);
const query = fc
  .array(fc.tuple(name, hostileText, fc.boolean()), { maxLength: 4 })
  .map((pairs) =>
    pairs
      .map(([key, value, encoded]) =>
        encoded ? `${encodeURIComponentSafely(key)}=${encodeURIComponentSafely(value)}` : `${key}=${value}`,
      )
      .join("&"),
  );
const names = "Host Origin Authorization Content-Length Transfer-Encoding Sec-Fetch-Site X-Forwarded-For Range Expect";
const header = fc.tuple(
  fc.constantFrom(...names.split(" ")),
  fc.oneof(
    hostileText,
    fc.constantFrom(
      `Bearer ${known.keys.partner}`,
      ..."localhost Bearer null [ [::1 localhost:99999 chunked 0".split(" "),
    ),
  ),
);
const request = fc
  .record({
    method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "OPTIONS", "DELETE", "PATCH", "TRACE", "QUERY"),
    base: fc.constantFrom("/api/v1", "/api/v1", "/api/v1", "", "/__admin", "http://localhost/api/v1"),
    path,
    query,
    headers: fc.array(header, { maxLength: 3 }),
  })
  .map(({ method, base, path: pathBelow, query: search, headers }) => {
    const target = printable(`${base}${pathBelow}${search === "" ? "" : `?${search}`}`).replaceAll(" ", "%20");
    const lines = [
      `${method} ${target} HTTP/1.1`,
      ...(headers.some(([key]) => key === "Host") ? [] : ["Host: localhost"]),
    ];
    if (!headers.some(([key]) => key === "Authorization")) lines.push(`Authorization: Bearer ${known.keys.partner}`);
    lines.push(...headers.map(([key, value]) => `${key}: ${printable(value)}`), "Connection: close");
    return `${lines.join("\r\n")}\r\n\r\n`;
  });

test("no request causes a 5xx or ends the sandbox", async () => {
  const failures: unknown[] = [];
  const { sandbox, api } = await openSandbox({ rateLimit: 0, onFailure: (error) => failures.push(error) });
  const port = Number(new URL(sandbox.url).port);
  await fc.assert(
    fc.asyncProperty(request, async (text) => {
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(await exchange(port, text))?.[1] ?? 0);
      expect(status).toBeLessThan(500);
    }),
    { numRuns: caseCount(300) },
  );
  expect(failures).toEqual([]);
  expect((await api(`/investments/${known.whole}`)).status).toBe(200);
});

/** Sends bytes, and returns the response when its head is complete or the server closes the connection. */
async function exchange(port: number, text: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let response = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      response += chunk;
      if (response.includes("\r\n\r\n")) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(response));
    socket.end(text, "latin1");
  });
}

function printable(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, "");
}

function encodeURIComponentSafely(text: string): string {
  return encodeURIComponent(text.replaceAll(/[\ud800-\udfff]/g, "?"));
}
