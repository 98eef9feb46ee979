import type { AdminConnection } from "../../client/connection.ts";
import type { KeyDescription, LimitDescription, OfferingDescription } from "../../public/control.ts";
import { operationCommand } from "../operation-command.ts";
import { formatTable } from "../output/text.ts";

/** Formats keys as a table: secret, status, id and purpose. */
export function formatKeys(keys: readonly KeyDescription[], offerings: readonly OfferingDescription[]): string {
  const nameOf = (id: string): string => offerings.find((offering) => offering.id === id)?.name ?? id;
  const rows = keys.map((key) => {
    const { key: secret, status, id, offering_id, effect } = key;
    return [secret, status, id, formatPurpose(key, nameOf(offering_id)), effect];
  });
  return formatTable(["key", "status", "id", "for", "a request gets"], rows);
}

/** Formats `Aurora Robotics partner, mine`. A label that begins with the offering and type stands alone. */
function formatPurpose({ type, label }: KeyDescription, offering: string): string {
  const name = `${offering} ${type}`;
  if (label === null) return name;
  return label.startsWith(name) ? label : `${name}, ${label}`;
}

type OneOrMany<Item> = Item | readonly Item[];

async function renderKeys(keys: OneOrMany<KeyDescription>, sandbox: AdminConnection): Promise<string> {
  return formatKeys([keys].flat(), (await sandbox.call("getEnvironment")).offerings);
}

async function renderLimits(limits: OneOrMany<LimitDescription>, sandbox: AdminConnection): Promise<string> {
  const keys = new Map((await sandbox.call("listKeys")).data.map((key) => [key.id, key]));
  const rows = [limits].flat().map(({ key_id, used, limit, resets_in_seconds: seconds }) => {
    const { alias, label } = keys.get(key_id) ?? {};
    const usage = limit === 0 ? `${used}` : `${used} of ${limit}`;
    return [alias ?? label ?? key_id, usage, seconds === 0 ? "" : `${seconds} s`];
  });
  return formatTable(["key", "used", "resets in"], rows);
}

export const keyCommands = [
  operationCommand("keys list", "listKeys", { render: renderKeys }),
  operationCommand("keys issue", "issueKey", {
    operand: "type",
    examples: [["keys issue partner --offering aurora", "a partner key for the offering aurora"]],
    render: renderKeys,
  }),
  operationCommand("keys revoke", "revokeKey", {
    operand: "key",
    examples: [
      ["keys revoke aurora-partner", "by alias; each request with the key gets a 401 from then on"],
      ['keys revoke "$KEY"', "by its secret; also by label or id"],
    ],
    render: renderKeys,
  }),
  operationCommand("limits list", "listLimits", { render: renderLimits }),
  operationCommand("limits set", "setLimit", {
    operand: "key",
    examples: [
      ["limits set aurora-partner", "the key is at its limit: its next request gets a 429"],
      ["limits set aurora-partner --used 118", "two requests are left"],
    ],
    render: renderLimits,
  }),
  operationCommand("limits clear", "clearLimits", { render: () => "Cleared." }),
];
