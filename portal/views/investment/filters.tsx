import type { InvestmentFilter, InvestmentOrder, OfferingSummary } from "../../../src/public/control.ts";
import { formatNumber } from "../../base/format.ts";
import { Button } from "../../components/button.tsx";
import { DateField, type Option, Select } from "../../components/field.tsx";
import { Filters } from "../../components/list-page.tsx";
import { route, setQuery, to } from "../../base/routes.ts";

const dates = [
  ["from", "Created from", "From YYYY-MM-DD"],
  ["to", "Created to", "To YYYY-MM-DD"],
] as const;

/** The filters of the list. Their options are the existing values, each with its count. */
export function InvestmentFilters({ offerings }: { readonly offerings: readonly OfferingSummary[] }) {
  const filter = filterOf();
  const { offering_id: offering } = filter;
  const chosen = offerings.filter(({ id, alias }) => offering === "" || offering === id || offering === alias);
  const choices: readonly (readonly [name: keyof ListFilter, label: string, options: readonly Option[]])[] = [
    [
      "offering_id",
      "Offering",
      [
        ["", "All offerings"],
        ...offerings.map(({ id, alias, name }): Option => [offering === id ? id : (alias ?? id), name]),
      ],
    ],
    ["status", "Status", [["", "Any status"], ...countedOptions(chosen.map(({ statuses }) => statuses))]],
    ["step", "Step", [["", "Any step"], ["null", "No step"], ...countedOptions(chosen.map(({ steps }) => steps))]],
  ];
  return (
    <>
      <Filters count={[...choices, ...dates].filter(([name]) => filter[name] !== "").length}>
        {choices.map(([name, label, options]) => (
          <Select
            key={name}
            isLabelHidden
            label={label}
            value={filter[name]}
            onChange={(value) => setFilter({ [name]: value })}
            options={options}
          />
        ))}
        <div class="range">
          {dates.map(([name, label, placeholder]) => (
            <DateField
              key={name}
              isLabelHidden
              label={label}
              value={filter[name].slice(0, 10)}
              placeholder={placeholder}
              onDate={(day) => setFilter({ [name]: day })}
            />
          ))}
        </div>
      </Filters>
      {isFiltered(filter) && (
        <Button kind="quiet" onClick={() => setFilter(unfiltered)}>
          Clear
        </Button>
      )}
    </>
  );
}

/** `PENDING (60)` for each word. */
function countedOptions(counts: readonly Readonly<Record<string, number>>[]): readonly Option[] {
  const sums = new Map<string, number>();
  for (const [word, times] of counts.flatMap((count) => Object.entries(count))) {
    sums.set(word, (sums.get(word) ?? 0) + times);
  }
  // An empty member of the address does not filter.
  sums.delete("");
  return [...sums].map(([word, times]) => [word, `${word} (${formatNumber(times)})`]);
}

/** The filter of the list, in the address. Empty members do not filter. */
export const unfiltered = {
  search: "",
  offering_id: "",
  status: "",
  step: "",
  from: "",
  to: "",
  order: "-create_date",
  after: "",
  before: "",
};

type ListFilter = typeof unfiltered;

const names = Object.keys(unfiltered) as (keyof ListFilter)[];
/** The positions of a page, which are valid only for one filter and order. */
const positions = { after: "", before: "" };

export function filterOf(): ListFilter {
  const { query } = route.value;
  const entries = names.flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : []));
  return { ...unfiltered, ...Object.fromEntries(entries) };
}

export function isFiltered(filter: ListFilter): boolean {
  return names.some((name) => name !== "order" && !(name in positions) && filter[name] !== "");
}

/** Changes the filter in the address and begins at the first page. */
export function setFilter(changes: Partial<ListFilter>): void {
  setQuery(inAddress({ ...positions, ...changes }));
}

/** The link to the list with another filter, or to an investment, which leads back to the same list. */
export function listHref(changes: Partial<ListFilter> = {}, id: string | null = null): string {
  return to("investments", id, inAddress({ ...filterOf(), ...changes }));
}

function inAddress(filter: Partial<ListFilter>): Partial<ListFilter> {
  return filter.order === unfiltered.order ? { ...filter, order: "" } : filter;
}

/** Converts the filter to that of the admin API: a date covers the whole day. */
export function toQuery(filter: ListFilter): InvestmentFilter {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(filter.to);
  // The sandbox refuses a mistyped order in the address.
  const order = filter.order as InvestmentOrder;
  return { ...filter, order, to: isDay ? `${filter.to}T23:59:59.999Z` : filter.to };
}
