import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { TimelineBucket, TimelineOutline } from "../../src/control.ts";
import { count, instant, relative, span, timesOf, words } from "../format.ts";
import { next, now, previous } from "../server/state.ts";
import { setClock, stepBack, stepOn } from "./moves.ts";

/**
 * The timeline as bars of counts: filled up to now, outlines after. Every bar has a like number of instants: a time without
 * changes takes no room; a slider lies over the bars, and its place n is after the first n of them.
 */
export function Track({ outline }: { readonly outline: TimelineOutline }) {
  const { buckets } = outline;
  const place = placeOf(buckets, now.value);
  /** The place under the pointer or the keys, until the clock is there. */
  const target = useSignal<number | null>(null);
  const paths = useMemo(() => pathsOf(buckets), [buckets]);
  const gaps = useMemo(() => gapsOf(buckets), [buckets]);
  const position = target.value ?? place;
  const end = buckets.length;
  const percent = (at: number): string => `${(at / end) * 100}%`;
  const set = useLatest(async (to: number) => {
    await setClock(instantOf(buckets, to));
    target.value = null;
  });

  return (
    <div class="track">
      <svg viewBox={`0 0 ${end} 40`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <clipPath id="past">
          <rect x="0" y="0" width={place} height="40" />
        </clipPath>
        <clipPath id="future">
          <rect x={place} y="0" width={end - place} height="40" />
        </clipPath>
        <path d={paths} class="past" clip-path="url(#past)" />
        <path d={paths} class="future" clip-path="url(#future)" />
      </svg>
      {gaps.map(({ at, length }) => (
        <span
          key={at}
          class={isLeft(at, end) ? "gap left" : "gap"}
          style={{ left: percent(at) }}
          title={`${span(length)} without a change`}
        >
          {!meets(at, place, end) && span(length)}
        </span>
      ))}
      <span class="marker" style={{ left: percent(place) }} />
      {target.value !== null && <span class="marker ghost" style={{ left: percent(target.value) }} />}
      <input
        type="range"
        min={0}
        max={end}
        step={1}
        value={Math.round(position)}
        aria-label="Timeline"
        aria-valuetext={target.value === null ? presentText() : placeText(outline, target.value)}
        onKeyDown={step}
        onInput={(event) => (target.value = Number(event.currentTarget.value))}
        onChange={(event) => set(Number(event.currentTarget.value))}
        onClick={() => {
          // Dragged away and back, it does not change.
          if (target.value === Math.round(place)) target.value = null;
        }}
        onBlur={() => (target.value = null)}
      />
      {target.value !== null && (
        <output class={target.value > end / 2 ? "preview left" : "preview"} style={{ left: percent(target.value) }}>
          <Preview outline={outline} at={target.value} place={place} />
        </output>
      )}
    </div>
  );
}

function Preview({
  outline,
  at,
  place,
}: {
  readonly outline: TimelineOutline;
  readonly at: number;
  readonly place: number;
}) {
  const { buckets } = outline;
  const date = instantOf(buckets, at);
  const bucket = buckets[at - 1];
  const between = at > place ? buckets.slice(Math.floor(place), at) : buckets.slice(at, Math.ceil(place));
  const changes = between.reduce((sum, one) => sum + one.count, 0);
  return (
    <>
      <strong>{instant(date)}</strong> <span class="muted">{relative(date, now.peek())}</span>
      <br />
      {bucket ? kindsOf(bucket) : "Before the first change"}
      {changes > 0 && (
        <>
          <br />
          <span class="muted">
            {at > place ? `${count(changes, "change")} will happen` : `${count(changes, "change")} will be taken back`}
          </span>
        </>
      )}
    </>
  );
}

/** A function of the last render, called one at a time: of several calls meanwhile, the last. */
function useLatest(run: (to: number) => Promise<void>): (to: number) => void {
  const latest = useRef(run);
  const waiting = useRef<number | null>(null);
  const isBusy = useRef(false);
  useEffect(() => {
    latest.current = run;
  });
  return async (to) => {
    waiting.current = to;
    if (isBusy.current) return;
    isBusy.current = true;
    while (waiting.current !== null) {
      const upcoming = waiting.current;
      waiting.current = null;
      // oxlint-disable-next-line no-await-in-loop
      await latest.current(upcoming);
    }
    isBusy.current = false;
  };
}

/** The place of an instant: after how many bars, and a half within one. */
function placeOf(buckets: readonly TimelineBucket[], at: number): number {
  let [low, high] = [0, buckets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (Date.parse(buckets[middle]?.to ?? "") <= at) low = middle + 1;
    else high = middle;
  }
  const bucket = buckets[low];
  return bucket && Date.parse(bucket.from) <= at ? low + 0.5 : low;
}

/** The instant of a place: at the last change of the bar before it; a millisecond before all of them. */
function instantOf(buckets: readonly TimelineBucket[], place: number): number {
  const bucket = buckets[place - 1];
  return bucket ? Date.parse(bucket.to) : Date.parse(buckets[0]?.from ?? "") - 1;
}

/** One path for all bars; high counts are drawn by their root: one change is seen beside a thousand. */
function pathsOf(buckets: readonly TimelineBucket[]): string {
  const highest = Math.max(...buckets.map((bucket) => bucket.count));
  // A bar of few is not broader than one of many.
  const width = Math.min(0.8, Math.max(0.05, buckets.length * 0.01));
  return buckets
    .map((bucket, at) => {
      const height = Math.max(5, 34 * Math.sqrt(bucket.count / highest));
      return `M${(at + (1 - width) / 2).toFixed(2)} 39v-${height.toFixed(1)}h${width.toFixed(2)}v${height.toFixed(1)}z`;
    })
    .join("");
}

interface Gap {
  /** The place. */
  readonly at: number;
  readonly length: number;
}

/** The longest times without a change: much longer than most, and far enough apart for their labels. */
function gapsOf(buckets: readonly TimelineBucket[]): readonly Gap[] {
  const all = buckets.slice(1).map((bucket, index): Gap => {
    return { at: index + 1, length: Date.parse(bucket.from) - Date.parse(buckets[index]?.to ?? "") };
  });
  const longest = all.toSorted((one, other) => other.length - one.length);
  const usual = longest[Math.floor(longest.length / 2)]?.length ?? 0;
  const labelled: Gap[] = [];
  for (const gap of longest) {
    if (labelled.length === 6 || gap.length < Math.max(3_600_000, usual * 4)) break;
    if (labelled.every(({ at }) => !meets(gap.at, at, buckets.length) && !meets(at, gap.at, buckets.length))) {
      labelled.push(gap);
    }
  }
  return labelled;
}

/** Near the end, the words of a gap stand before it. */
function isLeft(at: number, end: number): boolean {
  return at > end * 0.85;
}

/** Whether the words of a gap, with some room about them, reach over another place. */
function meets(at: number, place: number, end: number): boolean {
  const [before, after] = isLeft(at, end) ? [end / 6, end / 60] : [end / 60, end / 6];
  return place > at - before && place < at + after;
}

function kindsOf({ kinds }: TimelineBucket): string {
  return Object.entries(kinds)
    .map(([kind, times]) => timesOf(words(kind), times))
    .join(", ");
}

/** The arrows step from change to change, however many are in a bar. */
function step(event: KeyboardEvent): void {
  const run = { ArrowRight: stepOn, ArrowUp: stepOn, ArrowLeft: stepBack, ArrowDown: stepBack }[event.key];
  if (!run) return;
  event.preventDefault();
  void run();
}

function presentText(): string {
  const [before, after] = [previous.value, next.value];
  const where =
    before === null
      ? "before the first change"
      : after === null
        ? "after the last change"
        : `next change ${instant(after)}`;
  return `${instant(now.value)}, ${where}`;
}

function placeText({ buckets }: TimelineOutline, place: number): string {
  const bucket = buckets[place - 1];
  return `${instant(instantOf(buckets, place))}, ${bucket ? kindsOf(bucket) : "before the first change"}`;
}
