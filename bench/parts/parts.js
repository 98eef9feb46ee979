import { commands } from "./commands.js";
import { clock, environments } from "./inside.js";
import { install } from "./install.js";
import { latency } from "./latency.js";
import { many } from "./many.js";
import { requests } from "./requests.js";
import { start } from "./start.js";
import { suite } from "./suite.js";

/**
 * @typedef {object} Context
 * @property {ReturnType<typeof import("../options.js").readOptions>} options
 * @property {import("../servers/servers.js").Server[]} servers the installed servers
 * @property {import("../data/datasets.js").Datasets} datasets
 * @property {import("../measure/load.js").Load | undefined} load for parts with `needsLoad`
 * @property {(text: string) => void} say reports progress
 * @property {string[]} wrong descriptions of unexpected responses, which fail the run
 */

/**
 * The parts of a run. Each returns its tables in Markdown.
 *
 * @type {{ id: string, title: string, needsLoad?: boolean, run: (context: Context) => Promise<string> }[]}
 */
export const parts = [requests, latency, start, environments, many, clock, commands, install, suite];
