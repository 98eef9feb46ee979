import type { AssumptionDescription } from "../../../src/control.ts";
import { count, number } from "../../format.ts";
import { Badge } from "../../parts/badge.tsx";
import { Detail, Facts } from "../../parts/detail.tsx";
import { Empty } from "../../parts/panel.tsx";
import { nearest } from "../../../src/model/text.ts";
import { to } from "../../routes.ts";
import { ValueControl } from "./value-control.tsx";
import { inWords, isChanged } from "./values.ts";

interface DetailProps {
  readonly id: string;
  readonly all: readonly AssumptionDescription[];
}

/** One assumption, beside the list: every value with its meaning, and where the current one comes from. */
export function AssumptionDetail({ id, all }: DetailProps) {
  const assumption = all.find((one) => one.id === id);
  return (
    <Detail title={assumption?.question ?? id} view="assumptions">
      {assumption ? <Values key={id} {...assumption} /> : <Unknown id={id} ids={all.map((one) => one.id)} />}
    </Detail>
  );
}

function Values(assumption: AssumptionDescription) {
  const { id, section, value, values, accepts, profile_value } = assumption;
  return (
    <div class="stack">
      <ValueControl {...assumption} />
      <Facts
        facts={[
          ["Id", <code>{id}</code>],
          ["Specification", `section ${section}`],
          ["Comes from", sourceOf(assumption)],
          ["The profile's", isChanged(assumption) && <code>{profile_value}</code>],
          ["Answers on it", <RestedOn {...assumption} />],
        ]}
      />
      <div>
        <h3>What it can be</h3>
        <ul class="rows meanings">
          {Object.entries(values).map(([name, meaning]) => (
            <li key={name}>
              <code>{name}</code>
              <span>{meaning}</span>
              {name === String(value) && <Badge look="good">in force</Badge>}
            </li>
          ))}
          {accepts !== null && (
            <li>
              <code>…</code>
              <span>{inWords(accepts)}</span>
              {!Object.hasOwn(values, String(value)) && <Badge look="good">in force</Badge>}
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

function sourceOf({ source, calibrated, confidence }: AssumptionDescription): string {
  if (source === "set") return "an option, or a change here";
  if (source === "profile") return "the profile";
  return `the calibration of ${calibrated ?? "an unknown day"}, confidence ${confidence ?? "unknown"}`;
}

function Unknown({ id, ids }: { readonly id: string; readonly ids: readonly string[] }) {
  const near = nearest(id, ids);
  return (
    <Empty title="There is no such assumption.">
      {near !== undefined && (
        <p>
          Did you mean <a href={to("assumptions", near)}>{near}</a>?
        </p>
      )}
    </Empty>
  );
}

/** Shows how many answers in the journal depended on it, with a link to them. */
export function RestedOn({ id, rested_on }: AssumptionDescription) {
  if (!(rested_on > 0)) return <span class="muted">none</span>;
  return (
    <a href={to("journal", null, { assumption: id })} aria-label={`${count(rested_on, "answer")} rested on ${id}`}>
      {number(rested_on)}
    </a>
  );
}
