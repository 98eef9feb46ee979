import type { ListFacts } from "../facts.ts";
import type { Shape } from "../shapes.ts";
import { isRefusal, type Seen } from "../verdict.ts";
import { type ProbeId, tooLarge } from "../probes.ts";

/** Returns the number of the first page, and why; undefined while it is not known. */
export function firstPage(seen: Seen): { readonly page: 0 | 1; readonly because: string } | undefined {
  const [first, zero, one, again] = firstItems(seen);
  if (pageIsRepeated(seen)) return undefined;
  // An investment that came to the front meanwhile would turn the answers round.
  if (first === undefined || first !== again) return undefined;
  if (one === first && (zero === undefined || zero === first)) return { page: 1, because: "page 1 is the first" };
  // An empty page 1 is an answer, a missing one is not.
  const isAnswered = lastTry(seen, "page_1") !== undefined;
  return zero === first && isAnswered ? { page: 0, because: "page 0 is the first, page 1 is not" } : undefined;
}

/** Returns true if the front of the list changed while it was looked at. */
export function frontMoved(seen: Seen): boolean {
  const [first, , , again] = firstItems(seen);
  return first !== undefined && again !== undefined && first !== again;
}

/**
 * Returns true if the page after the first begins as the list does, just before and just after. Either the page has no
 * effect, or all items are on one page and the next page shows them again.
 */
export function pageIsRepeated(seen: Seen): boolean {
  const [next] = itemsOf(seen, "second_page");
  const [again = next] = itemsOf(seen, "list_again");
  return next !== undefined && next === firstItems(seen)[0] && next === again;
}

/** Returns true if the page has no effect: the list is longer than the page that is repeated. */
export function pageIsIgnored(seen: Seen): boolean {
  const size = defaultSize(seen)?.size ?? 0;
  return pageIsRepeated(seen) && everyList(seen).some(({ count, namedTotal = count }) => namedTotal > size);
}

/** Returns true if a page of one item has several. The service may have a least size. */
export function oneShowsSeveral(seen: Seen): boolean {
  return itemsOf(seen, "first_item").length > 1;
}

/** Returns true if a size of one and a size of a million both show the usual page, with more behind it. */
export function sizeIsIgnored(seen: Seen): boolean {
  const normal = defaultSize(seen);
  const counts = (["first_item", "over_max"] as const).map((id) => seen.one(id)?.list?.count);
  return normal !== undefined && !normal.isWhole && normal.size > 1 && counts.every((count) => count === normal.size);
}

/** As many investments may change their places while they are looked at. */
const mostMoved = 2;

/** Returns true if a page has another order than before, or mostly other items. */
export function isReordered(items: readonly number[], again: readonly number[]): boolean {
  const places = again.map((item) => items.indexOf(item)).filter((place) => place >= 0);
  const turns = places.filter((place, at) => at > 0 && place < (places[at - 1] ?? 0)).length;
  const strangers = again.length - places.length;
  return turns > mostMoved || (strangers > mostMoved && strangers > places.length);
}

/** Returns true if the same question is answered in another order. */
export function isRestless(seen: Seen): boolean {
  return isReordered(itemsOf(seen, "list"), itemsOf(seen, "list_again"));
}

/** Returns why pages say nothing of their sizes; undefined if they do. */
export function pagingFault(seen: Seen): string | undefined {
  if (isRestless(seen)) return "the same question twice is answered in another order";
  if (pageIsRepeated(seen)) return "the page after the first is the first again";
  return oneShowsSeveral(seen) ? "a size of one shows several items" : undefined;
}

/** Returns the page after the last one, where the last one is known. */
export function afterLast(seen: Seen): { readonly page: number; readonly size: number } | undefined {
  const first = firstPage(seen)?.page;
  if (first === undefined || pagingFault(seen) !== undefined) return undefined;
  const { asked = {}, list } = seen.all("ordered").at(-1) ?? {};
  const { page, size = 0 } = asked;
  if (page !== undefined && list && list.count > 0 && list.count < size) return { page: page + 1, size };
  const total = (list ?? seen.all("first_item").at(-1)?.list)?.namedTotal;
  return total === undefined || total < 1 ? undefined : { page: first + total, size: 1 };
}

/** Returns whether a parameter of lists, with a value that is valid, has an effect; undefined while it is not known. */
export function isHonoured(seen: Seen, parameter: "size" | "page" | "date"): boolean | undefined {
  const count = itemsOf(seen, "list").length;
  if (parameter === "size")
    return sizeIsIgnored(seen) ? false : count > 1 && seen.one("first_item")?.list?.count === 1 ? true : undefined;
  const control = seen.one(parameter === "page" ? "second_page" : "far_future");
  if (count === 0 || !control) return undefined;
  if (parameter === "date") return control.list && control.list.count === 0;
  if (pageIsIgnored(seen)) return false;
  return itemsOf(seen, "second_page")[0] === firstItems(seen)[0] ? undefined : true;
}

