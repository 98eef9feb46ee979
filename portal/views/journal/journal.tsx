import { useMemo, useRef } from "preact/hooks";
import type { JournalEntry } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { download } from "../../download.ts";
import { count, number } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Empty, Notice, Page, Waiting } from "../../parts/panel.tsx";
import { environmentId, route, setQuery } from "../../routes.ts";
import { dropped, forgetJournal, journal, revision } from "../../server/state.ts";
import { found, type RequestSearch, rowsOf } from "./filter.ts";
import { NoRequest } from "./no-request.tsx";
import { useHeld } from "./held.ts";
import { RequestDetail } from "./request-detail.tsx";
import { RequestTable } from "./request-table.tsx";
import { Toolbar } from "./toolbar.tsx";

const none: RequestSearch = {
  search: "",
  status: "",
  key: "",
  method: "",
  code: "",
  has: "",
  assumption: "",
  like: "",
};

/** The requests as they come, and why one failed. */
export function Journal() {
  const list = useRef<HTMLDivElement>(null);
  const { upTo, catchUp } = useHeld(list);
  const { id, query } = route.value;
  const filter = { ...none, ...Object.fromEntries(query) };
  const isGrouped = query.get("grouped") === "yes";

  const all = journal.value;
  const matching = useMemo(() => found(all, filter), [all, query]);
  const shown = useMemo(() => matching.filter((entry) => entry.id <= upTo.value), [matching, upTo.value]);
  const rows = useMemo(() => rowsOf(shown, isGrouped), [shown, isGrouped]);
  const fresh = matching.length - shown.length;
  const isFiltered = Object.keys(none).some((name) => query.has(name));

  return (
    <Page
      title="Journal"
      lead="Every call of the service, the newest first, and why it failed."
      actions={<Actions shown={shown} />}
    >
      {revision.value === "" && <Waiting />}
      {revision.value !== "" && all.length === 0 && id === null && <NoRequest />}
      {(all.length > 0 || id !== null) && (
        <div class={id === null ? "requests" : "requests split opened"}>
          <div class="stack pressable" ref={list}>
            <Toolbar filter={filter} isGrouped={isGrouped} />
            <div class="toolbar summary" aria-live="polite">
              <span class="muted">
                {isFiltered
                  ? `${shown.length > 0 ? number(shown.length) : "None"} of ${count(all.length, "request")}`
                  : count(shown.length, "request")}
                {filter.like !== "" && `, like request ${filter.like}`}
                {rows.length < shown.length && ` in ${count(rows.length, "row")}`}
              </span>
              {isFiltered && (
                <Button kind="quiet" onClick={() => setQuery(cleared)}>
                  Clear the filters
                </Button>
              )}
              {fresh > 0 && <Button onClick={() => showNew(list.current, catchUp)}>{fresh} new</Button>}
            </div>
            <RequestTable
              rows={rows}
              current={id}
              empty={
                <Empty title="No request matches.">
                  <p>{count(all.length, "request")} in the journal; none is as the filters say.</p>
                </Empty>
              }
            />
            {dropped.value > 0 && (
              <Notice>
                {count(dropped.value, "older request")} {dropped.value === 1 ? "is" : "are"} gone: the sandbox keeps the
                newest {number(all.length)}. Filters and the export know only these.
              </Notice>
            )}
          </div>
          {id !== null && <RequestDetail key={id} id={id} />}
        </div>
      )}
    </Page>
  );
}

const cleared = Object.fromEntries(Object.keys(none).map((name) => [name, null]));

/** Shows what has come, and goes to the top, where it is. */
function showNew(list: HTMLElement | null, catchUp: () => void): void {
  catchUp();
  list?.querySelector(".table")?.scrollTo(0, 0);
  list?.scrollIntoView({ block: "nearest" });
}

function Actions({ shown }: { readonly shown: readonly JournalEntry[] }) {
  if (journal.value.length === 0) return null;
  return (
    <>
      <Button
        disabled={shown.length === 0}
        onClick={() => download(`requests-${environmentId.value}.json`, shown.toReversed())}
      >
        Export {count(shown.length, "request")}
      </Button>
      <ConfirmButton
        question="Clear the journal?"
        words="All requests are forgotten, for everybody who looks at this environment. Limits and faults keep their counts."
        does="Clear"
        onConfirm={() => void clear()}
      >
        Clear…
      </ConfirmButton>
    </>
  );
}

async function clear(): Promise<void> {
  await command(async () => {
    await call("clearRequests");
    forgetJournal();
  }, "The journal is clear.");
}
