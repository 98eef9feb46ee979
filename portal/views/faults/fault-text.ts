import { optionalText, numeric } from "../../parts/form.tsx";

/** The fields of a fault as it is typed; those of a rule's members have their names. */
export const faultFields = [
  "path",
  "method",
  "key_id",
  "share",
  "effect",
  "status",
  "headers",
  "body",
  "truncate",
  "bytes",
  "every",
  "delay",
  "times",
  "for",
] as const;

export type FaultText = Readonly<Record<(typeof faultFields)[number], string>>;

/** The rule as the sandbox takes it. A text goes as it is where it is no number or no JSON: the sandbox refuses it. */
export function ruleOf(text: FaultText): Readonly<Record<string, unknown>> {
  const match = { path: optionalText(text.path), method: optionalText(text.method), key_id: optionalText(text.key_id) };
  const respond = { status: numeric(text.status) ?? "", headers: headersOf(text.headers), body: valueOf(text.body) };
  return {
    ...(Object.values(match).some((value) => value !== undefined) && { match }),
    ...(text.effect === "respond" && { respond }),
    ...((text.effect === "reset" || text.effect === "empty") && { connection: text.effect }),
    ...(text.effect === "truncate" && { truncate: numeric(text.truncate) ?? "" }),
    ...(text.effect === "drip" && { drip: { bytes: numeric(text.bytes) ?? "", every: text.every } }),
    delay: optionalText(text.delay) ?? (text.effect === "delay" ? "" : undefined),
    times: numeric(text.times),
    share: numeric(text.share),
    for: optionalText(text.for),
  };
}

function valueOf(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A line without a colon is a name without a value. */
function headersOf(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length === 0) return undefined;
  return Object.fromEntries(
    lines.map((line) => {
      const [name = "", ...value] = line.split(":");
      return [name.trim(), value.join(":").trim()];
    }),
  );
}
