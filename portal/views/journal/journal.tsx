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
import { environmentId, route, setQuery, to } from "../../base/routes.ts";
import { pulseCount, droppedCount, clearJournal, journal, requestPulse, revision } from "../../data/state.ts";
import { findMatches, rowsOf, emptyFilter } from "../../shared/request-filter.ts";
import { RequestDetail } from "./request-detail.tsx";
import { RequestFilters, RequestTable } from "./request-table.tsx";
import { activeKeys } from "../../data/names.ts";
import { CodeBlock } from "../../components/code.tsx";
import { maskSecret } from "../../data/service-call.ts";
import { curlOfOffering } from "../../shared/key-commands.tsx";
import { type ReadonlySignal, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";

/** The requests as they arrive, and why a request failed. */
export function Journal() {
  const list = useRef<HTMLDivElement>(null);
  const { upTo, catchUp } = usePause(list);
  const { id, query } = route.value;
  const filter = { ...emptyFilter, ...Object.fromEntries(query) };
  const isGrouped = query.get("grouped") === "yes";

  const all = journal.value;
  const matches = useMemo(() => findMatches(all, filter), [all, query]);
  const entries = useMemo(() => matches.filter((entry) => entry.id <= upTo.value), [matches, upTo.value]);
  const rows = useMemo(() => rowsOf(entries, isGrouped), [entries, isGrouped]);
  const fresh = matches.length - entries.length;
  const isFiltered = Object.keys(emptyFilter).some((name) => query.has(name));
  const page = {
    title: "Journal",
    lead: "Every call of the service, the newest first, and why it failed.",
    actions: all.length > 0 && <ClearButton />,
  };
  const isKnown = revision.value !== "";
  if (isKnown && all.length === 0 && id === null) {
    return (
      <Page {...page}>
        <NoRequest />
      </Page>
    );
  }

  return (
    <ListPage
      {...page}
      resource={{ data: isKnown ? all : undefined, problem: null, reload: requestPulse }}
      search={{ label: "Search the requests", placeholder: "Path or reason, * is any text" }}
      filters={<RequestFilters filter={filter} isGrouped={isGrouped} />}
      summary={
        <>
          <span class="muted">
            {isFiltered
              ? `${entries.length > 0 ? formatNumber(entries.length) : "None"} of ${formatCount(all.length, "request")}`
              : formatCount(entries.length, "request")}
            {filter.like !== "" && `, like request ${filter.like}`}
            {rows.length < entries.length && ` in ${formatCount(rows.length, "row")}`}
          </span>
          {isFiltered && entries.length > 0 && (
            <Button kind="quiet" onClick={() => setQuery(cleared)}>
              Clear the filters
            </Button>
          )}
          {fresh > 0 && (
            <>
              <Button onClick={() => showNew(list.current, catchUp)}>{fresh} new</Button>
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
      <Imported />
      <RequestTable
        rows={rows}
        empty={
          <Empty title="No request matches.">
            <Button onClick={() => setQuery(cleared)}>Clear the filters</Button>
          </Empty>
        }
      />
      {droppedCount.value > 0 && (
        <Notice>
          {formatCount(droppedCount.value, "older request")} {droppedCount.value === 1 ? "is" : "are"} gone: the sandbox
          keeps the newest {formatNumber(all.length)}. Filters and the export know only these.
        </Notice>
      )}
    </ListPage>
  );
}

/** The snapshot from which the journal was opened, as the link names it. */
function Imported() {
  const { query } = route.value;
  const [file, saved, last] = [query.get("snapshot"), query.get("saved"), Number(query.get("last"))];
  if (file === null) return null;
  return (
    <Notice actions={<Button onClick={() => setQuery({ snapshot: null, saved: null, last: null })}>Close</Button>}>
      From {file}
      {saved !== null && `, saved ${formatInstant(saved)} UTC`}:{" "}
      {last > 0 ? `the requests up to ${last} came` : "it came"} with that snapshot. Keys of this environment have other
      secrets.
    </Notice>
  );
}

const cleared = Object.fromEntries(Object.keys(emptyFilter).map((name) => [name, null]));

/** Shows the new entries, and goes to the top of the list. */
function showNew(list: HTMLElement | null, catchUp: () => void): void {
  catchUp();
  list?.scrollIntoView();
}

function ClearButton() {
  return (
    <ConfirmButton
      question="Clear the journal?"
      consequence="Deletes all requests for everyone who uses this environment. Rate limits and fault counts stay."
      confirmLabel="Clear"
      onConfirm={() => void clear()}
    >
      Clear…
    </ConfirmButton>
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
  }, "The journal is clear.");
}

/** An empty journal, with a call to begin with. */
function NoRequest() {
  const [key] = activeKeys();
  const text = key ? curlOfOffering(key) : "";
  return (
    <Empty title="No request yet.">
      {key ? (
        <>
          <p>Point your client at this address, or paste this into a terminal. It shows here at once.</p>
          <CodeBlock text={text} label="First request as curl">
            {text.replace(key.key, maskSecret(key.key))}
          </CodeBlock>
        </>
      ) : (
        <p>
          No key is active. <a href={to("keys")}>Issue one</a>, and give it to your client.
        </p>
      )}
    </Empty>
  );
}

interface Pause {
  /** The id of the newest visible entry. */
  readonly upTo: ReadonlySignal<number>;
  /** Shows all entries. */
  readonly catchUp: () => void;
}

/** Freezes a list of requests while somebody reads it: while it is scrolled, focused, or under the pointer. */
function usePause(list: RefObject<HTMLElement | null>): Pause {
  const upTo = useSignal(0);
  useSignalEffect(() => {
    void pulseCount.value;
    const isShown = upTo.peek() > 0 && upTo.peek() <= newestId();
    if (!isShown || !list.current || !isRead(list.current)) upTo.value = newestId();
  });
  return { upTo, catchUp: () => (upTo.value = newestId()) };
}

function newestId(): number {
  return journal.value.at(-1)?.id ?? 0;
}

const canHover = matchMedia("(hover: hover)");

function isRead(list: HTMLElement): boolean {
  if (list.matches(":focus-within") || (canHover.matches && list.matches(":hover"))) return true;
  return list.getBoundingClientRect().top < 0;
}
