import { type Option, Select, Switch } from "../../parts/field.tsx";
import { Filters } from "../../parts/list-page.tsx";
import { keyOptions } from "../../server/names.ts";
import { setQuery } from "../../routes.ts";
import { journal } from "../../server/state.ts";
import type { RequestSearch } from "./filter.ts";

/** The filters. Each offers the values in the journal, and always the one in the address. */
interface FiltersProps {
  readonly filter: RequestSearch;
  readonly isGrouped: boolean;
}

export function RequestFilters({ filter, isGrouped }: FiltersProps) {
  const entries = journal.value;
  const [methods, codes] = [seen(entries.map(({ method }) => method)), seen(entries.map(({ code }) => code))];
  const statuses = seen(entries.map(({ status }) => status));
  const choices: readonly (readonly [name: keyof RequestSearch, label: string, options: readonly Option[]])[] = [
    [
      "status",
      "Status",
      [
        ["", "All"],
        ...classes.filter(([name]) => statuses.some((status) => status[0] === name[0])),
        ["none", "No answer"],
        ...statuses.map(plain),
      ],
    ],
    ["key", "Key", [["", "All"], ...keyOptions(), ["none", "No known key"]]],
    ["method", "Method", [["", "All"], ...methods.map(plain)]],
    ["code", "Error", [["", "All"], ...codes.map(plain)]],
    [
      "has",
      "With",
      [
        ["", "Anything"],
        ["hint", "A hint"],
        ["fault", "A fault"],
      ],
    ],
    ["assumption", "Rested on", [["", "All"]]],
  ];
  return (
    <Filters count={choices.filter(([name]) => filter[name] !== "").length + (isGrouped ? 1 : 0)}>
      {choices
        .filter(([name, , options]) => options.length > 2 || filter[name] !== "")
        .map(([name, label, options]) => (
          <Select
            key={name}
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

const classes: readonly Option[] = [
  ["2xx", "2xx, done"],
  ["3xx", "3xx, not modified"],
  ["4xx", "4xx, the client's"],
  ["5xx", "5xx, the server's"],
];

function seen(values: readonly (string | number | null)[]): readonly string[] {
  return [...new Set(values)].flatMap((value) => (value === null ? [] : [String(value)])).toSorted();
}

function plain(value: string): Option {
  return [value];
}
