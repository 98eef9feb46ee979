import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { count, instant, number, shortPath } from "../../format.ts";
import { HttpBadge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { When } from "../../parts/values.tsx";
import { route, to } from "../../routes.ts";
import type { JournalRow } from "./filter.ts";
import { reasonOf } from "./reasons.ts";

/** Real rows are slow to lay out: 200 at first, and as many more for each press. */
const step = 200;

const columns: readonly Column<JournalRow>[] = [
  {
    name: "Status",
    cell: ({ entry: { status, connection, method, path }, times }) => (
      <>
        <HttpBadge status={status} connection={connection} />
        {times > 1 && <b class="times"> × {number(times)}</b>}
        <span class="unseen">
          {" "}
          {method} {path}
        </span>
      </>
    ),
  },
  {
    name: "Request",
    cell: ({ entry }) => (
      <>
        <code class="path" title={entry.path}>
          {entry.method} {shortPath(entry.path)}
        </code>
        <small>{reasonOf(entry)}</small>
        <small class="compact muted">{instant(entry.date)}</small>
      </>
    ),
  },
  {
    name: "Key",
    isMinor: true,
    cell: ({ entry: { key_label, key_id } }) => key_label ?? key_id?.slice(0, 8) ?? <None />,
  },
  { name: "Clock", isMinor: true, cell: ({ entry: { date } }) => <When date={date} isShort /> },
  { name: "ms", isNumber: true, isMinor: true, cell: ({ entry: { milliseconds } }) => milliseconds.toFixed(1) },
];

interface RequestTableProps {
  readonly rows: readonly JournalRow[];
  /** The id of the request that is open. */
  readonly current: string | null;
  readonly empty: ComponentChildren;
}

export function RequestTable({ rows, current, empty }: RequestTableProps) {
  const most = useSignal(step);
  const query = Object.fromEntries(route.value.query);
  return (
    <>
      <DataTable
        label="Requests"
        rows={rows.slice(0, most.value)}
        columns={columns}
        keyOf={({ entry: { id } }) => String(id)}
        hrefOf={({ entry: { id } }) => to("journal", String(id), query)}
        current={current}
        empty={empty}
      />
      {rows.length > most.value && (
        <div class="actions">
          <Button onClick={() => (most.value += step)}>
            Show {number(Math.min(step, rows.length - most.value))} older
          </Button>
          <span class="muted">of {count(rows.length - most.value, "older row")}</span>
        </div>
      )}
    </>
  );
}

function None() {
  return <span class="muted">no known key</span>;
}
