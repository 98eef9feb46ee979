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
import { command } from "../../data/commands.ts";
import { activeKeys, keyName } from "../../data/names.ts";
import { maskSecret } from "../../data/service-call.ts";
import { connection, environment } from "../../data/state.ts";
import { canEdit } from "../../base/token.ts";
import { useList } from "../../data/use-resource.ts";
import { useShortcuts } from "../../base/keys.ts";
import { Fundraising } from "./fundraising.tsx";
import { LastRequests, Next } from "./happenings.tsx";

/** The landing page: the fundraising and its next changes, and how to call the service. */
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
      actions={<Story />}
    >
      <div class="split">
        <Fundraising {...list} />
        <Next />
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

/** The story of an investment, to see at once or to send to a colleague. */
function Story() {
  const [story] = useParameter("story");
  const isReady = story !== "" && connection.value === "live" && canEdit.value;
  useEffect(() => {
    if (!isReady) return;
    setQuery({ story: null });
    void showStory();
  }, [isReady]);
  const link = to("overview", null, { story: "closing" });
  return (
    <>
      <Button
        kind="primary"
        icon="play"
        title="An investment, from its registration until it closes, on the whole screen"
        onClick={ignoreDoubleClick(showStory)}
      >
        Show the story
      </Button>
      <IconButton
        needsEditAccess
        icon="link"
        kind="quiet"
        label="Copy link to the story"
        onClick={() => void copyLink(environmentId.value, link, "edit")}
      />
    </>
  );
}

/** `3 offerings, 300 investments, all invented` */
function holdings(offerings: readonly OfferingSummary[]): string {
  const investments = offerings.reduce((sum, one) => sum + one.investments, 0);
  const all = [formatCount(offerings.length, "offering"), formatCount(investments, "investment")];
  return [...all, ...(investments > 0 ? ["all invented"] : [])].join(", ");
}

/** The base address, and the keys of the first offering: enough for a client. */
function Connect() {
  const { data } = environment;
  // The key at its limit of the demo would be a bad start.
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
          No key is active. <a href={to("keys")}>Issue key</a>.
        </p>
      )}
    </Panel>
  );
}

/** Calls to paste into a terminal, or to make on this page. */
function Examples() {
  const list = useList("listExamples");
  const choice = useSignal("");
  const response = useSignal<(ServiceResponse & { readonly title: string }) | null>(null);
  const calls = list.data ?? [];
  // A call may be gone after its key is revoked.
  const call = calls.find(({ title }) => title === choice.value) ?? calls[0];
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copy }]);

  function copy(): void {
    if (call) void copyText(call.curl, "Request as curl");
  }

  async function attempt({ path, key, title }: ExampleCall): Promise<void> {
    const responded = await command(() => callService(path, key));
    response.value = responded ? { ...responded, title } : null;
  }

  return (
    <Panel title="Try it" actions={<a href={to("api")}>The whole API</a>}>
      {!list.data && <Loading for={list} />}
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
              label="Request with response"
              value={call.title}
              onChange={(title) => (choice.value = title)}
              options={calls.map(({ title, status }) => [title, `${status} · ${title}`])}
            />
            <Button kind="primary" onClick={() => void attempt(call)}>
              Send
            </Button>
          </div>
          <CodeBlock text={call.curl} label="Request as curl">
            {call.curl.replace(call.key, maskSecret(call.key))}
          </CodeBlock>
          {response.value && <ResponseView {...response.value} />}
        </div>
      )}
    </Panel>
  );
}
