/*
 * A request with a key arrives (`arrivals.ts`), perhaps while another of its key is under way. When it is answered, its
 * entry in the journal shows which behaviour it met (`entries.ts`), and whether it reacts to an earlier answer
 * (`reactions.ts`). The observer of its environment counts both here (`tally.ts`). A process writes its counts to a
 * folder (`sums.ts`), those of many are added up, and a report (`report.ts`) names what was met and what was not
 * (`catalogue.ts`). It is judged by what a job requires (`requirements.ts`), and told in lines (`texts.ts`).
 */

import type { ServerResponse } from "node:http";
import type { CoverageExample } from "../public/coverage-report.ts";
import { parameters } from "../model/operations.ts";
import { behaviourOf, type CountedCall, type CountedEntry, isUnknown } from "./entries.ts";
import { type Counts, Reactions } from "./reactions.ts";
import { CoverageTally } from "./tally.ts";

/** The environment of the requests. */
interface ObservedEnvironment {
  readonly id: string;
  readonly label: string | null;
}

/** Counts what the requests to an environment meet, and how its clients reacted. */
export class Observer implements Counts {
  tally = new CoverageTally();
  readonly #subject: ObservedEnvironment;
  readonly #all: CoverageTally;
  readonly reactions = new Reactions(this);
  /** The era of the environment at the last request. */
  #era: object | undefined;

  /** `all` gets the same counts. */
  constructor(subject: ObservedEnvironment, all: CoverageTally) {
    this.#subject = subject;
    this.#all = all;
  }

  /**
   * Takes a call and its entry in the journal before its answer goes out. Returns whether the answer has to wait: see
   * `Arrivals`. Another era means that the environment was reset: then nothing reacts to earlier answers.
   */
  observe(call: CountedCall, entry: CountedEntry, response: ServerResponse, era: object): boolean {
    if (this.#era === undefined) {
      this.tally.environments = 1;
      this.#all.environments += 1;
    }
    if (era !== this.#era) this.reactions.reset();
    this.#era = era;
    this.tally.requests += 1;
    this.#all.requests += 1;
    const behaviour = behaviourOf(entry);
    if (behaviour !== undefined) this.count(behaviour, entry);
    if (isUnknown(entry, call)) this.count("unknown-request", entry);
    this.reactions.observe(entry, response, call.start);
    return this.reactions.delays(entry);
  }

  uncount(id: string, entryId: number): void {
    for (const tally of [this.tally, this.#all]) tally.uncount(id, this.#subject.id, entryId);
  }

  noteUndecided(): void {
    for (const tally of [this.tally, this.#all]) tally.undecided += 1;
  }

  count(id: string, entry: CountedEntry): void {
    // The totals keep the first examples of each environment.
    const examples = this.tally.hasAllExamples(id) ? [] : [this.#example(entry)];
    this.tally.count(id, examples);
    this.#all.count(id, examples);
  }

  #example({ id, method, path }: CountedEntry): CoverageExample {
    const { id: environment, label: test } = this.#subject;
    return { test, request: `${method} ${redactedEntryPath(path)}`, environment, id };
  }
}

/** A path without the values of parameters that section 4 does not name: they may be somebody's data. */
function redactedEntryPath(path: string): string {
  const [place = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return place;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(pair).keys();
    return Object.hasOwn(parameters, name) ? pair : pair.replace(/=.+/s, "=…");
  });
  return `${place}?${pairs.join("&")}`;
}
