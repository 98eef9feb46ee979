/** Pure functions that format values for people. Dates are in UTC, as in the service. */

const integerFormat = new Intl.NumberFormat("en-US");
const moneyFormat = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12,500` */
export function formatNumber(value: number): string {
  return integerFormat.format(value);
}

/** `12,500.00`: the service has no currency. */
export function formatMoney(value: number): string {
  return moneyFormat.format(value);
}

/** `1 change`, `7 changes`, `2 entries` with an irregular plural. */
export function formatCount(value: number, word: string, plural = `${word}s`): string {
  return `${formatNumber(value)} ${value === 1 ? word : plural}`;
}

/** Returns each distinct string once, with its number of occurrences: `signed × 2`. */
export function formatDistinct(texts: readonly string[]): readonly string[] {
  return Array.from(new Set(texts), (text) => formatTimes(text, texts.filter((item) => item === text).length));
}

/** `signed × 2`; for a single time, `signed`. */
export function formatTimes(text: string, times: number): string {
  return times === 1 ? text : `${text} × ${formatNumber(times)}`;
}

/** A date as a string, or in milliseconds since the epoch. */
type DateLike = string | number;

function formatIso(date: DateLike): string {
  const milliseconds = typeof date === "number" ? date : Date.parse(date);
  return Number.isNaN(milliseconds) || Math.abs(milliseconds) > 8.64e15 ? "" : new Date(milliseconds).toISOString();
}

/** `2026-01-17` */
export function formatDay(date: DateLike): string {
  return formatIso(date).split("T")[0] || String(date);
}

/** `12:00:00` */
export function formatTime(date: DateLike): string {
  return formatIso(date).split("T")[1]?.slice(0, 8) ?? "";
}

/** `2026-01-17 12:00:00` */
export function formatInstant(date: DateLike): string {
  return `${formatDay(date)} ${formatTime(date)}`.trim();
}

const units = [
  ["y", 365 * 86_400_000],
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
  ["s", 1000],
] as const;

/**
 * Formats a duration in its largest unit: `45 min`, `0 s`. Below ten years, days or hours, the next unit follows:
 * `2 d 3 h`.
 */
export function formatDuration(milliseconds: number): string {
  const durationMs = Math.abs(milliseconds);
  const index = units.findIndex(([, size]) => durationMs >= size);
  const [unit, size] = units[index] ?? ["s", 1000];
  const wholeUnits = Math.floor(durationMs / size);
  const [nextUnit, nextSize] = units[index + 1] ?? ["", 1];
  // Seconds after minutes would only flicker.
  const isShort = unit === "min" || unit === "s";
  const remainder = Math.floor((durationMs - wholeUnits * size) / nextSize);
  return index >= 0 && wholeUnits < 10 && remainder > 0 && !isShort
    ? `${wholeUnits} ${unit} ${remainder} ${nextUnit}`
    : `${formatNumber(wholeUnits)} ${unit}`;
}

/** `in 2 d`, `in a moment`, `3 h ago`, `now`. */
export function formatRelative(date: DateLike, now: number): string {
  const distanceMs = (typeof date === "number" ? date : Date.parse(date)) - now;
  if (Number.isNaN(distanceMs)) return "";
  if (Math.abs(distanceMs) < 1000) return distanceMs > 0 ? "in a moment" : "now";
  return distanceMs > 0 ? `in ${formatDuration(distanceMs)}` : `${formatDuration(distanceMs)} ago`;
}

const dayNames: Readonly<Record<number, string>> = { [-1]: "yesterday", 0: "today", 1: "tomorrow" };

/** `tomorrow 13:45`; further away, `2026-01-20 13:45`. */
export function formatMoment(date: DateLike, now: number): string {
  const days = (Date.parse(formatDay(date)) - Date.parse(formatDay(now))) / 86_400_000;
  return `${dayNames[days] ?? formatDay(date)} ${formatTime(date).slice(0, 5)}`;
}

/** Formats the speed of a clock: `paused`, `real time`, `1 min/s`. */
export function formatSpeed(speed: number): string {
  if (speed === 0) return "paused";
  return speed === 1 ? "real time" : speed < 1 ? `${speed} s/s` : `${formatDuration(speed * 1000)}/s`;
}

/** `new_investment` as `new investment`. */
export function formatIdentifier(name: string): string {
  return name.replaceAll("_", " ");
}

/**
 * Shortens a path, with or without a method: removes `/api/v1`, and cuts ids to eight characters.
 * `/offerings/58696898…/investments`.
 */
export function shortenPath(path: string): string {
  return path.replace(/(?<=^| )\/api\/v1(?=\/)/, "").replace(/([\da-f]{8})(-[\da-f]{4}){3}-[\da-f]{12}/g, "$1…");
}
