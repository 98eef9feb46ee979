import type { ListFacts } from "../responses/facts.ts";
import type { Shape } from "../responses/shape.ts";
import { type ProbeId, excessiveSize } from "../service/probes.ts";
import { isRefusal, type ProbeResponses } from "./seen.ts";

/** The probes that request one item: without a page, on page 0 and on page 1. */
export const firstItemProbes = ["first_item", "page_0", "page_1"] as const;

function firstItem(seen: ProbeResponses, id: ProbeId): number | undefined {
  return itemsOf(seen, id)[0];
}

/** Returns the number of the first page, and why; undefined while it is not known. */
export function firstPage(seen: ProbeResponses): { readonly page: 0 | 1; readonly because: string } | undefined {
  const [first, zero, one] = firstItemProbes.map((id) => firstItem(seen, id));
  if (pageIsRepeated(seen) || first === undefined) return undefined;
  if (one === first && (zero === undefined || zero === first)) return { page: 1, because: "page 1 is the first" };
  // Page 1 may be empty, but the service must have answered it.
  const hasResponse = seen.one("page_1") !== undefined;
  return zero === first && hasResponse ? { page: 0, because: "page 0 is the first, page 1 is not" } : undefined;
}

/**
 * Returns true if the second page begins with the same item as the list. Either the parameter `page` has no effect, or
 * all items are on one page and the second page shows them again.
 */
export function pageIsRepeated(seen: ProbeResponses): boolean {
  const next = firstItem(seen, "second_page");
  return next !== undefined && next === firstItem(seen, "first_item");
}

/** Returns true if the parameter `page` has no effect: the second page repeats the first, but the list is longer. */
export function pageIsIgnored(seen: ProbeResponses): boolean {
  const size = defaultSize(seen)?.size ?? 0;
  return pageIsRepeated(seen) && everyList(seen).some(({ count, namedTotal = count }) => namedTotal > size);
}

/** Returns true if a request for one item returns several. The service may have a minimum size. */
export function sizeOneReturnsMore(seen: ProbeResponses): boolean {
  return itemsOf(seen, "first_item").length > 1;
}

/** Returns true if a size of one and a size of a million both return the usual page, and more items follow it. */
export function sizeIsIgnored(seen: ProbeResponses): boolean {
  const usual = defaultSize(seen);
  const counts = (["first_item", "over_max"] as const).map((id) => seen.one(id)?.list?.count);
  return usual !== undefined && !usual.isWhole && usual.size > 1 && counts.every((count) => count === usual.size);
}

/** Returns true if the first page was different when it was requested a second time. */
export function listMoved(seen: ProbeResponses): boolean {
  return seen.one("list_again") !== undefined && itemsOf(seen, "list").join() !== itemsOf(seen, "list_again").join();
}

/** Returns true if the items common to both responses for the first page were in a different order the second time. */
export function isReordered(seen: ProbeResponses): boolean {
  const [items, again] = [itemsOf(seen, "list"), itemsOf(seen, "list_again")];
  const kept = items.filter((item) => again.includes(item));
  return kept.join() !== again.filter((item) => items.includes(item)).join();
}

/** Returns why the responses cannot show how the service pages; undefined if they can. */
export function pagingFault(seen: ProbeResponses): string | undefined {
  if (isReordered(seen)) return "the same question twice is answered in another order";
  if (listMoved(seen)) return "the list moved while it was read: run calibrate again";
  if (pageIsRepeated(seen)) return "the page after the first is the first again";
  return sizeOneReturnsMore(seen) ? "a size of one shows several items" : undefined;
}

/** Returns the page after the last one; undefined while the last one is not known. */
export function afterLast(seen: ProbeResponses): { readonly page: number; readonly size: number } | undefined {
  const first = firstPage(seen)?.page;
  if (first === undefined || pagingFault(seen) !== undefined) return undefined;
  const { asked = {}, list } = seen.all("ordered").at(-1) ?? {};
  const { page, size = 0 } = asked;
  if (page !== undefined && list && list.count > 0 && list.count < size) return { page: page + 1, size };
  const total = (list ?? seen.one("first_item")?.list)?.namedTotal;
  return total === undefined || total < 1 ? undefined : { page: first + total, size: 1 };
}

