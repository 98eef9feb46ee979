import { isMembers } from "../../src/validation/members.ts";
import type { Shape } from "../responses/shape.ts";
import { typesAt } from "../responses/types.ts";
import { kindsOfKeys } from "../rows/keys.ts";
import {
  afterLast,
  defaultSize,
  firstPage,
  firstItemProbes,
  maxSize,
  nextSize,
  overMax,
  pageIsRepeated,
} from "../rows/paging.ts";
import { verdictOn } from "../rows/table.ts";
import { maxTimes, type ProbeId } from "./probes.ts";
import type { Session } from "./session.ts";

export interface ExploreOptions {
  /** How many investments are read. */
  readonly sample: number;
  readonly withOptions: boolean;
}

/** The service refuses a key for the offering. */
export class KeyRefusedError extends Error {
  override readonly name = "KeyRefusedError";
}

/** Sends the probes, as far as the responses so far make each worth sending. Throws KeyRefusedError. */
export async function explore(session: Session, options: ExploreOptions): Promise<void> {
  await readOffering(session);
  if (session.ended) return;
  await askEach(session, ["cors", "lower_case_scheme", "no_key", "foreign_offering", "unknown_investment"]);
  if (session.seen.one("no_key")?.status === 200) return session.fail(refusesNone);
  await readLists(session);
  const samples = samplesOf(session, options.sample);
  await readInvestments(session, samples);
  await readEvents(session, samples);
  const last = afterLast(session.seen);
  if (last) await session.ask("after_last", last);
  await askEach(session, ["past_end", "bad_size", "bad_page", "bad_date"]);
  await askEach(session, ["far_future", "repeated_late", "repeated_early"]);
  await askEach(session, ["no_key_unknown_path", "no_key_bad_size"]);
  await askEach(session, ["foreign_offering_bad_size", "unknown_investment_bad_date"]);
  await searchBrokers(session);
  if (options.withOptions) await session.ask("method");
  await session.confirm();
}

async function askEach(session: Session, ids: readonly ProbeId[]): Promise<void> {
  for (const id of ids) await session.ask(id);
}

async function readOffering(session: Session): Promise<void> {
  for (const key of session.options.keys.keys()) {
    let shape: Shape | undefined;
    while (!shape && !session.ended) shape = await session.ask("offering", { key });
    if (shape && !(shape.status === 200 && isOffering(shape))) throw new KeyRefusedError(refusal(shape, key + 1));
  }
}

/** Why nothing is decided from the responses of a service that is open to everybody. */
const refusesNone = "it returned 200 to a request without a key, and so refuses no key";

/** True for a document with data of an id and a type, or of attributes. */
function isOffering({ types }: Shape): boolean {
  const data = typesAt(types, "data");
  return isMembers(data) && (("id" in data && "type" in data) || isMembers(data["attributes"]));
}

function refusal({ status }: Shape, key: number): string {
  if (status === 401) return `Key ${key} was refused with 401: it is missing a part, unknown or revoked.`;
  if (status === 403)
    return `Key ${key} was refused with 403: it is the key of another offering, or --offering is not its own.`;
  if (status === 200) return "The service gave no response that is an offering: check --url and --offering.";
  if (status >= 300 && status < 400)
    return `The service returned ${status}, a redirect, which is not followed because the key would go along: give the address that it leads to.`;
  return `The service returned ${status} for the offering: check --url and --offering.`;
}

async function readLists(session: Session): Promise<void> {
  const { seen } = session;
  await session.ask("list");
  await askEach(session, firstItemProbes);
  const candidate = firstPage(seen)?.page;
  if (candidate !== undefined) await session.ask("second_page", { page: candidate + 1 });
  // If the parameter `page` has no effect, the number of the first page is unknown after all.
  const first = firstPage(seen)?.page;
  await session.ask("over_max");
  if (first !== undefined && overMax(seen) === "clamp") await session.ask("over_max_next", { page: first + 1 });
  for (let size = nextSize(seen); size !== undefined && !session.ended; size = nextSize(seen)) {
    if (seen.all("sizes").length >= maxTimes("sizes") || !(await session.ask("sizes", { size }))) break;
  }
  if (first !== undefined || pageIsRepeated(seen)) await readPages(session, first);
}

