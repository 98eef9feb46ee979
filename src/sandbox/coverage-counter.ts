import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Observer } from "../coverage/observer.ts";
import type { SerializedCounts } from "../coverage/sums.ts";
import { partSuffix, CoverageCounts } from "../coverage/counts.ts";
import type { Environment } from "../environment/environment.ts";
import { messageOf, FileWriteError } from "../validation/errors.ts";
import { makeWritableFolder } from "../files/file.ts";

/** The counters that write at the end of the process. */
const openCounters = new Set<CoverageCounter>();

/** Writes all counts while the process exits, when an exception would be lost. */
function writeAll(): void {
  for (const counter of openCounters) {
    try {
      counter.close();
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
    }
  }
}

/** Counts which behaviors the requests to a server covered, even in environments that have been deleted. */
export class CoverageCounter {
  readonly #totalCounts = new CoverageCounts();
  readonly #observers = new WeakMap<Environment, Observer>();
  #folder: string | undefined;

  countsOf(environment?: Environment): CoverageCounts {
    return environment ? (this.#observers.get(environment)?.counts ?? new CoverageCounts()) : this.#totalCounts;
  }

  /** Continues the counts of an environment from another process; undefined if that process had none. */
  continueCounts(environment: Environment, sums: SerializedCounts | undefined): void {
    if (sums) this.observerOf(environment).counts = CoverageCounts.of(sums);
  }

  /** Writes the sums of all environments to a new file at the end, unless no request came. Throws FileWriteError. */
  async writeAtEnd(folder: string): Promise<void> {
    await makeWritableFolder(folder);
    this.#folder = folder;
    // A runner may end its worker without closing anything.
    if (openCounters.size === 0) process.once("exit", writeAll);
    openCounters.add(this);
  }

  /** Writes the sums now, if there is a folder. Throws FileWriteError. */
  close(): void {
    openCounters.delete(this);
    if (openCounters.size === 0) process.off("exit", writeAll);
    if (this.#folder === undefined || this.#totalCounts.requests === 0) return;
    const part = randomUUID();
    const file = join(this.#folder, `${part}${partSuffix}`);
    try {
      writeFileSync(file, `${JSON.stringify(this.#totalCounts.serialize(part))}\n`);
    } catch (error) {
      throw new FileWriteError(file, error);
    }
  }

  observerOf(environment: Environment): Observer {
    const known = this.#observers.get(environment);
    if (known) return known;
    const { id, config } = environment;
    const observer = new Observer({ environment: id, test: config.label ?? null }, this.#totalCounts);
    this.#observers.set(environment, observer);
    return observer;
  }
}
