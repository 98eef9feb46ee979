import type { RawResponse } from "../../calibrate/answers/shape.ts";

/** An answer from the right one, the path of the request, its number, and all answers so far. */
export type Answer = (right: RawResponse, path: string, number: number, earlier: readonly RawResponse[]) => RawResponse;

const html = "<!doctype html><title>Log in</title>";
const json = { "content-type": "application/json" };
const other = "00000010-0000-4000-8000-0000000000ff";

function answer(status: number, body: unknown = "", headers: Record<string, string> = {}): Answer {
  return () => ({ status, headers, body: typeof body === "string" ? body : JSON.stringify(body) });
}

const cached =
  (pattern: RegExp): Answer =>
  (right, _path, _number, earlier) =>
    earlier.find(({ body }) => pattern.test(body)) ?? right;
const replaced =
  (pattern: RegExp, text: string): Answer =>
  ({ status, headers, body }) => ({ status, headers, body: body.replace(pattern, text) });
/** Answers of 200 that another spoils; others are right. */
const ofSuccess =
  (spoilt: Answer): Answer =>
  (...call) =>
    call[0].status === 200 ? spoilt(...call) : call[0];
const notFound = answer(404, { message: "no such route" }, json);
const empty = answer(200, { data: [] }, json);

/** Manners to which a service changes. */
export const manners = {
  "301": answer(301, "", { location: "/login" }),
  "302 to a login": answer(302, html, { location: "/login" }),
  "204": answer(204),
  "404 with HTML": answer(404, html),
  "404 with JSON": notFound,
  "200 with {}": answer(200, {}, json),
  "200 with []": answer(200, [], json),
  "200 with null": answer(200, null, json),
  "200 with a text": answer(200, '"maintenance"', json),
  "200 with a number": answer(200, 42, json),
  "200 without a body": answer(200, "", json),
  "headers alone": ({ status, headers }) => ({ status, headers, body: "" }),
  "400": answer(400, { message: "bad" }, json),
  "401": answer(401, { message: "no key" }, json),
  "403": answer(403, { message: "no" }, json),
  "410": answer(410),
  "418": answer(418, {}, json),
  "500": answer(500),
  "429 without end": answer(429, { message: "later" }, { ...json, "retry-after": "300" }),
  "a login page with 200": answer(200, html),
  "200 with an error": answer(200, { errors: [{ status: "500", title: "Sorry" }] }, json),
  "an empty list": empty,
  "truncated JSON": (right) => ({ ...right, body: right.body.slice(0, right.body.length / 2) }),
  "one id for all": answer(200, { data: { type: "offerings", id: other, attributes: { name: "x" } } }, json),
  "the first investment for all": cached(/^\{"data":\{"type":"investments"/),
  "no attributes": ofSuccess(replaced(/"attributes":/g, '"fields":')),
  "no types": ofSuccess(replaced(/"type":/g, '"kind":')),
  "no ids": ofSuccess(replaced(/"id":/g, '"key":')),
  "data in a list": ofSuccess(replaced(/^\{"data":(\{.*\})\}$/s, '{"data":[$1]}')),
  "data in another member": ofSuccess(replaced(/^\{"data":/, '{"result":')),
  "another charset": ({ status, headers, body }) => ({
    status,
    headers: { ...headers, "content-type": "text/html; charset=utf-16" },
    body: Buffer.from(body, "utf16le").toString("utf8"),
  }),
  "another content type": (right) => ({ ...right, headers: { ...right.headers, "content-type": "text/plain" } }),
  "another offering": ({ status, headers, body }, path) =>
    path.includes("/investments/")
      ? { status: 404, headers, body: "" }
      : { status, headers, body: body.replace(/("data":\{"type":"offerings","id":")[^"]+/, `$1${other}`) },
} as const satisfies Readonly<Record<string, Answer>>;