/** Returns whether a valid value of a list parameter has an effect; undefined while it is not known. */
export function isHonored(seen: ProbeResponses, parameter: "size" | "page" | "date"): boolean | undefined {
  const count = itemsOf(seen, "list").length;
  if (parameter === "size")
    return sizeIsIgnored(seen) ? false : count > 1 && seen.one("first_item")?.list?.count === 1 ? true : undefined;
  const control = seen.one(parameter === "page" ? "second_page" : "far_future");
  if (count === 0 || !control) return undefined;
  if (parameter === "date") return control.list && control.list.count === 0;
  if (pageIsIgnored(seen)) return false;
  return pageIsRepeated(seen) ? undefined : true;
}

function itemsOf(seen: ProbeResponses, id: ProbeId): readonly number[] {
  return seen.one(id)?.list?.items ?? [];
}

/** Returns the size of a page that was requested without `size`; undefined without a response. */
export function defaultSize(seen: ProbeResponses) {
  const list = seen.one("list")?.list;
  if (!list) return undefined;
  const hasMore = (seen.one("second_page")?.list?.count ?? 0) > 0;
  const { count, namedSize = 0 } = list;
  // A number in the body that equals the number of items may count them, and not be the size.
  const isNamed = !hasMore && namedSize > count;
  return {
    size: isNamed ? namedSize : count,
    /** Whether all items are on this page; its size may then be larger. */
    isWhole: !hasMore,
    /** Whether the body names the size. */
    isNamed,
  };
}

/** How the service treats too large a size; `alike` if it may either clamp or ignore it. */
export type OverMax = "reject" | "clamp" | "ignore" | "alike";

/** Returns undefined while the treatment is not known. */
export function overMax(seen: ProbeResponses): OverMax | undefined {
  const shape = seen.one("over_max");
  const usual = defaultSize(seen);
  if (!shape || !usual) return undefined;
  if (isRefusal(shape)) return "reject";
  if (!shape.list) return undefined;
  const { count, namedSize = excessiveSize } = shape.list;
  if (usual.isWhole) return usual.isNamed && namedSize < excessiveSize && namedSize > usual.size ? "clamp" : "alike";
  if (count > usual.size) return "clamp";
  const next = seen.all("sizes").find(({ asked }) => asked.size === usual.size + 1);
  return next && isAccepted(next, usual.size) ? "ignore" : "alike";
}

/** Returns the largest accepted size, and the smallest one that was refused or ignored. */
export function maxSize(seen: ProbeResponses): { readonly accepted: number; readonly refused: number } {
  // A service that ignores a size returns a page of the usual size.
  const usual = overMax(seen) === "reject" ? undefined : defaultSize(seen)?.size;
  let [accepted, refused] = [seen.one("first_item")?.list ? 1 : 0, excessiveSize];
  for (const shape of seen.all("sizes")) {
    const { size = 0 } = shape.asked;
    if (isAccepted(shape, usual)) accepted = Math.max(accepted, size);
    else refused = Math.min(refused, size);
  }
  return { accepted, refused };
}

function isAccepted({ list, asked }: Shape, usual: number | undefined): boolean {
  return list !== undefined && (usual === undefined || list.count !== usual || asked.size === usual);
}

/** The largest size that the catalog's assumptions about lists allow. */
export const largestKnown = 1000;

/** Returns the next size to try; undefined if there is nothing more to learn. */
export function nextSize(seen: ProbeResponses): number | undefined {
  const treatment = overMax(seen);
  const usual = defaultSize(seen);
  if (treatment === undefined || treatment === "clamp" || !usual) return undefined;
  const tried = new Set(seen.all("sizes").map(({ asked }) => asked.size));
  // If one more than the usual size returns one more item, the service does not clamp at the usual size.
  if (treatment === "alike") return usual.isWhole || tried.has(usual.size + 1) ? undefined : usual.size + 1;
  const { accepted, refused } = maxSize(seen);
  const common = [100, 101].find((size) => !tried.has(size) && size > accepted && size < refused);
  if (common !== undefined) return common;
  const end = Math.min(refused, largestKnown + 2);
  return end - accepted <= 1 ? undefined : Math.floor((accepted + end) / 2);
}

/** Returns every page of the unfiltered list, except pages of one item. */
export function everyList(seen: ProbeResponses): readonly ListFacts[] {
  return (["list", "over_max", "ordered", "brokers"] as const).flatMap((id) =>
    seen.all(id).flatMap(({ list }) => list ?? []),
  );
}
