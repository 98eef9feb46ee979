import type { Comparison } from "../../../src/public/control.ts";
import { redacted } from "../../../src/model/vocabulary.ts";
import { personName } from "../../../src/model/summaries.ts";
import { isMembers, listOf, type Members } from "../../base/members.ts";
import { Button } from "../../components/button.tsx";
import { Facts } from "../../components/detail.tsx";
import { Panel } from "../../components/panel.tsx";
import { areReadersShown } from "../../base/preferences.ts";
import { useShortcuts } from "../../base/keys.ts";
import { keyTypes, parseDocument } from "./comparison.tsx";
import { formatValue } from "./documents.ts";

function toggleReaders(): void {
  areReadersShown.value = !areReadersShown.peek();
}

/** Switches between the activity and the readers, while an investment is presented. */
export function ReadersButton() {
  useShortcuts([{ key: "r", label: "Compare keys or show activity", run: toggleReaders }]);
  return (
    <Button kind="quiet" class="compare" aria-pressed={areReadersShown.value} onClick={toggleReaders}>
      Compare keys <kbd>r</kbd>
    </Button>
  );
}

/** What a key of each type reads about the first investor, side by side; what is redacted is a gray bar. */
export function Readers({ responses }: Pick<Comparison, "responses">) {
  return (
    <div class="readers">
      {Object.entries(keyTypes).map(([type, label]) => {
        const keyResponse = responses.find(({ key }) => key.type === type);
        return (
          <Panel key={type} title={`A ${label} key reads`}>
            {keyResponse ? (
              <Person document={parseDocument(keyResponse)} />
            ) : (
              <p class="muted">No active key of this type.</p>
            )}
          </Panel>
        );
      })}
    </div>
  );
}

function Person({ document }: { readonly document: unknown }) {
  const included = isMembers(document) ? listOf(document["included"]) : [];
  const attributesOf = (type: string): readonly Members[] =>
    included.filter((resource) => resource["type"] === type).map(({ attributes }) => attributes as Members);
  const [investor = {}] = attributesOf("investors");
  const signer = attributesOf("signing_parties").find(({ email }) => email === investor["email"]);
  return (
    <Facts
      facts={[
        ["Name", <Shown value={personName(investor)} />],
        ["Email", <Shown value={investor["email"]} />],
        ["Phone", <Shown value={signer?.["phone_number"]} />],
        ["Birthdate", <Shown value={investor["birthdate"]} />],
        ["Tax ID", <Shown value={investor["tax_id"]} />],
        ["Street", <Shown value={investor["address_street_1"]} />],
      ]}
    />
  );
}

function Shown({ value }: { readonly value: unknown }) {
  if (value === undefined) return <span class="muted">not included</span>;
  if (value !== redacted) return <>{formatValue(value) || <span class="muted">none</span>}</>;
  return (
    <span class="redaction">
      <span class="unseen">redacted</span>
    </span>
  );
}
