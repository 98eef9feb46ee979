import { earlier, type Instant, never } from "../model/instant.ts";
import { repetitions, type Run } from "./run.ts";
import { beginsWithChange, nextRepetition, type UpcomingRepetition } from "./schedule.ts";

/** The repetitions of runs that have not begun, with their exact dates: the timeline does not have their changes yet. */
export class UpcomingRepetitions {
  readonly #seed: number;
  readonly #unfinished = new Set<Run>();
  /** The next of each run, found once. */
  readonly #next = new Map<Run, UpcomingRepetition>();
  #first: { readonly run: Run; readonly next: UpcomingRepetition } | undefined;

  constructor(seed: number, runs: readonly Run[]) {
    this.#seed = seed;
    for (const run of runs) this.add(run);
  }

  add(run: Run): void {
    this.#first = undefined;
    if (run.tracks.length < repetitions(run)) this.#unfinished.add(run);
  }

  /** The next of a run; undefined if none is left. */
  of(run: Run): UpcomingRepetition | undefined {
    const known = this.#next.get(run);
    if (known && known.index >= run.tracks.length && !run.stopped) return known;
    this.#next.delete(run);
    const next = nextRepetition(run, this.#seed);
    if (next) this.#next.set(run, next);
    else this.#unfinished.delete(run);
    return next;
  }

  /** The run with the earliest of all, and its date; `never` if none is left. */
  get first(): { readonly run: Run | undefined; readonly date: Instant } {
    // As long as it has not begun, it stays the first.
    if (!this.#first || this.of(this.#first.run) !== this.#first.next) {
      this.#first = undefined;
      for (const run of this.#unfinished) {
        const next = this.of(run);
        if (next && next.date < (this.#first?.next.date ?? never)) this.#first = { run, next };
      }
    }
    return { run: this.#first?.run, date: this.#first?.next.date ?? never };
  }

  /** The date of the first change by one, of all runs or of some; `never` if none is left. */
  nextChange(isMeant: (run: Run) => boolean = () => true): Instant {
    return [...this.#unfinished]
      .filter((run) => beginsWithChange(run) && isMeant(run))
      .reduce((first, run) => earlier(first, this.of(run)?.date ?? never), never);
  }
}
