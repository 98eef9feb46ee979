const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const sampleLine = new RegExp(String.raw`^(${name})(?:\{(${label}(?:,${label})*)\})? (-?[\d.]+(?:e[+-]?\d+)?)$`);

/** What a page of metrics says. */
interface Metrics {
  /** The type of each metric. */
  readonly types: ReadonlyMap<string, string>;
  /** Each value by its name and labels, as written. */
  readonly samples: ReadonlyMap<string, number>;
}

/**
 * Parses Prometheus' text format 0.0.4, strictly: each metric has help, type and values in one group, no series comes
 * twice, and the buckets of a histogram grow to its count.
 */
export function parseMetrics(text: string): Metrics {
  if (!text.endsWith("\n")) throw new Error("The last line does not end.");
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  let [current, help] = ["", ""];
  for (const line of text.split("\n").filter((each) => each !== "")) {
    const [, kind, metric = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === "HELP") help = metric;
    else if (kind === "TYPE") {
      if (types.has(metric) || help !== metric || !/^(?:counter|gauge|histogram)$/.test(rest)) throw new Error(line);
      current = metric;
      types.set(metric, rest);
    } else {
      const [, sample = "", labels, value] = sampleLine.exec(line) ?? [];
      const endings = types.get(current) === "histogram" ? ["_bucket", "_sum", "_count"] : [""];
      const series = labels === undefined ? sample : `${sample}{${labels}}`;
      if (!endings.some((ending) => sample === current + ending) || samples.has(series)) throw new Error(line);
      samples.set(series, Number(value));
    }
  }
  for (const [metric, type] of types) if (type === "histogram") checkBuckets(metric, samples);
  return { types, samples };
}

function checkBuckets(metric: string, samples: Metrics["samples"]): void {
  const last = new Map<string, number>();
  for (const [series, value] of samples) {
    const labels = new RegExp(`^${metric}_bucket\\{(.*),le="([^"]+)"\\}$`).exec(series)?.[1];
    if (labels === undefined) continue;
    if (value < (last.get(labels) ?? 0)) throw new Error(`The buckets of ${series} shrink.`);
    last.set(labels, value);
  }
  for (const [labels, value] of last) {
    if (samples.get(`${metric}_count{${labels}}`) !== value)
      throw new Error(`The count of ${metric}{${labels}} differs.`);
  }
}
