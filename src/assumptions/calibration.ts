import { assume, type ProfileName } from "./assume.ts";
import type { AssumptionId, Assumptions } from "./catalogue.ts";
import type { VariedValues } from "./vary.ts";

export const confidences = ["high", "medium", "low"] as const;

export type Confidence = (typeof confidences)[number];

/** The decisions of `offering-sandbox calibrate`, from the answers of a real service. */
interface Calibration {
  /** `2026-11-22` */
  readonly date: string;
  /** Of the service: `demo.example.com`. */
  readonly host: string;
  readonly confidence: Readonly<Partial<Record<AssumptionId, Confidence>>>;
}

/** A calibration as an option: `assumptions` are its values, by default those of the option of this name. */
export interface CalibrationOption extends Calibration {
  readonly assumptions?: Readonly<Record<string, unknown>> | undefined;
}

/** A calibration with its values. */
export interface CalibratedValues extends Calibration {
  readonly values: Partial<Assumptions>;
}

/** The sources of the values in force. */
export interface Origins {
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly calibrated: CalibratedValues | undefined;
  readonly varied: VariedValues | undefined;
}

/** The origin of a value: the profile, a command or option, a variation, or a calibration, with its confidence and date. */
export function originOf(id: AssumptionId, { profile, ...origins }: Origins) {
  const { assumptions, calibrated } = origins;
  if (isVaried(id, origins)) return { source: "varied", confidence: null, calibrated: null } as const;
  const confidence = calibrated && isCalibrated(id, assumptions, calibrated) ? calibrated.confidence[id] : undefined;
  if (calibrated && confidence) return { source: "calibrated", confidence, calibrated: calibrated.date } as const;
  const source = assumptions[id] === assume(profile)[id] ? "profile" : "set";
  return { source, confidence: null, calibrated: null } as const;
}

/** How a value in force is marked in `Sandbox-Assumptions`. */
export type Mark = "calibrated" | "varied";

/** The marks of values that a calibration decided, or a variation drew; undefined without any. */
export function marksOf(origins: Omit<Origins, "profile">): ReadonlyMap<AssumptionId, Mark> | undefined {
  const { assumptions, calibrated, varied } = origins;
  if (!calibrated && !varied) return undefined;
  const marks = new Map<AssumptionId, Mark>();
  for (const id of Object.keys(assumptions) as AssumptionId[]) {
    if (isVaried(id, origins)) marks.set(id, "varied");
    else if (calibrated && isCalibrated(id, assumptions, calibrated)) marks.set(id, "calibrated");
  }
  return marks.size > 0 ? marks : undefined;
}

function isVaried(id: AssumptionId, { assumptions, varied }: Omit<Origins, "profile">): boolean {
  return varied !== undefined && Object.hasOwn(varied.values, id) && varied.values[id] === assumptions[id];
}

function isCalibrated(id: AssumptionId, assumptions: Assumptions, { confidence, values }: CalibratedValues): boolean {
  return confidence[id] !== undefined && values[id] === assumptions[id];
}
