import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { getHeapSpaceStatistics } from "node:v8";
import { type Metric, Registry } from "prom-client";
import type { Environments } from "../environment/environments.ts";
import { bucketBounds, type Histogram } from "../time/histogram.ts";
import type { RequestCounts } from "./app.ts";

/** The time between two samples of the event loop's delay, which are taken from the first scrape on. */
const resolutionMs = 10;
const loopDelay = monitorEventLoopDelay({ resolution: resolutionMs });
loopDelay.enable();
let lastUse: ReturnType<typeof performance.eventLoopUtilization> | undefined;

interface Sample {
  readonly metricName?: string;
  readonly labels?: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Returns the metrics for Prometheus, by OpenTelemetry's names if possible. No label has a value from a request. */
export async function metricsText(requests: RequestCounts, environments: Environments): Promise<string> {
  if (loopDelay.count === 0) await wait(3 * resolutionMs);
  const registry = new Registry();
  const add = (type: string, name: string, help: string, value: number | readonly Sample[]): void => {
    const values = typeof value === "number" ? [{ value }] : value;
    registry.registerMetric({ name, help, type, get: () => ({ name, help, type, values }) } as unknown as Metric);
  };
  const addHistogram = (name: string, help: string, labelNames: readonly string[], { series }: Histogram): void =>
    add("histogram", name, help, samplesOf(name, labelNames, series));

  const httpLabels = ["http_request_method", "http_route", "http_response_status_code"];
  addHistogram("http_server_request_duration_seconds", "Duration of requests.", httpLabels, requests.durations);
  const prefix = "offering_sandbox_";
  add("counter", `${prefix}limited_requests_total`, "Requests over a rate limit.", requests.limited);
  add("counter", `${prefix}faults_applied_total`, "Requests to which a fault applied.", requests.faults);
  add("gauge", `${prefix}environments`, "Environments open in this process.", environments.all.length);
  const { shared } = environments;
  if (shared) {
    const { queries, transferCount, sessionId } = shared;
    add("gauge", `${prefix}database_up`, "Whether PostgreSQL responds.", sessionId === undefined ? 0 : 1);
    add("counter", `${prefix}transfers_total`, "Environments that this process took over.", transferCount);
    addHistogram("db_client_operation_duration_seconds", "Duration of statements.", ["db_system_name"], queries);
  }
  const [p50, p90, p99] = [50, 90, 99].map((percent) => loopDelay.percentile(percent));
  const { min, max, mean } = loopDelay;
  // Another scrape may just have taken the samples.
  const statistics = loopDelay.count === 0 ? {} : { min, max, mean, p50, p90, p99 };
  for (const [statistic, nanoseconds = 0] of Object.entries(statistics)) {
    const help = "Delay of the event loop since the last scrape.";
    const delay = Math.max(0, nanoseconds / 1e9 - resolutionMs / 1000);
    add("gauge", `nodejs_eventloop_delay_${statistic}_seconds`, help, delay);
  }
  loopDelay.reset();
  const { utilization } = performance.eventLoopUtilization(lastUse);
  lastUse = performance.eventLoopUtilization();
  const busyHelp = "Share of the time since the last scrape in which the event loop was busy.";
  add("gauge", "nodejs_eventloop_utilization_ratio", busyHelp, utilization);
  const spaces = getHeapSpaceStatistics().map(({ space_name, space_used_size }) => ({
    labels: { v8js_heap_space_name: space_name },
    value: space_used_size,
  }));
  add("gauge", "v8js_memory_heap_used_bytes", "Heap in use.", spaces);
  add("gauge", "process_start_time_seconds", "When the process started.", performance.timeOrigin / 1000);
  return registry.metrics();
}

/** Returns the samples of a histogram. Each bucket counts all durations up to its bound. */
function samplesOf(name: string, labelNames: readonly string[], series: Histogram["series"]): Sample[] {
  return Array.from(series, ([labelValues, { counts, sum }]) => {
    const values = labelValues.split(" ");
    const labels = Object.fromEntries(labelNames.map((label, index) => [label, values[index] ?? ""]));
    let count = 0;
    const buckets = counts.map((bucketCount, index) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: bucketBounds[index] ?? "+Inf" },
      value: (count += bucketCount),
    }));
    const sample = (suffix: string, value: number): Sample => ({ metricName: name + suffix, labels, value });
    return [...buckets, sample("_sum", sum), sample("_count", count)];
  }).flat();
}
