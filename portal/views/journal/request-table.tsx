import type { ComponentChildren } from "preact";
import { instant, number, shortPath } from "../../format.ts";
import { HttpBadge } from "../../parts/badge.tsx";
import { type Column, DataTable } from "../../parts/table.tsx";
import { Made } from "../../parts/values.tsx";
import type { JournalRow } from "./filter.ts";
import { reasonOf } from "./why.tsx";

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
        <small class="compact">
          <Made at={entry.recorded_at} isExact />
        </small>
      </>
    ),
  },
  {
    name: "Key",
    isMinor: true,
    cell: ({ entry: { key_label, key_id } }) => key_label ?? key_id?.slice(0, 8) ?? <None />,
  },
  { name: "Made", isMinor: true, cell: ({ entry: { recorded_at } }) => <Made at={recorded_at} isExact /> },
  { name: "Clock", isMinor: true, cell: ({ entry: { date } }) => <span class="when">{instant(date)}</span> },
  { name: "ms", isNumber: true, isMinor: true, cell: ({ entry: { milliseconds } }) => milliseconds.toFixed(1) },
];

interface RequestTableProps {
  readonly rows: readonly JournalRow[];
  readonly empty: ComponentChildren;
}

const keyOf = ({ entry: { id } }: JournalRow): string => String(id);

export function RequestTable(props: RequestTableProps) {
  return <DataTable label="Requests" view="journal" columns={columns} keyOf={keyOf} {...props} />;
}

function None() {
  return <span class="muted">no known key</span>;
}
