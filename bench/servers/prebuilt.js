// Responds with prebuilt bytes, found by key and address: the least work that a server can do.
import { readFileSync, writeFileSync } from "node:fs";
import { get, serviceRequests } from "./service-requests.js";

/** Writes every investment as a Partner key reads it, and the responses of all other works. */
export function writePrebuilt(file, { entries, samples }) {
  const responses = entries.map(({ id, document }) => [get(`/investments/${id}`, samples.keys.partner), document]);
  for (const work of Object.keys(samples.bodies).filter((id) => id !== "one")) {
    for (const request of serviceRequests(work, samples)) responses.push([request, JSON.stringify(request.body)]);
  }
  const index = responses.map(([{ path, headers }, text]) => [headers.authorization, path, Buffer.byteLength(text)]);
  writeFileSync(file, responses.map(([, text]) => text).join(""));
  writeFileSync(`${file}.index`, JSON.stringify(index));
}

/** Reads the responses into a map by key of maps by address. */
export function readPrebuilt(file) {
  const bytes = readFileSync(file);
  const responses = new Map();
  let offset = 0;
  for (const [key, path, length] of JSON.parse(readFileSync(`${file}.index`, "utf8"))) {
    if (!responses.has(key)) responses.set(key, new Map());
    responses.get(key).set(path, bytes.subarray(offset, offset + length));
    offset += length;
  }
  return responses;
}

export function sendPrebuilt(responses, request, response) {
  const body = responses.get(request.headers.authorization).get(request.url);
  response.writeHead(200, { "content-type": "application/json; charset=utf-8", "content-length": body.length });
  response.end(body);
}