/** Reads page by page until the order of the list shows; only one page if the number of the first is unknown. */
async function readPages(session: Session, first: number | undefined): Promise<void> {
  const { seen, memory } = session;
  memory.series.length = 0;
  const size = pageSize(session);
  const pages = first === undefined ? 1 : maxTimes("ordered");
  for (let count = 1; count <= pages; count++) {
    const shape = await session.ask("ordered", { page: (first ?? 1) + count - 1, size });
    if (!shape?.list || shape.list.count < size) return;
    const verdict = verdictOn("list.order", seen);
    const isSure = verdict.kind === "decided" && verdict.confidence === "high";
    // If several orders fit, a second page may distinguish them; a third page hardly will.
    if (shape.list.ordered >= 12 && (isSure || count > 1)) return;
  }
}

/** The largest known size of a page, up to a hundred. */
function pageSize({ seen }: Session): number {
  const clamped = overMax(seen) === "clamp" ? (seen.one("over_max")?.list?.count ?? 1) : 1;
  return Math.min(100, Math.max(maxSize(seen).accepted, clamped, defaultSize(seen)?.size ?? 1));
}

/** Investments to read, by turns from each group of status and step; first those with most people. */
function samplesOf({ memory }: Session, sample: number): string[] {
  const groups = new Map<string, number[]>();
  for (const [investment, group] of memory.groups) groups.set(group, [...(groups.get(group) ?? []), investment]);
  const inOrder = [...groups].toSorted(([one], [other]) => Number(other.at(-1)) - Number(one.at(-1)));
  // The first investments of all groups come before all the second ones.
  const turns = inOrder.flatMap(([, members]) => members.map((investment, turn) => ({ investment, turn })));
  const byTurns = turns.toSorted((left, right) => left.turn - right.turn);
  return byTurns.slice(0, sample).map(({ investment }) => memory.id(investment));
}

async function readInvestments(session: Session, samples: readonly string[]): Promise<void> {
  const { seen } = session;
  const [first, ...others] = samples;
  if (first === undefined) return;
  for (const key of session.options.keys.keys()) await session.ask("investment", { sample: first, key });
  const kinds = kindsOfKeys(seen);
  session.reader = Math.max(0, kinds.indexOf("partner"));
  session.marketing = kinds.includes("marketing") ? kinds.indexOf("marketing") : undefined;
  const without: string[] = [];
  const note = (sample: string, shape: Shape | undefined): void => {
    if (shape?.investment?.investors.some(({ birthdate }) => birthdate === "absent" || birthdate === "null"))
      without.push(sample);
  };
  note(
    first,
    seen.all("investment").find(({ asked }) => asked.key === session.reader),
  );
  for (const sample of others) note(sample, await session.ask("investment", { sample }));
  if (session.marketing !== undefined && session.marketing !== session.reader) {
    for (const sample of without.slice(0, maxTimes("marketing"))) await session.ask("marketing", { sample });
  }
  const lettered = samples.find((id) => /[a-f]/i.test(id));
  if (lettered !== undefined) await session.ask("upper_case", { sample: lettered });
  await session.ask("status", { sample: first });
}

async function readEvents(session: Session, samples: readonly string[]): Promise<void> {
  const { seen, memory } = session;
  for (const sample of samples) {
    await session.ask("events", { sample });
    const verdict = verdictOn("events.order", seen);
    const telling = seen.all("events").filter(({ events }) => (events?.count ?? 0) >= 3).length;
    if (telling >= 3 && verdict.kind === "decided" && verdict.confidence === "high") break;
  }
  const target = [...memory.events].find(([, { date }]) => /T(?!00:00:00)/.test(date));
  if (!target) return;
  const [event, { investment, date }] = target;
  const sample = memory.id(investment);
  memory.target = event;
  const day = date.slice(0, 10);
  await session.ask("events_until_day", { sample, day });
  const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  await session.ask("events_until_day_before", { sample, day: dayBefore });
}

/** Reads further pages while no investment has a broker. */
async function searchBrokers(session: Session): Promise<void> {
  const { seen } = session;
  const first = firstPage(seen)?.page;
  const pages = seen.all("ordered");
  const size = pages[0]?.asked.size;
  if (first === undefined || size === undefined || (pages.at(-1)?.list?.count ?? 0) < size) return;
  for (let count = 0; count < maxTimes("brokers"); count++) {
    const verdict = verdictOn("investment.broker", seen);
    if (verdict.kind === "decided" && verdict.value === "reference") return;
    const shape = await session.ask("brokers", { page: first + pages.length + count, size });
    if (!shape?.list || shape.list.count < size) return;
  }
}
