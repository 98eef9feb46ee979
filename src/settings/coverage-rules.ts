import { isMembers } from "../model/members.ts";
import { Mistake } from "../model/mistakes.ts";
import { quoted } from "../model/text.ts";
import type { SandboxOptions } from "../options.ts";
import { type Kind, kindOf } from "./kinds.ts";

type CoverageRules = NonNullable<SandboxOptions["coverage"]>;

/** Which behaviours and risks do not count, and why. Their ids are checked where a report is made: a start does not have them. */
export const coverageRules: Kind<CoverageRules> = kindOf(
  "rules",
  `an object such as { except: { "refusals.revoked": "one key only" } }`,
  (value): value is CoverageRules => {
    if (!isMembers(value)) return false;
    const { except, ...others } = value;
    if (!isMembers(except) || Object.keys(others).length > 0) return false;
    for (const [id, reason] of Object.entries(except)) {
      if (typeof reason === "string" && /\S/.test(reason)) continue;
      throw new Mistake(`the exception ${quoted(id)} has no reason; expected a text such as "one key only".`);
    }
    return true;
  },
  (written): unknown => {
    try {
      return JSON.parse(written);
    } catch {
      return undefined;
    }
  },
  {
    shape: "document",
    schema: {
      type: "object",
      additionalProperties: false,
      required: ["except"],
      properties: { except: { type: "object", additionalProperties: { type: "string", minLength: 1 } } },
    },
  },
);
