import { type Environment, type Fact, forget, type Investment, later, record, stateAt } from "./model.ts";
import { investors, type Scenario, signing_parties, type Step } from "./scenarios.ts";

export interface Run {
  readonly id: string;
  readonly scenario: Scenario;
  readonly offering_id: string;
  readonly start: string;
  /** The one that it plays on; null for new ones. */
  readonly investment_id: string | null;
  readonly tracks: Track[];
  stopped: boolean;
}

interface Track {
  /** Until it is known, a stand-in: `run-1#0`. */
  investment_id: string;
  /** The number of the repetition, from 0. */
  readonly index: number;
  readonly start: string;
  readonly dues: (string | null)[];
  readonly aliases: string[];
  reads: number;
}

/** Thrown for a command that has to be refused. */
export class Refused extends Error {}

export function play(environment: Environment, scenario: Scenario): void {
  const { runs, now } = environment.content;
  const { offerings, investments } = stateAt(environment);
  const { investment, offering, steps } = scenario;
  const first = (alias: string) => steps.find(({ payment }) => payment?.alias === alias)?.payment;
  if (steps.some(({ payment }) => payment && first(payment.alias)?.amount === undefined)) throw new Refused();
  let since = 0;
  for (const { after, at } of steps) {
    since += minutes(after ?? "0m");
    if (at !== undefined && minutes(at) < since) throw new Refused();
    since = Math.max(since, minutes(at ?? "0m"));
  }
  const existing = typeof investment === "string" ? investment : null;
  if (existing !== null && !investments[existing]) throw new Refused();
  const own = existing === null ? undefined : investments[existing]?.offering_id;
  const offering_id = own ?? offering ?? Object.keys(offerings)[0] ?? "";
  const id = `run-${runs.length + 1}`;
  const run: Run = { id, scenario, offering_id, start: now, investment_id: existing, tracks: [], stopped: false };
  begin(environment, run);
  runs.push(run);
  beginDue(environment);
}

/** Begins the repetitions that are due, earliest first. */
export function beginDue(environment: Environment): void {
  const { runs, now } = environment.content;
  for (;;) {
    const [first] = runs
      .filter(({ stopped, tracks, scenario }) => !stopped && tracks.length < (scenario.repeat?.count ?? 1))
      .map((run) => ({ run, date: firstDate(run) }))
      .filter(({ date }) => date <= now)
      .toSorted((one, other) => Date.parse(one.date) - Date.parse(other.date));
    if (!first) return;
    orStop(environment, first.run, () => begin(environment, first.run));
  }
}

/** Fires every step of a run that waits. */
export function next(environment: Environment, id: string): void {
  const run = find(environment, id);
  const waiting = run.stopped ? [] : run.tracks.filter((track) => waitsFor(environment, run, track));
  if (waiting.length === 0) throw new Refused();
  for (const track of waiting) fire(environment, run, track);
}

export function stop(environment: Environment, id: string): void {
  const run = find(environment, id);
  const { now } = environment.content;
  run.stopped = true;
  for (const { dues } of run.tracks) dues.forEach((due, at) => due !== null && due > now && (dues[at] = null));
  forget(environment, id);
}

/** An investment was read: this may be what a step waits for. */
export function wasRead(environment: Environment, investmentId: string): void {
  for (const run of environment.content.runs) {
    for (const track of run.tracks) {
      const step = run.stopped || track.investment_id !== investmentId ? null : waitsFor(environment, run, track);
      if (!step?.after_reads || ++track.reads < step.after_reads) continue;
      orStop(environment, run, () => fire(environment, run, track));
    }
  }
}

/** The runs, as `runs.list()` describes them. */
export function described({ content: { runs, now } }: Environment): unknown[] {
  return runs.map(({ id, scenario, stopped, tracks }) => {
    const steps = tracks.flatMap(({ investment_id, dues, start }) =>
      scenario.steps.map((_, index) => {
        const due = dues[index] ?? null;
        const arrived = (dues.at(-1) ?? start) <= now;
        const undone = stopped ? "stopped" : due !== null ? "scheduled" : null;
        const status = due !== null && due <= now ? "done" : undone;
        return {
          index,
          investment_id,
          due,
          status: status ?? (index === dues.length && arrived ? "waiting" : "pending"),
        };
      }),
    );
    const has = (status: string): boolean => steps.some((step) => step.status === status);
    const moves = tracks.length < (scenario.repeat?.count ?? 1) || has("scheduled");
    const going = moves ? "running" : has("waiting") ? "waiting" : has("pending") ? "running" : "finished";
    const investment_ids = tracks.map(({ investment_id }) => investment_id);
    return { id, status: stopped ? "stopped" : going, investment_ids, steps };
  });
}

function find({ content: { runs } }: Environment, id: string): Run {
  const run = runs.find((one) => one.id === id);
  if (!run) throw new Refused();
  return run;
}

/** The step that a track waits with at the present. */
function waitsFor({ content: { now } }: Environment, { scenario }: Run, { dues, start }: Track): Step | undefined {
  return (dues.at(-1) ?? start) <= now ? scenario.steps[dues.length] : undefined;
}

