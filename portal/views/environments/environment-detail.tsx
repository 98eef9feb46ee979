import { useSignal } from "@preact/signals";
import type { EnvironmentSummary } from "../../../src/control.ts";
import { del, getBytes, post, put } from "../../api.ts";
import { command } from "../../commands.ts";
import { download } from "../../download.ts";
import { instant, number, pace } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty, Notice } from "../../parts/panel.tsx";
import { environmentId, go, route, to } from "../../routes.ts";

interface DetailProps {
  readonly summary: EnvironmentSummary | undefined;
  readonly onChanged: () => void;
}

/** One environment, beside the list. */
export function EnvironmentDetail({ summary, onChanged }: DetailProps) {
  const { id, query } = route.value;
  return (
    <section class="panel detail" aria-labelledby="opened">
      <header>
        <h2 id="opened" data-opened tabIndex={-1}>
          {summary?.label ?? id}
        </h2>
        <a class="button quiet icon-only" href={back(query)} aria-label="Close" title="Close (Esc)">
          <Icon name="close" />
        </a>
      </header>
      {summary ? (
        <Facts summary={summary} onChanged={onChanged} />
      ) : (
        <Empty title="There is no such environment.">
          <p>It was dropped, has closed after its idle time, or never was.</p>
        </Empty>
      )}
    </section>
  );
}

function back(query: URLSearchParams): string {
  return to("environments", null, Object.fromEntries(query));
}

function Facts({ summary, onChanged }: { readonly summary: EnvironmentSummary; readonly onChanged: () => void }) {
  const { id, label, fixture, clock, create_date, profile, rate_limit } = summary;
  const path = `/environments/${encodeURIComponent(id)}`;
  const name = label ?? id;
  const isHere = id === environmentId.value;
  const busy = useSignal<string | null>(null);
  const error = useSignal<string | null>(null);

  async function run(doing: string, call: () => Promise<unknown>, done: string): Promise<boolean> {
    [busy.value, error.value] = [doing, null];
    const answer = await command(
      async () => {
        await call();
        return true;
      },
      done,
      (problem) => (error.value = problem.message),
    );
    busy.value = null;
    onChanged();
    return answer === true;
  }

  async function drop(): Promise<void> {
    if (!(await run("It is dropped …", () => del(path), `${name} is dropped.`))) return;
    // Without the environment on the page there is none: the default one always is.
    const query = Object.fromEntries(route.value.query);
    go(to("environments", null, query, isHere ? "default" : undefined));
  }

  return (
    <div class="stack">
      <dl class="facts">
        {[
          ["Id", isHere ? `${id}, the one on this page` : id],
          ["Fixture", fixture],
          ["Clock", `${instant(clock.now)} UTC, ${pace(clock.speed)}`],
          ["Profile", profile],
          ["Rate limit", rate_limit === 0 ? "none" : `${number(rate_limit)} requests a minute and key`],
          ["Opened", `${instant(create_date)} UTC, by its clock`],
        ].map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="actions">
        {!isHere && (
          <a class="button primary" href={to("overview", null, {}, id)}>
            Switch to it
          </a>
        )}
        <Button
          disabled={busy.value !== null}
          onClick={() =>
            void run(
              "The snapshot is on its way …",
              async () => download(`${id}.snapshot.json`, await getBytes(`${path}/snapshot`)),
              "The snapshot is saved.",
            )
          }
        >
          Save a snapshot
        </Button>
        <ConfirmButton
          question={`Reset ${name}?`}
          words="Its timeline, clock, limits, faults and journal begin anew, as when it was opened. Its keys stay valid."
          does="Reset"
          disabled={busy.value !== null}
          onConfirm={() => void run("It is reset …", () => post(`${path}/reset`), `${name} is as when it was opened.`)}
        >
          Reset…
        </ConfirmButton>
        {id !== "default" && (
          <ConfirmButton
            question={`Drop ${name}?`}
            words="It is gone with its keys, and with all that was recorded in it. A snapshot can bring it back."
            does="Drop"
            disabled={busy.value !== null}
            onConfirm={() => void drop()}
          >
            Drop…
          </ConfirmButton>
        )}
      </div>
      <Restore
        name={name}
        isBusy={busy.value !== null}
        restore={(file) =>
          run("The snapshot is loaded …", () => put(`${path}/snapshot`, file), `${name} is as in the snapshot.`)
        }
      />
      <p class={busy.value === null ? "unseen" : "small muted"} role="status">
        {busy.value}
      </p>
      {error.value !== null && (
        <div role="alert">
          <Notice look="bad">
            <span class="lines">{error.value}</span>
          </Notice>
        </div>
      )}
    </div>
  );
}

interface RestoreProps {
  readonly name: string;
  readonly isBusy: boolean;
  readonly restore: (file: File) => Promise<boolean>;
}

/** A snapshot is loaded over the environment, once that is confirmed. */
function Restore({ name, isBusy, restore }: RestoreProps) {
  const file = useSignal<File | null>(null);
  return (
    <div class="stack">
      <h3>Load a snapshot into it</h3>
      <FileDrop
        label="A snapshot of it, or of another over the same fixture"
        file={file.value}
        onFile={(next) => (file.value = next)}
      />
      {file.value && (
        <div class="actions">
          <ConfirmButton
            question={`Load the snapshot into ${name}?`}
            words="What the environment holds is replaced by what the snapshot holds."
            does="Load"
            disabled={isBusy}
            onConfirm={() => {
              if (file.value) void restore(file.value).then((isDone) => isDone && (file.value = null));
            }}
          >
            Load…
          </ConfirmButton>
        </div>
      )}
    </div>
  );
}
