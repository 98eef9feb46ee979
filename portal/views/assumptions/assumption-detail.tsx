import type { AssumptionDescription } from "../../../src/control.ts";
import { Badge } from "../../parts/badge.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Empty } from "../../parts/panel.tsx";
import { nearest, route, to } from "../../routes.ts";
import { RestedOn } from "./rested-on.tsx";
import { ValueControl } from "./value-control.tsx";
import { inWords, isChanged } from "./values.ts";

interface DetailProps {
  readonly id: string;
  readonly all: readonly AssumptionDescription[];
}

/** One assumption, beside the list: every value with its meaning, and where the present one comes from. */
export function AssumptionDetail({ id, all }: DetailProps) {
  const found = all.find((one) => one.id === id);
  const query = Object.fromEntries(route.value.query);
  return (
    <section class="panel detail" aria-labelledby="opened">
      <header>
        <h2 id="opened" data-opened tabIndex={-1}>
          {found?.question ?? id}
        </h2>
        <a class="button quiet icon-only" href={to("assumptions", null, query)} aria-label="Close" title="Close (Esc)">
          <Icon name="close" />
        </a>
      </header>
      {found ? <Facts key={id} {...found} /> : <Unknown id={id} ids={all.map((one) => one.id)} />}
    </section>
  );
}

function Facts(assumption: AssumptionDescription) {
  const { id, section, value, values, accepts, profile_value } = assumption;
  return (
    <div class="stack">
      <ValueControl {...assumption} />
      <dl class="facts">
        <div>
          <dt>Id</dt>
          <dd>
            <code>{id}</code>
          </dd>
        </div>
        <div>
          <dt>Specification</dt>
          <dd>section {section}</dd>
        </div>
        <div>
          <dt>Comes from</dt>
          <dd>{sourceOf(assumption)}</dd>
        </div>
        {isChanged(assumption) && (
          <div>
            <dt>The profile's</dt>
            <dd>
              <code>{profile_value}</code>
            </dd>
          </div>
        )}
        <div>
          <dt>Answers on it</dt>
          <dd>
            <RestedOn {...assumption} />
          </dd>
        </div>
      </dl>
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