function firstDate(run: Run): string {
  const { scenario, tracks, start } = run;
  const begun = later(start, tracks.length * minutes(scenario.repeat?.every ?? "0m"));
  const [first] = scenario.steps;
  return (first && dateOf(first, begun, begun)) ?? begun;
}

function begin(environment: Environment, run: Run): void {
  const { scenario, tracks, offering_id, id } = run;
  const date = firstDate(run);
  const start = later(run.start, tracks.length * minutes(scenario.repeat?.every ?? "0m"));
  const investment_id = run.investment_id ?? `${id}#${tracks.length}`;
  const track: Track = { investment_id, index: tracks.length, start, dues: [], aliases: [], reads: 0 };
  const investment = newInvestment(offering_id, date);
  const created: Fact = { kind: "new_investment", date, run: id, id: investment_id, investment };
  record(environment, ...(run.investment_id === null ? [created] : []), ...schedule(environment, run, track));
  tracks.push(track);
}

function fire(environment: Environment, run: Run, track: Track): void {
  if (!stateAt(environment).investments[track.investment_id]) throw new Refused();
  const moved = structuredClone(track);
  record(environment, ...schedule(environment, run, moved, environment.content.now));
  Object.assign(track, moved);
}

/** Dates the steps up to the next that waits; the first of them is now if it fires. */
function schedule(environment: Environment, run: Run, track: Track, forced?: string): Fact[] {
  const { steps } = run.scenario;
  const facts: Fact[] = [];
  for (let at = track.dues.length; at < steps.length; at++) {
    const step = steps[at];
    const last = track.dues.at(-1) ?? track.start;
    const date = step && (forced ?? dateOf(step, last, track.start));
    forced = undefined;
    if (!step || date === undefined) break;
    if (date < last) throw new Refused();
    track.dues.push(date);
    track.reads = 0;
    facts.push(...factsOf(environment, run, track, step, date));
  }
  return facts;
}

function dateOf({ after, at, next: waits, after_reads }: Step, last: string, start: string): string | undefined {
  if (waits || after_reads) return undefined;
  return at === undefined ? later(last, minutes(after ?? "0m")) : later(start, minutes(at));
}

function factsOf(environment: Environment, run: Run, track: Track, step: Step, date: string): Fact[] {
  const { offering_id, id: runId } = run;
  const { investment_id: id, aliases } = track;
  const { offering, sign, payment, event, investment, key, fault } = step;
  const base = { date, run: runId };
  const facts: Fact[] = [];
  if (offering) facts.push({ ...base, kind: "offering", id: offering_id, name: offering.name });
  if (sign) {
    const { signed } = stateAt(environment).investments[id] ?? newInvestment(offering_id, date);
    for (const email of Object.keys(signed)) facts.push({ ...base, kind: "signing_party", id, email });
  }
  if (payment) {
    const { alias, ...set } = payment;
    const name = `${runId}#${track.index} ${alias}`;
    const isNew = !aliases.includes(alias);
    if (isNew) aliases.push(alias);
    facts.push({ ...base, kind: isNew ? "new_payment" : "payment", id, payment: name, set });
  }
  if (event) facts.push({ ...base, kind: "event", id });
  if (investment) facts.push({ ...base, kind: "investment", id, set: investment });
  if (key) facts.push(...revocations(environment, offering_id, key.revoke, base));
  if (fault) {
    const { for: duration, ...rule } = fault;
    const faultId = `${runId}#${track.index} fault ${track.dues.length}`;
    const until = later(date, minutes(duration));
    facts.push({ ...base, kind: "new_fault", id: faultId, fault: { id: faultId, rule, until } });
  }
  return facts;
}

function revocations(
  environment: Environment,
  offering_id: string,
  named: string,
  base: Pick<Fact, "date" | "run">,
): Fact[] {
  const { opening, content } = environment;
  const issued = content.facts.flatMap((fact) => (fact.kind === "new_key" && fact.date <= base.date ? [fact.key] : []));
  const revoked = [...opening.keys, ...issued].filter(
    (key) => key.offering_id === offering_id && key.revoke_date === null && (key.type === named || key.label === named),
  );
  if (revoked.length === 0) throw new Refused();
  return revoked.map(({ id }) => ({ ...base, kind: "key", id }));
}

export function newInvestment(offering_id: string, date: string): Investment {
  return {
    offering_id,
    create_date: date,
    modify_date: date,
    number: null,
    status: "PENDING",
    step: null,
    tax_ids: investors.map(({ tax_id }) => tax_id),
    payments: {},
    events: 0,
    signed: Object.fromEntries(signing_parties.map(({ email }) => [email, false])),
  };
}

function minutes(duration: string): number {
  return Number(duration.replace(/m$/, ""));
}

/** Stops a run whose next step is impossible: there is nobody to refuse it. */
function orStop(environment: Environment, { id }: Run, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    stop(environment, id);
  }
}
