import { isMembers } from "../model/members.ts";
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
    return Object.values(except).every((reason) => typeof reason === "string" && /\S/.test(reason));
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
