import { useMemo, useRef } from "preact/hooks";
import type { JournalEntry } from "../../../src/public/control.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { formatCsv } from "../../base/csv.ts";
import { download, fileName } from "../../base/download.ts";
import { formatCount, formatInstant, formatNumber } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmButton } from "../../components/confirm.tsx";
import { ListPage } from "../../components/list-page.tsx";
import { Empty, Notice, Page } from "../../components/panel.tsx";
import { DataTable } from "../../components/table.tsx";
import { environmentId, route, setQuery, to } from "../../base/routes.ts";
import { pulseCount, droppedCount, clearJournal, journal, requestPulse, revision } from "../../data/state.ts";
import { findMatches, rowsOf, emptyFilter } from "../../shared/request-filter.ts";
import { RequestDetail } from "./request-detail.tsx";
import { RequestFilters, requestColumns } from "./request-table.tsx";
import { activeKeys } from "../../data/names.ts";
import { CodeBlock } from "../../components/code.tsx";
import { maskSecret } from "../../data/service-call.ts";
import { curlOfOffering } from "../../shared/key-commands.tsx";
import { type Signal, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";

/** The requests as they arrive, and why each failed. */
export function Journal() {
  const list = useRef<HTMLDivElement>(null);
  const newestShown = useNewestShown(list);
  const { id, query } = route.value;
  const filter = { ...emptyFilter, ...Object.fromEntries(query) };
  const isGrouped = query.get("grouped") === "yes";

  const all = journal.value;
  const matches = useMemo(() => findMatches(all, filter), [all, query]);
  const entries = useMemo(
    () => matches.filter(({ id: entryId }) => entryId <= newestShown.value),
    [matches, newestShown.value],
  );
  const rows = useMemo(() => rowsOf(entries, isGrouped), [entries, isGrouped]);
  const newCount = matches.length - entries.length;
  const isFiltered = Object.keys(emptyFilter).some((name) => query.has(name));
  function showNew(): void {
    newestShown.value = newestId();
    list.current?.scrollIntoView();
  }
  const page = {
    title: "Journal",
    lead: "Each request to the service, newest first, and why it failed.",
    actions: all.length > 0 && <ClearButton />,
  };
  const isLoaded = revision.value !== "";
  if (isLoaded && all.length === 0 && id === null) {
    return (
      <Page {...page}>
        <NoRequests />
      </Page>
    );
  }

  return (
    <ListPage
      {...page}
      resource={{ data: isLoaded ? all : undefined, problem: null, reload: requestPulse }}
      search={{ label: "Search requests", placeholder: "Path or reason, * is any text" }}
      filters={<RequestFilters filter={filter} isGrouped={isGrouped} />}
      summary={
        <>
          <span class="muted">
            {isFiltered
              ? `${formatNumber(entries.length)} of ${formatCount(all.length, "request")}`
              : formatCount(entries.length, "request")}
            {filter.like !== "" && `, like request ${filter.like}`}
            {rows.length < entries.length && ` in ${formatCount(rows.length, "row")}`}
          </span>
          {isFiltered && entries.length > 0 && (
            <Button kind="quiet" onClick={() => setQuery(clearedFilter)}>
              Clear filters
            </Button>
          )}
          {newCount > 0 && (
            <>
              <Button onClick={showNew}>{newCount} new</Button>
              <span class="muted">Paused while you point at the list.</span>
            </>
          )}
          <div class="actions">
            <Export entries={matches.toReversed()} />
          </div>
        </>
      }
      class="requests"
      isClickable
      listRef={list}
      detail={id !== null && <RequestDetail key={id} id={id} />}
    >
      <SnapshotOrigin />
      <DataTable
        label="Requests"
        view="journal"
        rows={rows}
        columns={requestColumns}
        keyOf={({ entry }) => String(entry.id)}
        empty={
          <Empty title="No matching requests.">
            <Button onClick={() => setQuery(clearedFilter)}>Clear filters</Button>
          </Empty>
        }
      />
      {droppedCount.value > 0 && (
        <Notice>
          {formatCount(droppedCount.value, "older request")} {droppedCount.value === 1 ? "was" : "were"} dropped: the
          journal has the newest {formatNumber(all.length)}. Filters and exports include only these.
        </Notice>
      )}
    </ListPage>
  );
}

/** Names the snapshot from which this environment was opened, as the address has it. */
function SnapshotOrigin() {
  const { query } = route.value;
  const [file, saved, last] = [query.get("snapshot"), query.get("saved"), Number(query.get("last"))];
  if (file === null) return null;
  return (
    <Notice actions={<Button onClick={() => setQuery({ snapshot: null, saved: null, last: null })}>Close</Button>}>
      Opened from {file}
      {saved !== null && `, saved ${formatInstant(saved)} UTC`}
      {last > 0 && `, with the requests up to ${last}`}. Keys of this environment have other secrets.
    </Notice>
  );
}

const clearedFilter = Object.fromEntries(Object.keys(emptyFilter).map((name) => [name, null]));

function ClearButton() {
  return (
    <ConfirmButton
      question="Clear the journal?"
      consequence="Deletes all requests for everyone who uses this environment. Rate limits and fault counts stay."
      confirmLabel="Clear"
      onConfirm={() => void clear()}
    />
  );
}

function Export({ entries }: { readonly entries: readonly JournalEntry[] }) {
  return (["csv", "json"] as const).map((format) => {
    const name = fileName(["requests", environmentId.value], format);
    const save = (): void => download(name, format === "csv" ? new Blob([formatCsv(entries)]) : entries);
    return (
      <Button key={format} class="small" disabled={entries.length === 0} onClick={save}>
        Export {format.toUpperCase()}
      </Button>
    );
  });
}

async function clear(): Promise<void> {
  await command(async () => {
    await call("clearRequests");
    clearJournal();
  }, "Journal cleared.");
}

/** An empty journal, with a first request to copy. */
function NoRequests() {
  const [key] = activeKeys();
  const text = key ? curlOfOffering(key) : "";
  return (
    <Empty title="No requests yet.">
      {key ? (
        <>
          <p>Point your client at this address, or paste this into a terminal. It appears here at once.</p>
          <CodeBlock text={text} label="First request as curl">
            {text.replace(key.key, maskSecret(key.key))}
          </CodeBlock>
        </>
      ) : (
        <p>
          No active keys. <a href={to("keys")}>Issue a key</a>, and give it to your client.
        </p>
      )}
    </Empty>
  );
}

/** Returns the id of the newest shown entry. It stays while a person scrolls, focuses or points at the list. */
function useNewestShown(list: RefObject<HTMLElement | null>): Signal<number> {
  const newestShown = useSignal(0);
  useSignalEffect(() => {
    void pulseCount.value;
    const isShown = newestShown.peek() > 0 && newestShown.peek() <= newestId();
    if (!isShown || !list.current || !isRead(list.current)) newestShown.value = newestId();
  });
  return newestShown;
}

function newestId(): number {
  return journal.value.at(-1)?.id ?? 0;
}

const canHover = matchMedia("(hover: hover)");

function isRead(list: HTMLElement): boolean {
  if (list.matches(":focus-within") || (canHover.matches && list.matches(":hover"))) return true;
  return list.getBoundingClientRect().top < 0;
}
