import type { ScenarioDescription } from "../../../src/public/control.ts";
import { playScenario } from "../../shared/play-scenario.ts";
import { Badge } from "../../components/badge.tsx";
import { IconButton, ignoreDoubleClick } from "../../components/button.tsx";
import { Page, Panel } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Name } from "../../components/values.tsx";
import { useList } from "../../data/use-resource.ts";
import { isPresenting } from "../../base/preferences.ts";
import { route, to } from "../../base/routes.ts";
import { canEdit } from "../../base/token.ts";
import { draftPath, SaveManualChanges } from "../../shared/drafts.tsx";
import { DraftPage } from "./draft-page.tsx";
import { RunPage } from "./run-page.tsx";
import { newestRuns, Runs } from "./runs.tsx";
import { ScenarioPage } from "./scenario-page.tsx";

/** All scenarios and runs; `closing`, `runs/run-1` and the draft have their own pages. */
export function Scenarios() {
  const { id } = route.value;
  if (id === null) return <ScenarioList />;
  if (id === draftPath) return <DraftPage />;
  const [, run] = /^runs\/(.+)$/.exec(id) ?? [];
  return run === undefined ? <ScenarioPage key={id} name={id} /> : <RunPage key={id} id={run} />;
}

/** A scenario that is only known from its runs has no description. */
type ListedScenario = Pick<ScenarioDescription, "name"> & Partial<ScenarioDescription>;

const playColumn: Column<ListedScenario> = {
  name: "Play",
  isBeforeLink: true,
  cell: ({ name, description }) =>
    description !== undefined && (
      <IconButton
        needsEditAccess
        icon="play"
        kind="quiet"
        label={`Play ${name}`}
        onClick={ignoreDoubleClick(() => playScenario(name))}
      />
    ),
};

const columns: readonly Column<ListedScenario>[] = [
  {
    name: "Scenario",
    cell: ({ name, title = name }) => (
      <span title={name}>
        <Name text={title} />
      </span>
    ),
  },
  {
    name: "Description",
    cell: ({ description }) =>
      description === undefined ? (
        <Badge variant="neutral">played here</Badge>
      ) : (
        <span class="wide" title={description}>
          {description.split(/(?<=\.)\s/, 1)[0] || "–"}
        </span>
      ),
  },
];

function ScenarioList() {
  const list = useList("listScenarios");
  const played = [...newestRuns().values()]
    .filter(({ scenario }) => !list.data?.some(({ name }) => name === scenario))
    .map(({ scenario: name }) => ({ name }));
  return (
    <Page
      title="Scenarios"
      actions={
        !isPresenting.value && (
          <>
            <SaveManualChanges />
            {canEdit.value && (
              <a class="button" href={to("scenarios", draftPath)}>
                Write scenario
              </a>
            )}
          </>
        )
      }
    >
      <div class="split">
        <Panel title="Available" class="playable">
          <DataTable
            label="Scenarios"
            rows={list.data && [...list.data, ...played]}
            source={list}
            columns={canEdit.value ? [playColumn, ...columns] : columns}
            keyOf={({ name }) => name}
            hrefOf={({ name }) => to("scenarios", name)}
          />
        </Panel>
        <Runs />
      </div>
    </Page>
  );
}
