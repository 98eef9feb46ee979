// Makes one dataset: node prepare.js <investments | demo> <folder> <ids of servers…>
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startSandbox } from "../../dist/index.js";
import { bin } from "../servers/product.js";
import { servers } from "../servers/servers.js";
import { readResponses } from "./responses.js";

const [size, folder, ...ids] = process.argv.slice(2);
const fixture = size === "demo" ? "demo" : join(folder, "fixture.json");
if (size !== "demo") {
  const args = ["--offerings", 1, "--investments", size, "--seed", 42, "--out", fixture];
  execFileSync(process.execPath, [bin, "fixture", "generate", ...args.map(String)], { stdio: "ignore" });
}
const sandbox = await startSandbox({ fixture, scenarios: [], rateLimit: 1_000_000 });
const responses = await readResponses(sandbox);
await sandbox.close();
writeFileSync(join(folder, "samples.json"), JSON.stringify(responses.samples));
const writing = servers.filter(({ id, file }) => ids.includes(id) && file !== undefined);
// Servers with the same file share it.
for (const { file, write } of new Map(writing.map((server) => [server.file, server])).values()) {
  write(join(folder, file), responses);
}
// Open connections would delay the end of the process by some seconds.
process.exit();
