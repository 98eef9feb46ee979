// npm run bench: measures the product next to the limit and its peers, and writes the tables into README.md.
import { Datasets } from "./data/datasets.js";
import { circumstances } from "./machine.js";
import { Load } from "./measure/load.js";
import { cores } from "./measure/processes.js";
import { watchOthers } from "./measure/usage.js";
import { readOptions } from "./options.js";
import { parts } from "./parts/parts.js";
import { writeSection } from "./report.js";
import { installPeer, nodeFor } from "./servers/npm.js";
import { servers } from "./servers/servers.js";

const options = readOptions(process.argv.slice(2));
if (process.platform !== "linux") {
  console.error("The bench reads memory and processor time from /proc, so it runs on Linux only.");
  process.exit(1);
}

const installed = await installServers();
const selected = parts.filter(({ id }) => options.only.includes(id));
const load = selected.some(({ needsLoad }) => needsLoad) ? await Load.start() : undefined;
/** @type {import("./parts/parts.js").Context} */
const context = {
  options,
  servers: installed,
  datasets: await Datasets.open(installed),
  load,
  say: reportProgress,
  wrong: [],
};
for (const part of selected) {
  reportProgress(part.title);
  try {
    await run(part);
  } catch (error) {
    context.wrong.push(`${part.title}: ${error.stack}`);
  }
}
await load?.stop();
for (const line of context.wrong) console.error(`wrong: ${line}`);
process.exitCode = context.wrong.length > 0 ? 1 : 0;

/** The product and the limit on each requested Node, and the peers on the first one. */
async function installServers() {
  const result = [];
  for (const server of servers) {
    const { id, packages } = server;
    if (packages && !options.peers.includes(id)) continue;
    for (const [index, node] of (packages ? options.nodes.slice(0, 1) : options.nodes).entries()) {
      const suffix = index === 0 ? "" : `-node-${node}`;
      const folder = packages && (await installPeer(id, packages));
      const { command, version } = await nodeFor(server, node);
      const title = version === process.versions.node ? server.title : `${server.title}, on Node ${version}`;
      const isFirst = !packages && index === 0;
      result.push({ ...server, id: id + suffix, limit: `limit${suffix}`, isFirst, installed: folder, command, title });
      reportProgress(`has ${title}`);
    }
  }
  return result;
}

async function run(part) {
  const otherLoad = watchOthers(load ? [load.pid] : []);
  const text = await part.run(context);
  const pinned = cores ? "server and load on a core each" : "server and load on the same cores";
  const section = `${text}\n\n${circumstances([`\`${options.command}\``], [pinned, otherLoad()])}`;
  console.log(`\n## ${part.title}\n\n${section}\n`);
  if (options.write) await writeSection(part.id, section);
}

/** Prints progress with the time since the start of the run. */
function reportProgress(text) {
  const seconds = Math.round(performance.now() / 1000);
  console.error(`${String(Math.floor(seconds / 60)).padStart(2)}:${String(seconds % 60).padStart(2, "0")} ${text}`);
}
