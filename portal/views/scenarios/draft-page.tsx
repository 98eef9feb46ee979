import { useRef } from "preact/hooks";
import type { Diagnostic, ScenarioCheck, ScenarioDescription } from "../../../src/public/control.ts";
import { focusOn } from "../../base/focus.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { formatCount } from "../../base/format.ts";
import { useResource } from "../../data/use-resource.ts";
import { Button, ignoreDoubleClick } from "../../components/button.tsx";
import { Badge } from "../../components/badge.tsx";
import { Copy } from "../../components/copy.tsx";
import { Page, Panel, Loading } from "../../components/panel.tsx";
import { DownloadScenario, draft, showSavedMessage, useFileStart } from "../../shared/draft-start.tsx";
import { OpenFile } from "../../components/open-file.tsx";
import { StatePicture, Steps } from "./outline.tsx";
import { Play } from "./play.tsx";

/** The editor for a scenario, which is checked while a person types, and can be played. */
export function DraftPage() {
  const area = useRef<HTMLTextAreaElement>(null);
  const check = useResource((signal) => call("checkScenario", { body: draft.value || " ", signal }), [draft.value], {
    debounceMs: 250,
  });
  const [open, question] = useFileStart();
  const { errors = [], warnings = [], scenario } = check.data ?? {};
  const show = ({ line, column }: Diagnostic): void => {
    if (area.current) showPlace(area.current, line, column);
  };
  return (
    <Page
      title="Your own scenario"
      above="scenarios"
      lead="Write, paste or drop YAML. It is checked as you type. This tab holds it until you save it."
      actions={
        <>
          {scenario && (
            <Button
              needsEditAccess
              onClick={ignoreDoubleClick(() => command(saveDraft, undefined, undefined, showSavedMessage))}
            >
              Save
            </Button>
          )}
          <Copy text={draft.value} label="Copy" subject="Scenario" />
          <DownloadScenario name={nameOf(scenario)} text={draft.value} />
          <OpenFile label="Open a file" accept=".yaml,.yml,.json" onFiles={([file]) => file && open(file)} />
        </>
      }
    >
      {question}
      <div class="split even">
        <Panel title="Text">
          <textarea
            class="draft"
            aria-label="The scenario"
            aria-invalid={errors.length > 0}
            ref={area}
            value={draft.value}
            wrap="off"
            spellcheck={false}
            autocomplete="off"
            autocapitalize="off"
            onInput={(event) => (draft.value = event.currentTarget.value)}
          />
        </Panel>
        <div class="stack">
          <Panel title="Check" actions={<Verdict check={check.data} />}>
            {!check.data && <Loading for={check} />}
            {check.data && check.problem && <p class="error">{check.problem.message}</p>}
            <Places places={errors} look="bad" onShow={show} />
            <Places places={warnings} look="warning" onShow={show} />
            {check.data && errors.length + warnings.length === 0 && <p class="muted">Nothing is wrong with it.</p>}
          </Panel>
          {scenario && (
            <>
              <Play scenario={draft.value} subject={scenario.subject} />
              <Panel title="Steps" class="whole">
                <Steps steps={scenario.steps} />
              </Panel>
            </>
          )}
        </div>
      </div>
      {scenario && (
        <Panel title="States">
          <StatePicture states={scenario.states} steps={scenario.steps} />
        </Panel>
      )}
    </Page>
  );
}

const saveDraft = (): Promise<ScenarioDescription> => call("saveScenario", { body: draft.value });

/** Moves the caret to a line and column, both counted from 1, and scrolls to it. */
function showPlace(area: HTMLTextAreaElement, line: number, column: number): void {
  const before = area.value.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0);
  const at = Math.min(area.value.length, start + column - 1);
  const end = area.value.indexOf("\n", at);
  focusOn(area);
  area.setSelectionRange(at, end === -1 ? area.value.length : end);
  const height = area.scrollHeight / area.value.split("\n").length;
  area.scrollTop = Math.max(0, (line - 1) * height - area.clientHeight / 2);
}

/** The name of the file; an unnamed scenario has none. */
function nameOf(scenario: ScenarioCheck["scenario"] | undefined): string {
  return !scenario || scenario.name === "inline" ? "scenario" : scenario.name;
}

function Verdict({ check }: { readonly check: ScenarioCheck | undefined }) {
  const warnings = check?.warnings.length ?? 0;
  return (
    <span role="status">
      {check &&
        (check.valid ? (
          <Badge variant={warnings > 0 ? "warning" : "good"}>
            {formatCount(check.scenario?.steps.length ?? 0, "step")},{" "}
            {warnings > 0 ? formatCount(warnings, "warning") : "can be played"}
          </Badge>
        ) : (
          <Badge variant="bad">{formatCount(check.errors.length, "error")}</Badge>
        ))}
    </span>
  );
}

interface PlacesProps {
  readonly places: readonly Diagnostic[];
  readonly look: "bad" | "warning";
  readonly onShow: (place: Diagnostic) => void;
}

/** Errors or warnings; each leads to its place in the text. */
function Places({ places, look, onShow }: PlacesProps) {
  if (places.length === 0) return null;
  return (
    <ul class="places">
      {places.map((place, index) => (
        <li key={index}>
          <Badge variant={look}>
            <span class="unseen">{look === "bad" ? "ValidationError, " : "Warning, "}</span>
            <button type="button" class="place" onClick={() => onShow(place)}>
              {place.line}:{place.column}
            </button>
          </Badge>
          <span>{place.message}</span>
        </li>
      ))}
    </ul>
  );
}
