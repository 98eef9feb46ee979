/** The form of a new environment: every member as it was written. */
export interface Order {
  readonly label: string;
  readonly id: string;
  /** The name of a fixture, empty for the server's; `fixture` and `snapshot` for a file. */
  readonly origin: string;
  readonly text: string;
  readonly clock: string;
  readonly speed: string;
  readonly profile: string;
  readonly rate_limit: string;
  readonly scenarios: string;
}

export const emptyOrder: Order = {
  label: "",
  id: "",
  origin: "",
  text: "",
  clock: "",
  speed: "",
  profile: "",
  rate_limit: "",
  scenarios: "",
};

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
  const given = Object.entries(members).filter(
    ([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0),
  );
  const written = given.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(",");
  const type = "application/json";
  if (!ofFile) return new Blob([`{${written}}`], { type });
  // First, so that the lines of a mistake are the file's.
  return new Blob([`{"${origin}":`, file ?? text, `${written && ","}${written}}`], { type });
}

/** The field that an error of the server speaks of, as in `clock: expected …`; empty for none of them. */
export function placeOf(message: string): string {
  if (message.startsWith("There is no scenario")) return "scenarios";
  const [name = ""] = message.split(":");
  if (name === "fixture") return "";
  return Object.hasOwn(emptyOrder, name) ? name : "";
}
