import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CoverageReport, RequestEntry } from "../control.ts";
import { Observer } from "../coverage/observer.ts";
import { partEnding } from "../coverage/sums.ts";
import { Tally } from "../coverage/tally.ts";
import type { Environment } from "../environment/environment.ts";
import type { Environments, Forgetting } from "../environment/environments.ts";
import { messageOf, UnwritableFile } from "../model/mistakes.ts";
import { makeWritableFolder } from "./made-folder.ts";
import { PastInvestments } from "./past-investments.ts";

/** An environment of which a report is made. */
interface Observed {
  readonly observer: Observer;
  /** The id of the last entry that was looked at; undefined if the journal is another since. */
  looked: number | undefined;
  /** Entries recorded before the last reset are ignored: in milliseconds of the machine's clock. */
  since: number;
}

/** Half of the journal, which so loses none. */
const lookEvery = 500;

/** The keepers that write at the end of the process. */
const writing = new Set<CoverageKeeper>();

/** Nobody is left to catch an error. */
function writeAll(): void {
  for (const keeper of writing) {
    try {
      keeper.close();
    } catch (error) {
      process.stderr.write(`${messageOf(error)}\n`);
    }
  }
}

/** Looks at the journals of a server's environments before they lose their entries, and keeps the sums. */
export class CoverageKeeper {
  readonly #environments: Environments;
  readonly #dropped = new Tally();
  readonly #observed = new Map<Environment, Observed>();
  #folder: string | undefined;

  constructor(environments: Environments) {
    this.#environments = environments;
    environments.onForget((environment, how) => this.#forget(environment, how));
  }

  /** Looks at an environment before its journal is full. */
  noteRequest({ environment: id }: RequestEntry): void {
    const environment = id === null ? undefined : this.#environments.get(id);
    if (!environment) return;
    const { looked = 0 } = this.#observe(environment);
    if (environment.stores.journal.last - looked >= lookEvery) this.#look(environment);
  }

  reportOf(environment: Environment): CoverageReport {
    return this.#look(environment).tally().report();
  }

  /** Of all environments that ever were. Others get a turn between two of them. */
  async report(): Promise<CoverageReport> {
    for (const environment of this.#environments.all) {
      if (this.#environments.has(environment)) this.#look(environment);
      await nextTurn();
    }
    return this.#sum().report();
  }

  /** Writes the sums of all environments to a file of its own at the end, unless no request came. Throws UnwritableFile. */
  async writeAtEnd(folder: string): Promise<void> {
    await makeWritableFolder(folder);
    this.#folder = folder;
    // A runner may end its worker without closing anything.
    if (writing.size === 0) process.once("exit", writeAll);
    writing.add(this);
  }

  /** Writes the sums now, if there is a folder. Throws UnwritableFile. */
  close(): void {
    writing.delete(this);
    if (writing.size === 0) process.off("exit", writeAll);
    if (this.#folder === undefined) return;
    for (const environment of this.#environments.all) this.#look(environment);
    const part = randomUUID();
    const sums = this.#sum().sums(part);
    if (sums.requests === 0) return;
    const file = join(this.#folder, `${part}${partEnding}`);
    try {
      writeFileSync(file, `${JSON.stringify(sums)}\n`);
    } catch (error) {
      throw new UnwritableFile(file, error);
    }
  }

  /** Of what was looked at by now. */
  #sum(): Tally {
    const sums = new Tally();
    sums.add(this.#dropped);
    for (const { observer } of this.#observed.values()) sums.add(observer.tally());
    return sums;
  }

  #observe(environment: Environment): Observed {
    const known = this.#observed.get(environment);
    if (known) return known;
    const { id, setup } = environment;
    const observed = { observer: new Observer({ id, label: setup.label ?? null }), looked: 0, since: 0 };
    this.#observed.set(environment, observed);
    return observed;
  }

  #look(environment: Environment): Observer {
    const observed = this.#observe(environment);
    const { observer, looked, since } = observed;
    const { journal } = environment.stores;
    if (journal.last === looked) return observer;
    const { data, dropped } = journal.list({ after: looked });
    const entries = data.filter(({ recorded_at }) => Date.parse(recorded_at) >= since);
    const investments = new PastInvestments(environment, entries);
    const past = {
      investment: (entry: (typeof entries)[number]) => investments.at(entry),
      firstPage: ({ id }: (typeof entries)[number]) =>
        Number(journal.assumptionsAt(id, environment.assumptions)["list.first_page"]),
    };
    observer.observe(entries, past, looked === undefined ? 0 : dropped);
    observed.looked = journal.last;
    return observer;
  }

  #forget(environment: Environment, how: Forgetting): void {
    const observer = this.#look(environment);
    if (how === "cleared") return;
    observer.reset();
    const observed = this.#observe(environment);
    observed.since = Date.now();
    observed.looked = undefined;
    if (how === "replaced") return;
    this.#dropped.add(observer.tally());
    this.#observed.delete(environment);
  }
}
