import type { AssumptionDescription } from "../../../src/control.ts";
import { CodeBlock } from "../../parts/code.tsx";
import { Panel } from "../../parts/panel.tsx";
import { environment } from "../../server/state.ts";

/** The changed values, as a config file has them. */
export function Config({ assumptions }: { readonly assumptions: readonly AssumptionDescription[] }) {
  const profile = environment.data?.profile;
  const lines = [
    ...(profile === undefined ? [] : [`profile: ${profile}`]),
    "assume:",
    // JSON is YAML, and leaves no doubt about `no`, `400` and `-create_date`.
    ...assumptions.map(({ id, value }) => `  ${id}: ${JSON.stringify(value)}`),
  ];
  return (
    <Panel title="Keep the changes">
      <div class="stack">
        <p>
          A reset takes back what was changed here. In <code>offering-sandbox.config.yaml</code> it is so from the
          start:
        </p>
        <CodeBlock text={lines.join("\n")} label="What differs, as config" />
      </div>
    </Panel>
  );
}
