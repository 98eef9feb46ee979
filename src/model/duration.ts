const second = 1000;
export const minute = 60 * second;
const hour = 60 * minute;
export const day = 24 * hour;

const units = { w: 7 * day, d: day, h: hour, m: minute, s: second, ms: 1 } as const;

type Unit = keyof typeof units;

/** The longest duration, a hundred years, in milliseconds. */
export const longestDuration = 36_525 * day;

const count = (unit: Unit): string => String.raw`(?<${unit}>\d+(?:[.,]\d+)?)`;

/** `1h30m`: whole or decimal numbers, each with its unit, larger units first. */
const compact = new RegExp(
  `^(?:${count("w")}w)?(?:${count("d")}d)?(?:${count("h")}h)?(?:${count("m")}m)?(?:${count("s")}s)?(?:${count("ms")}ms)?$`,
);

/** `P1DT12H` of ISO 8601, without years and months: their length varies. */
const iso = new RegExp(
  String.raw`^P(?=[\dT])(?:${count("w")}W)?(?:${count("d")}D)?(?:T(?=\d)(?:${count("h")}H)?(?:${count("m")}M)?(?:${count("s")}S)?)?$`,
);

/**
 * Returns the milliseconds of a duration: `90s`, `2m`, `1h30m`, `2d`, `1w`, `500ms`, or `PT1H30M` of ISO 8601. Returns
 * undefined for any other text, and for more than a hundred years.
 */
export function parseDuration(text: string): number | undefined {
  if (text === "" || text.length > 60) return undefined;
  const counts = (compact.exec(text) ?? iso.exec(text))?.groups;
  if (!counts) return undefined;
  let milliseconds = 0;
  for (const [unit, length] of Object.entries(units)) {
    milliseconds += Number((counts[unit] ?? "0").replace(",", ".")) * length;
  }
  return milliseconds <= longestDuration ? Math.round(milliseconds) : undefined;
}

/** Writes a duration in days and smaller units, as `parseDuration` reads it: `2d`, `1h30m`, `0s`. */
export function formatDuration(milliseconds: number): string {
  let left = milliseconds;
  let text = "";
  for (const unit of ["d", "h", "m", "s", "ms"] as const) {
    const whole = Math.floor(left / units[unit]);
    left -= whole * units[unit];
    if (whole > 0) text += `${whole}${unit}`;
  }
  return text || "0s";
}
