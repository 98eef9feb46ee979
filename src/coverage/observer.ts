import type { CoverageExample } from "../coverage-report.ts";
import { parameters } from "../model/operations.ts";
import type { JournalEntry } from "../options.ts";
import { Conversation } from "./conversation.ts";
import { readBody, type SeenBody, type SeenInvestment } from "./from-bodies.ts";
import { filterOf, idsOfEntry, isAnswered, isUnknown, parametersOf } from "./from-entries.ts";
import type { Count } from "./reaction.ts";
import { Tally } from "./tally.ts";

/** The answers to requests of a journal, and the assumptions of their time. */
export interface Past {
  /** The body that was sent; undefined if it cannot be made again. */
  body(entry: JournalEntry): string | undefined;
  /** The number of a list's first page. */
  firstPage(entry: JournalEntry): number;
}

/** The environment of the requests. */
interface Subject {
  readonly id: string;
  readonly label: string | null;
}

/** An investment as one key read it the last time. */
interface LastSeen {
  readonly state: SeenInvestment | undefined;
  readonly events: ReadonlySet<string> | undefined;
}

/** Tells from the entries of an environment's journal which behaviours its clients have met, and how they reacted. */
export class Observer {
  readonly #subject: Subject;
  readonly #tally = new Tally();
  #past: Past | undefined;
  /** By the ids of keys. */
  readonly #conversations = new Map<string, Conversation>();
  /** Without a key of the environment, by the reason: nobody can tell unknown keys apart. */
  readonly #keyless = new Map<string, Conversation>();
  readonly #bodies = new Map<string, SeenBody>();
  #seen = new Map<string, LastSeen>();
  #totals = new Map<string, number>();
  #usedKeys = new Set<string>();
  /** An entry meets several behaviours. */
  readonly #examples = new WeakMap<JournalEntry, CoverageExample>();
  readonly #count: Count = (id, entry) => this.#tally.count(id, [this.#example(entry)]);

  constructor(subject: Subject) {
    this.#subject = subject;
    this.#tally.environments = 1;
  }

  /** Takes entries in the order of the journal, each once. `missed` more before them are lost. */
  look(entries: readonly JournalEntry[], past: Past, missed: number): void {
    this.#past = past;
    this.#tally.requests += entries.length;
    this.#tally.notLookedAt += missed;
    for (const entry of entries) this.#lookAt(entry);
  }

  /** Ends what is under way: the next requests react to nothing before them. */
  settle(): void {
    this.settleKeyless();
    for (const conversation of this.#conversations.values()) conversation.settle();
    this.#seen = new Map();
    this.#totals = new Map();
    this.#usedKeys = new Set();
  }

  /** The same for requests without a key of the environment: they may be of somebody else now. */
  settleKeyless(): void {
    for (const conversation of this.#keyless.values()) conversation.settle();
  }

  /** The sums by now, as if nothing more came. */
  tally(): Tally {
    const sums = new Tally();
    if (this.#tally.requests + this.#tally.notLookedAt === 0) return sums;
    sums.add(this.#tally);
    for (const conversation of [...this.#conversations.values(), ...this.#keyless.values()]) {
      conversation.end((id, entry) => sums.count(id, [this.#example(entry)]));
    }
    return sums;
  }

  #lookAt(entry: JournalEntry): void {
    for (const id of idsOfEntry(entry)) this.#count(id, entry);
    if (isUnknown(entry)) this.#count("unknown-request", entry);
    this.#lookAtKey(entry);
    this.#conversation(entry).hear(entry);
    if (isAnswered(entry)) this.#lookAtBody(entry);
  }

  #lookAtKey(entry: JournalEntry): void {
    const { key_id, code } = entry;
    if (key_id === null) return;
    if (code === "key_revoked" && this.#usedKeys.has(key_id)) this.#count("time.key-revoked", entry);
    if (entry.status === 200) this.#usedKeys.add(key_id);
    else this.#usedKeys.delete(key_id);
  }

  #lookAtBody(entry: JournalEntry): void {
    const { operation, key_id } = entry;
    if (operation === "listInvestments") this.#lookAtTotal(entry);
    const body = this.#body(entry);
    if (!body) return;
    for (const id of body.ids) this.#count(id, entry);
    for (const state of body.investments) {
      const place = `${key_id} ${state.id}`;
      const last = this.#seen.get(place);
      for (const name of ["status", "step", "paid_amount"] as const) {
        const [before, now] = [last?.state?.[name], state[name]];
        if (before !== undefined && now !== undefined && before !== now) this.#count(`time.${name}`, entry);
      }
      const known = Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined));
      const whole = { ...last?.state, ...known } as SeenInvestment;
      this.#seen.set(place, { state: whole, events: this.#lookAtEvents(entry, body.events, last?.events) });
    }
  }

  #lookAtEvents(
    entry: JournalEntry,
    events: readonly string[] | undefined,
    before: ReadonlySet<string> | undefined,
  ): ReadonlySet<string> | undefined {
    if (!events) return before;
    const query = parametersOf(entry);
    const isFiltered = Object.keys(parameters).some((name) => query.has(name));
    if (!isFiltered && before && events.some((id) => !before.has(id))) this.#count("time.event", entry);
    if (!isFiltered && events.length === 0) this.#count("events.none", entry);
    if (isFiltered && events.length === 0) {
      this.#count("filters.events.none", entry);
      if (before && before.size > 0) this.#count("events.filtered-to-none", entry);
    }
    return isFiltered ? before : new Set(events);
  }

  #lookAtTotal(entry: JournalEntry): void {
    const list = `${entry.key_id} ${filterOf(entry)}`;
    const before = this.#totals.get(list);
    const { total } = entry;
    if (total === null) return;
    if (before !== undefined && total > before) this.#count("time.investment", entry);
    this.#totals.set(list, total);
  }

  /** Answers of the same bytes are read once. */
  #body(entry: JournalEntry): SeenBody | undefined {
    const name = `${entry.operation} ${entry.key_type} ${entry.digest}`;
    const known = this.#bodies.get(name);
    if (known) return known;
    const text = this.#past?.body(entry);
    const body = text === undefined ? undefined : readBody(entry, text);
    if (body) this.#bodies.set(name, body);
    return body;
  }

  #conversation({ key_id, code }: JournalEntry): Conversation {
    const [conversations, name] = key_id === null ? [this.#keyless, code ?? ""] : [this.#conversations, key_id];
    const known = conversations.get(name);
    if (known) return known;
    const conversation = new Conversation(this.#count, (entry) => this.#past?.firstPage(entry) ?? 1);
    conversations.set(name, conversation);
    return conversation;
  }

  #example(entry: JournalEntry): CoverageExample {
    const known = this.#examples.get(entry);
    if (known) return known;
    const { id: environment, label: test } = this.#subject;
    const { id, method, path } = entry;
    const example = { test, request: `${method} ${shown(path)}`, environment, id };
    this.#examples.set(entry, example);
    return example;
  }
}

/** A path without the values of parameters that section 4 does not name: they may be somebody's data. */
function shown(path: string): string {
  const [place = "", query] = path.split(/\?(.*)/s);
  if (query === undefined) return place;
  const pairs = query.split("&").map((pair) => {
    const [name = ""] = new URLSearchParams(pair).keys();
    return Object.hasOwn(parameters, name) ? pair : pair.replace(/=.+/s, "=…");
  });
  return `${place}?${pairs.join("&")}`;
}
