import { execFileSync } from "node:child_process";
import { cpus, release, totalmem, type } from "node:os";
import { product } from "./servers/product.js";

/** The line below a section: date, product, machine and other circumstances. */
export function circumstances(command, circumstanceNotes) {
  const [{ model }] = cpus();
  const machine = [model.trim(), `${cpus().length} cores`, `${Math.round(totalmem() / 2 ** 30)} GB`];
  const software = `${type()} ${release()}, Node ${process.versions.node}`;
  const firstNotes = [new Date().toISOString().slice(0, 10), ...command].join(", ");
  return `_${[firstNotes, `${product.title} at ${commit()}`, `${machine.join(", ")}, ${software}`, ...circumstanceNotes].join("; ")}._`;
}

/** The measured commit, with a `+` if the sources differ from it. */
function commit() {
  const options = { encoding: "utf8", cwd: import.meta.dirname };
  const id = execFileSync("git", ["rev-parse", "--short", "HEAD"], options).trim();
  const changes = execFileSync("git", ["status", "--porcelain", "--", "../src", "../bin"], options);
  return id + (changes === "" ? "" : "+");
}
