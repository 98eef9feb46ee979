import type { FaultDescription } from "../../public/control.ts";
import { adminOperations } from "../../control/operations.ts";
import { parsedJson } from "../../text/json-text.ts";
import type { Members } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { text } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { operationCommand, operationFlags, pairsType } from "../operation-command.ts";
import { formatTable } from "../output/text.ts";

function formatFaults(faults: readonly FaultDescription[]): string {
  if (faults.length === 0) return "No faults.";
  const rows = faults.map(({ id, summary, used, active, until }) => {
    const endText = until === null ? "" : `, until ${until}`;
    return [id, active ? "active" : "exhausted", String(used), summary + endText];
  });
  const warnings = faults.flatMap(({ id, warning }) =>
    warning === null ? [] : [escaped(`warning: ${id}: ${warning}`)],
  );
  return [formatTable(["id", "status", "used", "does"], rows), ...warnings].join("\n");
}

/** Returns a flag for each member of the body. Headers, the body of the response and `drip` have their own formats. */
function faultFlags(): Settings {
  const { "drip.bytes": _bytes, "drip.every": _every, ...rest } = operationFlags(adminOperations.addFault);
  return {
    ...rest,
    "respond.headers": {
      kind: pairsType("name: value", `a header such as "Retry-After: 5"`, /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/),
      flag: "header",
      help: "header of that response; repeatable",
    },
    "respond.body": {
      kind: text("body", "a body", /^/),
      flag: "body",
      help: "body of that response: JSON or another string; @file reads it from a file",
    },
    drip: {
      kind: text("bytes/duration", `bytes and a duration such as "100/1s"`, /^\d+\/./),
      help: "send the real body in pieces of this many bytes, one per duration, such as 100/1s",
    },
  };
}

/** Returns body and headers of a fault's response. `@file` reads a file. JSON gets a media type unless one is set. */
async function bodyOf(bodyFlag: string, headers: Members = {}): Promise<Members> {
  const { readTextFile } = await import("../../files/file.ts");
  const body = bodyFlag.startsWith("@") ? await readTextFile(bodyFlag.slice(1)) : bodyFlag;
  if (Object.keys(headers).some((name) => name.toLowerCase() === "content-type")) return { body, headers };
  const isJson = parsedJson(body) !== undefined;
  return { body, headers: isJson ? { ...headers, "Content-Type": "application/json; charset=utf-8" } : headers };
}

interface FaultMembers extends Members {
  readonly drip?: string;
  readonly match?: { readonly path?: string };
  readonly respond?: { readonly body?: string; readonly headers?: Members };
}

async function ruleOf({ match, respond, drip, ...rest }: FaultMembers): Promise<Members> {
  const { delay, connection, truncate } = rest;
  if ([respond, delay, connection, truncate, drip].every((value) => value === undefined))
    throw new ValidationError("faults add needs --status, --delay, --connection, --truncate or --drip.");
  // A pattern that does not begin with a slash matches anywhere in a path.
  const path = match?.path?.replace(/^(?!\/)/, "/**/");
  const content = respond?.body === undefined ? undefined : await bodyOf(respond.body, respond.headers);
  const [bytes, every] = drip?.split("/") ?? [];
  return {
    ...rest,
    ...(drip !== undefined && { drip: { bytes: Number(bytes), every } }),
    ...(match && { match: { ...match, path } }),
    ...(respond && { respond: { ...respond, ...content } }),
  };
}

export const faultCommands = [
  operationCommand("faults list", "listFaults", { render: formatFaults }),
  operationCommand("faults add", "addFault", {
    flags: faultFlags,
    examples: [
      ["faults add --path '*/investments*' --status 503 --times 2", "the next two lists fail"],
      ["faults add --delay 1s..3s --share 0.2 --for 30s", "delays one response in five, for half a minute"],
      ["faults add --truncate 0.5 --times 1", "the next response breaks off in the middle"],
      ["faults add --drip 100/1s", "sends responses slowly, 100 bytes a second"],
      ["faults add --key aurora-partner --connection reset", "requests with that key get no response"],
    ],
    request: async (sandbox, members) => sandbox.call("addFault", { body: await ruleOf(members) }),
    render: (fault) => formatFaults([fault]),
  }),
  operationCommand("faults remove", "removeFault", {
    summary: "Remove one fault, or all faults.",
    operand: "[fault]",
    examples: [
      ["faults remove", "removes all faults"],
      ["faults remove fault-1", "removes one fault"],
    ],
    request: (sandbox, _, id) =>
      id === undefined ? sandbox.call("removeFaults") : sandbox.call("removeFault", { id }),
    render: () => "Removed.",
  }),
];
