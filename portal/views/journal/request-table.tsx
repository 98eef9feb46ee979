import { formatInstant, formatNumber, shortenPath } from "../../base/format.ts";
import { HttpBadge } from "../../components/badge.tsx";
import { type Option, Select, Switch } from "../../components/field.tsx";
import { Filters } from "../../components/list-page.tsx";
import type { Column } from "../../components/table.tsx";
import { RealTimeAgo, Name } from "../../components/values.tsx";
import { setQuery } from "../../base/routes.ts";
import { keyOptions } from "../../data/names.ts";
import { journal } from "../../data/state.ts";
import type { JournalRow, RequestFilter } from "../../shared/request-filter.ts";
import { reasonOf } from "../../shared/reason.tsx";

export const requestColumns: readonly Column<JournalRow>[] = [
  {
    name: "Status",
    cell: ({ entry: { status, connection, method, path }, times }) => (
      <>
        <HttpBadge status={status} connection={connection} />
        {times > 1 && <b class="small"> × {formatNumber(times)}</b>}
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
      <span class="wide" title={[entry.path, reasonOf(entry)].filter(Boolean).join(": ")}>
        <code>
          {entry.method} {shortenPath(entry.path)}
        </code>{" "}
        <small class="muted">{reasonOf(entry)}</small>
      </span>
    ),
  },
  {
    name: "Key",
    isMinor: true,
    cell: ({ entry: { key_label, key_id } }) => <Name text={key_label ?? key_id?.slice(0, 8) ?? "no known key"} />,
  },
  { name: "Received", isMinor: true, cell: ({ entry: { recorded_at } }) => <RealTimeAgo at={recorded_at} isExact /> },
  { name: "Clock", isMinor: true, cell: ({ entry: { date } }) => <span class="number">{formatInstant(date)}</span> },
];

interface FiltersProps {
  readonly filter: RequestFilter;
  readonly isGrouped: boolean;
}

/** The filters. Each offers the values in the journal, and the value in the address. */
export function RequestFilters({ filter, isGrouped }: FiltersProps) {
  const entries = journal.value;
  const statuses = distinct(entries.map(({ status }) => status));
  const methods = distinct(entries.map(({ method }) => method)).map(toOption);
  const codes = distinct(entries.map(({ code }) => code)).map(toOption);
  const choices: readonly (readonly [name: keyof RequestFilter, label: string, options: readonly Option[]])[] = [
    [
      "status",
      "Status",
      [
        ["", "Any status"],
        ...statusClasses.filter(([name]) => statuses.some((status) => status[0] === name[0])),
        ["none", "No response"],
        ...statuses.map(toOption),
      ],
    ],
    ["key", "Key", [["", "Any key"], ...keyOptions(), ["none", "No known key"]]],
    ["method", "Method", [["", "Any method"], ...methods]],
    ["code", "Error", [["", "Any error"], ...codes]],
    [
      "has",
      "With",
      [
        ["", "Any request"],
        ["hint", "With a hint"],
        ["fault", "With a fault"],
      ],
    ],
    ["assumption", "Depends on", [["", "Any assumption"]]],
  ];
  return (
    <Filters count={choices.filter(([name]) => filter[name] !== "").length + (isGrouped ? 1 : 0)}>
      {choices
        .filter(([name, , options]) => options.length > 2 || filter[name] !== "")
        .map(([name, label, options]) => (
          <Select
            key={name}
            isLabelHidden
            label={label}
            value={filter[name]}
            onChange={(value) => setQuery({ [name]: value })}
            options={options}
          />
        ))}
      <Switch
        label="Group equal failures"
        checked={isGrouped}
        onChange={(on) => setQuery({ grouped: on ? "yes" : null })}
      />
    </Filters>
  );
}

const statusClasses: readonly Option[] = [
  ["2xx", "2xx, success"],
  ["3xx", "3xx, not modified"],
  ["4xx", "4xx, client error"],
  ["5xx", "5xx, server error"],
];

function distinct(values: readonly (string | number | null)[]): readonly string[] {
  return [...new Set(values)].flatMap((value) => (value === null ? [] : [String(value)])).toSorted();
}

function toOption(value: string): Option {
  return [value];
}
