import { isMembers } from "../../src/validation/members.ts";
import type { Shape } from "../responses/shape.ts";
import { typesAt } from "../responses/types.ts";
import { kindsOfKeys } from "../rows/keys.ts";
import {
  pageAfterLast,
  defaultSize,
  firstPage,
  firstItemProbes,
  maxSize,
  nextSize,
  overMax,
  isPageRepeated,
} from "../rows/paging.ts";
import { verdictOn } from "../rows/table.ts";
import { maxTimes, type ProbeId } from "./probes.ts";
import type { Session } from "./session.ts";

export interface ExploreOptions {
  /** The number of investments to read. */
  readonly sampleSize: number;
  readonly withOptions: boolean;
}

/** The refusal of a key by the service. */
export class KeyRefusedError extends Error {
  override readonly name = "KeyRefusedError";
}

/** Sends each probe whose response can still decide something. Throws KeyRefusedError. */
export async function explore(session: Session, options: ExploreOptions): Promise<void> {
  await readOffering(session);
  if (session.earlyEnd) return;
  await sendEach(session, ["cors", "lower_case_scheme", "no_key", "foreign_offering", "unknown_investment"]);
  if (session.observations.first("no_key")?.status === 200) return session.fail(refusesNoKey);
  await readLists(session);
  const samples = samplesOf(session, options.sampleSize);
  await readInvestments(session, samples);
  await readEvents(session, samples);
  const last = pageAfterLast(session.observations);
  if (last) await session.send("after_last", last);
  await sendEach(session, ["past_end", "bad_size", "bad_page", "bad_date"]);
  await sendEach(session, ["far_future", "repeated_late", "repeated_early"]);
  await sendEach(session, ["no_key_unknown_path", "no_key_bad_size"]);
  await sendEach(session, ["foreign_offering_bad_size", "unknown_investment_bad_date"]);
  await searchBrokers(session);
  if (options.withOptions) await session.send("method");
  await session.confirm();
}

async function sendEach(session: Session, ids: readonly ProbeId[]): Promise<void> {
  for (const id of ids) await session.send(id);
}

async function readOffering(session: Session): Promise<void> {
  for (const key of session.options.keys.keys()) {
    let shape: Shape | undefined;
    while (!shape && !session.earlyEnd) shape = await session.send("offering", { key });
    if (shape && !(shape.status === 200 && isOffering(shape))) throw new KeyRefusedError(formatRefusal(shape, key + 1));
  }
}

/** The reason why nothing is decided from a service that responds without a key. */
const refusesNoKey = "it returned 200 to a request without a key, and so refuses no key";

/** Returns true for a document whose data has an id and a type, or attributes. */
function isOffering({ types }: Shape): boolean {
  const data = typesAt(types, "data");
  return isMembers(data) && (("id" in data && "type" in data) || isMembers(data["attributes"]));
}

function formatRefusal({ status }: Shape, key: number): string {
  if (status === 401) return `Key ${key} was refused with 401: it is missing a part, unknown or revoked.`;
  if (status === 403)
    return `Key ${key} was refused with 403: it is the key of another offering, or --offering is not the offering of the key.`;
  if (status === 200) return "The service returned no response that is an offering: check --url and --offering.";
  if (status >= 300 && status < 400)
    return `The service returned ${status}, a redirect, which is not followed because it would receive the key: give the address to which it leads.`;
  return `The service returned ${status} for the offering: check --url and --offering.`;
}

async function readLists(session: Session): Promise<void> {
  const { observations } = session;
  await session.send("list");
  await sendEach(session, firstItemProbes);
  const candidate = firstPage(observations)?.page;
  if (candidate !== undefined) await session.send("second_page", { page: candidate + 1 });
  // If the second page shows that the parameter `page` has no effect, the first page is unknown.
  const first = firstPage(observations)?.page;
  await session.send("over_max");
  if (first !== undefined && overMax(observations) === "clamp")
    await session.send("over_max_next", { page: first + 1 });
  for (let size = nextSize(observations); size !== undefined && !session.earlyEnd; size = nextSize(observations)) {
    if (observations.all("sizes").length >= maxTimes("sizes") || !(await session.send("sizes", { size }))) break;
  }
  if (first !== undefined || isPageRepeated(observations)) await readPages(session, first);
}

