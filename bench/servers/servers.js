import { jsonServer } from "./json-server.js";
import { limit } from "./limit.js";
import { prism } from "./prism.js";
import { product } from "./product.js";

/**
 * A measured server.
 *
 * @typedef {object} Server
 * @property {string} id
 * @property {string} title its name in the tables
 * @property {string[]} [packages] the packages of a peer, installed in a separate folder
 * @property {{ atLeast: [number, number] }} [node] the oldest Node it supports, default any
 * @property {string} [limit] the id of the limit on the same Node, set at the installation
 * @property {boolean} [isFirst] whether it is the product or the limit on the first Node, set at the installation
 * @property {boolean} [atOneSize] whether its cost is independent of the number of investments
 * @property {string[]} [works] the works it can do, default all
 * @property {string} [file] its data file, default the fixture
 * @property {(file: string, responses: object) => void} [write] writes that file
 * @property {(place: object) => { args: (string | number)[] }} start how Node starts it
 * @property {(work: string, samples: object) => object[]} requests the requests of a work, with the expected bodies
 * @property {(url: string) => Promise<void>} [before] prepares it for a work
 */

/** @type {Server[]} */
export const servers = [product, limit, jsonServer, prism];

/**
 * Returns the servers of a round, rotated so that another one is first each time. Without `repeated`, peers and other
 * Nodes only take part in the first round, and peers with equal cost at every size in no round.
 */
export function serversOf(compared, round, repeated) {
  const by = round % compared.length;
  return [...compared.slice(by), ...compared.slice(0, by)].filter(
    ({ isFirst, atOneSize }) => repeated || isFirst || (round === 0 && !atOneSize),
  );
}
