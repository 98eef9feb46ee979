/**
 * The fields of a new environment. `origin` is the name of a fixture, empty for the server's, or `fixture` and `snapshot` for a
 * file; `text` is a pasted fixture; the others have the names of the members.
 */
export const orderFields = [
  "label",
  "id",
  "origin",
  "text",
  "clock",
  "speed",
  "profile",
  "rate_limit",
  "scenarios",
] as const;

type Order = Readonly<Record<(typeof orderFields)[number], string>>;

/** The body of the call. A file goes into it as it is: to read 64 MB would stop the page. */
export function orderOf(order: Order, file: File | null): Blob {
  const { origin, text, speed, rate_limit, scenarios, ...rest } = order;
  const ofFile = origin === "fixture" || origin === "snapshot";
  const names = scenarios.split(",").map((name) => name.trim());
  const members = {
    ...rest,
    fixture: ofFile ? "" : origin,
    speed: speed && Number(speed),
    rate_limit: rate_limit && Number(rate_limit),
    scenarios: origin === "snapshot" ? [] : names.filter(Boolean),
  };
  const entries = Object.entries(members).filter(
    ([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  const json = entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  const type = "application/json";
  if (!ofFile) return new Blob([`{${json}}`], { type });
  // The file comes first, and on a line of its own, from which `withFile` counts.
  return new Blob([`{"${origin}":\n`, file ?? text, `${json && ","}${json}}`], { type });
}

/** The mistakes in a fixture with its name and its own lines: `fixture:13:5: …` as `mine.json:12:5: …`. */
export function withFile(message: string, file: string): string {
  const at = /^(?:fixture|The body)(:| is not JSON: see line )(\d+)/gm;
  return message.replace(at, (_, words: string, line: string) => `${file}${words}${Number(line) - 1}`);
}
