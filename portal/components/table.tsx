/**
 * A real table. Columns define how a row is shown:
 *
 *     <DataTable
 *       label="Keys" rows={keys} keyOf={({ id }) => id} view="keys"
 *       order={order} onOrder={setOrder} empty={<Empty title="No keys." />}
 *       columns={[{ name: "Label", cell: (key) => key.label }, { name: "Used", isNumber: true, order: "used", … }]}
 *     />
 *
 * The first cell without `isBeforeLink` links to the row, so that Enter opens it: next to the table, in its `view`, or
 * by `hrefOf`. j and k step through these links; coming back focuses the link that was followed. A column with `order`
 * has a sort button: `order`, then `-order`. On a narrow screen the table scrolls in its box. `isMinor` columns are
 * hidden there, and next to an open detail. A button shows the rows after the first `pageSize`.
 */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { focusOn, isFocusFree } from "../base/focus.ts";
import { formatNumber } from "../base/format.ts";
import { route, to, type ViewName } from "../base/routes.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { type Loadable, Loading } from "./panel.tsx";

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isNumber?: boolean | undefined;
  readonly isMinor?: boolean | undefined;
  /** Whether the column is before the one that links to the row. */
  readonly isBeforeLink?: boolean | undefined;
  readonly order?: string | undefined;
}

interface TableProps<Row> {
  /** The label for screen readers. */
  readonly label: string;
  /** Undefined until they are loaded. */
  readonly rows: readonly Row[] | undefined;
  /** The resource of the rows. */
  readonly source?: Loadable | undefined;
  readonly columns: readonly Column<Row>[];
  readonly keyOf: (row: Row) => string | number;
  readonly hrefOf?: ((row: Row) => string) | undefined;
  readonly order?: string | undefined;
  readonly onOrder?: ((order: string) => void) | undefined;
  /** The view in which a row opens next to the table; its filters stay. */
  readonly view?: ViewName | undefined;
  /** The open row. @default with a `view`, the item in the address */
  readonly current?: string | null | undefined;
  readonly empty?: ComponentChildren;
  /** The number of rows shown at first, and added by the button: many rows are slow to lay out. @default 200 */
  readonly pageSize?: number;
  /** Whether newer rows are being loaded. */
  readonly isStale?: boolean | undefined;
}

/** The link by which a person left a table, and its position on screen. */
let lastHref: string | null = null;
let lastTop: number | null = null;

/** Scrolls an opened row to its earlier position on screen, next to its detail; a row opened by a link, into view. */
export function restoreRowPosition(): void {
  const row = document.querySelector("main tr.current");
  // On a narrow screen the detail replaces the table.
  if (!row?.checkVisibility()) return;
  if (lastTop !== null) scrollBy(0, row.getBoundingClientRect().top - lastTop);
  else row.scrollIntoView({ block: "nearest" });
  lastTop = null;
}

export function DataTable<Row>({ rows, source, ...props }: TableProps<Row>) {
  return rows ? <LoadedTable {...props} rows={rows} /> : <Loading for={source} />;
}

function LoadedTable<Row>(props: TableProps<Row> & { readonly rows: readonly Row[] }) {
  const { label, rows, columns, keyOf, view, empty, isStale } = props;
  const { current = view && route.value.id, pageSize = 200 } = props;
  const query = Object.fromEntries(route.value.query);
  const { hrefOf = view && ((row: Row) => to(view, String(keyOf(row)), query)) } = props;
  const linkColumn = columns.find(({ isBeforeLink }) => !isBeforeLink);
  const shownCount = useSignal(pageSize);
  const hiddenCount = rows.length - shownCount.value;
  const box = useRef<HTMLDivElement>(null);
  const hasRows = rows.length > 0;

  const isOpen = current !== undefined && current !== null;
  useLayoutEffect(() => {
    if (lastHref === null || !hasRows || isOpen) return;
    const link = Array.from(box.current?.querySelectorAll<HTMLElement>("[data-row]") ?? []).find(
      (row) => row.getAttribute("href") === lastHref,
    );
    if (!link) return;
    lastHref = null;
    // A person who left by the navigation, or who types or tabs meanwhile, has the focus elsewhere.
    if (isFocusFree()) focusOn(link);
  }, [hasRows, isOpen]);

  if (!hasRows && empty) return <>{empty}</>;
  return (
    <>
      <div class={isStale ? "table stale" : "table"} ref={box} role="region" aria-label={label} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.name} column={column} {...props} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shownCount.value).map((row) => (
              <tr key={keyOf(row)} class={String(keyOf(row)) === current ? "current" : undefined}>
                {columns.map((column) => (
                  <td key={column.name} class={classOf(column)}>
                    {column === linkColumn && hrefOf ? (
                      <RowLink href={hrefOf(row)}>{column.cell(row)}</RowLink>
                    ) : (
                      column.cell(row)
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {hiddenCount > 0 && (
        <p class="further">
          <Button kind="quiet" onClick={() => (shownCount.value += pageSize)}>
            Show {formatNumber(Math.min(pageSize, hiddenCount))} more
          </Button>{" "}
          <span class="muted">of {formatNumber(hiddenCount)}</span>
        </p>
      )}
    </>
  );
}

function RowLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  const leave = ({ currentTarget }: Event): void => {
    const row = currentTarget instanceof Element ? currentTarget.closest("tr") : null;
    [lastHref, lastTop] = [href, row?.getBoundingClientRect().top ?? null];
  };
  return (
    <a data-row href={href} onClick={leave}>
      {children}
    </a>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly order?: string | undefined;
  readonly onOrder?: ((order: string) => void) | undefined;
}

function Heading<Row>({ column, order, onOrder }: HeadingProps<Row>) {
  const { name, order: columnOrder } = column;
  if (columnOrder === undefined || !onOrder) {
    return (
      <th scope="col" class={classOf(column)}>
        {name}
      </th>
    );
  }
  const direction = order === columnOrder ? "ascending" : order === `-${columnOrder}` ? "descending" : "none";
  return (
    <th scope="col" class={classOf(column)} aria-sort={direction}>
      <button type="button" onClick={() => onOrder(direction === "ascending" ? `-${columnOrder}` : columnOrder)}>
        {name}
        {direction !== "none" && <Icon name={direction === "ascending" ? "up" : "down"} />}
      </button>
    </th>
  );
}

function classOf<Row>({ isNumber, isMinor }: Column<Row>): string | undefined {
  return [isNumber && "number", isMinor && "minor"].filter(Boolean).join(" ") || undefined;
}
