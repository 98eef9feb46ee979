/**
 * The page of a list: search and filters, a summary, the tables, and the detail of the item in the address.
 *
 *     <ListPage title="Keys" resource={environment} search={{ label: "Search" }} detail={id && <KeyDetail id={id} />}>
 *       <DataTable view="keys" … />
 *     </ListPage>
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren, Ref } from "preact";
import { route, setQuery } from "../base/routes.ts";
import { Button } from "./button.tsx";
import { Search } from "./field.tsx";
import { type Loadable, Page, type PageProps, Loading } from "./panel.tsx";

interface ListPageProps extends PageProps {
  /** The resource that the page waits for. */
  readonly resource?: Loadable & { readonly data: unknown };
  readonly search: SearchFieldProps;
  /** Shown next to the search. */
  readonly filters?: ComponentChildren;
  readonly summary?: ComponentChildren;
  /** The `<Detail>` of the item in the address. */
  readonly detail?: ComponentChildren;
  readonly class?: string;
  /** Whether a click anywhere on a row opens it. */
  readonly isClickable?: boolean;
  /** A reference to the list without the detail. */
  readonly listRef?: Ref<HTMLDivElement> | undefined;
}

interface SearchFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The number of items: few items need no search. @default always with a search */
  readonly itemCount?: number;
}

/** A list with more items has a search. */
const maxUnsearched = 12;

export function ListPage({
  resource,
  search,
  filters,
  summary,
  detail,
  class: name = "",
  isClickable,
  listRef,
  children,
  ...page
}: ListPageProps) {
  const isReady = resource?.data !== undefined || !resource;
  const text = route.value.query.get("search") ?? "";
  const hasSearch = (search.itemCount ?? Infinity) > maxUnsearched || text !== "";
  return (
    <Page {...page}>
      {!isReady && <Loading for={resource} />}
      {isReady && (
        <div class={`stack ${name}`}>
          {hasSearch && (
            <div class="toolbar">
              <Search {...search} value={text} onChange={setSearch} />
              {filters}
            </div>
          )}
          {summary && (
            <div class="toolbar summary" aria-live="polite">
              {summary}
            </div>
          )}
          <div class={detail ? "split opened" : undefined}>
            <div class={isClickable ? "stack clickable" : "stack"} ref={listRef ?? null}>
              {children}
            </div>
            {detail}
          </div>
        </div>
      )}
    </Page>
  );
}

/** Sets the search, and returns to the first page. */
function setSearch(search: string): void {
  setQuery({ search, page: null, after: null, before: null });
}

interface FiltersProps {
  /** The number of active filters. */
  readonly count: number;
  readonly children: ComponentChildren;
}

/** Filters next to a search. On a narrow screen a button unfolds them, and shows how many are set. */
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
