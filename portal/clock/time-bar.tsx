import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
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
import { selectedSpeed, isPlaying, formatPlaySpeed, play, toggle } from "./playing.ts";
import { ResetButton } from "./reset-button.tsx";
import { histogram, subject } from "./subject.ts";
import { Timeline } from "./timeline.tsx";

/** The clock and the timeline, above every view. */
export function TimeBar() {
  const open = subject.value;
  useRefresh(histogram, [JSON.stringify(open?.filter)]);
  // While it loads, it is about the subject before.
  const own = open && !histogram.isLoading ? histogram.data : undefined;
  const of = open ? ` of ${open.name}` : "";
  const before = open ? (own?.previous ?? null) : previousChangeAt.value;
  const after = open ? (own?.next ?? null) : nextChangeAt.value;
  const isResetAsked = useSignal(false);
  useShortcuts(
    canEdit.value
      ? [
          { key: " ", label: "Play or pause the clock", scope: ".time-bar", run: toggle },
          { key: ",", label: "Previous change of what is open", isRepeated: true, run: () => stepBack(open) },
          { key: ".", label: "Next change of what is open", isRepeated: true, run: () => stepForward(open) },
          { key: "Shift ,", label: "Previous change of anything", isRepeated: true, run: () => stepBack() },
          { key: "Shift .", label: "Next change of anything", isRepeated: true, run: () => stepForward() },
          { key: `${commandKey}Z`, label: "Undo what you did last", run: undo },
          { key: "", label: "Play at 1 change/s", detail: "", run: () => ((playSpeed.value = "changes"), play()) },
          { key: "", label: "Advance 1 hour", detail: "+1 h", run: () => advance("1h") },
          { key: "", label: "A day on", detail: "+1 d", run: () => advance("1d") },
          { key: "", label: "Reset …", detail: "asks first", run: () => (isResetAsked.value = true) },
        ]
      : [],
  );
  // A pause, here or elsewhere, does not choose another speed.
  useEffect(() => {
    if (speed.value !== 0) playSpeed.value = speed.value;
  }, [speed.value]);

  return (
    <section class="time-bar" aria-label="Clock">
      <Present />
      {canEdit.value && (
        <div class="transport" aria-busy={pendingMoveCount.value > 0}>
          <IconButton
            icon="previous"
            label={`Previous change${of}${formatDateSuffix(before)} ( , )`}
            disabled={before === null}
            onClick={() => void stepBack(open)}
          />
          <IconButton
            icon={isPlaying() ? "pause" : "play"}
            class={isPlaying() ? "running" : undefined}
            label={isPlaying() ? "Pause (space)" : `Play, ${formatPlaySpeed(selectedSpeed(), open)} (space)`}
            onClick={toggle}
          />
          <IconButton
            icon="next"
            label={`Next change${of}${formatDateSuffix(after)} ( . )`}
            disabled={after === null}
            onClick={() => void stepForward(open)}
          />
          <SpeedChooser />
          <Button kind="quiet" title="Advance 1 hour" onClick={() => void advance("1h")}>
            +1 h
          </Button>
          <Button kind="quiet" title="A day on" onClick={() => void advance("1d")}>
            +1 d
          </Button>
          <Reset isAsked={isResetAsked} />
        </div>
      )}
      <MessageLine />
      {histogram.data && histogram.data.buckets.length > 0 ? (
        <Timeline histogram={histogram.data} hasSubjectBars={own !== undefined} />
      ) : (
        <NoChanges isKnown={histogram.data !== undefined} />
      )}
    </section>
  );
}

function formatDateSuffix(date: string | null): string {
  return date === null ? "" : `, ${formatInstant(date)}`;
}

function Reset({ isAsked }: { readonly isAsked: Signal<boolean> }) {
  const name = environment.data?.label ?? environmentId.value;
  const reset = () => command(() => call("resetEnvironment"), `${name} was reset.`);
  return (
    <ResetButton name={name} kind="quiet" title={`Reset ${name}`} isAsked={isAsked} onConfirm={() => void reset()} />
  );
}

const speeds: readonly PlaySpeed[] = ["changes", 1, 60, 3600, 86_400];

function SpeedChooser() {
  const current = selectedSpeed();
  const all = speeds.includes(current) ? speeds : [...speeds, current];
  return (
    <label class="speed">
      <span class="unseen">Speed</span>
      <select
        value={String(current)}
        title="Speed of the clock"
        onChange={(event) => {
          const { value } = event.currentTarget;
          playSpeed.value = value === "changes" ? value : Number(value);
          if (isPlaying()) void play();
        }}
      >
        {all.map((one) => (
          <option key={one} value={String(one)}>
            {formatPlaySpeed(one)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The present of the clock, as a button to set another one. */
function Present() {
  const isOpen = useSignal(false);
  if (now.value === 0) return <div class="present muted">…</div>;
  const text = (
    <>
      <span class="unseen">The clock stands at </span>
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
        title="Set the clock"
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
  const begin = useRef(new Date(now.peek()).toISOString().slice(0, 19) + "Z").current;
  const form = useForm(["now"], { now: begin });
  const field = form.field("now");
  const set = (at: string): void => void form.send(() => setClockTo(at), undefined, onClose);
  return (
    <Dialog title="Set the clock" onClose={onClose}>
      <Form form={form} submitLabel="Set" onSend={() => set(form.values.now)} onClose={onClose}>
        <Field
          label="Instant"
          {...field}
          error={field.error?.replace(/^now /, "It ")}
          hint="ISO 8601, a date with or without a time. It may be in the past: changes after it are undone and stay on the timeline."
        />
        <div class="actions" role="group" aria-label="Or at once">
          <Button onClick={() => set("fixture")}>Start of the fixture</Button>
          <Button onClick={() => set("now")}>Real time</Button>
        </div>
      </Form>
    </Dialog>
  );
}

function NoChanges({ isKnown }: { readonly isKnown: boolean }) {
  return (
    <p class="track-empty muted">
      {isKnown &&
        (nextChangeAt.value === null
          ? "No changes yet. "
          : `No change yet; the first is at ${formatInstant(nextChangeAt.value)}. `)}
      {isKnown && canEdit.value && <a href={to("scenarios")}>Play a scenario.</a>}
    </p>
  );
}

/** The last message, over the axis of the timeline. */
function MessageLine() {
  const said = message.value;
  return (
    <output class="messages" aria-live="polite">
      {said && (
        <div key={said.id} class={said.isError ? "message bad" : "message"}>
          <span>{said.text}</span>
          {said.action && (
            <Button
              kind="quiet"
              onClick={() => {
                closeMessage(said.id);
                said.action?.run();
              }}
            >
              {said.action.label}
            </Button>
          )}
          <IconButton icon="close" kind="quiet" label="Close the message" onClick={() => closeMessage(said.id)} />
        </div>
      )}
    </output>
  );
}
