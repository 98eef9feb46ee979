import { useSignal } from "@preact/signals";
import { ResetButton } from "../../clock/reset-button.tsx";
import { saveSnapshot } from "../../data/snapshot.ts";
import { formatCount, formatInstant, formatNumber, formatSpeed, formatRelative } from "../../base/format.ts";
import { LinkButtons, LoopbackHint } from "../../shared/links.tsx";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/confirm.tsx";
import { Detail, Facts } from "../../components/detail.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { OpenFile } from "../../components/open-file.tsx";
import { Empty } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { RealTimeAgo, Name } from "../../components/values.tsx";
import { environmentId, go, route, to, useParameter } from "../../base/routes.ts";
import { call, type ListedEnvironment, listEnvironments } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { realTime } from "../../data/state.ts";
import { tokenEnvironmentId } from "../../base/token.ts";
import { everySeconds, useResource } from "../../data/use-resource.ts";
import { NewEnvironment, openSnapshotFiles } from "./new-environment.tsx";

const everyTwoSeconds = everySeconds(2);

/** The environments of the sandbox, including those of tests. */
export function Environments() {
  const environments = useResource(listEnvironments, [], { trigger: everyTwoSeconds });
  const isNew = useSignal(false);
  const [search, setSearch] = useParameter("search");
  const { id } = route.value;

  const all = environments.data ?? [];
  const opened = all.find((environment) => environment.id === id);
  const matches = sortEnvironments(all).filter((environment) => textOf(environment).includes(search.toLowerCase()));
  return (
    <ListPage
      title="Environments"
      lead="A private copy of all data for each test, tester or demo. A request selects it by its key."
      actions={
        tokenEnvironmentId.value === undefined && (
          <>
            <OpenFile
              label="Open snapshot"
              accept=".json"
              multiple
              onFiles={(files) => void openSnapshotFiles(files)}
            />
            <Button kind="primary" icon="plus" onClick={() => (isNew.value = true)}>
              Open environment
            </Button>
          </>
        )
      }
      resource={environments}
      search={{ label: "Search environments", placeholder: "Label, id or fixture", itemCount: all.length }}
      summary={
        <span class="muted">
          {search === ""
            ? formatCount(all.length, "environment")
            : `${formatNumber(matches.length)} of ${formatCount(all.length, "environment")}`}
        </span>
      }
      class="environments"
      isClickable
      detail={
        id !== null && (
          <Detail key={id} title={opened?.label ?? id} view="environments">
            {opened ? (
              <EnvironmentDetail {...opened} onChanged={environments.refresh} />
            ) : (
              <Empty title="There is no such environment.">
                <p>It was deleted, closed after its idle time, or never existed.</p>
                <a href={to("environments")}>All environments</a>
              </Empty>
            )}
          </Detail>
        )
      }
    >
      <DataTable
        label="Environments"
        view="environments"
        rows={matches}
        columns={columns}
        keyOf={(environment) => environment.id}
        empty={
          <Empty title="No matching environments.">
            <Button onClick={() => setSearch("")}>Show all</Button>
          </Empty>
        }
      />
      {isNew.value && <NewEnvironment onClose={() => (isNew.value = false)} />}
    </ListPage>
  );
}

const columns: readonly Column<ListedEnvironment>[] = [
  { name: "Environment", cell: ({ id, label }) => <Name text={label ?? id} /> },
  { name: "Last request", cell: LastRequest },
  { name: "Closes", cell: Closing },
  { name: "Fixture", isMinor: true, cell: ({ fixture }) => fixture },
  {
    name: "Clock, UTC",
    isMinor: true,
    cell: ({ clock }) => <span class="number">{formatInstant(clock.now)}</span>,
  },
  { name: "Speed", isMinor: true, cell: ({ clock }) => formatSpeed(clock.speed) },
];

function LastRequest({ last_request_at: at }: ListedEnvironment) {
  return at ? <RealTimeAgo at={at} /> : <span class="muted">{at === null ? "none" : "–"}</span>;
}

/** The real time until the environment closes, unless it is used before. */
function Closing({ expires_at: at }: ListedEnvironment) {
  return at ? <>{formatRelative(at, realTime.value)}</> : <span class="muted">{at === null ? "never" : "–"}</span>;
}

function textOf({ id, label, fixture }: ListedEnvironment): string {
  return `${label ?? ""}\n${id}\n${fixture}`.toLowerCase();
}

/** Sorts the default environment first, then the newest. */
function sortEnvironments(all: readonly ListedEnvironment[]): readonly ListedEnvironment[] {
  return all.toReversed().toSorted((left, right) => Number(right.id === "default") - Number(left.id === "default"));
}

interface DetailProps extends ListedEnvironment {
  readonly onChanged: () => void;
}

/** The facts of an environment, and the commands on it. */
function EnvironmentDetail({ onChanged, ...summary }: DetailProps) {
  const { id, label, fixture, clock, create_date, profile, rate_limit } = summary;
  const name = label ?? id;
  const isHere = id === environmentId.value;

  async function run(change: () => Promise<unknown>, message: string): Promise<void> {
    await command(change, message);
    onChanged();
  }

  async function deleteEnvironment(): Promise<void> {
    await call("deleteEnvironment", { environment: id });
    // The default environment always exists.
    go(to("environments", null, Object.fromEntries(route.value.query), isHere ? "default" : undefined));
  }

  return (
    <div class="stack">
      <Facts
        facts={[
          ["Id", label !== null && id],
          ["Last request", <LastRequest {...summary} />],
          ["Closes", <Closing {...summary} />],
          ["Fixture", fixture],
          ["Clock", `${formatInstant(clock.now)} UTC, ${formatSpeed(clock.speed)}`],
          ["Profile", profile],
          ["Rate limit", rate_limit === 0 ? "none" : `${formatNumber(rate_limit)} requests a minute and key`],
          ["Opened", `${formatInstant(create_date)} UTC, by its clock`],
        ]}
      />
      <div class="actions">
        {!isHere && (
          <a class="button primary" href={to("overview", null, {}, id)}>
            Switch environment
          </a>
        )}
        <LinkButtons environment={id} page={to("overview", null, {}, id)} />
        <Button
          title="The environment with its journal in one file, for a colleague, a test or the command replay"
          onClick={() => void run(() => saveSnapshot(id), "Snapshot saved.")}
        >
          Download snapshot
        </Button>
        <ResetButton
          name={name}
          onConfirm={() => void run(() => call("resetEnvironment", { environment: id }), `${name} was reset.`)}
        />
        {id !== "default" && (
          <ConfirmButton
            question={`Delete ${name}?`}
            consequence="Deletes the environment with its keys and journal. You can restore it from a snapshot."
            confirmLabel="Delete"
            onConfirm={() => void run(deleteEnvironment, `${name} was deleted.`)}
          />
        )}
      </div>
      <LoopbackHint />
    </div>
  );
}
