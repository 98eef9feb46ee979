import type { Finding } from "../../model/finding.ts";
import { isMembers } from "../../model/members.ts";
import { orderMistakes } from "./order-mistakes.ts";
import { paymentMistakes } from "./payment-mistakes.ts";
import { repeatMistakes } from "./repeat-mistakes.ts";
import { stepMistakes } from "./step-mistakes.ts";

/** Finds what is wrong between members that may each have the right shape. What has not is passed over. */
export function relationMistakes(content: unknown): Finding[] {
  if (!isMembers(content)) return [];
  const steps: readonly unknown[] = Array.isArray(content["steps"]) ? content["steps"] : [];
  const written = steps.map((step) => (isMembers(step) ? step : {}));
  return [
    ...repeatMistakes(content),
    ...steps.flatMap((step, index) => (isMembers(step) ? [...stepMistakes(step, index)] : [])),
    ...orderMistakes(written),
    ...paymentMistakes(written),
  ];
}
