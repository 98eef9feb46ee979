/** The upper bounds of the buckets in seconds, as OpenTelemetry advises them for HTTP. */
export const bucketBounds = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

/** Durations with the same labels. */
interface Series {
  /** The number in each bucket, and last of those beyond. */
  readonly counts: number[];
  /** In seconds. */
  sum: number;
}

/** Durations, counted by the values of their labels, which are written one after the other with a space between. */
export class Histogram {
  readonly series = new Map<string, Series>();

  record(labelValues: string, milliseconds: number): void {
    let series = this.series.get(labelValues);
    if (!series) {
      series = { counts: Array.from({ length: bucketBounds.length + 1 }, () => 0), sum: 0 };
      this.series.set(labelValues, series);
    }
    const seconds = milliseconds / 1000;
    let bucket = 0;
    while (seconds > (bucketBounds[bucket] ?? Infinity)) bucket++;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
  }
}
