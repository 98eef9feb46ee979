import { median } from "../statistics.js";
import { figure } from "../table.js";

/** How far each may grow from the first third of a soak, once it is warm, to the last: times, and plus. */
const bounds = {
  heap: { unit: "MB", times: 1.1, plus: 5 },
  rss: { unit: "MB", times: 1.2, plus: 20 },
  p50: { unit: "ms", times: 1.5, plus: 1 },
  p99: { unit: "ms", times: 2, plus: 10 },
};

/** Looks at the samples of a soak: how each figure went, in words, and which grew beyond its bound. */
export function verdict(samples) {
  const warm = samples.slice(Math.ceil(samples.length / 10));
  const third = Math.ceil(warm.length / 3);
  const lines = [];
  const grown = [];
  for (const [name, { unit, times, plus }] of Object.entries(bounds)) {
    const of = (some) => median(some.map((sample) => sample[name]));
    const [first, last] = [of(warm.slice(0, third)), of(warm.slice(-third))];
    lines.push(`${name} ${figure(first)} → ${figure(last)} ${unit}`);
    if (last > first * times + plus) grown.push(`${name} grew from ${figure(first)} to ${figure(last)} ${unit}`);
  }
  return { lines, grown };
}
