/**
 * Values as people read them: `<Money value={12500} />`, `<When date={create_date} />` (beside it how long ago; `isShort` leaves
 * that to the title), `<Id id={id} />` (the first eight signs, whole in the title).
 */
import { useComputed } from "@preact/signals";
import { day, money, relative, time } from "../format.ts";
import { now } from "../state.ts";

export function Money({ value }: { readonly value: number }) {
  return <span class="number">{money(value)}</span>;
}

export function When({ date, isShort }: { readonly date: string | null; readonly isShort?: boolean }) {
  // A signal as text: when the clock ticks, the text alone changes, and only where its words do.
  const distance = useComputed(() => (date === null ? "" : relative(date, now.value)));
  if (date === null) return <span class="muted">never</span>;
  return (
    <time dateTime={date} title={isShort ? `${date} (${relative(date, now.peek())})` : date} class="when">
      {day(date)} <span class="time">{time(date)}</span>
      {!isShort && <small class="muted"> {distance}</small>}
    </time>
  );
}

export function Id({ id }: { readonly id: string }) {
  return (
    <code class="id" title={id}>
      {id.slice(0, 8)}
    </code>
  );
}
