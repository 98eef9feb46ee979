import { isMembers } from "../src/model/members.ts";
import { keyKinds } from "./keys.ts";
import {
  afterLast,
  defaultSize,
  firstPage,
  firstProbes,
  frontMoved,
  largestSize,
  nextSize,
  overMax,
  pageIsRepeated,
} from "./rows/lists.ts";
import { orderRows } from "./rows/orders.ts";
import { dataRows } from "./rows/data.ts";
import { mostOf, probe, probeIds } from "./probes.ts";
import { longestWait, type Session } from "./session.ts";
import type { Shape } from "./shapes.ts";

export interface ExploreOptions {
  /** How many investments are read. */
  readonly sample: number;
  readonly exhaust: boolean;
  readonly withOptions: boolean;
}

/** A key that the service refuses for the offering. */
class KeyRefused extends Error {
  override readonly name = "KeyRefused";
}

/** Asks all that decisions need, as far as the answers so far make it worth asking. Throws KeyRefused. */
export async function explore(session: Session, options: ExploreOptions): Promise<void> {
  await readOffering(session);
  if (session.ended) return;
  for (const id of ["cors", "lower_case_scheme", "no_key", "foreign_offering", "unknown_investment"] as const) {
    await session.ask(id);
  }
  await readLists(session);
  const samples = samplesOf(session, options.sample);
  await readInvestments(session, samples);
  await readEvents(session, samples);
  const last = afterLast(session.seen);
  if (last) await session.ask("after_last", last);
  for (const id of ["past_end", "bad_size", "bad_page", "bad_date", "far_future"] as const) await session.ask(id);
  for (const id of ["repeated_late", "repeated_early"] as const) await session.ask(id);
  for (const id of [
    "no_key_unknown_path",
    "no_key_bad_size",
    "foreign_offering_bad_size",
    "unknown_investment_bad_date",
  ] as const) {
    await session.ask(id);
  }
  await searchBrokers(session);
  if (options.withOptions) await session.ask("method");
  if (options.exhaust) await exhaust(session);
}

async function readOffering(session: Session): Promise<void> {
  for (const key of session.options.keys.keys()) {
    const shape = await session.ask("offering", { key });
    if (!shape) continue;
    if (shape.status === 200 && isOffering(shape)) continue;
    throw new KeyRefused(refusal(shape, key + 1));
  }
}

/** True for a document with data of an id and a type, or of attributes. */
function isOffering({ types }: Shape): boolean {
  const data = isMembers(types) ? types["data"] : undefined;
  return isMembers(data) && (("id" in data && "type" in data) || isMembers(data["attributes"]));
}

function refusal({ status }: Shape, key: number): string {
  if (status === 401) return `Key ${key} was refused with 401: it is missing a part, unknown or revoked.`;
  if (status === 403)
    return `Key ${key} was refused with 403: it is the key of another offering, or --offering is not its own.`;
  if (status === 200) return "The service gave no answer that is an offering: check --url and --offering.";
  if (status >= 300 && status < 400)
    return `The service answered ${status}, a redirect, which is not followed because the key would go along: give the address that it leads to.`;
  return `The service answered ${status} for the offering: check --url and --offering.`;
}

async function readLists(session: Session): Promise<void> {
  const { seen, memory } = session;
  await session.ask("list");
  for (let tries = 0; tries < mostOf("first_item") && (tries === 0 || frontMoved(seen)); tries++) {
    for (const id of firstProbes) await session.ask(id);
  }
  const candidate = firstPage(seen)?.page;
  if (candidate !== undefined) await session.ask("second_page", { page: candidate + 1 });
  await session.ask("list_again");
  // Where the page has no effect, the first page is not known after all.
  const first = firstPage(seen)?.page;
  await session.ask("over_max");
  if (first !== undefined && overMax(seen) === "clamp") {
    const next = await session.ask("over_max_next", { page: first + 1 });
    if (next?.list?.count) await session.ask("over_max_again");
  }
  for (let size = nextSize(seen); size !== undefined && !session.ended; size = nextSize(seen)) {
    if (seen.all("sizes").length >= mostOf("sizes") || !(await session.ask("sizes", { size }))) break;
  }
  if (first === undefined && !pageIsRepeated(seen)) return;
  const size = pageSize(session);
  memory.series.length = 0;
  const begin = first ?? 1;
  for (let page = begin; page < begin + (first === undefined ? 1 : mostOf("ordered")); page++) {
    const shape = await session.ask("ordered", { page, size });
    if (!shape?.list || shape.list.count < size) return;
    const verdict = orderRows["list.order"].decide(seen);
    const isSure = verdict.kind === "decided" && verdict.confidence === "high";
    // Where several orders fit, a second page may tell them apart; a third one hardly will.
    if (shape.list.ordered >= 12 && (isSure || page > begin)) return;
  }
}

