// Prism responds to every request with the examples of the product's OpenAPI document: here an investment and the
// middle page of the list. It does not look anything up, so its cost does not depend on the number of investments.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bin } from "./product.js";
import { serviceRequests } from "./service-requests.js";

const version = "5.16.0";

export const prism = {
  id: "prism",
  title: `Prism ${version}`,
  packages: [`@stoplight/prism-cli@${version}`],
  node: { atLeast: [24, 18] },
  works: ["one", "status", "events", "list-middle"],
  atOneSize: true,
  file: "openapi.json",
  write,
  start({ file, port, installed }) {
    const program = join(installed, "node_modules/@stoplight/prism-cli/dist/index.js");
    return { args: [program, "mock", "--port", port, "--verboseLevel", "silent", file] };
  },
  requests(work, samples) {
    const [request] = serviceRequests(work, samples);
    return [{ ...request, path: request.path.replace("/api/v1", "") }];
  },
};

function write(file, { samples: { bodies } }) {
  const document = JSON.parse(execFileSync(process.execPath, [bin, "openapi"], { encoding: "utf8" }));
  const examples = {
    "/investments/{id}": bodies.one[0],
    "/investments/{id}/status": bodies.status[0],
    "/investments/{id}/events": bodies.events[0],
    "/offerings/{id}/investments": bodies["list-middle"][0],
  };
  for (const [path, example] of Object.entries(examples)) {
    document.paths[path].get.responses[200].content["application/json"].example = example;
  }
  writeFileSync(file, JSON.stringify(document));
}
