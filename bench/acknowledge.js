// What it costs to have a command kept: milliseconds from a command to its acknowledgement, with --db and without it, over
// a small and a large fixture, one command after the other and many at once.
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSandbox } from "../dist/index.js";

const folder = await mkdtemp(join(tmpdir(), "offering-sandbox-bench-"));
const big = join(folder, "big.json");
await writeFile(big, JSON.stringify({ name: "big", offerings: [{ alias: "one", generate: { investments: 10_000 } }] }));

for (const [name, fixture] of [
  ["demo", "demo"],
  ["10,000 investments", big],
]) {
  for (const db of [undefined, join(folder, `${name}.db`)]) {
    const sandbox = await startSandbox({ fixture, db, scenarios: [] });
    const [offering] = sandbox.offerings;
    const issue = () => sandbox.keys.issue({ type: "partner", offering_id: offering.id });
    for (let warm = 0; warm < 50; warm++) await issue();
    const times = [];
    for (let index = 0; index < 500; index++) times.push(await timed(issue));
    times.sort((one, other) => one - other);
    const atOnce = await timed(() => Promise.all(Array.from({ length: 1000 }, issue)));
    const size = db === undefined ? "" : `, ${Math.round((await stat(db)).size / 1024)} KB at the end`;
    console.log(
      `${name}, ${db === undefined ? "in memory" : "with --db"}: median ${times[250].toFixed(2)} ms, p95 ${times[475].toFixed(2)}, p99 ${times[495].toFixed(2)}; 1000 at once ${atOnce.toFixed(0)} ms${size}`,
    );
    await sandbox.close();
  }
}
await rm(folder, { recursive: true });

async function timed(act) {
  const start = performance.now();
  await act();
  return performance.now() - start;
}
