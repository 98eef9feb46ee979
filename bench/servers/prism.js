// Prism answers with the examples of the product's OpenAPI document, whatever is asked for: here an investment and the middle
// page of the list. So it has nothing to look up, and no number of investments.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { listOf } from "../data/work.js";
import { writeParts } from "../data/write-parts.js";
import { bin } from "./product.js";
import { serviceRequests } from "./service-requests.js";

const version = "5.16.0";

export const prism = {
  id: "prism",
  title: `Prism ${version}`,
  packages: [`@stoplight/prism-cli@${version}`],
  node: { atLeast: [24, 18] },
  works: ["one", "status", "events", "list-middle", "missing", "limited"],
  atOneSize: true,
  file: "openapi.json",
  write: writeDocument,
  start: ({ file, port, installed }) => ({
    args: [
      join(installed, "node_modules/@stoplight/prism-cli/dist/index.js"),
      "mock",
      "--port",
      port,
      "--verboseLevel",
      "silent",
      file,
    ],
  }),
  requests(work, samples) {
    const [{ path, headers, expected }] = serviceRequests(work, samples);
    const { status } = expected;
    const prefer = status === 200 ? {} : { prefer: `code=${status}` };
    return [{ path: path.replace("/api/v1", ""), headers: { ...headers, ...prefer }, expected }];
  },
};

function writeDocument(file, { samples }) {
  const document = JSON.parse(execFileSync(process.execPath, [bin, "openapi"], { encoding: "utf8" }));
  const [one] = samples.ones;
  const examples = {
    "/investments/{id}": one.partner,
    "/investments/{id}/status": one.status,
    "/investments/{id}/events": one.events,
    "/offerings/{id}/investments": listOf(samples, "list-middle").document,
  };
  for (const [path, example] of Object.entries(examples)) {
    document.paths[path].get.responses[200].content["application/json"].example = example;
  }
  writeParts(file, [JSON.stringify(document)]);
}
