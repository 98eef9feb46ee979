import { useSignal } from "@preact/signals";
import type { KeyDescription } from "../../../src/public/control.ts";
import { call, uncheckedBody } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { formatCount, formatIdentifier } from "../../base/format.ts";
import { type LoadedLimit, useLimits } from "../../data/limits.ts";
import { keyName, offeringName, offeringOptions, keyOf } from "../../data/names.ts";
import { Button } from "../../components/button.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Panel } from "../../components/panel.tsx";
import { type Column, DataTable } from "../../components/table.tsx";
import { Name, When } from "../../components/values.tsx";
import { go, route, to, useParameter, toOffering } from "../../base/routes.ts";
import { environment, journal } from "../../data/state.ts";
import { CopyKeyButtons, LimitMeter, RevokeButton, setUsed } from "../../shared/key-commands.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, optionalText, useForm } from "../../components/form.tsx";
import { Badge } from "../../components/badge.tsx";
import { Detail, Facts } from "../../components/detail.tsx";

/** The keys of the environment: their secrets, their limits and their effects. */
export function Keys() {
  const { data } = environment;
  const limits = useLimits();
  const isIssuing = useSignal(false);
  const [search] = useParameter("search");
  const { id } = route.value;
  const { keys = [], rate_limit = 0 } = data ?? {};
  const opened = keyOf(id);
  const matches = keys.filter((key) => textOf(key).includes(search.toLowerCase()));
  const revoked = matches.filter(({ status }) => status === "revoked");
  return (
    <ListPage
      title="Keys"
      lead={
        data &&
        (rate_limit > 0
          ? `Each may send ${formatCount(rate_limit, "request")} a minute, to this environment only.`
          : "They work in this environment only. Their rate limit is off.")
      }
      actions={
        data && (
          <>
            {rate_limit > 0 && (
              <Button needsEditAccess onClick={() => void command(() => call("clearLimits"), "All limits cleared.")}>
                Clear all limits
              </Button>
            )}
            <Button kind="primary" icon="plus" onClick={() => (isIssuing.value = true)}>
              Issue key
            </Button>
          </>
        )
      }
      resource={environment}
      search={{ label: "Search keys", placeholder: "Label, alias, type or offering", itemCount: keys.length }}
      class="key-list"
      isClickable
      detail={
        id !== null && (
          <Detail title={keyName(id)} view="keys">
            {opened ? (
              <KeyDetail key={id} description={opened} limit={limits?.get(id)} />
            ) : (
              <Empty title="There is no such key.">
                <p>It belongs to another environment, or the clock is before the instant of its issue.</p>
                <a href={to("keys")}>All keys</a>
              </Empty>
            )}
          </Detail>
        )
      }
    >
      <Panel title="Active">
        <DataTable
          view="keys"
          label="Active keys"
          rows={matches.filter(({ status }) => status !== "revoked")}
          columns={columnsOf(limits)}
          keyOf={(key) => key.id}
          empty={<NoKey isSearched={search !== ""} />}
        />
      </Panel>
      {revoked.length > 0 && (
        <Panel title="Revoked">
          <DataTable view="keys" label="Revoked keys" rows={revoked} columns={revokedColumns} keyOf={(key) => key.id} />
        </Panel>
      )}
      {isIssuing.value && <IssueKey onClose={() => (isIssuing.value = false)} />}
    </ListPage>
  );
}

function textOf({ id, label, alias, type, offering_id }: KeyDescription): string {
  return [id, label, alias, type, offeringName(offering_id)].join("\n").toLowerCase();
}

const firstColumns: readonly Column<KeyDescription>[] = [
  { name: "Key", cell: ({ id }) => <Name text={keyName(id)} /> },
  { name: "Offering", isMinor: true, cell: ({ offering_id }) => <Name text={offeringName(offering_id)} /> },
];

function columnsOf(limits: ReadonlyMap<string, LoadedLimit> | undefined): readonly Column<KeyDescription>[] {
  return [
    ...firstColumns,
    { name: "Reads", isMinor: true, cell: ({ effect }) => <span class="wide">{effect}</span> },
    { name: "This minute", cell: ({ id }) => <LimitMeter limit={limits?.get(id)} /> },
    { name: "Copy", isMinor: true, cell: CopyKeyButtons },
  ];
}

const revokedColumns: readonly Column<KeyDescription>[] = [
  ...firstColumns,
  { name: "Revoked", cell: ({ revoke_date }) => <When date={revoke_date} isShort /> },
];

