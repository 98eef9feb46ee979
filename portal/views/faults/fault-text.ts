/** A fault as it is typed. */
export interface FaultText {
  readonly path: string;
  readonly method: string;
  readonly key: string;
  readonly share: string;
  readonly effect: string;
  readonly status: string;
  readonly headers: string;
  readonly body: string;
  readonly delay: string;
  readonly times: string;
  readonly for: string;
}

export const empty: FaultText = {
  path: "",
  method: "",
  key: "",
  share: "",
  effect: "respond",
  status: "500",
  headers: "",
  body: "",
  delay: "",
  times: "",
  for: "",
};

/** The rule as the sandbox takes it. What is no number or no JSON goes as text: the sandbox says what it expects. */
export function ruleOf(text: FaultText): Readonly<Record<string, unknown>> {
  const match = { path: given(text.path), method: given(text.method), key_id: given(text.key) };
  const respond = { status: numeric(text.status) ?? "", headers: headersOf(text.headers), body: valueOf(text.body) };
  return {
    ...(Object.values(match).some((value) => value !== undefined) && { match }),
    ...(text.effect === "respond" && { respond }),
    ...((text.effect === "reset" || text.effect === "empty") && { connection: text.effect }),
    delay: given(text.delay) ?? (text.effect === "delay" ? "" : undefined),
    times: numeric(text.times),
    share: numeric(text.share),
    for: given(text.for),
  };
}

/** The members of a rule by the beginning of a message, and their fields. */
const fields: readonly (readonly [member: string, field: keyof FaultText])[] = [
  ["match.path", "path"],
  ["match.method", "method"],
  ["match.key_id", "key"],
  ["respond.status", "status"],
  ["respond.headers", "headers"],
  ["respond.body", "body"],
  ["delay", "delay"],
  ["times", "times"],
  ["share", "share"],
  ["for", "for"],
];

/** The lines of a message by the field that each is about; any other under the empty name. */
export function errorsOf(message: string): Readonly<Record<string, string>> {
  const errors: Record<string, string> = {};
  for (const line of message.split("\n")) {
    const [, field] = fields.find(([member]) => line.startsWith(member)) ?? ["", ""];
    errors[field] = errors[field] === undefined ? line : `${errors[field]} ${line}`;
  }
  return errors;
}

function given(text: string): string | undefined {
  return text.trim() || undefined;
}

function numeric(text: string): number | string | undefined {
  const written = given(text);
  return written === undefined || Number.isNaN(Number(written)) ? written : Number(written);
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
