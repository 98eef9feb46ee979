/**
 * Values as people read them: `<Money value={12500} />`, `<When date={create_date} />` (a date and its distance from
 * now, which `isShort` moves to the title), `<Ago date={date} />` (only the distance), `<RealTimeAgo at={recorded_at}
 * />` (the distance in real time; with `isExact` also the time), `<Name text={label} />` (one line of a table).
 */
import { computed, type ReadonlySignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { RunDescription } from "../../src/public/control.ts";
import { formatDay, formatInstant, formatMoment, formatMoney, formatRelative, formatTime } from "../base/format.ts";
import { now, realTime } from "../data/state.ts";

export function Name({ text }: { readonly text: string }) {
  return (
    <span class="name" title={text}>
      {text}
    </span>
  );
}

export function Money({ value }: { readonly value: number }) {
  return <span class="number">{formatMoney(value)}</span>;
}

export function When({ date, isShort }: { readonly date: string | null; readonly isShort?: boolean }) {
  const distance = useDistance(date);
  if (date === null) return <span class="muted">never</span>;
  return (
    <time dateTime={date} title={isShort ? `${date} (${formatRelative(date, now.peek())})` : date} class="when number">
      {formatDay(date)} <span class="time">{formatTime(date)}</span>
      {!isShort && <small class="muted"> {distance}</small>}
    </time>
  );
}

type FormatDate = (date: string, clock: number) => string;

/** Formats a date relative to a clock, as a signal: a tick re-renders the text only if it changes. */
function useDistance(date: string | null, format: FormatDate = formatRelative, clock = now): ReadonlySignal<string> {
  return useMemo(() => computed(() => (date === null ? "" : format(date, clock.value))), [date]);
}

interface DateProps {
  readonly date: string;
}

export function Ago({ date }: DateProps) {
  return (
    <time dateTime={date} title={`${formatInstant(date)} UTC`} class="ago small muted number">
      {useDistance(date)}
    </time>
  );
}

const formatPast: FormatDate = (date, clock) => formatRelative(Math.min(Date.parse(date), clock), clock);

/** Shows how long ago an instant of real time was. The sandbox's machine set it, so a future instant counts as now. */
export function RealTimeAgo({ at, isExact }: { readonly at: string; readonly isExact?: boolean }) {
  return (
    <time dateTime={at} title={`${at} in real time`} class="ago small muted number">
      {isExact && `${at.slice(11)}, `}
      {useDistance(at, formatPast, realTime)}
    </time>
  );
}

/** Shows a date relative to today: `tomorrow 13:45`. */
export function Moment({ date }: DateProps) {
  return (
    <time dateTime={date} title={`${formatInstant(date)} UTC`}>
      {useDistance(date, formatMoment)}
    </time>
  );
}

/** `begins tomorrow 13:45`, or `continues tomorrow 13:45`: when the first or the next repetition begins. */
export function NextRepetition({
  investment_ids,
  date,
}: Pick<RunDescription, "investment_ids"> & { readonly date: string }) {
  return (
    <>
      {investment_ids.length === 0 ? "begins" : "continues"} <Moment date={date} />
    </>
  );
}

/** `<ChangedMark />` marks a value or a row that the last step of the clock changed, and tints its cells. */
export function ChangedMark({ label = "just changed" }: { readonly label?: string }) {
  return (
    <span class="changed" title={label}>
      <span class="unseen">, {label}</span>
    </span>
  );
}
