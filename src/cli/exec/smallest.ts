/** Finds a smallest set of items that fails, by delta debugging. All of them together have failed. */
export async function smallest<Item>(
  items: readonly Item[],
  fails: (some: readonly Item[]) => Promise<boolean>,
): Promise<readonly Item[]> {
  const firstFailing = async (sets: readonly (readonly Item[])[]): Promise<readonly Item[] | undefined> => {
    for (const set of sets) if (await fails(set)) return set;
    return undefined;
  };
  let left = items;
  let parts = 2;
  while (left.length > 1) {
    const size = Math.ceil(left.length / parts);
    const chunks = Array.from({ length: Math.ceil(left.length / size) }, (_, at) =>
      left.slice(at * size, (at + 1) * size),
    );
    const chunk = await firstFailing(chunks);
    // With two chunks, each is what the other leaves.
    const rest = chunk ?? (chunks.length > 2 ? await firstFailing(chunks.map((one) => without(left, one))) : undefined);
    if (rest) {
      left = rest;
      parts = chunk ? 2 : Math.max(parts - 1, 2);
    } else {
      if (parts >= left.length) break;
      parts = Math.min(parts * 2, left.length);
    }
  }
  return left;
}

export function without<Item>(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  return items.filter((item) => !others.includes(item));
}
