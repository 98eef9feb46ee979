import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { TimelineBucket, TimelineHistogram } from "../../src/public/control.ts";
import {
  formatCount,
  formatDay,
  formatInstant,
  formatRelative,
  formatTime,
  formatTimes,
  formatIdentifier,
} from "../base/format.ts";
import { runOnce } from "../base/keys.ts";
import { nextChangeAt, now, previousChangeAt } from "../data/state.ts";
import { canEdit } from "../base/token.ts";
import { barHeight, type Bars, barsOf, instantOf, middleOf, pathOf, positionOf } from "./bars.ts";
import { setClock, stepBack, stepForward } from "./moves.ts";
import { subject } from "./subject.ts";

interface TimelineProps {
  readonly histogram: TimelineHistogram;
  /** Whether the bars with changes of the subject have a color of their own. */
  readonly hasSubjectBars: boolean;
}

/** The timeline as bars of counts: filled up to now, outlined after it. A slider over the bars has the same places. */
export function Timeline({ histogram, hasSubjectBars }: TimelineProps) {
  const { buckets } = histogram;
  const position = positionOf(buckets, now.value);
  const pastCount = Math.floor(position);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  /** The place that was chosen by pointer or keys, until the clock reaches it. */
  const target = useSignal<number | null>(null);
  const hovered = useSignal<number | null>(null);
  const bars = useMemo(() => barsOf(buckets, width), [buckets, width]);
  const paths = useMemo(
    () =>
      ["past", "future", "past other", "future other"].map((kind, at) => {
        const isMeant = (isOwn: boolean, index: number): boolean =>
          isOwn === at < 2 && index < pastCount === (at % 2 === 0);
        return [kind, pathOf(bars, (bucket, index) => isMeant(!hasSubjectBars || bucket.own > 0, index))] as const;
      }),
    [bars, hasSubjectBars, pastCount],
  );
  const shown = target.value ?? hovered.value;
  const name = hasSubjectBars && subject.value?.name;
  const set = async (to: number): Promise<void> => {
    await setClock(instantOf(buckets, to));
    // Another place may have been chosen meanwhile.
    if (target.value === to) target.value = null;
  };

  return (
    <div class="track" ref={box} style={{ "--cell": `${bars.cell}px` }}>
      <svg height={barHeight} aria-hidden="true">
        {paths.map(([kind, path]) => (
          <path key={kind} class={kind} d={path} />
        ))}
      </svg>
      <Axis {...bars} />
      <span class="marker" style={{ left: `${middleOf(bars, position)}px` }} />
      {shown !== null && <span class="marker ghost" style={{ left: `${middleOf(bars, shown)}px` }} />}
      <input
        type="range"
        disabled={!canEdit.value}
        min={0}
        max={buckets.length}
        step={1}
        value={target.value ?? pastCount}
        aria-label="Timeline"
        aria-valuetext={target.value === null ? formatPresent() : formatPosition(histogram, target.value)}
        aria-describedby="legend"
        onKeyDown={stepByArrow}
        onInput={(event) => (target.value = Number(event.currentTarget.value))}
        onChange={(event) => void set(Number(event.currentTarget.value))}
        onClick={() => {
          // A slider that was dragged away and back fires no change event.
          if (target.value === pastCount) target.value = null;
        }}
        onBlur={() => (target.value = null)}
        onPointerMove={({ offsetX, pointerType }) => {
          if (pointerType === "touch") return;
          hovered.value = Math.min(buckets.length, Math.max(0, Math.floor(offsetX / bars.cell)));
        }}
        onPointerLeave={() => (hovered.value = null)}
      />
      <div
        class={shown === null ? "unseen" : "preview"}
        style={shown === null ? {} : { left: `${Math.min(middleOf(bars, shown), width - previewWidth)}px` }}
      >
        {shown !== null && <Preview histogram={histogram} at={shown} place={position} />}
        <small id="legend" class="muted">
          Filled bars are past changes, outlined bars are upcoming ones. A taller bar has more changes.
          {name && ` In color: those with changes of ${name}.`}
        </small>
      </div>
    </div>
  );
}

/** The maximum width of a preview, in pixels. */
const previewWidth = 320;

