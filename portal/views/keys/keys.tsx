import { useSignal } from "@preact/signals";
import type { KeyDescription } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { count, words } from "../../format.ts";
import { type LimitReading, useLimits } from "../../server/limits.ts";
import { keyName, offeringName } from "../../server/names.ts";
import { Button } from "../../parts/button.tsx";
import { Search } from "../../parts/field.tsx";
import { Empty, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { When } from "../../parts/values.tsx";
import { route, to, useParameter } from "../../routes.ts";
import { environment } from "../../server/state.ts";
import { Copies } from "./key-commands.tsx";
import { IssueKey } from "./issue-key.tsx";
import { KeyDetail } from "./key-detail.tsx";
import { LimitMeter } from "./limit-meter.tsx";

/** More keys than this are searched. */
const many = 12;
const mostRows = 200;

/** The keys of the environment: their secrets, their limits, and what each of them reads. */
export function Keys() {
  const { data, problem } = environment;
  const limits = useLimits();
  const isIssuing = useSignal(false);
  const [search, setSearch] = useParameter("search");
  const { id } = route.value;
  if (!data) {
    return (
      <Page title="Keys">
        <Waiting problem={problem} />
      </Page>
    );
  }
  const matching = data.keys.filter((key) => textOf(key).includes(search.toLowerCase()));
  const active = matching.filter(({ status }) => status !== "revoked");
  const revoked = matching.filter(({ status }) => status === "revoked");
  const isLimited = data.rate_limit > 0;
  return (
    <Page
      title="Keys"
      lead={
        isLimited
          ? `They work in this environment only. Each may make ${count(data.rate_limit, "request")} a minute.`
          : "They work in this environment only. Their rate limit is off."
      }
      actions={
        <>
          {isLimited && (
            <Button onClick={() => void command(() => call("clearLimits"), "All limits begin anew.")}>
              Clear all limits
            </Button>
          )}
          <Button kind="primary" icon="plus" onClick={() => (isIssuing.value = true)}>
            Issue a key
          </Button>
        </>
      }
    >
      {isIssuing.value && <IssueKey onClose={() => (isIssuing.value = false)} />}
      <div class={id === null ? "stack" : "split opened"}>
        <div class="stack pressable">
          {(data.keys.length > many || search !== "") && (
            <Search
              label="Search the keys"
              placeholder="Label, alias, type or offering"
              value={search}
              onInput={setSearch}
            />
          )}
          <Panel title="Active">
            <KeyTable
              label="Active keys"
              keys={active}
              columns={columnsOf(limits)}
              empty={<NoKey isSearched={search !== ""} />}
            />
          </Panel>
          {revoked.length > 0 && (
            <Panel title="Revoked">
              <KeyTable label="Revoked keys" keys={revoked} columns={revokedColumns} />
            </Panel>
          )}
        </div>
        {id !== null && <KeyDetail key={id} id={id} limit={limits?.get(id)} />}
      </div>
    </Page>
  );
}

function textOf({ id, label, alias, type, offering_id }: KeyDescription): string {
  return [id, label, alias, type, offeringName(offering_id)].join("\n").toLowerCase();
}

interface KeyTableProps {
  readonly label: string;
  readonly keys: readonly KeyDescription[];
  readonly columns: readonly Column<KeyDescription>[];
  readonly empty?: preact.ComponentChildren;
}

function KeyTable({ label, keys, columns, empty }: KeyTableProps) {
  const { id, query } = route.value;
  return (
    <>
      <DataTable
        label={label}
        rows={keys.slice(0, mostRows)}
        columns={columns}
        keyOf={(key) => key.id}
        hrefOf={(key) => to("keys", key.id, Object.fromEntries(query))}
        current={id}
        empty={empty}
      />
      {keys.length > mostRows && <p class="muted">{count(keys.length - mostRows, "more key")}: search for one.</p>}
    </>
  );
}

const nameColumn: Column<KeyDescription> = { name: "Key", cell: ({ id }) => keyName(id) };

const firstColumns: readonly Column<KeyDescription>[] = [
  nameColumn,
  { name: "Type", isMinor: true, cell: ({ type }) => words(type) },
  { name: "Offering", isMinor: true, cell: ({ offering_id }) => <OfferingOf id={offering_id} /> },
  { name: "Reads", isMinor: true, cell: ({ effect }) => effect },
];

function columnsOf(limits: ReadonlyMap<string, LimitReading> | undefined): readonly Column<KeyDescription>[] {
  return [
    ...firstColumns,
    { name: "This minute", cell: ({ id }) => <LimitMeter limit={limits?.get(id)} /> },
    { name: "Copy", cell: (key) => <Copies description={key} /> },
  ];
}

const revokedColumns: readonly Column<KeyDescription>[] = [
  nameColumn,
  { name: "Type", isMinor: true, cell: ({ type }) => words(type) },
  { name: "Offering", isMinor: true, cell: ({ offering_id }) => <OfferingOf id={offering_id} /> },
  { name: "Revoked", cell: ({ revoke_date }) => <When date={revoke_date} /> },
];

function OfferingOf({ id }: { readonly id: string }) {
  const name = offeringName(id);
  return (
    <span class="name" title={name}>
      {name}
    </span>
  );
}

function NoKey({ isSearched }: { readonly isSearched: boolean }) {
  if (isSearched) return <Empty title="No active key matches." />;
  return (
    <Empty title="No key is active.">
      <p>
        {environment.data?.offerings.length === 0
          ? "A key is for an offering, and this fixture has none."
          : "Issue one, and give it to your client."}
      </p>
    </Empty>
  );
}
