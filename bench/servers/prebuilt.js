// Answers with prebuilt bytes, found by key and address: the least work that a server can do.
import { readFileSync, writeFileSync } from "node:fs";
import { get, serviceRequests } from "./service-requests.js";

/** Writes every investment as a Partner key reads it, and the answers of all other works. */
export function writePrebuilt(file, { entries, samples }) {
  const answers = entries.map(({ id, document }) => [get(`/investments/${id}`, samples.keys.partner), document]);
  for (const work of Object.keys(samples.bodies).filter((id) => id !== "one")) {
    for (const request of serviceRequests(work, samples)) answers.push([request, JSON.stringify(request.body)]);
  }
  const index = answers.map(([{ path, headers }, text]) => [headers.authorization, path, Buffer.byteLength(text)]);
  writeFileSync(file, answers.map(([, text]) => text).join(""));
  writeFileSync(`${file}.index`, JSON.stringify(index));
}

/** Reads the answers into a map by key of maps by address. */
export function readPrebuilt(file) {
  const bytes = readFileSync(file);
  const answers = new Map();
  let offset = 0;
  for (const [key, path, length] of JSON.parse(readFileSync(`${file}.index`, "utf8"))) {
    if (!answers.has(key)) answers.set(key, new Map());
    answers.get(key).set(path, bytes.subarray(offset, offset + length));
    offset += length;
  }
  return answers;
}

export function sendPrebuilt(answers, request, response) {
  const body = answers.get(request.headers.authorization).get(request.url);
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
}
