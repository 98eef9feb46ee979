import type { ComponentProps } from "preact";
import { useRef } from "preact/hooks";
import type { AssumptionDescription } from "../../../src/public/control.ts";
import { formatCount, formatNumber } from "../../base/format.ts";
import { Badge } from "../../components/badge.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { Detail, Facts } from "../../components/detail.tsx";
import { Switch } from "../../components/field.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { DidYouMean } from "../../components/did-you-mean.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { route, to, useParameter } from "../../base/routes.ts";
import { list } from "../../data/api.ts";
import { environment } from "../../data/state.ts";
import { newestRequest, useResource } from "../../data/use-resource.ts";
import { formatAccepted, isChanged, ValueControl } from "./value-control.tsx";

/** The questions on which the specification is silent, each with its value and all other possible values. */
export function Assumptions() {
  const assumptions = useResource((signal) => list("listAssumptions", { signal }), [], { trigger: newestRequest });
  const [search] = useParameter("search");
  const [changed, setChanged] = useParameter("changed");
  const { id } = route.value;
  const lastChanged = useRef<string>(null);
  const all = assumptions.data ?? [];
  const opened = all.find((assumption) => assumption.id === id);
  const changedAssumptions = all.filter(isChanged);
  const matches = (changed === "" ? all : changedAssumptions).filter((assumption) =>
    textOf(assumption).includes(search.toLowerCase()),
  );
  const columns = columnsWith(lastChanged).filter(({ isMinor }) => id === null || !isMinor);
  return (
    <ListPage
      title="Assumptions"
      lead="The questions on which the specification is silent. Change a value if your service differs."
      resource={assumptions}
      search={{ label: "Search assumptions", placeholder: "Question, id, value or section" }}
      filters={<Switch label="Only changed" checked={changed !== ""} onChange={(on) => setChanged(on ? "yes" : "")} />}
      class="assumptions"
      detail={
        id !== null && (
          <Detail title={opened?.question ?? id} view="assumptions">
            {opened ? (
              <AssumptionDetail key={id} {...opened} />
            ) : (
              <Empty title="There is no such assumption.">
                <DidYouMean name={id} names={all.map((assumption) => assumption.id)} view="assumptions" />
              </Empty>
            )}
          </Detail>
        )
      }
    >
      {matches.length === 0 && (
        <Empty title={search === "" ? "No changed assumptions." : "No matching assumptions."}>
          <a href={to("assumptions", id)}>All assumptions</a>
        </Empty>
      )}
      {Object.entries(titles())
        .map(([source, title]) => ({ title, rows: matches.filter((match) => match.source === source) }))
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, rows }) => (
          <Panel key={title} title={title} actions={<span class="muted number">{formatNumber(rows.length)}</span>}>
            <DataTable
              label={`Assumptions: ${title}`}
              view="assumptions"
              rows={rows}
              columns={columns}
              keyOf={(row) => row.id}
            />
          </Panel>
        ))}
      {changedAssumptions.length > 0 && <Config assumptions={changedAssumptions} />}
    </ListPage>
  );
}

/** The titles of the groups, by the source of a value. */
function titles(): Readonly<Record<string, string>> {
  const profile = environment.data?.profile;
  const assumed = profile === undefined ? "Assumed" : `Assumed by the profile ${profile}`;
  return { calibrated: "Calibrated", set: "Set", profile: assumed };
}

const columnsWith = (
  lastChanged: NonNullable<ComponentProps<typeof ValueControl>["lastChanged"]>,
): readonly Column<AssumptionDescription>[] => [
  {
    name: "Question",
    cell: ({ question }) => (
      <span class="wide" title={question}>
        {question}
      </span>
    ),
  },
  { name: "Value", cell: (row) => <ValueControl {...row} lastChanged={lastChanged} /> },
  {
    name: "Id",
    isMinor: true,
    cell: ({ id, section, calibrated, confidence }) => (
      <small class="wide muted" title={`Section ${section}`}>
        <code>{id}</code>
        {calibrated !== null && `, ${calibrated}, confidence ${confidence}`}
      </small>
    ),
  },
  { name: "Used by", isMinor: true, isNumber: true, cell: (row) => <UsedBy {...row} /> },
];

function textOf({ id, question, section, value, values }: AssumptionDescription): string {
  return [id, question, `section ${section}`, value, ...Object.entries(values).flat()].join("\n").toLowerCase();
}

/** The changed values in the form of a config file. */
function Config({ assumptions }: { readonly assumptions: readonly AssumptionDescription[] }) {
  const profile = environment.data?.profile;
  const lines = [
    ...(profile === undefined ? [] : [`profile: ${profile}`]),
    "assume:",
    // JSON is also YAML, and is unambiguous for `no`, `400` and `-create_date`.
    ...assumptions.map(({ id, value }) => `  ${id}: ${JSON.stringify(value)}`),
  ];
  return (
    <Panel title="Configuration">
      <div class="stack">
        <p>
          A reset undoes these changes. In <code>offering-sandbox.config.yaml</code>, they apply from the start:
        </p>
        <CodeBlock text={lines.join("\n")} label="Changed values as configuration" />
      </div>
    </Panel>
  );
}

/** Each value of an assumption with its meaning, and the source of the current value. */
function AssumptionDetail(assumption: AssumptionDescription) {
  const { id, section, value, values, accepts, profile_value } = assumption;
  return (
    <div class="stack">
      <ValueControl {...assumption} />
      <Facts
        facts={[
          ["Id", <code>{id}</code>],
          ["Specification", `section ${section}`],
          ["Source", formatSource(assumption)],
          ["Profile value", isChanged(assumption) && <code>{profile_value}</code>],
          ["Used by", <UsedBy {...assumption} />],
        ]}
      />
      <div>
        <h3>Possible values</h3>
        <ul class="rows meanings">
          {Object.entries(values).map(([name, meaning]) => (
            <li key={name}>
              <code>{name}</code>
              <span>{meaning}</span>
              {name === String(value) && <Badge variant="good">current</Badge>}
            </li>
          ))}
          {accepts !== null && (
            <li>
              <code>…</code>
              <span>{formatAccepted(accepts)}</span>
              {!Object.hasOwn(values, String(value)) && <Badge variant="good">current</Badge>}
            </li>
          )}
        </ul>
      </div>
    </div>
  );
}

function formatSource({ source, calibrated, confidence }: AssumptionDescription): string {
  if (source === "set") return "an option, or a change here";
  if (source === "profile") return "the profile";
  return `the calibration of ${calibrated ?? "an unknown day"}, confidence ${confidence ?? "unknown"}`;
}

/** Shows how many responses in the journal depended on the assumption, with a link to them. */
function UsedBy({ id, request_count }: AssumptionDescription) {
  if (!(request_count > 0)) return <span class="muted">none</span>;
  return (
    <a
      href={to("journal", null, { assumption: id })}
      aria-label={`${formatCount(request_count, "response")} used ${id}`}
    >
      {formatNumber(request_count)}
    </a>
  );
}
