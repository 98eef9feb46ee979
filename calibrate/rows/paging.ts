import type { ListFacts } from "../responses/facts.ts";
import type { Shape } from "../responses/shape.ts";
import { type ProbeId, excessiveSize } from "../service/probes.ts";
import { isRefusal, type Observations } from "./observations.ts";

/** The probes that request one item: without a page, on page 0 and on page 1. */
export const firstItemProbes = ["first_item", "page_0", "page_1"] as const;

function firstItem(observations: Observations, id: ProbeId): number | undefined {
  return itemsOf(observations, id)[0];
}

/** Returns the number of the first page and the reason; undefined while it is unknown. */
export function firstPage(observations: Observations): { readonly page: 0 | 1; readonly because: string } | undefined {
  const [itemWithoutPage, itemOfPage0, itemOfPage1] = firstItemProbes.map((id) => firstItem(observations, id));
  if (isPageRepeated(observations) || itemWithoutPage === undefined) return undefined;
  if (itemOfPage1 === itemWithoutPage && (itemOfPage0 === undefined || itemOfPage0 === itemWithoutPage))
    return { page: 1, because: "page 1 is the first" };
  // Page 1 may be empty, but the service must have responded to its request.
  const hasResponse = observations.first("page_1") !== undefined;
  return itemOfPage0 === itemWithoutPage && hasResponse
    ? { page: 0, because: "page 0 is the first, page 1 is not" }
    : undefined;
}

/**
 * Returns true if the second page begins with the same item as the list. Either the parameter `page` has no effect, or
 * all items are on one page and the second page shows them again.
 */
export function isPageRepeated(observations: Observations): boolean {
  const next = firstItem(observations, "second_page");
  return next !== undefined && next === firstItem(observations, "first_item");
}

/** Returns true if the parameter `page` has no effect: the second page repeats the first, but the list is longer. */
export function isPageIgnored(observations: Observations): boolean {
  const size = defaultSize(observations)?.size ?? 0;
  const isLonger = everyList(observations).some(({ count, namedTotal = count }) => namedTotal > size);
  return isLonger && isPageRepeated(observations);
}

/** Returns true if a request for one item returns several. The service may have a minimum size. */
export function isSizeOneExceeded(observations: Observations): boolean {
  return itemsOf(observations, "first_item").length > 1;
}

/** Returns true if a size of one and a size of a million both return the usual page, and more items follow it. */
export function isSizeIgnored(observations: Observations): boolean {
  const usualPage = defaultSize(observations);
  if (!usualPage || usualPage.isWhole || usualPage.size < 2) return false;
  const counts = (["first_item", "over_max"] as const).map((id) => observations.first(id)?.list?.count);
  return counts.every((count) => count === usualPage.size);
}

/** Returns true if the first page was different when it was requested a second time. */
export function hasListMoved(observations: Observations): boolean {
  return (
    observations.first("list_again") !== undefined &&
    itemsOf(observations, "list").join() !== itemsOf(observations, "list_again").join()
  );
}

/** Returns true if the items common to both responses for the first page were in a different order the second time. */
export function isReordered(observations: Observations): boolean {
  const [items, itemsAgain] = [itemsOf(observations, "list"), itemsOf(observations, "list_again")];
  const commonItems = items.filter((item) => itemsAgain.includes(item));
  return commonItems.join() !== itemsAgain.filter((item) => items.includes(item)).join();
}

/** Returns why the responses cannot show how the service pages; undefined if they can. */
export function pagingFault(observations: Observations): string | undefined {
  if (isReordered(observations)) return "the same request twice returns another order";
  if (hasListMoved(observations)) return "the list changed while it was read: run calibrate again";
  if (isPageRepeated(observations)) return "the page after the first repeats the first";
  return isSizeOneExceeded(observations) ? "a size of one returns several items" : undefined;
}

/** Returns the page after the last page; undefined while the last page is unknown. */
export function pageAfterLast(observations: Observations) {
  const first = firstPage(observations)?.page;
  if (first === undefined || pagingFault(observations) !== undefined) return undefined;
  const { request = {}, list } = observations.all("ordered").at(-1) ?? {};
  const { page, size = 0 } = request;
  if (page !== undefined && list && list.count > 0 && list.count < size) return { page: page + 1, size };
  const total = (list ?? observations.first("first_item")?.list)?.namedTotal;
  return total === undefined || total < 1 ? undefined : { page: first + total, size: 1 };
}

