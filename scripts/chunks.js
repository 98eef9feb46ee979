// Decides which modules share a file of dist/. Node takes up to a millisecond to find, read and link a file, so the
// modules of a start are in a few files. Modules of a later import() stay in other files.
import { resolve, sep } from "node:path";
import { packageOf } from "./package-of.js";

/** The modules of the command line for starting a sandbox. */
const commandLine = ["cli/main.js", "cli/commands/start.js", "cli/output/log.js"];

/** The module of commands for a running sandbox. */
const client = ["client/connect.js"];

/** The modules of every runner's entry. Each test file loads them again, so they are in a file of their own. */
const runners = ["testing/test-sandbox.js", "validation/from-caller.js", "validation/members.js"];

const callers = [...commandLine, ...client];

/** The modules of a sandbox for starting with shipped files. */
const sandbox = ["sandbox/start-sandbox.js", "scenario/load.js"];

/**
 * Returns the groups of rolldown for our modules in `folder`, and for `packages`. The first group that names a module
 * takes it, with all of its imports.
 */
export function chunks(folder, packages) {
  const reached = new Map();
  const isReached = (roots, id, graph) => {
    if (!reached.has(roots)) reached.set(roots, reach(roots, folder, graph));
    return reached.get(roots).has(id);
  };
  return [
    group("runners", (id, graph) => isReached(runners, id, graph)),
    // Before packages, since they need the globals, too, and a start must not load a package for them.
    group("shared", (id, graph) => isReached(callers, id, graph) && isReached(sandbox, id, graph)),
    // In reverse order: the SDK of the Model Context Protocol would otherwise take zod along.
    ...packages
      .toReversed()
      .map((name) => group(`packages/${name.replace(/^@.*\//, "")}`, (id) => packageOf(id) === name)),
    group("command-line", (id, graph) => isReached(commandLine, id, graph)),
    group("client", (id, graph) => isReached(client, id, graph)),
    group("sandbox", (id, graph) => isReached(sandbox, id, graph)),
    group("calibrate", (id) => id.startsWith(resolve(folder, "../calibrate") + sep)),
    group("commands", (id) => id.startsWith(resolve(folder, "cli/commands") + sep)),
  ];
}

function group(name, takes) {
  return { debugName: name, name: (id, graph) => (takes(id, graph) ? name : null) };
}

/** Returns these modules and all of their imports, except late ones. */
function reach(roots, folder, graph) {
  const reached = new Set(roots.map((root) => resolve(folder, root)));
  for (const id of reached) for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) reached.add(imported);
  return reached;
}
