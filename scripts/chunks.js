// Says which modules share a file of dist/. Node takes up to a millisecond to find, read and link a file, so what a start
// loads is in a few. What is loaded later, by import(), stays in others.
import { resolve, sep } from "node:path";
import { packageOf } from "./package-of.js";

/** What the command line loads to start a sandbox. */
const commandLine = ["cli/main.js", "cli/commands/start.js", "cli/output/log.js"];

/** What commands that speak to a running sandbox load. */
const client = ["client/connect.js"];

const callers = [...commandLine, ...client];

/** What a sandbox loads to start with what ships. */
const sandbox = ["start-sandbox.js", "scenario/load.js"];

/**
 * The groups of rolldown, for our modules in this folder and for the packages of these names. The first group that names a
 * module takes it, with all that it imports.
 */
export function chunks(folder, packages) {
  const reached = new Map();
  const isReached = (roots, id, graph) => {
    if (!reached.has(roots)) reached.set(roots, reach(roots, folder, graph));
    return reached.get(roots).has(id);
  };
  return [
    ...packages.map((name) => group(`packages/${name.replace(/^@.*\//, "")}`, (id) => packageOf(id) === name)),
    group("shared", (id, graph) => isReached(callers, id, graph) && isReached(sandbox, id, graph)),
    group("command-line", (id, graph) => isReached(commandLine, id, graph)),
    group("client", (id, graph) => isReached(client, id, graph)),
    group("sandbox", (id, graph) => isReached(sandbox, id, graph)),
    group("commands", (id) => id.startsWith(resolve(folder, "cli/commands") + sep)),
  ];
}

function group(name, takes) {
  return { debugName: name, name: (id, graph) => (takes(id, graph) ? name : null) };
}

/** These modules and all that they import, without what is loaded later. */
function reach(roots, folder, graph) {
  const reached = new Set(roots.map((root) => resolve(folder, root)));
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}
