// Makes one dataset: node prepare.js <investments | demo> <folder> <ids of servers…>
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bin } from "../servers/product.js";
import { servers } from "../servers/servers.js";
import { inListOrder, samplesOf } from "./samples.js";

const [size, folder, ...ids] = process.argv.slice(2);
const fixtureFile = join(folder, "fixture.json");
if (size === "demo") {
  copyFileSync(fileURLToPath(new URL("../../fixtures/demo.json", import.meta.url)), fixtureFile);
} else {
  const order = ["--offerings", 1, "--investments", size, "--seed", 42, "--out", fixtureFile];
  execFileSync(process.execPath, [bin, "fixture", "generate", ...order.map(String)], { stdio: "ignore" });
}
const fixture = JSON.parse(readFileSync(fixtureFile, "utf8"));
const samples = samplesOf(fixture);
writeFileSync(join(folder, "samples.json"), JSON.stringify(samples));

const entries = fixture.offerings.flatMap((offering) =>
  inListOrder(offering).map((investment) => ({ investment, offering })),
);
const written = new Set();
for (const { id, file, write } of servers) {
  if (!ids.includes(id) || !write || written.has(file)) continue;
  written.add(file);
  write(join(folder, file), { entries, samples });
}
