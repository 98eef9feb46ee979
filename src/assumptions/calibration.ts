import { assume, type ProfileName, type AssumptionId, type Assumptions } from "./catalogue.ts";

export const confidences = ["high", "medium", "low"] as const;

export type Confidence = (typeof confidences)[number];

/** The decisions of `offering-sandbox calibrate`, from the answers of a real service. */
interface Calibration {
  /** `2026-11-22` */
  readonly date: string;
  /** The host of the service: `demo.example.com`. */
  readonly host: string;
  readonly confidence: Readonly<Partial<Record<AssumptionId, Confidence>>>;
}

/** A calibration as an option. Its values are `assumptions`, by default the option `assumptions` beside it. */
export interface CalibrationOption extends Calibration {
  readonly assumptions?: Readonly<Record<string, unknown>> | undefined;
}

export interface CalibratedValues extends Calibration {
  readonly values: Partial<Assumptions>;
}

/** The sources of the values in force. */
interface Origins {
  readonly profile: ProfileName;
  readonly assumptions: Assumptions;
  readonly calibrated: CalibratedValues | undefined;
}

/** The origin of a value: the profile, a command or option, or a calibration, with its confidence and date. */
export function originOfValue(id: AssumptionId, { profile, assumptions, calibrated }: Origins) {
  const confidence = calibrated && isCalibrated(id, assumptions, calibrated) ? calibrated.confidence[id] : undefined;
  if (calibrated && confidence) return { source: "calibrated", confidence, calibrated: calibrated.date } as const;
  const source = assumptions[id] === assume(profile)[id] ? "profile" : "set";
  return { source, confidence: null, calibrated: null } as const;
}

/** The rows whose values in force a calibration decided; undefined without any. */
export function calibratedIdsOf({
  assumptions,
  calibrated,
}: Omit<Origins, "profile">): ReadonlySet<AssumptionId> | undefined {
  if (!calibrated) return undefined;
  const ids = Object.keys(assumptions) as AssumptionId[];
  const calibratedIds = new Set(ids.filter((id) => isCalibrated(id, assumptions, calibrated)));
  return calibratedIds.size > 0 ? calibratedIds : undefined;
}

function isCalibrated(id: AssumptionId, assumptions: Assumptions, { confidence, values }: CalibratedValues): boolean {
  return confidence[id] !== undefined && values[id] === assumptions[id];
}
