import type { TimelineBucket } from "../../src/public/control.ts";

/**
 * The bars of a timeline on screen. A position counts bars: 0 is before all bars, n is at bar n, n + 0.5 is between two
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

export function createBars(buckets: readonly TimelineBucket[], width: number): Bars {
  return { buckets, width, cell: width / (buckets.length + 1) };
}

/** Returns the middle of a position in pixels. */
export function middleOf({ cell }: Pick<Bars, "cell">, position: number): number {
  return (position + 0.5) * cell;
}

/** Returns the position of an instant in milliseconds. */
export function positionOf(buckets: readonly TimelineBucket[], instant: number): number {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(buckets[middle]?.to ?? "") <= instant) low = middle + 1;
    else high = middle;
  }
  const isBefore = low === 0 && instant < Date.parse(buckets[0]?.from ?? "");
  return isBefore || instant === Date.parse(buckets[low - 1]?.to ?? "") ? low : low + 0.5;
}

/** Returns the instant of a position: that of the last change of its bar, or a millisecond before all changes. */
export function instantOf(buckets: readonly TimelineBucket[], position: number): number {
  const bucket = buckets[position - 1];
  return bucket ? Date.parse(bucket.to) : Date.parse(buckets[0]?.from ?? "") - 1;
}

/** Returns the CSS classes of a bar. */
type BarKind = (bucket: TimelineBucket, index: number) => string;

/**
 * Returns one path for the bars of each kind. A height follows the square root of the count, so that a single change is
 * visible next to a thousand.
 */
export function pathsByKind({ buckets, cell }: Bars, kindOf: BarKind): Readonly<Record<string, string>> {
  const highest = Math.max(...buckets.map((bucket) => bucket.count));
  const width = Math.max(1, Math.min(10, cell * 0.8));
  const paths: Record<string, string> = {};
  for (const [index, bucket] of buckets.entries()) {
    const height = Math.max(4, (barHeight - 1) * Math.sqrt(bucket.count / highest)).toFixed(1);
    const left = (middleOf({ cell }, index + 1) - width / 2).toFixed(1);
    const kind = kindOf(bucket, index);
    paths[kind] = `${paths[kind] ?? ""}M${left} ${barHeight}v-${height}h${width.toFixed(1)}v${height}z`;
  }
  return paths;
}
