import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { formatDay, formatInstant, formatTime } from "../base/format.ts";
import { Button, IconButton } from "../components/button.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { Form, useForm } from "../components/form.tsx";
import { type PlaySpeed, playSpeed } from "../base/preferences.ts";
import { call } from "../data/api.ts";
import { closeMessage, command, message } from "../data/commands.ts";
import { useRefresh } from "../data/use-resource.ts";
import { environmentId, to } from "../base/routes.ts";
import { commandKey, useShortcuts } from "../base/keys.ts";
import { canEdit } from "../base/token.ts";
import { environment, nextChangeAt, now, previousChangeAt, speed } from "../data/state.ts";
import { advance, pendingMoveCount, setClockTo, stepBack, stepForward, undo } from "./moves.ts";
import { selectedSpeed, isPlaying, formatPlaySpeed, play, togglePlay } from "./playing.ts";
import { ResetButton } from "./reset-button.tsx";
import { histogram, subject } from "./subject.ts";
import { Timeline } from "./timeline.tsx";

const advances = [
  { by: "1h", label: "Advance 1 hour", detail: "+1 h" },
  { by: "1d", label: "Advance 1 day", detail: "+1 d" },
];

/** The clock and the timeline, above every view. */
export function TimeBar() {
  const openSubject = subject.value;
  useRefresh(histogram, [JSON.stringify(openSubject?.filter)]);
  // While it loads, the data belongs to the earlier subject.
  const subjectHistogram = openSubject && !histogram.isLoading ? histogram.data : undefined;
  const of = openSubject ? ` of ${openSubject.name}` : "";
  const before = openSubject ? (subjectHistogram?.previous ?? null) : previousChangeAt.value;
  const after = openSubject ? (subjectHistogram?.next ?? null) : nextChangeAt.value;
  const isResetOpen = useSignal(false);
  useShortcuts(
    canEdit.value
      ? [
          { key: " ", label: "Play or pause", scope: ".time-bar", run: togglePlay },
          { key: ",", label: "Previous change", isRepeated: true, run: () => stepBack(openSubject) },
          { key: ".", label: "Next change", isRepeated: true, run: () => stepForward(openSubject) },
          { key: "Shift ,", label: "Previous change of all", isRepeated: true, run: () => stepBack() },
          { key: "Shift .", label: "Next change of all", isRepeated: true, run: () => stepForward() },
          { key: `${commandKey}Z`, label: "Undo", run: undo },
          { key: "", label: "Play at 1 change/s", detail: "", run: () => ((playSpeed.value = "changes"), play()) },
          ...advances.map(({ by, ...advanceLabels }) => ({ key: "", ...advanceLabels, run: () => advance(by) })),
          { key: "", label: "Reset…", detail: "", run: () => (isResetOpen.value = true) },
        ]
      : [],
  );
  // A pause, here or elsewhere, does not choose another speed.
  useEffect(() => {
    if (speed.value !== 0) playSpeed.value = speed.value;
  }, [speed.value]);

  return (
    <section class="time-bar" aria-label="Clock">
      <ClockInstant />
      {canEdit.value && (
        <div class="transport" aria-busy={pendingMoveCount.value > 0}>
          <IconButton
            icon="previous"
            label={`Previous change${of}${formatDateSuffix(before)} ( , )`}
            disabled={before === null}
            onClick={() => void stepBack(openSubject)}
          />
          <IconButton
            icon={isPlaying() ? "pause" : "play"}
            class={isPlaying() ? "running" : undefined}
            label={isPlaying() ? "Pause (space)" : `Play, ${formatPlaySpeed(selectedSpeed(), openSubject)} (space)`}
            onClick={togglePlay}
          />
          <IconButton
            icon="next"
            label={`Next change${of}${formatDateSuffix(after)} ( . )`}
            disabled={after === null}
            onClick={() => void stepForward(openSubject)}
          />
          <SpeedChooser />
          {advances.map(({ by, label, detail }) => (
            <Button key={by} kind="quiet" title={label} onClick={() => void advance(by)}>
              {detail}
            </Button>
          ))}
          <Reset isOpen={isResetOpen} />
        </div>
      )}
      <MessageLine />
      {!histogram.data && <p class="timeline-empty" />}
      {histogram.data?.buckets.length === 0 && <NoChanges />}
      {histogram.data && histogram.data.buckets.length > 0 && (
        <Timeline histogram={histogram.data} hasSubjectBars={subjectHistogram !== undefined} />
      )}
    </section>
  );
}

