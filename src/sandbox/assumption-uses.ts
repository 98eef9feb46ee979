import { appendFileSync, readFileSync } from "node:fs";
import { originOfValue } from "../assumptions/calibration.ts";
import type { AssumptionId } from "../assumptions/catalogue.ts";
import type { Environment } from "../environment/environment.ts";
import type { NewEntry } from "../environment/journal.ts";

/** A row on which an answer rested, with its value at that time. */
export interface AssumptionUse {
  readonly id: AssumptionId;
  readonly value: string | number;
  /** True if the value is set or calibrated, not the profile's. */
  readonly isDecided: boolean;
}

/**
 * Returns a listener that appends each use once to a file, which several processes may share. `options` are the
 * assumptions of the sandbox's options: a value that is set counts as decided even if the profile has the same.
 */
export function usesWriter(
  file: string,
  options: object = {},
): (entry: Pick<NewEntry, "assumptions">, environment: Environment) => void {
  const written = new Set<string>();
  return ({ assumptions: ids }, environment) => {
    const { assumptions, setup, parts } = environment;
    const origins = { assumptions, profile: setup.profile, calibrated: parts.calibrated };
    for (const id of ids) {
      const isDecided = Object.hasOwn(options, id) || originOfValue(id, origins).source !== "profile";
      const line = `${JSON.stringify({ id, value: assumptions[id], isDecided } satisfies AssumptionUse)}\n`;
      if (written.has(line)) continue;
      written.add(line);
      try {
        appendFileSync(file, line);
      } catch {
        // The `exec` that asked for it has ended, and its folder is gone.
      }
    }
  };
}

/** The uses in a file; none if no sandbox has written it. */
export function readUses(file: string): AssumptionUse[] {
  try {
    const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line) as AssumptionUse);
  } catch {
    return [];
  }
}
