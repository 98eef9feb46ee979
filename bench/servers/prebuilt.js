// Answers whose bytes were made beforehand, found by key and address: the least work that a server can have.
import { readFileSync } from "node:fs";
import { investmentDocument } from "../data/documents.js";
import { works } from "../data/work.js";
import { writeParts } from "../data/write-parts.js";
import { serviceRequests } from "./service-requests.js";

const errors = { 404: "investment_not_found", 429: "rate_limit_exceeded" };

/** Writes every investment as a Partner key reads it, and the answers to whatever else is asked. */
export function writePrebuilt(file, { entries, samples }) {
  const index = [];
  const partner = `Bearer ${samples.keys.partner.key}`;
  writeParts(file, bodies());
  writeParts(`${file}.index`, [JSON.stringify(index)]);

  function* bodies() {
    for (const { investment, offering } of entries) {
      const url = `/api/v1/investments/${investment.id}`;
      yield body({ key: partner, url, status: 200 }, investmentDocument(investment, offering, "partner"));
    }
    for (const { id } of works.filter((work) => !work.once && work.id !== "one")) {
      for (const { path, headers, expected } of serviceRequests(id, samples)) {
        const { status } = expected;
        const document = expected.body ?? { errors: [{ status: String(status), code: errors[status] }] };
        yield body({ key: headers.authorization, url: path, status }, document);
      }
    }
  }

  function body({ key, url, status }, document) {
    const text = JSON.stringify(document);
    index.push([key, url, status, Buffer.byteLength(text)]);
    return text;
  }
}

/** Reads them: by key, then by address. */
export function readPrebuilt(file) {
  const bytes = readFileSync(file);
  const answers = new Map();
  let offset = 0;
  for (const [key, url, status, length] of JSON.parse(readFileSync(`${file}.index`, "utf8"))) {
    if (!answers.has(key)) answers.set(key, new Map());
    answers.get(key).set(url, { status, body: bytes.subarray(offset, offset + length) });
    offset += length;
  }
  return answers;
}

/** Sends one. */
export function sendPrebuilt(answers, request, response) {
  const { status, body } = answers.get(request.headers.authorization).get(request.url);
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
}
