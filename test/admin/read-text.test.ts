import type { Request } from "express";
import { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readBodyText } from "../../src/admin/request.ts";
import { adminOperations } from "../../src/control/operations.ts";

const { setClock, restoreSnapshot, playScenario } = adminOperations;
const megabyte = 1024 * 1024;

type Headers = Readonly<Record<string, string>>;

/** Reads a body as the admin API does; returns its text or error. */
async function read(operation: Parameters<typeof readBodyText>[0], headers: Headers, parts: Iterable<Buffer | Error>) {
  const body = Readable.from(
    (function* () {
      for (const part of parts) {
        if (part instanceof Error) throw part;
        yield part;
      }
    })(),
  );
  const request = Object.assign(body, { headers, body: undefined }) as unknown as Request;
  const response = new ServerResponse(request);
  let outcome: unknown = "next was not called";
  try {
    await readBodyText(operation)(request, response as never, () => (outcome = request.body));
  } catch (error) {
    outcome = error;
  }
  return outcome;
}

const json = { "content-type": "application/json" };
const [two, chunked] = [{ "content-length": "2" }, { "transfer-encoding": "chunked" }];
const braces = [Buffer.from("{}")];

describe("the text of a body", () => {
  test.each<[Headers, string]>([
    [{ ...json, ...two }, "{}"],
    [{ ...json, ...chunked }, "{}"],
    [{ "content-type": " Application/JSON ; charset=UTF8", ...two }, "{}"],
    [{ "content-type": "application/json;charset=utf-8; profile=x", ...two }, "{}"],
    [{ "content-type": 'application/json; Charset="utf-8"', ...two }, "{}"],
    [{ ...json, "content-encoding": "identity", ...two }, "{}"],
  ])("is read: %j", async (headers, text) => {
    expect(await read(setClock, headers, braces)).toBe(text);
  });

  test("is undefined without a body", async () => {
    for (const headers of [{}, { "content-length": "0" }, { "content-type": "text/plain" }]) {
      expect(await read(setClock, headers, [])).toBeUndefined();
    }
  });

  test("is joined from its parts, without the leading byte order mark", async () => {
    const bytes = Buffer.from('\uFEFF"\u20AC\uFEFF"');
    const parts = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await read(setClock, { ...json, ...chunked }, parts)).toBe('"\u20AC\uFEFF"');
  });

  const one = "Send the body with one Content-Type: application/json.";
  const either = "Send the body with one Content-Type: application/json, application/yaml or text/yaml.";
  const utf8 = "Send the body in UTF-8, and not compressed.";
  test.each<[operation: typeof setClock | typeof playScenario, Headers, message: string]>([
    [setClock, {}, one],
    [setClock, { "content-type": "text/json" }, one],
    [setClock, { "content-type": "text/yaml" }, one],
    [setClock, { "content-type": "application/json, application/json" }, one],
    [playScenario, { "content-type": "text/plain" }, either],
    [setClock, { "content-type": "application/json; charset=latin1" }, utf8],
    [setClock, { "content-type": "application/json; charset=xutf-8" }, utf8],
    [setClock, { "content-type": "application/json; charset=utf-88" }, utf8],
    [setClock, { ...json, "content-encoding": "gzip" }, utf8],
    [setClock, { ...json, "content-encoding": "identity, identity" }, utf8],
  ])("is refused unless it has one content type and is UTF-8: %#", async (operation, headers, message) => {
    const outcome = await read(operation, { ...headers, ...two }, braces);
    expect(outcome).toMatchObject({ status: 415, code: "media_type_unsupported", message });
  });

  test.each([
    [setClock, 5],
    [playScenario, 5],
    [restoreSnapshot, 64],
  ] as const)("is limited in size, with or without a declared length: %#", async (operation, limit) => {
    const maxBytes = limit * megabyte;
    const refusal = { status: 413, code: "body_too_large", message: `This body may have ${limit} MB.` };
    const declare = (length: number): Headers => ({ ...json, "content-length": String(length) });
    expect(await read(operation, declare(maxBytes), braces)).toBe("{}");
    expect(await read(operation, declare(maxBytes + 1), braces)).toMatchObject(refusal);
    const part = Buffer.alloc(megabyte, " ");
    const parts = Array.from({ length: limit }, () => part);
    expect(await read(operation, { ...json, ...chunked }, [...parts, Buffer.from(" ")])).toMatchObject(refusal);
    if (limit > 5) return;
    expect(await read(operation, { ...json, ...chunked }, parts)).toHaveLength(maxBytes);
  });

  test.each([
    [[Buffer.from([0x22, 0xe9, 0x22])], "The body is not UTF-8."],
    [[Buffer.from("{"), new Error("aborted")], "The body ends before its headers say."],
  ])("is refused when it is broken: %#", async (parts, message) => {
    const outcome = await read(setClock, { ...json, ...two }, parts);
    expect(outcome).toMatchObject({ status: 400, code: "body_malformed", message });
  });
});
