// npm run bench: measures the product beside the limit and its peers, and writes what it found into README.md.
import { Datasets } from "./data/datasets.js";
import { commit, machine } from "./machine.js";
import { bystanders, watchBystanders } from "./measure/bystanders.js";
import { pins } from "./measure/cores.js";
import { Load } from "./measure/load.js";
import { readOptions } from "./options.js";
import { parts } from "./parts/parts.js";
import { writeSection } from "./report.js";
import { install, nodeFor } from "./servers/install.js";
import { product } from "./servers/product.js";
import { servers } from "./servers/servers.js";

const options = readOptions(process.argv.slice(2));
if (process.platform !== "linux") {
  console.error("The bench reads memory and processor time from /proc, so it runs on Linux only.");
  process.exit(1);
}

const { here, absent } = await installServers();
const chosen = parts.filter(({ id }) => options.only.includes(id));
const load = chosen.some(({ needsLoad }) => needsLoad) ? await startLoad() : undefined;
/** @type {import("./parts/parts.js").Context} */
const context = { options, servers: here, absent, datasets: await Datasets.open(here), load, say, wrong: [] };
for (const part of chosen) {
  say(part.title);
  try {
    await run(part);
  } catch (error) {
    context.wrong.push(`${part.title}: ${error.stack}`);
  }
}
await load?.stop();
for (const line of context.wrong) console.error(`wrong: ${line}`);
process.exitCode = context.wrong.length > 0 ? 1 : 0;

/** The servers that can be measured, and why the others cannot. */
async function installServers() {
  /** @type {{ here: import("./servers/servers.js").Server[], absent: string[] }} */
  const found = { here: [], absent: [] };
  for (const server of servers.filter(({ id, packages }) => !packages || options.peers.includes(id))) {
    // On a further Node, only the comparison of the product with the limit tells more.
    const nodes = server.ours && !server.packages ? options.nodes : options.nodes.slice(0, 1);
    for (const [at, node] of nodes.entries()) await add(server, node, at === 0 ? "" : `-node-${node}`);
  }
  return found;

  async function add(server, node, suffix) {
    try {
      const installed = server.packages && (await install(server.id, server.packages));
      const { command, version } = await nodeFor(server, node);
      const title = version === process.versions.node ? server.title : `${server.title}, on Node ${version}`;
      found.here.push({ ...server, id: server.id + suffix, limit: `limit${suffix}`, installed, command, title });
      say(`has ${title}`);
    } catch (error) {
      found.absent.push(`${server.title}: ${error.message}`);
      say(`has not ${found.absent.at(-1)}`);
    }
  }
}

async function startLoad() {
  const installed = await install("autocannon", ["autocannon@9.0.0"]).catch((error) => {
    console.error(`There is nothing to make load with. ${error.message}`);
    process.exit(1);
  });
  return new Load(installed);
}

async function run(part) {
  const others = watchBystanders(load ? [load.pid] : []);
  const text = await part.run(context);
  const share = others();
  const circumstances = [
    `${new Date().toISOString().slice(0, 10)}, \`${options.command}\``,
    [product.title, commit()].filter(Boolean).join(" at "),
    machine(),
    pins ? "server and load on a core each" : "server and load on the same cores",
    bystanders(share),
  ];
  const missing = absent.map((line) => `Absent: ${line}`);
  const section = [text, ...missing, `_${circumstances.join("; ")}._`].join("\n\n");
  console.log(`\n## ${part.title}\n\n${section}\n`);
  if (options.write) await writeSection(part.id, section);
}

/** Says what is going on, and how far into the run. */
function say(text) {
  const seconds = Math.round(performance.now() / 1000);
  console.error(`${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, "0")} ${text}`);
}
