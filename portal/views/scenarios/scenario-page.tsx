import type { ScenarioDetail } from "../../../src/public/control.ts";
import { call, list } from "../../data/api.ts";
import { ConfirmButton } from "../../components/confirm.tsx";
import { command } from "../../data/commands.ts";
import { go, to } from "../../base/routes.ts";
import { Badge } from "../../components/badge.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { DidYouMean } from "../../components/did-you-mean.tsx";
import { Empty, Page, Panel, Loading } from "../../components/panel.tsx";
import { useResource } from "../../data/use-resource.ts";
import { DownloadScenario, StartDraft } from "../../shared/drafts.tsx";
import { Play, StatePicture, Steps, Warnings } from "./outline.tsx";
import { newestRuns, Runs } from "./runs.tsx";

/** A scenario that can be played by its name, or whose runs are known. */
export function ScenarioPage({ name }: { readonly name: string }) {
  const run = newestRuns().get(name)?.id;
  const detail = useResource((signal) => readScenario(name, run, signal), [name, run]);
  if (!detail.data) {
    return (
      <Page title={name} above="scenarios">
        <Loading for={detail} />
      </Page>
    );
  }
  if ("names" in detail.data) return <Missing name={name} names={detail.data.names} />;
  const { title, description, subject, steps, states, text, warnings, saved, isPlayed } = detail.data;
  return (
    <Page
      title={title}
      above="scenarios"
      actions={
        <>
          <DownloadScenario name={name} text={text} />
          <StartDraft text={text} name={name} />
          {saved && (
            <ConfirmButton
              question={`Delete ${title}?`}
              consequence="It can no longer be played by its name. Its runs stay."
              confirmLabel="Delete"
              onConfirm={() => void deleteScenario(name)}
            />
          )}
        </>
      }
      lead={
        <>
          {isPlayed && <Badge variant="neutral">played here</Badge>} {title !== name && <code>{name}</code>}{" "}
          {description}
        </>
      }
    >
      <div class="split main-second">
        <Play scenario={isPlayed ? text : name} subject={subject} />
        <div class="stack">
          <Warnings warnings={warnings} />
          <Panel title="States">
            <StatePicture states={states} steps={steps} />
          </Panel>
          <Panel title="Steps" class="whole">
            <Steps steps={steps} />
          </Panel>
        </div>
        <Runs scenario={name} />
      </div>
      <Panel title="YAML">
        <CodeBlock text={text} label="Scenario as YAML" />
      </Panel>
    </Page>
  );
}

const leave = (): void => go(to("scenarios"));

async function deleteScenario(name: string): Promise<void> {
  await command(() => call("deleteScenario", { id: name }), `Scenario ${name} deleted.`, undefined, leave);
}

type FoundScenario = ScenarioDetail & { readonly saved: boolean; readonly isPlayed: boolean };

/** Loads the scenario, or the script of its newest run; without both, the names of all scenarios. */
async function readScenario(
  name: string,
  run: string | undefined,
  signal: AbortSignal,
): Promise<FoundScenario | { readonly names: readonly string[] }> {
  const scenarios = await list("listScenarios", { signal });
  const { saved } = scenarios.find((scenario) => scenario.name === name) ?? {};
  if (saved !== undefined) return { ...(await call("getScenario", { id: name, signal })), saved, isPlayed: false };
  if (run === undefined) return { names: scenarios.map((scenario) => scenario.name) };
  return { ...(await call("getRun", { id: run, signal })).script, saved: false, isPlayed: true };
}

function Missing({ name, names }: { readonly name: string; readonly names: readonly string[] }) {
  return (
    <Page title="Scenario not found" above="scenarios" lead={`The address names “${name}”.`}>
      <Empty title="No scenario of this name.">
        <p>
          <DidYouMean name={name} names={names} view="scenarios" /> A draft is listed once it is saved, or from its
          first run until a reset.
        </p>
      </Empty>
    </Page>
  );
}