/** Returns whether a valid value of a list parameter has an effect; undefined while it is unknown. */
export function isHonored(observations: Observations, parameter: "size" | "page" | "date"): boolean | undefined {
  const count = itemsOf(observations, "list").length;
  if (parameter === "size")
    return isSizeIgnored(observations)
      ? false
      : count > 1 && observations.first("first_item")?.list?.count === 1
        ? true
        : undefined;
  const control = observations.first(parameter === "page" ? "second_page" : "far_future");
  if (count === 0 || !control) return undefined;
  if (parameter === "date") return control.list && control.list.count === 0;
  if (isPageIgnored(observations)) return false;
  return isPageRepeated(observations) ? undefined : true;
}

function itemsOf(observations: Observations, id: ProbeId): readonly number[] {
  return observations.first(id)?.list?.items ?? [];
}

/** Returns the size of a page that was requested without `size`; undefined without a response. */
export function defaultSize(observations: Observations) {
  const list = observations.first("list")?.list;
  if (!list) return undefined;
  const hasMore = (observations.first("second_page")?.list?.count ?? 0) > 0;
  const { count, namedSize = 0 } = list;
  // A number in the body that equals the number of items may be their count instead of the page size.
  const isNamed = !hasMore && namedSize > count;
  return {
    size: isNamed ? namedSize : count,
    /** Whether all items are on this page. The size may then be larger than their number. */
    isWhole: !hasMore,
    /** Whether the body names the size. */
    isNamed,
  };
}

/** How the service treats too large a size; `alike` if it may either clamp or ignore it. */
export type OverMax = "reject" | "clamp" | "ignore" | "alike";

/** Returns how the service treats too large a size; undefined while it is unknown. */
export function overMax(observations: Observations): OverMax | undefined {
  const shape = observations.first("over_max");
  const usualPage = defaultSize(observations);
  if (!shape || !usualPage) return undefined;
  if (isRefusal(shape)) return "reject";
  if (!shape.list) return undefined;
  const { count, namedSize = excessiveSize } = shape.list;
  if (usualPage.isWhole)
    return usualPage.isNamed && namedSize < excessiveSize && namedSize > usualPage.size ? "clamp" : "alike";
  if (count > usualPage.size) return "clamp";
  const next = observations.all("sizes").find(({ request }) => request.size === usualPage.size + 1);
  return next && isAccepted(next, usualPage.size) ? "ignore" : "alike";
}

/** Returns the largest accepted size, and the smallest size that was refused or ignored. */
export function maxSize(observations: Observations) {
  // A service that ignores a size returns a page of the usual size.
  const usualSize = overMax(observations) === "reject" ? undefined : defaultSize(observations)?.size;
  let [largestAccepted, smallestRefused] = [observations.first("first_item")?.list ? 1 : 0, excessiveSize];
  for (const shape of observations.all("sizes")) {
    const { size = 0 } = shape.request;
    if (isAccepted(shape, usualSize)) largestAccepted = Math.max(largestAccepted, size);
    else smallestRefused = Math.min(smallestRefused, size);
  }
  return { largestAccepted, smallestRefused };
}

function isAccepted({ list, request }: Shape, usualSize: number | undefined): boolean {
  return list !== undefined && (usualSize === undefined || list.count !== usualSize || request.size === usualSize);
}

/** The largest size that the catalog's assumptions about lists allow. */
export const largestKnown = 1000;

/** Returns the next size to try; undefined if there is nothing more to learn. */
export function nextSize(observations: Observations): number | undefined {
  const treatment = overMax(observations);
  const usualPage = defaultSize(observations);
  if (treatment === undefined || treatment === "clamp" || !usualPage) return undefined;
  const triedSizes = new Set(observations.all("sizes").map(({ request }) => request.size));
  // If one more than the usual size returns one more item, the service does not clamp at the usual size.
  if (treatment === "alike")
    return usualPage.isWhole || triedSizes.has(usualPage.size + 1) ? undefined : usualPage.size + 1;
  const { largestAccepted, smallestRefused } = maxSize(observations);
  const common = [100, 101].find((size) => !triedSizes.has(size) && size > largestAccepted && size < smallestRefused);
  if (common !== undefined) return common;
  const end = Math.min(smallestRefused, largestKnown + 2);
  return end - largestAccepted <= 1 ? undefined : Math.floor((largestAccepted + end) / 2);
}

/** Returns every page of the unfiltered list, except pages of one item. */
export function everyList(observations: Observations): readonly ListFacts[] {
  return (["list", "over_max", "ordered", "brokers"] as const).flatMap((id) =>
    observations.all(id).flatMap(({ list }) => list ?? []),
  );
}