/** Reads page by page until the order of the list is known; only one page if the number of the first is unknown. */
async function readPages(session: Session, first: number | undefined): Promise<void> {
  const { observations, registry } = session;
  registry.series.length = 0;
  const size = pageSize(session);
  const pages = first === undefined ? 1 : maxTimes("ordered");
  for (let count = 1; count <= pages; count++) {
    const shape = await session.send("ordered", { page: (first ?? 1) + count - 1, size });
    if (!shape?.list || shape.list.count < size) return;
    const verdict = verdictOn("list.order", observations);
    const isCertain = verdict.kind === "decided" && verdict.confidence === "high";
    // If several orders fit, a second page may distinguish them; a third page improbably will.
    if (shape.list.orderedCount >= 12 && (isCertain || count > 1)) return;
  }
}

/** Returns the largest known page size, up to a hundred. */
function pageSize({ observations }: Session): number {
  const clampedSize = overMax(observations) === "clamp" ? (observations.first("over_max")?.list?.count ?? 1) : 1;
  const usualSize = defaultSize(observations)?.size ?? 1;
  return Math.min(100, Math.max(maxSize(observations).largestAccepted, clampedSize, usualSize));
}

/** Returns the investments to read, alternating between the groups of `registry`, those with most people first. */
function samplesOf({ registry }: Session, sample: number): string[] {
  const groups = new Map<string, number[]>();
  for (const [investment, group] of registry.groups) groups.set(group, [...(groups.get(group) ?? []), investment]);
  const orderedGroups = [...groups].toSorted(([left], [right]) => Number(right.at(-1)) - Number(left.at(-1)));
  // The first investments of all groups come before the second investments of all groups.
  const members = orderedGroups.flatMap(([, group]) => group.map((investment, index) => ({ investment, index })));
  const orderedMembers = members.toSorted((left, right) => left.index - right.index);
  return orderedMembers.slice(0, sample).map(({ investment }) => registry.idOf(investment));
}

async function readInvestments(session: Session, samples: readonly string[]): Promise<void> {
  const { observations } = session;
  const [first, ...otherSamples] = samples;
  if (first === undefined) return;
  for (const key of session.options.keys.keys()) await session.send("investment", { sample: first, key });
  const kinds = kindsOfKeys(observations);
  session.readerKey = Math.max(0, kinds.indexOf("partner"));
  session.marketingKey = kinds.includes("marketing") ? kinds.indexOf("marketing") : undefined;
  const samplesWithoutBirthdate: string[] = [];
  const noteMissingBirthdate = (sample: string, shape: Shape | undefined): void => {
    if (shape?.investment?.investors.some(({ birthdate }) => birthdate === "absent" || birthdate === "null"))
      samplesWithoutBirthdate.push(sample);
  };
  noteMissingBirthdate(
    first,
    observations.all("investment").find(({ request }) => request.key === session.readerKey),
  );
  for (const sample of otherSamples) noteMissingBirthdate(sample, await session.send("investment", { sample }));
  if (session.marketingKey !== undefined && session.marketingKey !== session.readerKey) {
    for (const sample of samplesWithoutBirthdate.slice(0, maxTimes("marketing")))
      await session.send("marketing", { sample });
  }
  const sampleWithLetters = samples.find((id) => /[a-f]/i.test(id));
  if (sampleWithLetters !== undefined) await session.send("upper_case", { sample: sampleWithLetters });
  await session.send("status", { sample: first });
}

async function readEvents(session: Session, samples: readonly string[]): Promise<void> {
  const { observations, registry } = session;
  for (const sample of samples) {
    await session.send("events", { sample });
    const verdict = verdictOn("events.order", observations);
    const longHistoryCount = observations.all("events").filter(({ events }) => (events?.count ?? 0) >= 3).length;
    if (longHistoryCount >= 3 && verdict.kind === "decided" && verdict.confidence === "high") break;
  }
  const target = [...registry.events].find(([, { date }]) => /T(?!00:00:00)/.test(date));
  if (!target) return;
  const [event, { investment, date }] = target;
  const sample = registry.idOf(investment);
  registry.targetEvent = event;
  const day = date.slice(0, 10);
  await session.send("events_until_day", { sample, day });
  const dayBefore = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  await session.send("events_until_day_before", { sample, day: dayBefore });
}

/** Reads further pages while no investment has a broker. */
async function searchBrokers(session: Session): Promise<void> {
  const { observations } = session;
  const first = firstPage(observations)?.page;
  const pages = observations.all("ordered");
  const size = pages[0]?.request.size;
  if (first === undefined || size === undefined || (pages.at(-1)?.list?.count ?? 0) < size) return;
  for (let count = 0; count < maxTimes("brokers"); count++) {
    const verdict = verdictOn("investment.broker", observations);
    if (verdict.kind === "decided" && verdict.value === "reference") return;
    const shape = await session.send("brokers", { page: first + pages.length + count, size });
    if (!shape?.list || shape.list.count < size) return;
  }
}