/** The width of a box in pixels; 0 before it is measured. */
function useWidth(box: { readonly current: HTMLElement | null }): number {
  const width = useSignal(0);
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => (width.value = entry?.contentRect.width ?? 0));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return width.value;
}

/** The arrows step from change to change, however many are in a bar. */
function stepByArrow(event: KeyboardEvent): void {
  const run = { ArrowRight: stepForward, ArrowUp: stepForward, ArrowLeft: stepBack, ArrowDown: stepBack }[event.key];
  if (!run) return;
  event.preventDefault();
  runOnce(event, () => run());
}

function formatPresent(): string {
  const [before, after] = [previousChangeAt.value, nextChangeAt.value];
  const where =
    before === null
      ? "before the first change"
      : after === null
        ? "after the last change"
        : `next change ${formatInstant(after)}`;
  return `${formatInstant(now.value)}, ${where}`;
}

function formatPosition({ buckets }: TimelineHistogram, place: number): string {
  const bucket = buckets[place - 1];
  return `${formatInstant(instantOf(buckets, place))}, ${bucket ? formatKinds(bucket) : "before the first change"}`;
}

interface PreviewProps {
  readonly histogram: TimelineHistogram;
  /** The place that the preview describes. */
  readonly at: number;
  /** The clock's place. */
  readonly place: number;
}

/** Describes the bar at a place, and what a click there does. */
function Preview({ histogram: { buckets }, at, place }: PreviewProps) {
  const date = instantOf(buckets, at);
  const bucket = buckets[at - 1];
  const passed = Math.floor(place);
  const changes = buckets.slice(Math.min(at, passed), Math.max(at, passed)).reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      <strong>{bucket && bucket.from !== bucket.to ? formatExtent(bucket) : formatInstant(date)}</strong>{" "}
      <span class="muted">{formatRelative(date, now.peek())}</span>
      <br />
      {bucket ? formatKinds(bucket) : "Before the first change"}
      {changes > 0 && (
        <>
          <br />
          <span class="muted">{`Click to ${at > passed ? "apply" : "undo"} ${formatCount(changes, "change")}`}</span>
        </>
      )}
    </>
  );
}

/** `54 changes, 2026-01-15 12:00:00 to 14:00:00` */
function formatExtent({ from, to, count: changes }: TimelineBucket): string {
  return `${formatCount(changes, "change")}, ${formatInstant(from)} to ${formatDay(from) === formatDay(to) ? formatTime(to) : formatInstant(to)}`;
}

/** `event × 3, investment` */
function formatKinds({ kinds }: TimelineBucket): string {
  return Object.entries(kinds)
    .map(([kind, times]) => formatTimes(formatIdentifier(kind), times))
    .join(", ");
}

/** The lengths of the beginnings of an instant that name its year, month, day and hour. */
const units = [4, 7, 10, 13];

/** More pixels than a digit needs, and than a date keeps from the next. */
const [digit, apart] = [7.5, 14];

/** A few dates beneath the bars, where a year, a month or a day begins; if there is space, where an hour does. */
function Axis(bars: Bars) {
  const dates = bars.buckets.map(({ from, to }, index) => {
    const before = bars.buckets[index - 1]?.to ?? "";
    const date = index === 0 ? from : to;
    const unit = units.findIndex((length) => before.slice(0, length) !== date.slice(0, length));
    const text = unit === 0 ? date.slice(0, 10) : unit === 3 ? date.slice(11, 16) : date.slice(5, 10);
    const width = apart + text.length * digit;
    const left = Math.min(Math.max(0, middleOf(bars, index + 1) - width / 2), bars.width - width);
    return { unit, text, width, left };
  });
  const placed: typeof dates = [];
  for (const date of dates.filter(({ unit }) => unit >= 0).toSorted((left, right) => left.unit - right.unit)) {
    const isFree = placed.every(({ left, width }) => date.left >= left + width || left >= date.left + date.width);
    if (isFree && placed.length <= bars.width / 90) placed.push(date);
  }
  return (
    <div class="axis" aria-hidden="true">
      {placed.map(({ left, width, text }) => (
        <span style={{ left: `${left}px`, width: `${width}px` }}>{text}</span>
      ))}
    </div>
  );
}
