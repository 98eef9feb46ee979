import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CoverageReport, RequestEntry } from "../control.ts";
import { Past, type Preview } from "../control/replay.ts";
import { Observer } from "../coverage/observer.ts";
import { checkExceptions, type Exceptions } from "../coverage/requirements.ts";
import { Tally } from "../coverage/tally.ts";
import { messageOf, UnwritableFile } from "../model/mistakes.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments, Forgetting } from "../environment/environments.ts";
import { makeWritableFolder } from "./made-folder.ts";

/** An environment of which a report is made. */
interface Observed {
  readonly observer: Observer;
  /** The id of the last entry that was looked at; undefined if the journal is another since. */
  looked: number | undefined;
  /** Entries from before are of another state, in milliseconds of the machine's clock. */
  since: number;
  /** Requests since the last look. */
  pending: number;
}

interface KeeperParts {
  readonly environments: Environments;
  readonly preview: Preview;
  readonly exceptions: Exceptions;
}

/** Half of the journal, which so loses none. */
const lookEvery = 500;

/** Looks at the journals of a server's environments before they lose their entries, and keeps the sums. */
export class CoverageKeeper {
  readonly #parts: KeeperParts;
  readonly #dropped = new Tally();
  #folder: string | undefined;
  readonly #observed = new Map<Environment, Observed>();
  /** Nobody is left to catch an error. */
  readonly #atExit = (): void => {
    try {
      this.close();
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
    }
  };

  /** Throws Mistake for exceptions of unknown ids. */
  constructor(parts: KeeperParts) {
    checkExceptions(parts.exceptions);
    this.#parts = parts;
    this.#dropped.parts.add(randomUUID());
    parts.environments.onForget((environment, how) => this.#forget(environment, how));
  }

  /** Looks at an environment before its journal is full. */
  noteRequest({ environment: id }: RequestEntry): void {
    const environment = id === null ? undefined : this.#parts.environments.get(id);
    if (!environment) return;
    const observed = this.#observe(environment);
    observed.pending += 1;
    if (observed.pending >= lookEvery) this.#look(environment);
  }

  /** Another test has begun or ended: requests without a key are of somebody else from now on. */
  noteTest(): void {
    const environment = this.#parts.environments.default;
    this.#look(environment).settleKeyless();
  }

  /** Of some environments; of all that ever were without any. */
  report(environments?: readonly Environment[]): CoverageReport {
    const sums = new Tally();
    for (const part of this.#dropped.parts) sums.parts.add(part);
    if (!environments) sums.add(this.#dropped);
    for (const environment of environments ?? this.#parts.environments.all) sums.add(this.#look(environment).tally());
    return sums.report(this.#parts.exceptions);
  }

  /** Writes the report of all environments to a file of its own at the end, unless no request came. Throws UnwritableFile. */
  async writeAtEnd(folder: string): Promise<void> {
    await makeWritableFolder(folder);
    this.#folder = folder;
    // A runner may end its worker without closing anything.
    process.once("exit", this.#atExit);
  }

  /** Writes the report now, if there is a folder. Throws UnwritableFile. */
  close(): void {
    process.off("exit", this.#atExit);
    if (this.#folder === undefined) return;
    const report = this.report();
    if (report.requests === 0) return;
    const file = join(this.#folder, `${process.pid}-${randomUUID().slice(0, 8)}.json`);
    try {
      writeFileSync(file, `${JSON.stringify(report, null, 1)}\n`);
    } catch (error) {
      throw new UnwritableFile(file, error);
    }
  }

  #observe(environment: Environment): Observed {
    const known = this.#observed.get(environment);
    if (known) return known;
    const { id, setup } = environment;
    const observed = { observer: new Observer({ id, label: setup.label ?? null }), looked: 0, since: 0, pending: 0 };
    this.#observed.set(environment, observed);
    return observed;
  }

  #look(environment: Environment): Observer {
    const observed = this.#observe(environment);
    const { observer, looked, since } = observed;
    const { journal } = environment.stores;
    observed.pending = 0;
    if (journal.last === looked) return observer;
    const past = new Past(environment, this.#parts.preview);
    const entries = past.entries.filter(
      ({ id, recorded_at }) => id > (looked ?? 0) && Date.parse(recorded_at) >= since,
    );
    const before = (entries[0]?.id ?? journal.last + 1) - 1;
    observer.look(entries, past, Math.max(0, before - (looked ?? before)));
    observed.looked = journal.last;
    return observer;
  }

  #forget(environment: Environment, how: Forgetting): void {
    const observer = this.#look(environment);
    if (how === "cleared") return;
    observer.settle();
    const observed = this.#observe(environment);
    observed.since = Date.now();
    observed.looked = undefined;
    if (how === "replaced") return;
    this.#dropped.add(observer.tally());
    this.#observed.delete(environment);
  }
}
