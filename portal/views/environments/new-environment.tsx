import type { EnvironmentDescription, Snapshot } from "../../../src/public/control.ts";
import { LoopbackHint } from "../../shared/links.tsx";
import { call, list, Problem, uncheckedBody } from "../../data/api.ts";
import { command, showMessage } from "../../data/commands.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, optionalText, useForm } from "../../components/form.tsx";
import { scenarioOption } from "../../data/names.ts";
import { useList } from "../../data/use-resource.ts";
import { go, to } from "../../base/routes.ts";
import { isFailure } from "../../shared/request-filter.ts";

const fixtures = [
  ["", "The sandbox's fixture"],
  ["demo", "demo: three offerings with their investments"],
  ["minimal", "minimal: one investment"],
  ["empty", "empty: offerings without investments"],
] as const;

const clocks = [
  ["live", "Now, in real time: for a demo"],
  ["", "The fixture's present, paused: for tests"],
] as const;

/** Seconds without a request after which an environment closes. */
const lifetimes = [
  ["3600", "1 hour without a request"],
  ["86400", "1 day without a request"],
  ["604800", "1 week without a request"],
] as const;

/** Opens each snapshot as a new environment. The page then shows the last one. */
export async function openSnapshotFiles(files: readonly File[]): Promise<void> {
  const results: string[] = [];
  let isError = false;
  for (const file of files) {
    let message = "";
    const opened = await command(
      () => openSnapshotFile(file),
      undefined,
      (problem) => (message = problem.message),
    );
    isError ||= !opened;
    results.push(opened ? createdMessage(opened) : await formatError(file, message));
  }
  showMessage(results.join(" "), { isError });
}

async function formatError(file: File, message: string): Promise<string> {
  const { name } = file;
  if (await isOtherJson(file)) return `${name} is not a snapshot.`;
  // The body has a line before the file.
  const [, line, rest] = /^The body is not JSON: see line (\d+)(.*)/.exec(message) ?? [];
  return line === undefined ? `${name}: ${message}` : `${name} is not JSON: see line ${Number(line) - 1}${rest}`;
}

/** Checks whether a file is JSON, but no snapshot. */
async function isOtherJson(file: File): Promise<boolean> {
  try {
    const { format } = JSON.parse(await file.text()) as Partial<Snapshot>;
    return format !== "offering-sandbox-environment";
  } catch {
    return false;
  }
}

/**
 * Opens a snapshot with its clock paused at the request after which the file is named, or at the last one that failed,
 * and goes to this request.
 */
async function openSnapshotFile(file: File): Promise<EnvironmentDescription> {
  const label = file.name.replace(/\.json$/, "").slice(0, 100);
  // Reading a folder fails.
  const beginning = await file
    .slice(0, 1000)
    .text()
    .catch(() => Promise.reject(new Problem("It is not a file.", 0, "")));
  // The file is sent without being read: reading 64 MB would block the page.
  const parts = ['{"snapshot":\n', file, `,"label":${JSON.stringify(label)}}`];
  const opened = await call("openEnvironment", { body: uncheckedBody(new Blob(parts, { type: "application/json" })) });
  const { id } = opened;
  await call("restoreSnapshot", { environment: id, body: uncheckedBody(file) });
  const requests = await list("listRequests", { environment: id, query: { limit: 1000 } });
  const named = requests.find(({ id: number }) => label.endsWith(`-${number}`));
  const request = named ?? requests.findLast(isFailure) ?? requests.at(-1);
  await call("setClock", { environment: id, body: { speed: 0, ...(request && { now: request.date }) } });
  const saved = /"saved_at": *"([^"]+)"/.exec(beginning)?.[1];
  const from = { snapshot: file.name, saved, last: requests.at(-1)?.id };
  go(request ? to("journal", String(request.id), from, id) : to("overview", null, {}, id));
  return opened;
}

function createdMessage({ label, id }: EnvironmentDescription): string {
  return `${label ?? id} opened.`;
}

/** The form for a new environment, which the page then shows. */
export function NewEnvironment({ onClose }: { readonly onClose: () => void }) {
  const form = useForm(["label", "fixture", "clock", "scenarios", "ttl_seconds"], {
    clock: "live",
    ttl_seconds: lifetimes[0][0],
  });
  const scenarios = useList("listScenarios");
  const { field } = form;
  const { label, fixture, clock, scenarios: scenario, ttl_seconds: lifetime } = form.values;
  const body = {
    label: optionalText(label),
    fixture: optionalText(fixture),
    ...(clock === "live" && { clock: "now", speed: 1 }),
    scenarios: scenario === "" ? [] : [scenario],
    ttl_seconds: Number(lifetime),
  };
  const open = (): void =>
    void form.send(
      () => call("openEnvironment", { body: uncheckedBody(body) }),
      createdMessage,
      ({ id }) => {
        onClose();
        go(to("overview", null, {}, id));
      },
    );
  return (
    <Dialog title="Open environment" onClose={onClose}>
      <Form
        form={form}
        submitLabel={form.isBusy ? "Opening …" : "Open environment"}
        onSend={open}
        onClose={onClose}
        extra={<LoopbackHint />}
      >
        <Field label="Label" {...field("label")} hint="A display name, such as “Anna's tests”." />
        <Select label="Fixture" {...field("fixture")} options={fixtures} />
        <Select label="Clock" {...field("clock")} options={clocks} />
        <Select
          label="Scenario"
          {...field("scenarios")}
          options={[["", "No scenario"], ...(scenarios.data ?? []).map(scenarioOption)]}
        />
        <Select label="Closes after" {...field("ttl_seconds")} options={lifetimes} />
      </Form>
    </Dialog>
  );
}
