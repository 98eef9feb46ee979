import type { OfferingSummary } from "../../../src/control.ts";
import { number } from "../../format.ts";
import { Button } from "../../parts/button.tsx";
import { DateField, type Option, Select } from "../../parts/field.tsx";
import { Filters } from "../../parts/list-page.tsx";
import { filterOf, isFiltered, setFilter, unfiltered } from "./filter.ts";

/** The choices are the existing values, with the count of each. */
export function InvestmentFilters({ offerings }: { readonly offerings: readonly OfferingSummary[] }) {
  const filter = filterOf();
  const { offering_id: offering, status, step, from, to } = filter;
  const chosen = offerings.filter(({ id, alias }) => offering === "" || offering === id || offering === alias);
  const all = offerings.map(({ id, alias, name }): Option => [offering === id ? id : (alias ?? id), name]);
  return (
    <>
      <Filters count={[offering, status, step, from, to].filter((value) => value !== "").length}>
        <Select
          label="Offering"
          value={offering}
          onChange={(id) => setFilter({ offering_id: id })}
          options={[["", "All"], ...all]}
        />
        <Select
          label="Status"
          value={status}
          onChange={(value) => setFilter({ status: value })}
          options={[["", "Any"], ...counted(chosen.map(({ statuses }) => statuses))]}
        />
        <Select
          label="Step"
          value={step}
          onChange={(value) => setFilter({ step: value })}
          options={[["", "Any"], ["null", "None"], ...counted(chosen.map(({ steps }) => steps))]}
        />
        <div class="range">
          <DateField label="Created from" value={from.slice(0, 10)} onDate={(day) => setFilter({ from: day })} />
          <DateField label="Created to" value={to.slice(0, 10)} onDate={(day) => setFilter({ to: day })} />
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
function counted(counts: readonly Readonly<Record<string, number>>[]): readonly Option[] {
  const sums = new Map<string, number>();
  for (const [word, times] of counts.flatMap((one) => Object.entries(one))) {
    sums.set(word, (sums.get(word) ?? 0) + times);
  }
  // An empty text in the address does not filter.
  sums.delete("");
  return [...sums].map(([word, times]) => [word, `${word} (${number(times)})`]);
}
