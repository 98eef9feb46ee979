// The product, as it ships: its command, told nothing but its data, its port, and a limit that no measurement reaches.
import { openSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { works } from "../data/work.js";
import { serviceRequests } from "./service-requests.js";

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { version } = JSON.parse(await readFile(file("package.json"), "utf8"));

/** The highest limit that can be set: every request is counted, none is refused. */
const limit = 1_000_000;

/** The product's command. */
export const bin = file("bin/offering-sandbox.js");

export const product = {
  id: "offering-sandbox",
  title: `offering-sandbox ${version}`,
  ours: true,
  works: works.map(({ id }) => id),
  start: ({ dataset, port }) => ({
    args: [bin, "--port", port, "--fixture", dataset.fixture, "--rate-limit", limit, "--quiet"],
  }),
  requests: serviceRequests,
  /** Makes the limit as the work needs it: used up for 429, else unused. */
  async before(work, url, { keys }) {
    await admin(`${url}/__admin/limits`, "DELETE");
    if (work === "limited") await admin(`${url}/__admin/limits/${keys.marketing.id}`, "PUT", { used: limit });
  },
};

/** The same with its log of every request, which it writes unless it is told not to. */
export const productLogging = {
  ...product,
  id: "offering-sandbox-logging",
  title: `${product.title}, with its log in a file`,
  works: ["one", "list-middle"],
  atOneSize: true,
  start({ dataset, port }) {
    const { args } = product.start({ dataset, port });
    return {
      args: args.filter((arg) => arg !== "--quiet"),
      stdout: openSync(join(dataset.folder, "requests.log"), "w"),
    };
  },
};

async function admin(url, method, body) {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status}`);
}
