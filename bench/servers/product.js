// The product as it ships, with a rate limit above any measurement.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { serviceRequests } from "./service-requests.js";

const file = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { version } = JSON.parse(await readFile(file("package.json"), "utf8"));

/** The product's command. */
export const bin = file("bin/offering-sandbox.js");

export const product = {
  id: "offering-sandbox",
  title: `offering-sandbox ${version}`,
  start({ dataset, port }) {
    // With another clock than the fixture's, the demo's dates would differ from those of the peers.
    const flags = ["--clock", "fixture", "--rate-limit", 1_000_000, "--quiet"];
    return { args: [bin, "--port", port, "--fixture", dataset.fixture, ...flags] };
  },
  requests: serviceRequests,
  /** Clears the counts of requests. */
  async before(url) {
    const { ok, status } = await fetch(`${url}/__admin/limits`, { method: "DELETE" });
    if (!ok) throw new Error(`DELETE /__admin/limits: ${status}`);
  },
};
