const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const sampleLine = new RegExp(String.raw`^(${name})(?:\{(${label}(?:,${label})*)\})? (-?[\d.]+(?:e[+-]?\d+)?)$`);

/** The metrics of a page in the text format of Prometheus. */
interface Metrics {
  /** The type of each metric. */
  readonly types: ReadonlyMap<string, string>;
  /** Each value by its series: the name and labels, as the page has them. */
  readonly samples: ReadonlyMap<string, number>;
}

/**
 * Parses Prometheus' text format 0.0.4. Throws Error if a metric has no HELP and TYPE before its values or is in
 * several groups, if a series is repeated, or if the buckets of a histogram shrink or end at another number than its
 * count.
 */
export function parseMetrics(text: string): Metrics {
  if (!text.endsWith("\n")) throw new Error("The last line does not end with a line feed.");
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let [currentMetric, helpMetric] = ["", ""];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, metric = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") helpMetric = metric;
    else if (kind === "TYPE") {
      if (types.has(metric) || helpMetric !== metric || !/^(?:counter|gauge|histogram)$/.test(rest))
        throw new Error(line);
      currentMetric = metric;
      types.set(metric, rest);
    } else {
      const [, sample = "", labels, value] = sampleLine.exec(line) ?? [];
      const endings = types.get(currentMetric) === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      const series = labels === undefined ? sample : `${sample}{${labels}}`;
      if (!endings.some((ending) => sample === currentMetric + ending) || samples.has(series)) throw new Error(line);
      samples.set(series, Number(value));
    }
  }
  for (const [metric, type] of types) if (type === "histogram") checkBuckets(metric, samples);
  return { types, samples };
}

function checkBuckets(metric: string, samples: Metrics["samples"]): void {
  const lastValues = new Map<string, number>();
  for (const [series, value] of samples) {
    const labels = new RegExp(`^${metric}_bucket\\{(.*),le="([^"]+)"\\}$`).exec(series)?.[1];
    if (labels === undefined) continue;
    if (value < (lastValues.get(labels) ?? 0)) throw new Error(`The buckets of ${series} shrink.`);
    lastValues.set(labels, value);
  }
  for (const [labels, value] of lastValues) {
    if (samples.get(`${metric}_count{${labels}}`) !== value)
      throw new Error(`The count of ${metric}{${labels}} differs.`);
  }
}
