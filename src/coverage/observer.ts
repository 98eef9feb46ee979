import type { CoverageExample } from "../coverage-report.ts";
import { parameters } from "../model/operations.ts";
import type { Investment } from "../model/resources.ts";
import type { JournalEntry } from "../requests.ts";
import { type Count, idsOf } from "./entries.ts";
import { Investments } from "./investments.ts";
import { Reactions } from "./reactions.ts";
import { Recent } from "./recent.ts";
import { Tally } from "./tally.ts";
import { Walks } from "./walks.ts";

/** An environment as it was at the requests of its journal. */
export interface Past {
  /** The investment in the path of an entry. */
  investment(entry: JournalEntry): Investment | undefined;
  /** The number of a list's first page. */
  firstPage(entry: JournalEntry): number;
}

/** The environment of the requests. */
interface Subject {
  readonly id: string;
  readonly label: string | null;
}

/** Tells from the entries of an environment's journal which behaviours its clients have met, and how they reacted. */
export class Observer {
  readonly #subject: Subject;
  readonly #tally = new Tally();
  /** An entry meets several behaviours. */
  readonly #examples = new WeakMap<JournalEntry, CoverageExample>();
  readonly #count: Count = (id, entry) => this.#tally.count(id, [this.#example(entry)]);
  #memory = this.#begin();

  constructor(subject: Subject) {
    this.#subject = subject;
  }

  /** Takes entries in the order of the journal, each once. `missed` more before them are lost. */
  observe(entries: readonly JournalEntry[], past: Past, missed: number): void {
    const { reactions, walks, investments } = this.#memory;
    this.#tally.notLookedAt += missed;
    reactions.begin(entries);
    for (const entry of entries) {
      // Calls of the portal are no client's.
      if (entry.from_portal) continue;
      this.#tally.requests += 1;
      for (const id of idsOf(entry)) this.#count(id, entry);
      this.#observeKey(entry);
      reactions.observe(entry);
      if (entry.operation === "listInvestments") walks.observe(entry, past.firstPage(entry));
      const investment = entry.investment_id === null ? undefined : past.investment(entry);
      if (investment) investments.observe(entry, investment);
    }
  }

  /** Forgets all requests, but not the counts: what comes now is no reaction to them. */
  reset(): void {
    this.#memory.reactions.end(this.#count);
    this.#memory = this.#begin();
  }

  /** The sums by now, as if nothing more came. */
  tally(): Tally {
    const sums = new Tally();
    if (this.#tally.requests + this.#tally.notLookedAt === 0) return sums;
    sums.environments = 1;
    sums.add(this.#tally);
    this.#memory.reactions.end((id, entry) => sums.count(id, [this.#example(entry)]));
    return sums;
  }

  #begin() {
    const noteUndecided = (): void => void (this.#tally.undecided += 1);
    return {
      reactions: new Reactions(this.#count, noteUndecided),
      walks: new Walks(this.#count),
      investments: new Investments(this.#count),
      /** The keys whose last request was answered. */
      usedKeys: new Recent<true>(),
    };
  }

  #observeKey(entry: JournalEntry): void {
    const { key_id, code, status } = entry;
    const { usedKeys } = this.#memory;
    if (key_id === null) return;
    if (code === "key_revoked" && usedKeys.get(key_id)) this.#count("time.key-revoked", entry);
    if (status === 200) usedKeys.set(key_id, true);
    else usedKeys.delete(key_id);
  }

  #example(entry: JournalEntry): CoverageExample {
    const known = this.#examples.get(entry);
    if (known) return known;
    const { id: environment, label: test } = this.#subject;
    const { id, method, path } = entry;
    const example = { test, request: `${method} ${shownPath(path)}`, environment, id };
    this.#examples.set(entry, example);
    return example;
  }
}

/** A path without the values of parameters that section 4 does not name: they may be somebody's data. */
function shownPath(path: string): string {
  const [place = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return place;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(pair).keys();
    return Object.hasOwn(parameters, name) ? pair : pair.replace(/=.+/s, "=…");
  });
  return `${place}?${pairs.join("&")}`;
}
