import type { JournalEntry, PreviewedResponse } from "../../../src/public/control.ts";
import { formatCount, formatInstant, formatNumber, shortenPath } from "../../base/format.ts";
import { keyName, keyOf } from "../../data/names.ts";
import { HttpBadge } from "../../components/badge.tsx";
import { Detail, Facts } from "../../components/detail.tsx";
import { Empty, Notice, Loading } from "../../components/panel.tsx";
import { ResponseView } from "../../components/code.tsx";
import { RealTimeAgo } from "../../components/values.tsx";
import { useResponse, useList } from "../../data/use-resource.ts";
import { to, toOffering, environmentId } from "../../base/routes.ts";
import { environment, journal } from "../../data/state.ts";
import { faultName } from "../../shared/faults.ts";
import { isFailure, isSameFailure } from "../../shared/request-filter.ts";
import { Reason } from "../../shared/reason.tsx";
import { useSignal } from "@preact/signals";
import { hasDots } from "../../../src/text/curl.ts";
import { call, callService, type ServiceResponse } from "../../data/api.ts";
import { saveSnapshot } from "../../data/snapshot.ts";
import { command, showMessage } from "../../data/commands.ts";
import { Button } from "../../components/button.tsx";
import { copyText } from "../../components/copy.tsx";
import { formatCurl, formatFetch, belowBase } from "../../data/service-call.ts";
import { useShortcuts } from "../../base/keys.ts";

/** One request: first why it failed, then its facts and its response. */
export function RequestDetail({ id }: { readonly id: string }) {
  const entry = journal.value.find((candidate) => String(candidate.id) === id);
  const title = entry && (
    <>
      <HttpBadge status={entry.status} connection={entry.connection} /> {entry.method}{" "}
      <span title={entry.path}>{shortenPath(entry.path)}</span>
    </>
  );
  return (
    <Detail title={title ?? `Request ${id}`} view="journal">
      {entry ? (
        <Entry {...entry} />
      ) : (
        <Empty title="This request is not in the journal.">
          <p>It was dropped or cleared, or belongs to another environment.</p>
          <a href={to("journal")}>All requests</a>
        </Empty>
      )}
    </Detail>
  );
}

function Entry(entry: JournalEntry) {
  const likeCount = isFailure(entry) ? journal.value.filter((candidate) => isSameFailure(candidate, entry)).length : 1;
  return (
    <div class="stack">
      <Reason {...entry} />
      {entry.fault_id !== null && (
        <p>
          Applied: <a href={to("faults", entry.fault_id)}>{faultName(entry.fault_id)}</a>.
        </p>
      )}
      {likeCount > 1 && (
        <p>
          {formatCount(likeCount, "request")} failed like this.{" "}
          <a href={to("journal", String(entry.id), { like: entry.id })}>Show requests</a>
        </p>
      )}
      {/* Before the keys are loaded, a copied call would lack its key. */}
      {environment.data ? <RequestActions {...entry} /> : <Loading for={environment} />}
      <RequestFacts {...entry} />
      <Replayed key={entry.id} id={String(entry.id)} />
      <Assumptions {...entry} />
    </div>
  );
}

function RequestFacts(entry: JournalEntry) {
  const { method, path, key_id, operation, offering_id, investment_id, recorded_at } = entry;
  const { code, retry_after_seconds, page, shown } = entry;
  return (
    <Facts
      facts={[
        ["Request", <code>{`${method} ${path}`}</code>],
        [
          "Key",
          key_id !== null && (
            <>
              <a href={to("keys", key_id)}>{entry.key_label ?? keyName(key_id)}</a>
              {entry.key_type !== null && `, ${entry.key_type}`}
            </>
          ),
          "no known key",
        ],
        ["Operation", operation !== null && <a href={to("api", operation)}>{operation}</a>, "no path of the service"],
        ["Offering", offering_id !== null && <a href={toOffering(offering_id)}>{entry.offering_name}</a>],
        [
          "Investment",
          investment_id !== null && <a href={to("investments", investment_id)}>{entry.investment_name}</a>,
        ],
        ["Error", code !== null && <code>{code}</code>],
        ["Retry-After", retry_after_seconds !== null && `${retry_after_seconds} s`],
        ["Page", page !== null && `${formatNumber(page)}, size ${formatNumber(entry.size ?? 0)}`],
        ["Investments", shown !== null && `${formatNumber(shown)} of ${formatNumber(entry.total ?? 0)}`],
        [
          "Received",
          <>
            {recorded_at.replace("T", " ").replace("Z", " UTC, ")}
            <RealTimeAgo at={recorded_at} />
          </>,
        ],
        ["Duration", `${entry.duration_ms.toFixed(1)} ms`],
        ["Clock", `${formatInstant(entry.date)} UTC`],
      ]}
    />
  );
}

