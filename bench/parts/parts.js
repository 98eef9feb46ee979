import { commands } from "./commands.js";
import { clock, environments } from "./inside.js";
import { install } from "./install.js";
import { latency } from "./latency.js";
import { requests } from "./requests.js";
import { start } from "./start.js";

/**
 * @typedef {object} Context
 * @property {ReturnType<typeof import("../options.js").readOptions>} options
 * @property {import("../servers/servers.js").Server[]} servers those that are installed
 * @property {import("../data/datasets.js").Datasets} datasets
 * @property {import("../measure/load.js").Load | undefined} load for the parts that need it
 * @property {(text: string) => void} say reports progress
 * @property {string[]} wrong answers that were not as expected: they fail the run
 */

/**
 * The parts of a run. Each gives its tables in Markdown.
 *
 * @type {{ id: string, title: string, needsLoad?: boolean, run: (context: Context) => Promise<string> }[]}
 */
export const parts = [requests, latency, start, environments, clock, commands, install];
