import { signal, useSignal } from "@preact/signals";
import type { VNode } from "preact";
import type { ScenarioDescription } from "../../src/public/control.ts";
import { download } from "../base/download.ts";
import { Button } from "../components/button.tsx";
import { Question } from "../components/confirm.tsx";
import { Dialog } from "../components/dialog.tsx";
import { Field } from "../components/field.tsx";
import { Form, useForm } from "../components/form.tsx";
import { tabSignal } from "../base/preferences.ts";
import { go, to } from "../base/routes.ts";
import { call } from "../data/api.ts";
import { showMessage } from "../data/commands.ts";

/** Returns a function that starts a draft from a source, and the question to show if another draft would be lost. */
function useDraftStart(): readonly [(text: string, source: string) => void, VNode | null] {
  const replacement = useSignal<readonly [text: string, name: string] | null>(null);
  const [newText, source] = replacement.value ?? [];
  return [
    (text, name) => {
      if (draft.value === initialDraft.value || draft.value.trim() === "") startDraft(text);
      else replacement.value = [text, name];
    },
    newText === undefined ? null : (
      <Question
        question="Replace draft?"
        consequence={`Replaces the scenario that you wrote with a copy of ${source}.`}
        confirmLabel="Replace draft"
        onConfirm={() => startDraft(newText)}
        onClose={() => (replacement.value = null)}
      />
    ),
  ];
}

export function StartDraft({ text, name }: { readonly text: string; readonly name: string }) {
  const [start, question] = useDraftStart();
  return (
    <>
      <Button onClick={() => start(text, name)}>Edit copy</Button>
      {question}
    </>
  );
}

interface SaveProps {
  readonly investmentId?: string | undefined;
}

/** Saves the manual changes of one investment, by default of the only changed one, as a scenario with a name. */
export function SaveManualChanges(props: SaveProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button needsEditAccess aria-haspopup="dialog" onClick={() => (isOpen.value = true)}>
        Save as scenario
      </Button>
      {isOpen.value && <SaveDialog {...props} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function SaveDialog({ investmentId, onClose }: SaveProps & { readonly onClose: () => void }) {
  const form = useForm(["name"], { name: "recorded" });
  const save = async (): Promise<ScenarioDescription> => {
    const body = { investment_id: investmentId, name: form.values.name.trim() };
    return call("saveScenario", { body: (await call("recordScenario", { body })).text });
  };
  const onSaved = (scenario: ScenarioDescription): void => {
    onClose();
    showSavedMessage(scenario);
  };
  return (
    <Dialog title="Save as scenario" onClose={onClose}>
      <Form
        form={form}
        submitLabel="Save as scenario"
        onSend={() => void form.send(save, undefined, onSaved)}
        onClose={onClose}
      >
        <Field
          label="Scenario name"
          {...form.field("name")}
          hint="Your manual changes become its steps. You can play it until the sandbox stops, even after a reset."
        />
      </Form>
    </Dialog>
  );
}

export function showSavedMessage({ name }: ScenarioDescription): void {
  showMessage(`Scenario ${name} saved.`, { action: { label: "Open", run: () => go(to("scenarios", name)) } });
}

/** The maximum size of a file in bytes: enough for every scenario. */
const maxFileBytes = 1_000_000;

/** Returns a function that starts a draft with a file, and the question to show. */
export function useFileStart(): readonly [(file: File) => void, VNode | null] {
  const [start, question] = useDraftStart();
  const openFile = async (file: File): Promise<void> => {
    if (file.size > maxFileBytes)
      showMessage(`${file.name} is too large: a scenario has 100,000 characters at most.`, { isError: true });
    else start(await file.text(), file.name);
  };
  return [(file) => void openFile(file), question];
}

/** Downloads the text of a scenario as a file with its name. */
export function DownloadScenario({ name, text }: { readonly name: string; readonly text: string }) {
  return <Button onClick={() => download(`${name}.yaml`, new Blob([text]))}>Download</Button>;
}

/** The address of the draft, below the scenarios. */
export const draftPath = "draft/new";

const blank = `description: A person invests, signs and pays.
investment: { amount: 5000 }
steps:
  - event: REGISTRATION COMPLETED
  - { after: 10m, event: SUBSCRIPTION SUBMITTED, investment: { step: SIGNERS } }
  - { after: 1h, sign: all, investment: { step: null } }
  - after: 1d
    event: [PAYMENT SUBMITTED, PAYMENT APPROVED]
    payment: { amount: 5000, status: succeeded }
    investment: { status: CLOSED }
`;

/** The text of the editor, stored for this tab. */
export const draft = tabSignal("scenario-draft", blank);

/** The text with which the draft started. A draft that differs would be lost with a replacement. */
const initialDraft = signal(draft.value === blank ? blank : "");

function startDraft(text: string): void {
  [draft.value, initialDraft.value] = [text, text];
  go(to("scenarios", draftPath));
}