/** The largest page that is known to be one, up to a hundred. */
function pageSize({ seen }: Session): number {
  const shown = overMax(seen) === "clamp" ? (seen.one("over_max")?.list?.count ?? 1) : 1;
  return Math.min(100, Math.max(largestSize(seen).taken, shown, defaultSize(seen)?.size ?? 1));
}

/** Investments to read, by turns from each group of status and step; first those with most persons. */
function samplesOf({ memory }: Session, most: number): string[] {
  const groups = new Map<string, number[]>();
  for (const [investment, group] of memory.groups) groups.set(group, [...(groups.get(group) ?? []), investment]);
  const inOrder = [...groups]
    .toSorted(([one], [other]) => Number(other.at(-1)) - Number(one.at(-1)))
    .map(([, members]) => members);
  const found: number[] = [];
  for (let turn = 0; found.length < most && inOrder.some((members) => turn < members.length); turn++) {
    for (const members of inOrder) found.push(...members.slice(turn, turn + 1));
  }
  return found.slice(0, most).map((investment) => memory.id(investment));
}

async function readInvestments(session: Session, samples: readonly string[]): Promise<void> {
  const { seen } = session;
  const [first] = samples;
  if (first === undefined) return;
  for (const key of session.options.keys.keys()) await session.ask("investment", { sample: first, key });
  const kinds = keyKinds(seen);
  session.reader = Math.max(0, kinds.indexOf("partner"));
  session.marketing = kinds.includes("marketing") ? kinds.indexOf("marketing") : undefined;
  const without: string[] = [];
  for (const sample of samples) {
    const shape =
      sample === first
        ? seen.all("investment").find(({ asked }) => asked.key === session.reader)
        : await session.ask("investment", { sample });
    if (shape?.investment?.investors.some(({ birthdate }) => ["absent", "null"].includes(birthdate)))
      without.push(sample);
  }
  if (session.marketing !== undefined && session.marketing !== session.reader) {
    for (const sample of without.slice(0, mostOf("marketing"))) await session.ask("marketing", { sample });
  }
  const lettered = samples.find((id) => /[a-f]/i.test(id));
  if (lettered !== undefined) await session.ask("upper_case", { sample: lettered });
  await session.ask("status", { sample: first });
}

async function readEvents(session: Session, samples: readonly string[]): Promise<void> {
  const { seen, memory } = session;
  for (const sample of samples) {
    await session.ask("events", { sample });
    const verdict = orderRows["events.order"].decide(seen);
    const telling = seen.all("events").filter(({ events }) => (events?.count ?? 0) >= 3).length;
    if (telling >= 3 && verdict.kind === "decided" && verdict.confidence === "high") break;
  }
  const target = [...memory.events].find(([, { date }]) => /T(?!00:00:00)/.test(date));
  if (!target) return;
  const [event, { investment, date }] = target;
  const sample = memory.id(investment);
  memory.target = event;
  await session.ask("events_until_day", { sample, day: date.slice(0, 10) });
  const before = new Date(Date.parse(date.slice(0, 10)) - 86_400_000);
  await session.ask("events_until_day_before", { sample, day: before.toISOString().slice(0, 10) });
}

/** Reads further pages while no investment has a broker. */
async function searchBrokers(session: Session): Promise<void> {
  const { seen } = session;
  const first = firstPage(seen)?.page;
  const read = seen.all("ordered");
  const size = read[0]?.asked.size;
  if (first === undefined || size === undefined || (read.at(-1)?.list?.count ?? 0) < size) return;
  for (let page = first + read.length; page < first + read.length + mostOf("brokers"); page++) {
    const verdict = dataRows["investment.broker"].decide(seen);
    if (verdict.kind === "decided" && verdict.value === "reference") return;
    const shape = await session.ask("brokers", { page, size });
    if (!shape?.list || shape.list.count < size) return;
  }
}

/** Uses up one key: its window opens, fills half a minute later, and opens again after Retry-After. */
async function exhaust(session: Session): Promise<void> {
  const key = session.marketing ?? session.reader;
  session.hurry(probeIds.filter((id) => probe(id).only === "exhaust").reduce((sum, id) => sum + mostOf(id), 0));
  await session.wait(60_000);
  await session.ask("window_opens", { key });
  await session.wait(30_000);
  let shape: Shape | undefined;
  for (const id of ["window_fills", "limited_answer"] as const) {
    for (let sent = 0; sent < mostOf(id) && shape?.status !== 429; sent++) {
      shape = await session.ask(id, { key });
      if (!shape) return;
    }
  }
  if (shape?.status !== 429) return;
  for (const id of ["limited_unknown_path", "limited_foreign_offering", "limited_bad_size"] as const) {
    const answer = await session.ask(id, { key });
    if (answer?.status === 429) shape = answer;
  }
  const { retryIn = 60_000 } = shape;
  if (retryIn > longestWait) return;
  await session.wait(retryIn);
  for (let sent = 0; sent < mostOf("window_reopens"); sent++) await session.ask("window_reopens", { key });
}
