import { useSignal, useSignalEffect } from "@preact/signals";
import type { EnvironmentSummary } from "../../../src/control.ts";
import { count, instant, number, pace } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { ListPage } from "../../parts/list-page.tsx";
import { OpenFile } from "../../parts/open-file.tsx";
import { Empty } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { listEnvironments } from "../../server/api.ts";
import { ownId } from "../../server/token.ts";
import { useResource } from "../../server/use-resource.ts";
import { environmentId, route, useParameter } from "../../routes.ts";
import { beats } from "../../server/state.ts";
import { EnvironmentDetail } from "./environment-detail.tsx";
import { NewEnvironment, openSnapshotFile } from "./new-environment.tsx";

/** No revision covers other environments, so the list is loaded at every fourth pulse. */
const beatsBetween = 4;

/** The environments of the sandbox, including those of tests. */
export function Environments() {
  const environments = useResource(listEnvironments);
  const isNew = useSignal(false);
  const [search, setSearch] = useParameter("search");
  const { id } = route.value;
  useSignalEffect(() => {
    // Rows stay in place while somebody points at one.
    if (beats.value % beatsBetween === 0 && !document.querySelector("main tbody:is(:hover, :focus-within)")) {
      environments.refresh();
    }
  });

  const all = environments.data ?? [];
  const matches = ordered(all).filter((one) => textOf(one).includes(search.toLowerCase()));
  return (
    <ListPage
      title="Environments"
      lead="Private copies of everything that can change, chosen by their keys: one for each test, tester or demo."
      actions={
        ownId.value === undefined && (
          <>
            <OpenFile label="Open a snapshot" accept=".json" onFile={(file) => void openSnapshotFile(file)} />
            <Button kind="primary" icon="plus" onClick={() => (isNew.value = true)}>
              Open an environment
            </Button>
          </>
        )
      }
      resource={environments}
      search={{ label: "Search the environments", placeholder: "Label, id or fixture", total: all.length }}
      summary={
        <span class="muted">
          {search === ""
            ? count(all.length, "environment")
            : `${number(matches.length)} of ${count(all.length, "environment")}`}
        </span>
      }
      class="environments"
      isPressable
      detail={
        id !== null && (
          <EnvironmentDetail key={id} summary={all.find((one) => one.id === id)} onChanged={environments.refresh} />
        )
      }
    >
      <DataTable
        label="Environments"
        view="environments"
        rows={matches}
        columns={columns}
        keyOf={(one) => one.id}
        empty={
          <Empty title="No environment matches.">
            <Button onClick={() => setSearch("")}>Show all</Button>
          </Empty>
        }
      />
      {isNew.value && <NewEnvironment onClose={() => (isNew.value = false)} />}
    </ListPage>
  );
}

const columns: readonly Column<EnvironmentSummary>[] = [
  {
    name: "Environment",
    cell: ({ id, label }) => (
      <>
        {label ?? id}
        <small class="muted">
          {[label !== null && id, id === environmentId.value && "on this page"].filter(Boolean).join(", ")}
        </small>
      </>
    ),
  },
  { name: "Fixture", cell: ({ fixture }) => fixture },
  { name: "Its clock, UTC", isMinor: true, cell: ({ clock }) => <span class="number">{instant(clock.now)}</span> },
  { name: "Profile", isMinor: true, cell: ({ profile }) => profile },
  { name: "Speed", isMinor: true, cell: ({ clock }) => pace(clock.speed) },
];

function textOf({ id, label, fixture }: EnvironmentSummary): string {
  return `${label ?? ""}\n${id}\n${fixture}`.toLowerCase();
}

/** The default environment, then the others, newest first. */
function ordered(all: readonly EnvironmentSummary[]): readonly EnvironmentSummary[] {
  const newest = all.toReversed();
  return [...newest.filter(({ id }) => id === "default"), ...newest.filter(({ id }) => id !== "default")];
}
