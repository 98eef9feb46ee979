import type { TimelineBucket, TimelineOutline } from "../../src/control.ts";
import { count, day, instant, relative, time, timesOf, words } from "../format.ts";
import { now } from "../server/state.ts";
import { instantOf } from "./bars.ts";

interface PreviewProps {
  readonly outline: TimelineOutline;
  /** The place that it tells of. */
  readonly at: number;
  /** The clock's place. */
  readonly place: number;
  /** The name of the subject, if the bar has changes of it. */
  readonly owner: string | undefined;
}

/** The bar at a place, and a press on it. */
export function Preview({ outline: { buckets }, at, place, owner }: PreviewProps) {
  const date = instantOf(buckets, at);
  const bucket = buckets[at - 1];
  const passed = Math.floor(place);
  const changes = buckets.slice(Math.min(at, passed), Math.max(at, passed)).reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      <strong>{bucket && bucket.from !== bucket.to ? extentOf(bucket) : instant(date)}</strong>{" "}
      <span class="muted">{relative(date, now.peek())}</span>
      <br />
      {bucket ? kindsOf(bucket) : "Before the first change"}
      {owner && `, of ${owner} too`}
      {changes > 0 && (
        <>
          <br />
          <span class="muted">
            {`A press: ${count(changes, "change")} ${at > passed ? "will happen" : "will be taken back"}`}
          </span>
        </>
      )}
    </>
  );
}

/** `54 changes, 2026-01-15 12:00:00 to 14:00:00` */
function extentOf({ from, to, count: changes }: TimelineBucket): string {
  return `${count(changes, "change")}, ${instant(from)} to ${day(from) === day(to) ? time(to) : instant(to)}`;
}

/** `event × 3, investment` */
export function kindsOf({ kinds }: TimelineBucket): string {
  return Object.entries(kinds)
    .map(([kind, times]) => timesOf(words(kind), times))
    .join(", ");
}