function NoKey({ isSearched }: { readonly isSearched: boolean }) {
  if (isSearched) {
    return (
      <Empty title="No matching active keys.">
        <a href={to("keys")}>All keys</a>
      </Empty>
    );
  }
  return (
    <Empty title="No active keys.">
      <p>
        {environment.data?.offerings.length === 0
          ? "Each key is for an offering, and this fixture has none."
          : "Issue a key, and give it to your client."}
      </p>
    </Empty>
  );
}

const types = [
  ["marketing", "Marketing: personal data redacted"],
  ["partner", "Partner: personal data"],
] as const;

/** The form for a new key; the page of the key opens afterwards. */
function IssueKey({ onClose }: { readonly onClose: () => void }) {
  const offerings = offeringOptions();
  const form = useForm(["type", "offering_id", "label"], { type: "partner", offering_id: offerings[0]?.[0] ?? "" });

  function issue(): void {
    const body = { ...form.values, label: optionalText(form.values.label) };
    void form.send(
      () => call("issueKey", { body: uncheckedBody(body) }),
      "Key issued.",
      ({ id }) => {
        onClose();
        environment.refresh();
        go(to("keys", id));
      },
    );
  }

  return (
    <Dialog title="Issue key" onClose={onClose}>
      {offerings.length === 0 && <p>Each key is for an offering, and this environment has none.</p>}
      <Form form={form} submitLabel="Issue key" isDisabled={offerings.length === 0} onSend={issue} onClose={onClose}>
        <Select label="Type" {...form.field("type")} options={types} />
        <Select label="Offering" {...form.field("offering_id")} options={offerings} />
        <Field
          label="Label"
          {...form.field("label")}
          hint="A display name, such as “Checkout test”. The journal shows it with each request."
        />
      </Form>
    </Dialog>
  );
}

interface KeyProps {
  readonly description: KeyDescription;
  readonly limit: LoadedLimit | undefined;
}

/** The facts of a key, its secret, and the commands on it. */
function KeyDetail({ description, limit }: KeyProps) {
  const { id, alias, type, offering_id, effect, status, create_date, revoke_date } = description;
  const requestCount = journal.value.filter(({ key_id }) => key_id === id).length;
  const isActive = status !== "revoked";
  return (
    <div class="stack">
      <Facts
        facts={[
          ["Status", <Badge variant={isActive ? "good" : "bad"}>{status}</Badge>],
          ["Type", formatIdentifier(type)],
          ["Offering", <a href={toOffering(offering_id)}>{offeringName(offering_id)}</a>],
          ["Reads", effect],
          ["Alias", alias !== null && <code>{alias}</code>],
          ["Id", <code>{id}</code>],
          ["Issued", <When date={create_date} />],
          ["Revoked", revoke_date !== null && <When date={revoke_date} />],
          ["This minute", isActive && <LimitMeter limit={limit} />],
          [
            "Requests",
            <a href={to("journal", null, { key: id })}>{formatCount(requestCount, "request")} in the journal</a>,
          ],
        ]}
      />
      <Secret description={description} />
      {isActive && (
        <div class="actions">
          {limit !== undefined && limit.limit > 0 && <LimitButtons {...limit} />}
          <RevokeButton id={id} />
        </div>
      )}
    </div>
  );
}

/** The secret of the key, shown on request. */
function Secret({ description }: Pick<KeyProps, "description">) {
  const isShown = useSignal(false);
  return (
    <div class="stack">
      <div class="actions">
        {/* As an element, it would lose its member `key`. */}
        {CopyKeyButtons(description)}
        <Button kind="quiet" icon="eye" aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
          {isShown.value ? "Hide key" : "Show key"}
        </Button>
      </div>
      {isShown.value && <code class="secret">{description.key}</code>}
    </div>
  );
}

function LimitButtons({ key_id: id, limit, used }: LoadedLimit) {
  return (
    <>
      <Button
        needsEditAccess
        disabled={used >= limit}
        onClick={() => void setUsed(id, limit, `Limit of ${keyName(id)} filled.`)}
      >
        Fill limit
      </Button>
      <Button
        needsEditAccess
        disabled={used === 0}
        onClick={() => void setUsed(id, 0, `Limit of ${keyName(id)} cleared.`)}
      >
        Clear limit
      </Button>
    </>
  );
}
