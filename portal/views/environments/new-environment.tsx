import { useSignal } from "@preact/signals";
import type { EnvironmentDescription, ScenarioDescription } from "../../../src/control.ts";
import { get, post } from "../../api.ts";
import { command } from "../../commands.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Field, FileField, Select } from "../../parts/field.tsx";
import { Notice } from "../../parts/panel.tsx";
import { useResource } from "../../resource.ts";
import { go, to } from "../../routes.ts";
import { emptyOrder, orderOf, type Order, placeOf } from "./order.ts";

const origins = [
  ["", "The server's fixture"],
  ["demo", "demo: three offerings with their investments"],
  ["minimal", "minimal: one investment"],
  ["empty", "empty: offerings without investments"],
  ["fixture", "A fixture of your own …"],
  ["snapshot", "A snapshot …"],
] as const;

/** The form for a new environment, which becomes the one on the page. */
export function NewEnvironment({ onClose }: { readonly onClose: () => void }) {
  const order = useSignal<Order>(emptyOrder);
  const file = useSignal<File | null>(null);
  const error = useSignal<{ readonly place: string; readonly words: string } | null>(null);
  const isBusy = useSignal(false);
  const scenarios = useResource((ended) => get<{ data: readonly ScenarioDescription[] }>("scenarios", {}, ended));
  const { origin, text } = order.value;
  const ofFile = origin === "fixture" || origin === "snapshot";
  const isMissing = ofFile && file.value === null && (origin === "snapshot" || text.trim() === "");

  const field = (name: keyof Order) => ({
    value: order.value[name],
    onInput: (value: string) => (order.value = { ...order.value, [name]: value }),
    error: error.value?.place === name ? error.value.words : null,
  });

  async function open(): Promise<void> {
    [isBusy.value, error.value] = [true, null];
    const opened = await command(
      () => post<EnvironmentDescription>("/environments", orderOf(order.value, file.value)),
      ({ label, id }) => `${label ?? id} is open.`,
      ({ message }) => (error.value = { place: placeOf(message), words: message }),
    );
    isBusy.value = false;
    if (!opened) return;
    onClose();
    go(to("overview", null, {}, opened.id));
  }

  return (
    <Dialog title="Open an environment" onClose={onClose} size="wide">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void open();
        }}
      >
        <div class="fields">
          <Field label="Label" {...field("label")} hint="For people, such as “Anna's tests”." />
          <Field label="Id" {...field("id")} hint="Letters, digits, - and _; left out, a generated one." />
          <Select
            label="Begins with"
            value={origin}
            onChange={(next) => {
              order.value = { ...order.value, origin: next };
              file.value = null;
            }}
            options={origins}
          />
        </div>
        {ofFile && (
          <FileField
            key={origin}
            label={origin === "fixture" ? "The fixture's file" : "The snapshot's file"}
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
            placeholder={origin === "snapshot" ? "the snapshot's" : "fixture"}
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
            value={order.value.profile}
            onChange={(profile) => (order.value = { ...order.value, profile })}
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
            suggestions={scenarios.data?.data.map(({ name }) => name)}
            placeholder="none"
            hint="Played from the start; several with a comma between."
          />
        )}
        {error.value?.place === "" && (
          <div role="alert">
            <Notice look="bad">
              <span class="preserved">{error.value.words}</span>
            </Notice>
          </div>
        )}
        <div class="actions">
          <span class="small muted">It closes after an hour without a request.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={isBusy.value || isMissing}>
            {isBusy.value ? "Opening …" : "Open"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
