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
import { barHeight, type Bars, createBars, instantOf, middleOf, pathsByKind, positionOf } from "./bars.ts";
import { setClock, stepBack, stepForward } from "./moves.ts";
import { subject } from "./subject.ts";

interface TimelineProps {
  readonly histogram: TimelineHistogram;
  /** Whether the bars with changes of the subject have a color of their own. */
  readonly hasSubjectBars: boolean;
}

/**
 * The timeline with a bar for each bucket. Bars up to now are filled, later ones are outlined. A slider over the bars
 * has the same positions.
 */
export function Timeline({ histogram, hasSubjectBars }: TimelineProps) {
  const { buckets } = histogram;
  const position = positionOf(buckets, now.value);
  const pastCount = Math.floor(position);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  /** The position that was chosen by pointer or keys, until the clock reaches it. */
  const target = useSignal<number | null>(null);
  const hovered = useSignal<number | null>(null);
  const bars = useMemo(() => createBars(buckets, width), [buckets, width]);
  const paths = useMemo(
    () =>
      pathsByKind(bars, ({ subject_count: subjectCount }, index) => {
        const hasNoSubjectChange = hasSubjectBars && subjectCount === 0;
        return `${index < pastCount ? "past" : "future"}${hasNoSubjectChange ? " other" : ""}`;
      }),
    [bars, hasSubjectBars, pastCount],
  );
  const shownPosition = target.value ?? hovered.value;
  const name = hasSubjectBars && subject.value?.name;
  const moveTo = async (chosenPosition: number): Promise<void> => {
    await setClock(instantOf(buckets, chosenPosition));
    // The person may have chosen another position meanwhile.
    if (target.value === chosenPosition) target.value = null;
  };

  return (
    <div class="timeline" ref={box} style={{ "--cell": `${bars.cell}px` }}>
      <svg height={barHeight} aria-hidden="true">
        {Object.entries(paths).map(([kind, path]) => (
          <path key={kind} class={kind} d={path} />
        ))}
      </svg>
      <Axis {...bars} />
      <span class="marker" style={{ left: `${middleOf(bars, position)}px` }} />
      {shownPosition !== null && <span class="marker ghost" style={{ left: `${middleOf(bars, shownPosition)}px` }} />}
      <input
        type="range"
        disabled={!canEdit.value}
        min={0}
        max={buckets.length}
        step={1}
        value={target.value ?? pastCount}
        aria-label="Timeline"
        aria-valuetext={target.value === null ? formatCurrentInstant() : formatPosition(histogram, target.value)}
        aria-describedby="legend"
        onKeyDown={stepByArrow}
        onInput={(event) => (target.value = Number(event.currentTarget.value))}
        onChange={(event) => void moveTo(Number(event.currentTarget.value))}
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
        class={shownPosition === null ? "unseen" : "preview"}
        style={
          shownPosition === null ? {} : { left: `${Math.min(middleOf(bars, shownPosition), width - previewWidth)}px` }
        }
      >
        {shownPosition !== null && (
          <Preview histogram={histogram} shownPosition={shownPosition} clockPosition={position} />
        )}
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
  const step = { ArrowRight: stepForward, ArrowUp: stepForward, ArrowLeft: stepBack, ArrowDown: stepBack }[event.key];
  if (!step) return;
  event.preventDefault();
  runOnce(event, () => step());
}

function formatCurrentInstant(): string {
  const [previousAt, nextAt] = [previousChangeAt.value, nextChangeAt.value];
  const nextText = nextAt === null ? "after the last change" : `next change ${formatInstant(nextAt)}`;
  return `${formatInstant(now.value)}, ${previousAt === null ? "before the first change" : nextText}`;
}

function formatPosition({ buckets }: TimelineHistogram, position: number): string {
  const bucket = buckets[position - 1];
  return `${formatInstant(instantOf(buckets, position))}, ${bucket ? formatKinds(bucket) : "before the first change"}`;
}

interface PreviewProps {
  readonly histogram: TimelineHistogram;
  /** The position that the preview describes. */
  readonly shownPosition: number;
  /** The position of the clock. */
  readonly clockPosition: number;
}

/** Describes the bar at a position, and what a click there does. */
function Preview({ histogram: { buckets }, shownPosition, clockPosition }: PreviewProps) {
  const date = instantOf(buckets, shownPosition);
  const bucket = buckets[shownPosition - 1];
  const pastCount = Math.floor(clockPosition);
  const crossedBuckets = buckets.slice(Math.min(shownPosition, pastCount), Math.max(shownPosition, pastCount));
  const changeCount = crossedBuckets.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <strong>{bucket && bucket.from !== bucket.to ? formatExtent(bucket) : formatInstant(date)}</strong>{" "}
      <span class="muted">{formatRelative(date, now.peek())}</span>
      <br />
      {bucket ? formatKinds(bucket) : "Before the first change"}
      {changeCount > 0 && (
        <>
          <br />
          <span class="muted">
            Click to {shownPosition > pastCount ? "apply" : "undo"} {formatCount(changeCount, "change")}
          </span>
        </>
      )}
    </>
  );
}

/** `54 changes, 2026-01-15 12:00:00 to 14:00:00` */
function formatExtent({ from, to, count }: TimelineBucket): string {
  const end = formatDay(from) === formatDay(to) ? formatTime(to) : formatInstant(to);
  return `${formatCount(count, "change")}, ${formatInstant(from)} to ${end}`;
}

/** `event × 3, investment` */
function formatKinds({ kinds }: TimelineBucket): string {
  return Object.entries(kinds)
    .map(([kind, times]) => formatTimes(formatIdentifier(kind), times))
    .join(", ");
}

/** The number of characters of an instant up to its year, its month, its day and its hour. */
const unitLengths = [4, 7, 10, 13];

/** Somewhat more pixels than a digit needs, and the least space between two dates. */
const [digitPx, gapPx] = [7.5, 14];

/** A few dates beneath the bars, where a year, a month or a day begins; if there is space, where an hour does. */
function Axis(bars: Bars) {
  const dates = bars.buckets.map(({ from, to }, index) => {
    const previousEnd = bars.buckets[index - 1]?.to ?? "";
    const date = index === 0 ? from : to;
    const unit = unitLengths.findIndex((length) => previousEnd.slice(0, length) !== date.slice(0, length));
    const text = unit === 0 ? date.slice(0, 10) : unit === 3 ? date.slice(11, 16) : date.slice(5, 10);
    const width = gapPx + text.length * digitPx;
    const left = Math.min(Math.max(0, middleOf(bars, index + 1) - width / 2), bars.width - width);
    return { unit, text, width, left };
  });
  const visible: typeof dates = [];
  for (const date of dates.filter(({ unit }) => unit >= 0).toSorted((left, right) => left.unit - right.unit)) {
    const isFree = visible.every(({ left, width }) => date.left >= left + width || left >= date.left + date.width);
    if (isFree && visible.length <= bars.width / 90) visible.push(date);
  }
  return (
    <div class="axis" aria-hidden="true">
      {visible.map(({ left, width, text }) => (
        <span style={{ left: `${left}px`, width: `${width}px` }}>{text}</span>
      ))}
    </div>
  );
}