export function itemsOf(seen: Seen, id: ProbeId): readonly number[] {
  return seen.one(id)?.list?.items ?? [];
}

/** The first item without a page, on page 0, on page 1, and again without a page, when they were last asked for. */
export const firstProbes = ["first_item", "page_0", "page_1", "first_again"] as const;

function firstItems(seen: Seen): readonly (number | undefined)[] {
  return firstProbes.map((id) => lastTry(seen, id)?.list?.items[0]);
}

/** The answer of the last try to look at the front of the list; undefined if none came. */
function lastTry(seen: Seen, id: (typeof firstProbes)[number]): Shape | undefined {
  return seen.all(id)[seen.all("first_item").length - 1];
}

/** Returns the size of a page without a size, as far as it is known. */
export function defaultSize(
  seen: Seen,
): { readonly size: number; readonly isWhole: boolean; readonly named: boolean } | undefined {
  const list = seen.one("list")?.list;
  if (!list) return undefined;
  const more = (seen.one("second_page")?.list?.count ?? 0) > 0;
  // The first page is surely full after the second one had items; before, the list may have been shorter.
  if (more) return { size: seen.one("list_again")?.list?.count ?? list.count, isWhole: false, named: false };
  const named = list.namedSize ?? 0;
  // A size that is the number of items may be no more than that.
  return named > list.count
    ? { size: named, isWhole: true, named: true }
    : { size: list.count, isWhole: true, named: false };
}

/** The treatment of a size that is too large; `alike` if a clamped and an ignored one cannot be told apart. */
export type OverMax = "reject" | "clamp" | "ignore" | "alike";

/** Returns the treatment of a size that is too large; undefined while it is not known. */
export function overMax(seen: Seen): OverMax | undefined {
  const shape = seen.one("over_max");
  const normal = defaultSize(seen);
  if (!shape || !normal) return undefined;
  if (isRefusal(shape)) return "reject";
  if (!shape.list) return undefined;
  if (normal.isWhole) {
    const named = shape.list.namedSize ?? tooLarge;
    return normal.named && named < tooLarge && named > normal.size ? "clamp" : "alike";
  }
  if (shape.list.count > normal.size) return "clamp";
  const next = seen.all("sizes").find(({ asked }) => asked.size === normal.size + 1);
  return next && isAccepted(next, normal.size) ? "ignore" : "alike";
}

/** The evidence that answers to sizes give of the largest one: the largest that was taken, and the smallest that was not. */
export interface Largest {
  readonly taken: number;
  readonly refused: number;
}

/** Returns the bounds of the largest size, where sizes are refused or ignored. */
export function largestSize(seen: Seen): Largest {
  // A size that is ignored shows a page of the usual size.
  const usual = overMax(seen) === "reject" ? undefined : defaultSize(seen)?.size;
  let [taken, refused] = [seen.one("first_item")?.status === 200 ? 1 : 0, tooLarge];
  for (const shape of seen.all("sizes")) {
    const { size = 0 } = shape.asked;
    if (isAccepted(shape, usual)) taken = Math.max(taken, size);
    else refused = Math.min(refused, size);
  }
  return { taken, refused };
}

function isAccepted({ status, list, asked }: Shape, usual: number | undefined): boolean {
  return status === 200 && (usual === undefined || list?.count !== usual || asked.size === usual);
}

/** The largest size that the catalogue knows. */
export const largestKnown = 1000;

/** Returns the next size to try; undefined if there is nothing more to learn. */
export function nextSize(seen: Seen): number | undefined {
  const mode = overMax(seen);
  const normal = defaultSize(seen);
  if (mode === undefined || mode === "clamp" || !normal) return undefined;
  const tried = new Set(seen.all("sizes").map(({ asked }) => asked.size));
  if (mode === "alike") {
    // An ignored size shows a usual page, whatever it is; one more item shows that the largest size is larger.
    return normal.isWhole || tried.has(normal.size + 1) ? undefined : normal.size + 1;
  }
  const { taken, refused } = largestSize(seen);
  for (const usual of [100, 101]) if (!tried.has(usual) && usual > taken && usual < refused) return usual;
  const end = Math.min(refused, largestKnown + 2);
  return end - taken <= 1 ? undefined : Math.floor((taken + end) / 2);
}

/** Returns the lists of whole pages that were seen, without those that looked for something by itself. */
export function everyList(seen: Seen): readonly ListFacts[] {
  return (["list", "over_max", "ordered", "brokers"] as const).flatMap((id) =>
    seen.all(id).flatMap(({ list }) => list ?? []),
  );
}
