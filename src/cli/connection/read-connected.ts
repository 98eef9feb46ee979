import { Mistake } from "../../model/mistake.ts";
import { readValues } from "../settings/read-values.ts";
import type { Given, Settings, Values } from "../settings/setting.ts";
import { connectionFlags, connectionVariables, type Connection } from "./connection-flags.ts";

/** A connected command's own flags, and which sandbox it speaks to. Throws a Mistake that names everything that is wrong. */
export function readConnected<Flags extends Settings>(
  own: Flags,
  given: readonly Given[],
): { readonly flags: Values<Flags>; readonly connection: Connection } {
  const mistakes: string[] = [];
  const flags = readValues(own, [given], mistakes);
  const connection = readValues(connectionFlags, [connectionVariables(process.env), given], mistakes);
  if (mistakes.length > 0) throw new Mistake(mistakes.join("\n"));
  return { flags, connection };
}
