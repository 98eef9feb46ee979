import type { EnvironmentDescription } from "../../../src/control.ts";
import { call, problemFrom, unchecked } from "../../server/api.ts";

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

/** Opens an environment as the fields say, from a file where they name one. */
export async function openOrder(order: Order, file: File | null): Promise<EnvironmentDescription> {
  const { origin, text, speed, rate_limit, scenarios, ...rest } = order;
  const ofFile = origin === "fixture" || origin === "snapshot";
  const names = scenarios.split(",").map((name) => name.trim());
  const all = {
    ...rest,
    fixture: ofFile ? "" : origin,
    speed: speed && Number(speed),
    rate_limit: rate_limit && Number(rate_limit),
    scenarios: origin === "snapshot" ? [] : names.filter(Boolean),
  };
  const members = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)),
  );
  return ofFile ? openFile(origin, file ?? text, members) : call("openEnvironment", { body: unchecked(members) });
}

/** Opens an environment from a fixture, a case or the text of one. A mistake in it is told with its file, line and column. */
export async function openFile(
  origin: "fixture" | "snapshot",
  content: File | string,
  others: object,
): Promise<EnvironmentDescription> {
  const rest = JSON.stringify(others).slice(1);
  // As it is: to read 64 MB would stop the page. On lines of its own, which the sandbox counts.
  const body = new Blob([`{"${origin}":\n`, content, rest === "}" ? rest : `,${rest}`], { type: "application/json" });
  try {
    return await call("openEnvironment", { body: unchecked(body) });
  } catch (error) {
    const problem = problemFrom(error);
    problem.message = problem.message.replace(
      /^(?:fixture|The body)(:| is not JSON: see line )(\d+)/gm,
      (_, words: string, line: string) =>
        `${typeof content === "string" ? origin : content.name}${words}${Number(line) - 1}`,
    );
    throw problem;
  }
}
