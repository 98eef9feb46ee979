import { clock } from "./clock.js";
import { commands } from "./commands.js";
import { environments } from "./environments.js";
import { installs } from "./installs.js";
import { latency } from "./latency.js";
import { npx } from "./npx.js";
import { requests } from "./requests.js";
import { start } from "./start.js";

/**
 * What every part is given.
 *
 * @typedef {object} Context
 * @property {ReturnType<typeof import("../options.js").readOptions>} options
 * @property {import("../servers/servers.js").Server[]} servers those that are installed
 * @property {string[]} absent those that are not, and why
 * @property {import("../data/datasets.js").Datasets} datasets
 * @property {import("../measure/load.js").Load | undefined} load there for the parts that need it
 * @property {(text: string) => void} say
 * @property {string[]} wrong answers that were not as expected: a run that found some fails
 */

/**
 * What a run is made of. Each gives its tables in Markdown.
 *
 * @type {{ id: string, title: string, needsLoad?: boolean, run: (context: Context) => Promise<string> }[]}
 */
export const parts = [requests, latency, start, environments, clock, commands, installs, npx];
