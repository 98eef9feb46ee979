import type { TimelineBucket } from "../../src/public/control.ts";

/**
 * The bars of a timeline on screen. A place is a cell: 0 is before all bars, n is at bar n, n + 0.5 is between two
 * bars. Times without a change take no space.
 */
export interface Bars {
  readonly buckets: readonly TimelineBucket[];
  /** All lengths are in pixels. */
  readonly width: number;
  readonly cell: number;
}

/** The height of the highest bar. */
export const barHeight = 24;

export function barsOf(buckets: readonly TimelineBucket[], width: number): Bars {
  return { buckets, width, cell: width / (buckets.length + 1) };
}

/** The middle of a place. */
export function middleOf({ cell }: Pick<Bars, "cell">, position: number): number {
  return (position + 0.5) * cell;
}

/** The place of an instant in milliseconds. */
export function positionOf(buckets: readonly TimelineBucket[], at: number): number {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(buckets[middle]?.to ?? "") <= at) low = middle + 1;
    else high = middle;
  }
  const isBefore = low === 0 && at < Date.parse(buckets[0]?.from ?? "");
  return isBefore || at === Date.parse(buckets[low - 1]?.to ?? "") ? low : low + 0.5;
}

/** The instant of a place: the last change of its bar; a millisecond before all of them. */
export function instantOf(buckets: readonly TimelineBucket[], position: number): number {
  const bucket = buckets[position - 1];
  return bucket ? Date.parse(bucket.to) : Date.parse(buckets[0]?.from ?? "") - 1;
}

/**
 * One path for all bars of a kind. Heights follow the square root of the count, so that one change is visible next to
 * a thousand.
 */
export function pathOf(
  { buckets, cell }: Bars,
  isIncluded: (bucket: TimelineBucket, index: number) => boolean,
): string {
  const highest = Math.max(...buckets.map((bucket) => bucket.count));
  const width = Math.max(1, Math.min(10, cell * 0.8));
  return buckets
    .map((bucket, index) => {
      if (!isIncluded(bucket, index)) return "";
      const height = Math.max(4, (barHeight - 1) * Math.sqrt(bucket.count / highest)).toFixed(1);
      const left = (middleOf({ cell }, index + 1) - width / 2).toFixed(1);
      return `M${left} ${barHeight}v-${height}h${width.toFixed(1)}v${height}z`;
    })
    .join("");
}
