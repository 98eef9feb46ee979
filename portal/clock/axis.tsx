import type { TimelineBucket } from "../../src/control.ts";
import { span } from "../format.ts";
import { type Bars, type Gap, middleOf } from "./bars.ts";

interface Label {
  readonly place: number;
  /** Empty: the label only keeps its space free. */
  readonly text: string;
}

/** The dates beneath the bars: where a year, a month or a day begins; if there is space, where an hour does. */
export function Axis({ bars }: { readonly bars: Bars }) {
  return <Labels class="axis" bars={bars} labels={datesOf(bars.buckets)} />;
}

/** Shows above the bars how long the times without a change are, and leaves space for the pin. */
export function Gaps({
  bars,
  gaps,
  pin,
}: Pick<LabelsProps, "bars"> & { readonly gaps: readonly Gap[]; readonly pin: number }) {
  const lengths = gaps.map(({ place, length }) => ({ place, text: span(length) }));
  return <Labels class="gaps" bars={bars} labels={[{ place: pin, text: "" }, ...lengths]} />;
}

interface LabelsProps {
  readonly class: string;
  readonly bars: Bars;
  /** The most important labels come first. */
  readonly labels: readonly Label[];
}

/** More pixels than a digit needs, and than a label keeps from the next. */
const [digit, apart] = [7.5, 14];

/** A few labels, centred on their places, that never meet. */
function Labels({ class: name, bars, labels }: LabelsProps) {
  const placed: { readonly left: number; readonly width: number; readonly text: string }[] = [];
  for (const { place, text } of labels) {
    const width = apart + text.length * digit;
    const left = Math.min(Math.max(0, middleOf(bars, place) - width / 2), bars.width - width);
    const isFree = placed.every((other) => left >= other.left + other.width || other.left >= left + width);
    if (isFree && placed.length <= bars.width / 90) placed.push({ left, width, text });
  }
  return (
    <div class={name} aria-hidden="true">
      {placed.map(
        ({ left, width, text }) => text && <span style={{ left: `${left}px`, width: `${width}px` }}>{text}</span>,
      )}
    </div>
  );
}

/** The lengths of the beginnings of an instant that name its year, month, day and hour. */
const units = [4, 7, 10, 13];

function datesOf(buckets: readonly TimelineBucket[]): readonly Label[] {
  const dates = buckets.map(({ from, to }, index) => {
    const before = buckets[index - 1]?.to ?? "";
    const date = index === 0 ? from : to;
    const unit = units.findIndex((length) => before.slice(0, length) !== date.slice(0, length));
    const text = unit === 0 ? date.slice(0, 10) : unit === 3 ? date.slice(11, 16) : date.slice(5, 10);
    return { place: index + 1, unit, text };
  });
  return dates.filter(({ unit }) => unit >= 0).toSorted((one, other) => one.unit - other.unit);
}
