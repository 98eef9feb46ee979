/**
 * The page of a list: search and filters, a summary, the tables, and the detail of the item in the address.
 *
 *     <ListPage title="Keys" resource={environment} search={{ label: "Search the keys" }} detail={id && <KeyDetail id={id} />}>
 *       <DataTable view="keys" … />
 *     </ListPage>
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, Ref } from "preact";
import { route, setQuery } from "../routes.ts";
import type { Resource } from "../server/resource.ts";
import { Button } from "./button.tsx";
import { Search } from "./field.tsx";
import { Page, type PageProps, Waiting } from "./panel.tsx";

interface ListPageProps extends PageProps {
  /** The page waits for it, if it is given. */
  readonly resource?: Pick<Resource<unknown>, "data" | "problem">;
  readonly search: SearchFieldProps;
  /** Beside the search. */
  readonly filters?: ComponentChildren;
  readonly summary?: ComponentChildren;
  /** `<Detail>`, where the address names a thing. */
  readonly detail?: ComponentChildren;
  readonly class?: string;
  /** True where a press anywhere on a row opens it. */
  readonly isPressable?: boolean;
  /** The list without the detail. */
  readonly listRef?: Ref<HTMLDivElement> | undefined;
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** Number of things: a few are not searched. @default always searched */
  readonly total?: number;
}

/** More things than this are searched. */
const searchedFrom = 12;

export function ListPage({
  resource,
  search,
  filters,
  summary,
  detail,
  class: name = "",
  isPressable,
  listRef,
  children,
  ...page
}: ListPageProps) {
  const isReady = resource?.data !== undefined || !resource;
  const text = route.value.query.get("search") ?? "";
  const isSearched = (search.total ?? Infinity) > searchedFrom || text !== "";
  return (
    <Page {...page}>
      {!isReady && <Waiting problem={resource.problem} />}
      {isReady && (
        <div class={`${detail ? "split opened" : "stack"} ${name}`}>
          <div class={isPressable ? "stack pressable" : "stack"} ref={listRef ?? null}>
            {isSearched && (
              <div class="toolbar">
                <Search {...search} value={text} onInput={setSearch} />
                {filters}
              </div>
            )}
            {summary && (
              <div class="toolbar summary" aria-live="polite">
                {summary}
              </div>
            )}
            {children}
          </div>
          {detail}
        </div>
      )}
    </Page>
  );
}

/** Another search begins at the first page. */
function setSearch(search: string): void {
  setQuery({ search, page: null, after: null, before: null });
}

interface FiltersProps {
  /** Number of active filters. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** Filters beside a search. On a narrow screen a button unfolds them, and says how many are set. */
export function Filters({ count, children }: FiltersProps) {
  const isOpen = useSignal(false);
  return (
    <>
      <Button class="fold" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
        {count > 0 ? `Filters (${count})` : "Filters"}
      </Button>
      <div class={isOpen.value ? "filters open" : "filters"}>{children}</div>
    </>
  );
}
