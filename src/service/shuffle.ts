import { stableRank } from "../model/order.ts";

/** Whether another order of members or items would change the JSON of a document. */
export function hasOrder(document: object): boolean {
  const contents = Object.values(document).filter((content) => content !== undefined);
  return contents.length > 1 || contents.some((content) => !Array.isArray(content) || content.length > 0);
}

/**
 * Returns a document with its members, and the resources of `included`, in another order. Parts that are bytes stay.
 */
export function shuffled(document: object): object {
  const members = reordered(Object.entries(document), ([name]) => name);
  return Object.fromEntries(members.map(([name, content]) => [name, shuffledContent(name, content)]));
}

function shuffledContent(name: string, content: unknown): unknown {
  if (Array.isArray(content)) {
    const items = content.map((item: unknown) => shuffledContent("", item));
    return name === "included" ? reordered(items, (item) => JSON.stringify(item)) : items;
  }
  const isPlain = typeof content === "object" && content !== null && content.constructor === Object;
  return isPlain ? shuffled(content) : content;
}

/** Shuffles items in the same way each time, with another first item. */
function reordered<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  const rank = (item: Item): number => stableRank(0, nameOf(item));
  const ranked = items.toSorted((one, other) => rank(one) - rank(other));
  return ranked[0] === items[0] ? [...ranked.slice(1), ...ranked.slice(0, 1)] : ranked;
}
