import { useSignal } from "@preact/signals";
import type { EnvironmentDescription } from "../../../src/control.ts";
import { call, list, type Problem, problemFrom, unchecked } from "../../server/api.ts";
import { command, say } from "../../server/commands.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FileField, Select } from "../../parts/field.tsx";
import { Form, useForm } from "../../parts/form.tsx";
import { useList } from "../../server/use-resource.ts";
import { go, to } from "../../routes.ts";
import { isFailure } from "../journal/filter.ts";

const origins = [
  ["", "The server's fixture"],
  ["demo", "demo: three offerings with their investments"],
  ["minimal", "minimal: one investment"],
  ["empty", "empty: offerings without investments"],
  ["fixture", "A fixture of your own …"],
  ["snapshot", "A case, or snapshot …"],
] as const;

/**
 * Opens a case as an environment of its own, which becomes the one on the page: its journal, at the request that the file is
 * named after, or at the last that failed.
 */
export async function openCase(file: File): Promise<void> {
  const label = file.name.replace(/\.json$/, "").slice(0, 100);
  const open = async (): Promise<EnvironmentDescription> => {
    const opened = await openFile("snapshot", file, { label });
    await call("restoreSnapshot", { environment: opened.id, body: unchecked(file) });
    return opened;
  };
  const refuse = ({ message }: Problem): void => {
    const isStrange = /^(?:format is |snapshot: expected )/.test(message);
    const mistake = message.startsWith(file.name) ? message : `${file.name}: ${message}`;
    say(isStrange ? `${file.name} is no case and no snapshot.` : mistake, { isError: true });
  };
  await command(open, isOpen, refuse, async ({ id }) => {
    const requests = await list("listRequests", { environment: id, query: { limit: 1000 } });
    const named = requests.find((request) => label.endsWith(`-${request.id}`));
    const shown = named ?? requests.findLast((request) => isFailure(request)) ?? requests.at(-1);
    const last = requests.at(-1)?.id;
    const from = { case: file.name, saved: new Date(file.lastModified).toISOString().slice(0, 19) + "Z", last };
    go(shown ? to("journal", String(shown.id), from, id) : to("overview", null, {}, id));
  });
}

function isOpen({ label, id }: EnvironmentDescription): string {
  return `${label ?? id} is open.`;
}

function enter({ id }: EnvironmentDescription): void {
  go(to("overview", null, {}, id));
}

/** The form for a new environment, which becomes the one on the page. */
export function NewEnvironment({ onClose }: { readonly onClose: () => void }) {
  const form = useForm(orderFields);
  const file = useSignal<File | null>(null);
  const scenarios = useList("listScenarios");
  const { field, choice, values, isBusy } = form;
  const { origin, text } = values;
  const ofFile = origin === "fixture" || origin === "snapshot";
  const isMissing = ofFile && file.value === null && (origin === "snapshot" || text.trim() === "");

  function open(): void {
    void form.send(
      () => openOrder(values, file.value),
      isOpen,
      (environment) => {
        onClose();
        enter(environment);
      },
    );
  }

  return (
    <Dialog title="Open an environment" onClose={onClose} size="wide">
      <Form
        form={form}
        submitLabel={isBusy ? "Opening …" : "Open"}
        isDisabled={isMissing}
        onSend={open}
        onClose={onClose}
        beside={<span class="small muted">It closes after an hour without a request.</span>}
      >
        <div class="fields">
          <Field label="Label" {...field("label")} hint="For people, such as “Anna's tests”." />
          <Field label="Id" {...field("id")} hint="Letters, digits, - and _; left out, a generated one." />
          <Select
            label="Begins with"
            value={origin}
            onChange={(next) => {
              form.set("origin", next);
              file.value = null;
            }}
            options={origins}
          />
        </div>
        {ofFile && (
          <FileField
            key={origin}
            label={origin === "fixture" ? "The fixture's file" : "The case's file"}
            file={file.value}
            onFile={(next) => (file.value = next)}
          />
        )}
        {origin === "fixture" && file.value === null && <Field label="Or its text, JSON" rows={6} {...field("text")} />}
        <div class="fields">
          <Field
            label="Clock"
            {...field("clock")}
            suggestions={["fixture", "now"]}
            placeholder={origin === "snapshot" ? "the case's" : "fixture"}
            hint="An instant, now, or fixture for the fixture's own present."
          />
          <Field
            label="Speed"
            type="number"
            {...field("speed")}
            placeholder="0"
            hint="Seconds of the clock a second; 0 stands still."
          />
          <Select
            label="Profile"
            {...choice("profile")}
            options={[
              ["", "The server's"],
              ["conventional", "conventional: as such APIs usually do"],
              ["minimal", "minimal: only what is promised"],
            ]}
          />
          <Field
            label="Rate limit"
            type="number"
            {...field("rate_limit")}
            placeholder="the server's"
            hint="Requests a minute and key; 0 is none."
          />
        </div>
        {origin !== "snapshot" && (
          <Field
            label="Scenarios"
            {...field("scenarios")}
            suggestions={scenarios.data?.map(({ name }) => values.scenarios.replace(/[^,]*$/, "") + name)}
            placeholder="none"
            hint="Played from the start; several with a comma between."
          />
        )}
      </Form>
    </Dialog>
  );
}

/**
 * The fields of a new environment. `origin` is the name of a fixture, empty for the server's, or `fixture` and `snapshot` for a
 * file; `text` is a pasted fixture; the others have the names of the members.
 */
const orderFields = ["label", "id", "origin", "text", "clock", "speed", "profile", "rate_limit", "scenarios"] as const;

type Order = Readonly<Record<(typeof orderFields)[number], string>>;

/** Opens an environment as the fields say, from a file where they name one. */
async function openOrder(order: Order, file: File | null): Promise<EnvironmentDescription> {
  const { origin, text, speed, rate_limit, scenarios, ...rest } = order;
  const ofFile = origin === "fixture" || origin === "snapshot";
  const names = scenarios.split(",").map((name) => name.trim());
  const all = {
    ...rest,
    fixture: ofFile ? "" : origin,
    speed: speed && Number(speed),
    rate_limit: rate_limit && Number(rate_limit),
    scenarios: origin === "snapshot" ? [] : names.filter(Boolean),
  };
  const members = Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== "" && !(Array.isArray(value) && value.length === 0)),
  );
  return ofFile ? openFile(origin, file ?? text, members) : call("openEnvironment", { body: unchecked(members) });
}

/** Opens an environment from a fixture, a case or the text of one. A mistake in it is told with its file, line and column. */
async function openFile(
  origin: "fixture" | "snapshot",
  content: File | string,
  others: object,
): Promise<EnvironmentDescription> {
  const rest = JSON.stringify(others).slice(1);
  // As it is: to read 64 MB would stop the page. On lines of its own, which the sandbox counts.
  const body = new Blob([`{"${origin}":\n`, content, rest === "}" ? rest : `,${rest}`], { type: "application/json" });
  try {
    return await call("openEnvironment", { body: unchecked(body) });
  } catch (error) {
    const problem = problemFrom(error);
    problem.message = problem.message.replace(
      /^(?:fixture|The body)(:| is not JSON: see line )(\d+)/gm,
      (_, words: string, line: string) =>
        `${typeof content === "string" ? origin : content.name}${words}${Number(line) - 1}`,
    );
    throw problem;
  }
}
