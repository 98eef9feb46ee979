import type { FaultDescription } from "../../public/control.ts";
import { adminOperations } from "../../control/operations.ts";
import { parsedJson } from "../../text/json-text.ts";
import type { Members } from "../../validation/members.ts";
import { ValidationError } from "../../validation/errors.ts";
import { escaped } from "../../text/text.ts";
import { text } from "../../settings/kinds.ts";
import type { Settings } from "../../settings/settings.ts";
import { operationCommand, operationFlags, pairs } from "../operation-command.ts";
import { table } from "../output/text.ts";

function faultTable(faults: readonly FaultDescription[]): string {
  if (faults.length === 0) return "No faults.";
  const rows = faults.map(({ id, summary, used, active, until }) => {
    const end = until === null ? "" : `, until ${until}`;
    return [id, active ? "active" : "over", String(used), summary + end];
  });
  const warnings = faults.flatMap(({ id, warning }) =>
    warning === null ? [] : [escaped(`warning: ${id}: ${warning}`)],
  );
  return [table(["id", "status", "used", "does"], rows), ...warnings].join("\n");
}

/** A flag for each member of the call's body; headers, the body of the response and `drip` have their own forms. */
function faultFlags(): Settings {
  const { "drip.bytes": _bytes, "drip.every": _every, ...rest } = operationFlags(adminOperations.addFault);
  return {
    ...rest,
    "respond.headers": {
      kind: pairs("name: value", `a header such as "Retry-After: 5"`, /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/),
      flag: "header",
      help: "header of that response; repeatable",
    },
    "respond.body": {
      kind: text("body", "a body", /^/),
      flag: "body",
      help: "body of that response: JSON, or a text; @file reads it from a file",
    },
    drip: {
      kind: text("bytes/duration", `bytes and a duration such as "100/1s"`, /^\d+\/./),
      help: "send the real body in pieces of this many bytes, one per duration, such as 100/1s",
    },
  };
}

/** The body and headers of a fault's response; `@file` is the text of a file. JSON gets a media type if none is set. */
async function bodyOf(written: string, headers: Members = {}): Promise<Members> {
  const { readTextFile } = await import("../../files/file.ts");
  const body = written.startsWith("@") ? await readTextFile(written.slice(1)) : written;
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
  operationCommand("faults list", "listFaults", { render: faultTable }),
  operationCommand("faults add", "addFault", {
    flags: faultFlags,
    examples: [
      ["faults add --path '*/investments*' --status 503 --times 2", "the next two lists fail"],
      ["faults add --delay 1s..3s --share 0.2 --for 30s", "one response in five is late, for half a minute"],
      ["faults add --truncate 0.5 --times 1", "the next response breaks off in the middle"],
      ["faults add --drip 100/1s", "responses trickle in, 100 bytes a second"],
      ["faults add --key aurora-partner --connection reset", "that key gets no response"],
    ],
    request: async (sandbox, members) => sandbox.call("addFault", { body: await ruleOf(members) }),
    render: (fault) => faultTable([fault]),
  }),
  operationCommand("faults remove", "removeFault", {
    summary: "Remove a fault, or all.",
    operand: "[fault]",
    examples: [
      ["faults remove", "all of them"],
      ["faults remove fault-1", "one"],
    ],
    request: (sandbox, _, id) =>
      id === undefined ? sandbox.call("removeFaults") : sandbox.call("removeFault", { id }),
    render: () => "Removed.",
  }),
];
