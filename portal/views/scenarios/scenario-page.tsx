import type { ScenarioDetail } from "../../../src/control.ts";
import { call, list } from "../../server/api.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { Empty, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { useResource } from "../../server/use-resource.ts";
import { nearest, to } from "../../routes.ts";
import { StartDraft } from "./draft-start.tsx";
import { StatePicture, Steps, Warnings } from "./outline.tsx";
import { Play } from "./play.tsx";
import { Runs } from "./runs.tsx";

/** One scenario with a name to play it by. */
export function ScenarioPage({ name }: { readonly name: string }) {
  const detail = useResource((signal) => readScenario(name, signal), [name]);
  if (!detail.data) {
    return (
      <Page title={name} above={<Back />}>
        <Waiting problem={detail.problem} />
      </Page>
    );
  }
  if ("names" in detail.data) return <Missing name={name} names={detail.data.names} />;
  const { description, subject, steps, states, text, warnings } = detail.data;
  return (
    <Page
      title={name}
      above={<Back />}
      lead={description}
      actions={<StartDraft text={text} label="Edit a copy" name={name} />}
    >
      <Warnings warnings={warnings} />
      <div class="split">
        <div class="stack">
          <Panel title="Steps" class="whole">
            <Steps steps={steps} />
          </Panel>
          <Panel title="States">
            <StatePicture states={states} steps={steps} />
          </Panel>
        </div>
        <div class="stack">
          <Play scenario={name} subject={subject} />
          <Runs scenario={name} />
        </div>
      </div>
      <Panel title="As YAML">
        <CodeBlock text={text} label="The scenario as YAML" />
      </Panel>
    </Page>
  );
}

/** The scenario; or the names of all, where none has this one. */
async function readScenario(
  name: string,
  signal: AbortSignal,
): Promise<ScenarioDetail | { readonly names: readonly string[] }> {
  const names = (await list("listScenarios", { signal })).map((scenario) => scenario.name);
  return names.includes(name) ? call("getScenario", { id: name, signal }) : { names };
}

export function Back() {
  return (
    <a class="small" href={to("scenarios")}>
      Scenarios
    </a>
  );
}

function Missing({ name, names }: { readonly name: string; readonly names: readonly string[] }) {
  const near = nearest(name, names);
  return (
    <Page title="There is no such scenario" above={<Back />} lead={`The address names “${name}”.`}>
      <Empty title="It cannot be played by name.">
        <p>
          {near !== undefined && (
            <>
              Did you mean <a href={to("scenarios", near)}>{near}</a>?{" "}
            </>
          )}
          One that was pasted is known by its runs alone.
        </p>
      </Empty>
    </Page>
  );
}
