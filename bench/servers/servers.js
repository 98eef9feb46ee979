import { express } from "./express.js";
import { jsonServer0, jsonServer1 } from "./json-server.js";
import { limit } from "./limit.js";
import { mockoon } from "./mockoon.js";
import { prism } from "./prism.js";
import { product, productLogging } from "./product.js";

/**
 * What is measured.
 *
 * @typedef {object} Server
 * @property {string} id
 * @property {string} title how the tables call it
 * @property {boolean} [ours] whether it is here whatever peers are chosen
 * @property {string[]} [packages] what npm installs for it, in a folder of its own
 * @property {{ atLeast: [number, number] }} [node] the oldest Node that it runs on
 * @property {string} [limit] the id of the limit on the same Node, once it is installed
 * @property {boolean} [atOneSize] whether one number of investments is enough to know it
 * @property {string[]} works the works that it can do
 * @property {string} [file] the file that it reads its data from
 * @property {(file: string, data: object) => void} [write] writes that file
 * @property {(place: object) => { args: (string | number)[], stdout?: number }} start how Node starts it; `stdout` is a file
 * @property {(work: string, samples: object) => object[]} requests what it is asked for a work, and what it should answer
 * @property {(work: string, url: string, samples: object) => Promise<void>} [before] makes it ready for a work
 */

/** @type {Server[]} */
export const servers = [product, productLogging, limit, express, jsonServer0, jsonServer1, prism, mockoon];