/** The response, replayed from the state at the time of the request. */
function Replayed({ id }: { readonly id: string }) {
  const response = useResponse("getResponse", { id });
  const { data } = response;
  if (!data) return <Loading for={response} />;
  const { status, headers, body, same, reason } = data;
  if (status === null || body === null) return <p class="muted">This response cannot be replayed: {reason}.</p>;
  return (
    <>
      {same === false && <Notice variant="warning">The response at that time was different.</Notice>}
      <ResponseView title="Replayed response" status={status} headers={headers} body={body} />
    </>
  );
}

/** The assumptions on which the response depended, each with its question. */
function Assumptions({ assumptions }: JournalEntry) {
  const list = useList("listAssumptions");
  if (assumptions.length === 0) return null;
  return (
    <section>
      <h3>Assumptions</h3>
      <p class="muted">The specification leaves these open; the response of the real service may differ.</p>
      {!list.data && <Loading for={list} />}
      <ul class="assumed">
        {assumptions.map((id) => {
          const assumption = list.data?.find((candidate) => candidate.id === id);
          return (
            <li key={id}>
              {assumption?.question}
              <small>
                <a href={to("assumptions", id)}>{id}</a>
                {assumption && ` = ${assumption.value}`}
              </small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type ShownResponse = PreviewedResponse | ServiceResponse;

/** Buttons that copy the request, resend it, or preview its response. */
function RequestActions(entry: JournalEntry) {
  const { method, path, key_id } = entry;
  const latest = useSignal<(ShownResponse & { readonly title: string }) | null>(null);
  const isBusy = useSignal(false);
  const secret = keyOf(key_id)?.key ?? null;
  const isComplete = !path.includes("…");
  const below = belowBase(path);
  const isResolved = hasDots(path);
  const canFetch = isComplete && !isResolved;
  /** The limits of the copies and the buttons. */
  const limits = [
    !isComplete && incompletePath,
    isResolved && "A browser resolves the dots in the path before it sends the request; only curl sends it unchanged.",
    isComplete && key_id === null && "The journal does not store unknown keys: the copies send no key.",
    method !== "GET" && isComplete && "Only a GET can be previewed.",
  ].filter(Boolean);

  async function show(title: string, run: () => Promise<ShownResponse>): Promise<void> {
    isBusy.value = true;
    const response = await command(run);
    isBusy.value = false;
    if (response) latest.value = { ...response, title };
  }

  const request = { method, path, secret };
  const copyCurl = (): void => {
    if (isComplete) void copyText(formatCurl(request), "Request as curl");
    else showMessage(incompletePath, { isError: true });
  };
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copyCurl }]);

  return (
    <div class="stack">
      <div class="actions">
        <Button class="small" icon="copy" aria-label="Copy as curl" disabled={!isComplete} onClick={copyCurl}>
          curl
        </Button>
        <Button
          class="small"
          icon="copy"
          aria-label="Copy as fetch"
          disabled={!canFetch}
          onClick={() => void copyText(formatFetch(request), "Request as fetch")}
        >
          fetch
        </Button>
        <Button
          needsEditAccess
          class="small"
          disabled={!canFetch || below === null || isBusy.value}
          title="Sends the request once more: it counts against the key's limit and is in the journal"
          onClick={() => void show("Response to the resent request", () => callService(below ?? "", secret, method))}
        >
          Resend
        </Button>
        <Button
          class="small"
          disabled={!isComplete || isBusy.value || method !== "GET"}
          title="Shows what the request would read now, without counting it or recording it in the journal"
          onClick={() => void show("Preview of the response", () => call("preview", { body: { path, key_id } }))}
        >
          Preview
        </Button>
        {isFailure(entry) && (
          <Button
            class="small"
            aria-label="Download snapshot"
            title="Download the environment with its journal in one file, for a colleague, a test or the command replay"
            onClick={() => void command(() => saveSnapshot(environmentId.value, String(entry.id)), "Snapshot saved.")}
          >
            Snapshot
          </Button>
        )}
      </div>
      {limits.length > 0 && <p class="small muted">{limits.join(" ")}</p>}
      {latest.value && <ResponseView {...latest.value} />}
    </div>
  );
}

const incompletePath =
  "The path is incomplete: … stands for what could be a secret, so the request cannot be copied or resent.";