function formatDateSuffix(date: string | null): string {
  return date === null ? "" : `, ${formatInstant(date)}`;
}

function Reset({ isOpen }: { readonly isOpen: Signal<boolean> }) {
  const name = environment.data?.label ?? environmentId.value;
  const reset = () => command(() => call("resetEnvironment"), `${name} was reset.`);
  return (
    <ResetButton name={name} kind="quiet" title={`Reset ${name}`} isOpen={isOpen} onConfirm={() => void reset()} />
  );
}

const speeds: readonly PlaySpeed[] = ["changes", 1, 60, 3600, 86_400];

function SpeedChooser() {
  const current = selectedSpeed();
  const options = speeds.includes(current) ? speeds : [...speeds, current];
  return (
    <label class="speed">
      <span class="unseen">Speed</span>
      <select
        value={String(current)}
        title="Clock speed"
        onChange={(event) => {
          const { value } = event.currentTarget;
          playSpeed.value = value === "changes" ? value : Number(value);
          if (isPlaying()) void play();
        }}
      >
        {options.map((option) => (
          <option key={option} value={String(option)}>
            {formatPlaySpeed(option)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The current instant of the clock, as a button to set another one. */
function ClockInstant() {
  const isOpen = useSignal(false);
  if (now.value === 0) return <div class="present muted">…</div>;
  const text = (
    <>
      <span class="unseen">Clock: </span>
      <strong>{formatDay(now.value)}</strong> <span class="number">{formatTime(now.value)}</span>{" "}
      <small class="muted">UTC</small>
    </>
  );
  if (!canEdit.value) return <div class="present">{text}</div>;
  return (
    <>
      <button
        type="button"
        class="present"
        title="Set clock"
        aria-haspopup="dialog"
        onClick={() => (isOpen.value = true)}
      >
        {text}
      </button>
      {isOpen.value && <SetClock onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function SetClock({ onClose }: { readonly onClose: () => void }) {
  const form = useForm(["now"], { now: `${new Date(now.peek()).toISOString().slice(0, 19)}Z` });
  const field = form.field("now");
  const sendInstant = (instant: string): void => void form.send(() => setClockTo(instant), undefined, onClose);
  return (
    <Dialog title="Set clock" onClose={onClose}>
      <Form form={form} submitLabel="Set clock" onSend={() => sendInstant(form.values.now)} onClose={onClose}>
        <Field
          label="Instant"
          {...field}
          error={field.error?.replace(/^now /, "It ")}
          hint="ISO 8601, a date with or without a time. Changes after a past instant are undone and stay on the timeline."
        />
        <div class="actions" role="group" aria-label="Presets">
          <Button onClick={() => sendInstant("fixture")}>Start of the fixture</Button>
          <Button onClick={() => sendInstant("now")}>Real time</Button>
        </div>
      </Form>
    </Dialog>
  );
}

function NoChanges() {
  const first = nextChangeAt.value;
  return (
    <p class="timeline-empty muted">
      {first === null ? "No changes yet." : `No changes yet; the first is at ${formatInstant(first)}.`}{" "}
      {canEdit.value && <a href={to("scenarios")}>Play a scenario.</a>}
    </p>
  );
}

/** The last message, at the bottom of the window. */
function MessageLine() {
  const current = message.value;
  return (
    <output class="messages" aria-live="polite">
      {current && (
        <div key={current.id} class={current.isError ? "message bad" : "message"}>
          <span>{current.text}</span>
          {current.action && (
            <Button
              kind="quiet"
              onClick={() => {
                closeMessage(current.id);
                current.action?.run();
              }}
            >
              {current.action.label}
            </Button>
          )}
          <IconButton icon="close" kind="quiet" label="Close message" onClick={() => closeMessage(current.id)} />
        </div>
      )}
    </output>
  );
}
