import { useSignal } from "@preact/signals";
import type { ExampleCall, OfferingSummary } from "../../../src/public/control.ts";
import { finderKey } from "../../finder/finder.tsx";
import { count, number } from "../../format.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CodeBlock, ResponseView } from "../../parts/code.tsx";
import { Copied, copyText } from "../../parts/copy.tsx";
import { type Fact, Facts } from "../../parts/detail.tsx";
import { Select } from "../../parts/field.tsx";
import { Empty, Meter, Notice, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { Money, Name } from "../../parts/values.tsx";
import { isFirstVisit, isPresenting } from "../../preferences.ts";
import { environmentId, to, toOffering } from "../../routes.ts";
import { callService, type ServiceResponse } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { activeKeys, keyName } from "../../server/names.ts";
import type { Resource } from "../../server/resource.ts";
import { masked } from "../../server/service-call.ts";
import { environment } from "../../server/state.ts";
import { mayChange } from "../../server/token.ts";
import { useList } from "../../server/use-resource.ts";
import { useShortcuts } from "../../shortcuts.ts";
import { LastRequests, Next } from "./happenings.tsx";

/** The landing page: its purpose, how to call it, and its latest events. */
export function Overview() {
  const { data } = environment;
  const list = useList("listOfferings");
  const isDefault = environmentId.value === "default";
  return (
    <Page
      title={isDefault ? (list.data ? holdings(list.data) : "Overview") : (data?.label ?? environmentId.value)}
      lead={
        <>
          A stand-in for the Investment and Offering Reporting Service
          {data && (
            <>
              , with the fixture <b>{data.fixture}</b>
            </>
          )}
          .
        </>
      }
    >
      {isFirstVisit.value && mayChange.value && <Welcome />}
      <Offerings list={list} />
      {isPresenting.value ? (
        <Next />
      ) : (
        <div class="grid">
          <div class="stack">
            <Connect />
            <LastRequests />
          </div>
          <div class="stack">
            <Examples />
            <Next />
          </div>
        </div>
      )}
    </Page>
  );
}

/** An introduction for the first visit. */
function Welcome() {
  return (
    <Notice actions={<Button onClick={() => (isFirstVisit.value = false)}>Close</Button>}>
      <strong>To begin:</strong> play <a href={to("scenarios", "closing")}>closing</a>, then let the clock run at{" "}
      <b>1 change/s</b>. <kbd>{finderKey}</kbd> finds anything.
    </Notice>
  );
}

/** `3 offerings, 300 investments, all invented` */
function holdings(offerings: readonly OfferingSummary[]): string {
  const investments = offerings.reduce((sum, one) => sum + one.investments, 0);
  const all = [count(offerings.length, "offering"), count(investments, "investment")];
  return [...all, ...(investments > 0 ? ["all invented"] : [])].join(", ");
}

const columns: readonly Column<OfferingSummary>[] = [
  { name: "Offering", cell: ({ name }) => <Name text={name} /> },
  { name: "Investments", isNumber: true, isMinor: true, cell: ({ investments }) => number(investments) },
  { name: "By status", isMinor: true, cell: ({ statuses }) => <Statuses statuses={statuses} /> },
  { name: "Amount", isNumber: true, cell: ({ amount }) => <Money value={amount} /> },
  { name: "Paid", isNumber: true, isMinor: true, cell: ({ paid_amount }) => <Money value={paid_amount} /> },
  { name: "Paid of amount", isMinor: true, cell: (offering) => <Share {...offering} /> },
];

function Offerings({ list }: { readonly list: Resource<readonly OfferingSummary[]> }) {
  return (
    <Panel title="Offerings" actions={<a href={to("investments")}>All investments</a>}>
      <DataTable
        label="Offerings"
        rows={list.data}
        problem={list.problem}
        columns={columns}
        keyOf={({ id }) => id}
        hrefOf={({ id }) => toOffering(id)}
        empty={
          <Empty title="No offering.">
            <p>
              This fixture has none. Start the sandbox with another: <code>--fixture demo</code>.
            </p>
          </Empty>
        }
      />
    </Panel>
  );
}

function Statuses({ statuses }: Pick<OfferingSummary, "statuses">) {
  return (
    <span class="statuses">
      {Object.entries(statuses).map(([status, times]) => (
        <span key={status}>
          <StatusBadge status={status} /> <span class="number">{number(times)}</span>
        </span>
      ))}
    </span>
  );
}

function Share({ amount, paid_amount }: OfferingSummary) {
  const share = amount > 0 ? paid_amount / amount : 0;
  return <Meter value={share} max={1} label={`${Math.round(share * 100)} %`} />;
}

/** The base address, and the keys of the first offering: enough for a client. */
function Connect() {
  const { data, problem } = environment;
  // The key at its limit of the demo would be a bad start.
  const keys = activeKeys(activeKeys()[0]?.offering_id)
    .filter(({ alias }) => alias !== "at-limit")
    .slice(0, 4);
  const address = `${location.origin}/api/v1`;
  return (
    <Panel
      title="Connect your client"
      actions={<a href={to("keys")}>{data ? count(data.keys.length, "key") : "Keys"}</a>}
    >
      <Facts
        facts={[
          [
            "Base address",
            <Copied text={address} subject="The base address">
              <code>{address}</code>
            </Copied>,
          ],
          ...keys.map(({ id, key, type, effect }): Fact => [
            type === "partner" ? "Partner key" : "Marketing key",
            <Copied text={key} subject={`The key ${keyName(id)}`}>
              <span>
                {keyName(id)}
                <small class="muted">{effect}</small>
              </span>
            </Copied>,
          ]),
        ]}
      />
      {!data && <Waiting problem={problem} />}
      {data && keys.length === 0 && (
        <p>
          No key is active. <a href={to("keys")}>Issue one</a>.
        </p>
      )}
    </Panel>
  );
}

/** Calls to paste into a terminal, or to make on this page. */
function Examples() {
  const list = useList("listExamples");
  const choice = useSignal(0);
  const response = useSignal<(ServiceResponse & { readonly title: string }) | null>(null);
  const calls = list.data ?? [];
  const call = calls[choice.value] ?? calls[0];
  useShortcuts([{ key: "c", label: "Copy the call as curl", run: copy }]);

  function copy(): void {
    if (call) void copyText(call.curl, "The call as curl");
  }

  async function attempt({ path, key, title }: ExampleCall): Promise<void> {
    const answered = await command(() => callService(path, key));
    response.value = answered ? { ...answered, title } : null;
  }

  return (
    <Panel title="Try it" actions={<a href={to("api")}>The whole API</a>}>
      {!list.data && <Waiting problem={list.problem} />}
      {list.data && !call && (
        <Empty title="No call can be made.">
          <p>
            There is no offering, or no active key. <a href={to("keys")}>Issue a key</a>.
          </p>
        </Empty>
      )}
      {call && (
        <div class="stack">
          <div class="toolbar nowrap">
            <Select
              label="A call that answers with"
              value={String(choice.value)}
              onChange={(value) => (choice.value = Number(value))}
              options={calls.map(({ title, status }, index) => [String(index), `${status} · ${title}`])}
            />
            <Button kind="primary" onClick={() => void attempt(call)}>
              Send
            </Button>
          </div>
          <CodeBlock text={call.curl} label="The call as curl">
            {call.curl.replace(call.key, masked(call.key))}
          </CodeBlock>
          {response.value && <ResponseView {...response.value} />}
        </div>
      )}
    </Panel>
  );
}
