import type { EnvironmentSummary } from "../../../src/control.ts";
import { ResetButton } from "../../clock/reset-button.tsx";
import { call } from "../../server/api.ts";
import { saveSnapshot } from "../../download.ts";
import { command } from "../../server/commands.ts";
import { instant, number, pace } from "../../format.ts";
import { LinkButtons } from "../../links.tsx";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Detail, Facts } from "../../parts/detail.tsx";
import { Empty } from "../../parts/panel.tsx";
import { environmentId, go, route, to } from "../../routes.ts";

interface DetailProps {
  readonly summary: EnvironmentSummary | undefined;
  readonly onChanged: () => void;
}

/** One environment, beside the list. */
export function EnvironmentDetail({ summary, onChanged }: DetailProps) {
  return (
    <Detail title={summary?.label ?? route.value.id} view="environments">
      {summary ? (
        <Commands summary={summary} onChanged={onChanged} />
      ) : (
        <Empty title="There is no such environment.">
          <p>It was dropped, has closed after its idle time, or never was.</p>
        </Empty>
      )}
    </Detail>
  );
}

function Commands({ summary, onChanged }: { readonly summary: EnvironmentSummary; readonly onChanged: () => void }) {
  const { id, label, fixture, clock, create_date, profile, rate_limit } = summary;
  const name = label ?? id;
  const isHere = id === environmentId.value;

  async function run(change: () => Promise<unknown>, done: string): Promise<void> {
    await command(change, done);
    onChanged();
  }

  async function drop(): Promise<void> {
    await run(async () => {
      await call("dropEnvironment", { environment: id });
      // Leaving the environment out of the query selects the default one, which always exists.
      const query = Object.fromEntries(route.value.query);
      go(to("environments", null, query, isHere ? "default" : undefined));
    }, `${name} is dropped.`);
  }

  return (
    <div class="stack">
      <Facts
        facts={[
          ["Id", isHere ? `${id}, the one on this page` : id],
          ["Fixture", fixture],
          ["Clock", `${instant(clock.now)} UTC, ${pace(clock.speed)}`],
          ["Profile", profile],
          ["Rate limit", rate_limit === 0 ? "none" : `${number(rate_limit)} requests a minute and key`],
          ["Opened", `${instant(create_date)} UTC, by its clock`],
        ]}
      />
      <div class="actions">
        {!isHere && (
          <a class="button primary" href={to("overview", null, {}, id)}>
            Switch to it
          </a>
        )}
        <LinkButtons environment={id} page={to("overview", null, {}, id)} />
        <Button
          title="The environment with its journal in one file, for a colleague, a test or the command replay"
          onClick={() => void run(() => saveSnapshot(id), "The snapshot is saved.")}
        >
          Download the snapshot
        </Button>
        <ResetButton
          name={name}
          onConfirm={() =>
            void run(() => call("resetEnvironment", { environment: id }), `${name} is as when it was opened.`)
          }
        />
        {id !== "default" && (
          <ConfirmButton
            question={`Drop ${name}?`}
            consequence="It is gone with its keys, and with all that was recorded in it. A snapshot can bring it back."
            confirmLabel="Drop"
            onConfirm={() => void drop()}
          >
            Drop…
          </ConfirmButton>
        )}
      </div>
    </div>
  );
}
