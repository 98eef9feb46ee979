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
import { DownloadScenario, draft, showSavedMessage, useFileStart } from "../../shared/drafts.tsx";
import { OpenFile } from "../../components/open-file.tsx";
import { Play, StatePicture, Steps } from "./outline.tsx";

/** The editor for a scenario, which is checked while a person types. A valid scenario can be played. */
export function DraftPage() {
  const area = useRef<HTMLTextAreaElement>(null);
  const check = useResource((signal) => call("checkScenario", { body: draft.value || " ", signal }), [draft.value], {
    debounceMs: 250,
  });
  const [open, question] = useFileStart();
  const { errors = [], warnings = [], scenario } = check.data ?? {};
  const show = ({ line, column }: Diagnostic): void => {
    if (area.current) selectPosition(area.current, line, column);
  };
  return (
    <Page
      title="Scenario draft"
      above="scenarios"
      lead="Write or paste YAML, or drag a file here. It is checked as you type, and stays in this tab until you save it."
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
          <DownloadScenario name={fileNameOf(scenario)} text={draft.value} />
          <OpenFile label="Open file" accept=".yaml,.yml,.json" onFiles={([file]) => file && open(file)} />
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
            <Diagnostics diagnostics={errors} variant="bad" onShow={show} />
            <Diagnostics diagnostics={warnings} variant="warning" onShow={show} />
            {check.data && errors.length + warnings.length === 0 && <p class="muted">No errors or warnings.</p>}
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

/** Selects the text from a line and column, both counted from 1, and scrolls to it. */
function selectPosition(area: HTMLTextAreaElement, line: number, column: number): void {
  const lines = area.value.split("\n");
  const lineStart = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  const start = Math.min(area.value.length, lineStart + column - 1);
  const end = area.value.indexOf("\n", start);
  focusOn(area);
  area.setSelectionRange(start, end === -1 ? area.value.length : end);
  const lineHeight = area.scrollHeight / lines.length;
  area.scrollTop = Math.max(0, (line - 1) * lineHeight - area.clientHeight / 2);
}

/** Returns the name for the file; the check calls an unnamed scenario `inline`. */
function fileNameOf(scenario: ScenarioCheck["scenario"] | undefined): string {
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

interface DiagnosticsProps {
  readonly diagnostics: readonly Diagnostic[];
  readonly variant: "bad" | "warning";
  readonly onShow: (diagnostic: Diagnostic) => void;
}

/** Errors or warnings; each has a button that selects its position in the text. */
function Diagnostics({ diagnostics, variant, onShow }: DiagnosticsProps) {
  if (diagnostics.length === 0) return null;
  return (
    <ul class="places">
      {diagnostics.map((diagnostic, index) => (
        <li key={index}>
          <Badge variant={variant}>
            <span class="unseen">{variant === "bad" ? "Error, " : "Warning, "}</span>
            <button type="button" class="place" onClick={() => onShow(diagnostic)}>
              {diagnostic.line}:{diagnostic.column}
            </button>
          </Badge>
          <span>{diagnostic.message}</span>
        </li>
      ))}
    </ul>
  );
}
