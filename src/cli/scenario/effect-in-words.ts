import { formatDuration } from "../../model/duration.ts";
import type { FaultRule } from "../../model/fault.ts";
import type { ScenarioEffect } from "../../scenario/scenario.ts";

/** What an effect does: `payment wire: status succeeded`. */
export function effectInWords(effect: ScenarioEffect): string {
  switch (effect.kind) {
    case "event":
      return `event ${effect.event} ${effect.action}`;
    case "investment":
      return `investment: ${attributesInWords(effect.attributes)}`;
    case "offering":
      return `offering: ${attributesInWords(effect.attributes)}`;
    case "payment":
      return `payment${effect.alias === null ? "" : ` ${effect.alias}`}: ${attributesInWords(effect.attributes)}`;
    case "investor":
      return `investor ${effect.email ?? "(the primary)"}: ${attributesInWords(effect.attributes)}`;
    case "sign":
      return effect.who === "all"
        ? "everybody signs"
        : `${effect.who.join(" and ")} sign${effect.who.length === 1 ? "s" : ""}`;
    case "key":
      return "issue" in effect ? `a ${effect.issue.type} key is issued` : `keys ${effect.revoke} are revoked`;
    case "fault":
      return faultInWords(effect.fault) + (effect.for === null ? "" : `, for ${formatDuration(effect.for)}`);
  }
}

function attributesInWords(attributes: object): string {
  return Object.entries(attributes)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

function faultInWords({ match = {}, respond, delay, connection, times }: FaultRule): string {
  const which = [match.method, match.path].filter((part) => part !== undefined).join(" ");
  const what = [
    delay === undefined ? undefined : `delay ${delay}`,
    respond && `status ${respond.status}`,
    connection && `connection ${connection}`,
  ].filter((part) => part !== undefined);
  const number = times === undefined ? "" : times === 1 ? " once" : ` ${times} times`;
  return `fault${which === "" ? "" : ` for ${which}`}: ${what.join(", ")}${number}`;
}
