import { parseArgs } from "node:util";
import { parts } from "./parts/parts.js";
import { servers } from "./servers/servers.js";

const partNames = parts.map(({ id }) => id);
const peerNames = servers.filter(({ packages }) => packages).map(({ id }) => id);

const help = `npm run bench -- [flags]

  --only <parts>      only these parts, by commas: ${partNames.join(", ")}
  --sizes <numbers>   how many investments, by commas         [default: 100,1000,10000,100000]
  --peers <names>     only these peers, by commas, or none: ${peerNames.join(", ")}
  --node <versions>   the product and the limit on each of these Nodes, such as 20,24, the others on the first
                                                              [default: the Node at hand]
  --environments <number>  how many a process has in "many" [default: 10000]
  --rounds <number>   alternating rounds                      [default: 3]
  --seconds <number>  how long each measurement takes         [default: 2]
  --no-write          print the tables, and leave bench/README.md as it is`;

/** Parses the flags of a run. Exits with 2 on an unknown one. */
export function readOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      allowNegative: true,
      options: {
        only: { type: "string", default: partNames.join(",") },
        sizes: { type: "string", default: "100,1000,10000,100000" },
        peers: { type: "string", default: peerNames.join(",") },
        node: { type: "string" },
        environments: { type: "string", default: "10000" },
        rounds: { type: "string", default: "3" },
        seconds: { type: "string", default: "2" },
        write: { type: "boolean", default: true },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    if (values.help) {
      console.log(help);
      process.exit(0);
    }
    return {
      only: parseNames(values.only, partNames, "part"),
      peers: values.peers === "none" ? [] : parseNames(values.peers, peerNames, "peer"),
      sizes: values.sizes.split(",").map((size) => parseInteger(size, 20, 100_000)),
      nodes: values.node?.split(",").map((version) => nodeVersion(version)) ?? [process.versions.node],
      environments: parseInteger(values.environments, 1, 19_999),
      rounds: parseInteger(values.rounds, 1, 99),
      seconds: parseInteger(values.seconds, 1, 60),
      write: values.write,
      command: ["npm run bench", ...(args.length > 0 ? ["--", ...args] : [])].join(" "),
    };
  } catch (error) {
    console.error(`${error.message}\n\n${help}`);
    process.exit(2);
  }
}

function parseNames(text, allowed, kind) {
  const list = text.split(",");
  const unknown = list.find((name) => !allowed.includes(name));
  if (unknown !== undefined) throw new Error(`There is no ${kind} "${unknown}".`);
  return list;
}

function nodeVersion(text) {
  if (!/^\d+(\.\d+){0,2}$/.test(text)) throw new Error(`"${text}" is no version of Node, such as 24 or 24.21.0.`);
  return text;
}

function parseInteger(text, min, max) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new Error(`"${text}" is no integer from ${min} to ${max}.`);
  }
  return value;
}
