import type { Investment } from "../model/resources.ts";
import type { JournalEntry } from "../requests.ts";
import { type Count, isAnswered, isFiltered } from "./entries.ts";
import { Recent } from "./recent.ts";

/** An investment as a key read it the last time. */
interface Reading {
  readonly status: string;
  readonly step: string | null;
  /** Undefined if its document was not read. */
  readonly paid_amount: number | undefined;
  /** Number of its events; undefined if they were not read. */
  readonly events: number | undefined;
}

/** The members of an investment that two reads may show differently. */
export class Investments {
  readonly #count: Count;
  readonly #readings = new Recent<Reading>();

  constructor(count: Count) {
    this.#count = count;
  }

  /** Takes an answer about one investment, and the investment as it was then. */
  observe(entry: JournalEntry, investment: Investment): void {
    if (!isAnswered(entry)) return;
    const { operation, key_id, key_type, shown } = entry;
    const name = `${key_id} ${investment.id}`;
    const before = this.#readings.get(name);
    const isDocument = operation === "getInvestment";
    const isEvents = operation === "listInvestmentEvents" && !isFiltered(entry);
    if (operation === "listInvestmentEvents" && shown === 0) {
      if (isEvents) this.#count("events.none", entry);
      else if ((before?.events ?? 0) > 0) this.#count("events.filtered-to-none", entry);
    }
    const { status, step, paid_amount, investors } = investment;
    if (isDocument && key_type === "partner" && investors.some(({ birthdate }) => birthdate === null)) {
      this.#count("persons.birthdate-absent", entry);
    }
    const now: Reading = {
      status,
      step,
      paid_amount: isDocument ? paid_amount : before?.paid_amount,
      events: isEvents ? (shown ?? undefined) : before?.events,
    };
    this.#readings.set(name, now);
    if (!before) return;
    for (const member of ["status", "step", "paid_amount"] as const) {
      if (before[member] !== undefined && before[member] !== now[member]) this.#count(`time.${member}`, entry);
    }
    if ((now.events ?? 0) > (before.events ?? Infinity)) this.#count("time.event", entry);
  }
}
