import { isFinal, type Standing } from "../service/standing.ts";
import { sentence } from "./format.ts";
import { html, type Markup } from "./html.ts";

export function statusMark({ status }: Pick<Standing, "status">): Markup {
  return html`<strong>${sentence(status)}</strong>`;
}

/** Describes the progress of an investment in one line. */
export function standingLine(standing: Standing): Markup {
  return html`${statusMark(standing)}
  ${standing.step !== null && html`<span>· Waiting for: ${sentence(standing.step)}</span>`}
  ${!isFinal(standing) && html`<small>· Watching until it is closed</small>`}`;
}

/** Describes a change of an investment's progress. */
export function standingNews(investmentNumber: number, { status, step }: Standing): string {
  if (isFinal({ status, step })) return `Investment ${investmentNumber} is closed.`;
  const waiting = step === null ? "no step waits" : `waiting for ${sentence(step).toLowerCase()}`;
  return `Investment ${investmentNumber} is ${sentence(status).toLowerCase()}, ${waiting}.`;
}
