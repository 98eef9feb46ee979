import { outlineSize, timelineFilter } from "../settings/timeline-filter.ts";
import { data, one, operation } from "./operation.ts";

/** The operations on an environment's clock and timeline. */
export const timeOperations = {
  getClock: operation(`GET ${one}/clock`, { summary: "Read the clock", answer: "Clock" }, ({ environment }) =>
    environment.clock.get(),
  ),
  setClock: operation(
    `PUT ${one}/clock`,
    {
      summary: "Set the clock, forwards or backwards, or its speed; `previous` takes the last change back",
      body: "ClockSetting",
      answer: "ClockSet",
    },
    ({ environment, body }) => environment.clock.set(body),
  ),
  advanceClock: operation(
    `POST ${one}/clock/advance`,
    {
      summary: "Advance the clock by a duration, to an instant or to the next change",
      body: "ClockStep",
      answer: "ClockAdvance",
    },
    ({ environment: { clock }, body: { by, to = "" } }) => (by === undefined ? clock.advanceTo(to) : clock.advance(by)),
  ),
  getTimeline: operation(
    `GET ${one}/timeline`,
    { summary: "List the changes, past and future", query: timelineFilter, answer: "ChangeList" },
    ({ environment, query }) => data(environment.timeline(query)),
  ),
  getOutline: operation(
    `GET ${one}/timeline/outline`,
    { summary: "Get how the changes are spread over time", query: outlineSize, answer: "TimelineOutline" },
    ({ environment, query: { buckets } }) => environment.outline(buckets),
  ),
};
