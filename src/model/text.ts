/** True for text that looks like the name of something: `investments`, `create_date[gte]`. */
export function isWord(text: string): boolean {
  return /^[a-z_.\-[\]]{0,24}$/i.test(text);
}

/** Whether a text is the name of something that ships; a file is written with its ending or its folder. */
export function isName(nameOrFile: string): boolean {
  return /^[\w-]+$/.test(nameOrFile);
}

/**
 * The candidate that a person most likely meant by `word`, or undefined when none comes near: up to a third of its
 * letters may be wrong, missing, too many or swapped with a neighbour.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Infinity;
  const wanted = word.slice(0, longestWord).toLowerCase();
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < least && distance <= Math.max(1, Math.floor(candidate.length / 3))) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** ` Did you mean "port"?`, or nothing when no candidate comes near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? "" : ` Did you mean "${candidate}"?`;
}

/** Longer words are nobody's typing mistake; the bound keeps hostile input cheap. */
const longestWord = 64;

function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let distance = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (row > 1 && column > 1 && swapped) distance = Math.min(distance, (beforeLast[column - 2] ?? 0) + 1);
      current.push(distance);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length] ?? 0;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** True for text in UUID format, in either case (section 2). */
export function isUuid(text: string): boolean {
  return text.length === 36 && uuid.test(text);
}
