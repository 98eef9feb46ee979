import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ExampleCall, OfferingSummary } from "../../../src/public/control.ts";
import { showStory } from "../../shared/play-scenario.ts";
import { formatCount } from "../../base/format.ts";
import { copyLink } from "../../shared/links.tsx";
import { Button, IconButton, ignoreDoubleClick } from "../../components/button.tsx";
import { CodeBlock, ResponseView } from "../../components/code.tsx";
import { CopyableValue, copyText } from "../../components/copy.tsx";
import { type Fact, Facts } from "../../components/detail.tsx";
import { Select } from "../../components/field.tsx";
import { Empty, Page, Panel, Loading } from "../../components/panel.tsx";
import { isPresenting } from "../../base/preferences.ts";
import { environmentId, setQuery, to, useParameter } from "../../base/routes.ts";
import { callService, type ServiceResponse } from "../../data/api.ts";
import { command, showMessage } from "../../data/commands.ts";
import { activeKeys, keyName } from "../../data/names.ts";
import { maskSecret } from "../../data/service-call.ts";
import { connection, environment } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import { useList } from "../../data/use-resource.ts";
import { useShortcuts } from "../../base/keys.ts";

import { Fundraising, LastRequests, Upcoming } from "./panels.tsx";

/** The landing page: the fundraising and its upcoming changes, and how to connect a client. */
export function Overview() {
  const { data } = environment;
  const offerings = useList("listOfferings");
  const isDefault = environmentId.value === "default";
  return (
    <Page
      title={
        isDefault
          ? offerings.data
            ? formatHoldings(offerings.data)
            : "Overview"
          : (data?.label ?? environmentId.value)
      }
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
      actions={<Story />}
    >
      <div class="split">
        <Fundraising {...offerings} />
        <Upcoming />
      </div>
      {!isPresenting.value && (
        <div class="split">
          {canEdit.value && <Examples />}
          <div class="stack">
            <Connect />
            <LastRequests />
          </div>
        </div>
      )}
    </Page>
  );
}

/** Buttons that show the story of an investment, or copy a link that does so for a colleague. */
function Story() {
  const [story] = useParameter("story");
  const isReady = story !== "" && connection.value === "live";
  useEffect(() => {
    if (!isReady) return;
    setQuery({ story: null });
    if (canEdit.value) void showStory(story);
    else showMessage("You have view-only access and cannot play a scenario.", { isError: true });
  }, [isReady]);
  const link = to("overview", null, { story: "closing" });
  return (
    <>
      <Button
        kind="primary"
        icon="play"
        title="An investment, from its registration until it closes, on the whole screen"
        onClick={ignoreDoubleClick(() => showStory("closing"))}
      >
        Show story
      </Button>
      <IconButton
        needsEditAccess
        icon="link"
        kind="quiet"
        label="Copy story link"
        onClick={() => void copyLink(environmentId.value, link, "edit")}
      />
    </>
  );
}

/** `3 offerings, 300 investments, all invented` */
function formatHoldings(offerings: readonly OfferingSummary[]): string {
  const total = offerings.reduce((sum, { investments }) => sum + investments, 0);
  const holdings = `${formatCount(offerings.length, "offering")}, ${formatCount(total, "investment")}`;
  return total > 0 ? `${holdings}, all invented` : holdings;
}

/** The base address, and the keys of the first offering: enough for a client. */
function Connect() {
  const { data } = environment;
  // The demo's key at its limit would only get 429.
  const keys = activeKeys(activeKeys()[0]?.offering_id)
    .filter(({ alias }) => alias !== "at-limit")
    .slice(0, 4);
  const address = `${location.origin}/api/v1`;
  return (
    <Panel
      title="Connect your client"
      actions={<a href={to("keys")}>{data ? formatCount(data.keys.length, "key") : "Keys"}</a>}
    >
      <Facts
        facts={[
          [
            "Base address",
            <CopyableValue text={address} subject="Base address">
              <code>{address}</code>
            </CopyableValue>,
          ],
          ...keys.map(({ id, key, type, effect }): Fact => [
            type === "partner" ? "Partner key" : "Marketing key",
            <CopyableValue text={key} subject={`Key ${keyName(id)}`}>
              <span>
                {keyName(id)}
                <small class="muted">{effect}</small>
              </span>
            </CopyableValue>,
          ]),
        ]}
      />
      {!data && <Loading for={environment} />}
      {data && keys.length === 0 && (
        <p>
          No active keys. <a href={to("keys")}>Issue a key</a>.
        </p>
      )}
    </Panel>
  );
}

/** Example requests to paste into a terminal, or to send from this page. */
function Examples() {
  const examples = useList("listExamples");
  const chosenTitle = useSignal("");
  const shown = useSignal<(ServiceResponse & { readonly title: string }) | null>(null);
  // The chosen example is gone after its key is revoked.
  const example = examples.data?.find(({ title }) => title === chosenTitle.value) ?? examples.data?.[0];
  const copyCurl = (): void => void (example && copyText(example.curl, "Request as curl"));
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copyCurl }]);

  async function send({ path, key, title }: ExampleCall): Promise<void> {
    const response = await command(() => callService(path, key));
    shown.value = response ? { ...response, title } : null;
  }

  return (
    <Panel title="Example requests" actions={<a href={to("api")}>API</a>}>
      {!examples.data && <Loading for={examples} />}
      {examples.data && !example && (
        <Empty title="No example requests.">
          <p>
            There is no offering, or no active key. <a href={to("keys")}>Issue a key</a>.
          </p>
        </Empty>
      )}
      {examples.data && example && (
        <div class="stack">
          <div class="toolbar nowrap">
            <Select
              label="Request with response"
              value={example.title}
              onChange={(title) => (chosenTitle.value = title)}
              options={examples.data.map(({ title, status }) => [title, `${status} · ${title}`])}
            />
            <Button kind="primary" onClick={() => void send(example)}>
              Send
            </Button>
          </div>
          <CodeBlock text={example.curl} label="Request as curl">
            {example.curl.replace(example.key, maskSecret(example.key))}
          </CodeBlock>
          {shown.value && <ResponseView {...shown.value} />}
        </div>
      )}
    </Panel>
  );
}
