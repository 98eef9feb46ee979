import { computed, effect, signal } from "@preact/signals";
import { tokenEnvironmentId, takeTokenFromAddress } from "./token.ts";

/** The views, in the order of the navigation. */
export const views = {
  overview: "Overview",
  investments: "Investments",
  scenarios: "Scenarios",
  keys: "Keys",
  faults: "Faults",
  journal: "Journal",
  coverage: "Coverage",
  assumptions: "Assumptions",
  environments: "Environments",
  api: "API",
} as const;

export type ViewName = keyof typeof views;

/** The address: `#/default/investments/<id>?at=<instant>`. */
export interface Route {
  readonly environment: string;
  /** Any string, because the address may have been typed. */
  readonly view: string;
  /** The id of the item on the page; null for the list. */
  readonly id: string | null;
  readonly query: URLSearchParams;
}

takeTokenFromAddress();
export const route = signal(parse());

export const environmentId = computed(() => route.value.environment);

function update(): void {
  takeTokenFromAddress();
  route.value = parse();
}

addEventListener("hashchange", update);
// Another token may belong to another environment.
effect(update);

function parse(): Route {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [environment, view, ...rest] = path.split("/").map(decodeSegment);
  return {
    environment: tokenEnvironmentId.value ?? (environment || "default"),
    view: view || "overview",
    id: rest.join("/") || null,
    query: new URLSearchParams(query),
  };
}

function decodeSegment(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

type Query = Readonly<Record<string, string | number | null | undefined>>;

/** The link to a view: `<a href={to("investments", id)}>`. Null or empty members of the query are omitted. */
export function to(
  view: ViewName,
  id: string | null = null,
  query: Query = {},
  environment: string = route.value.environment,
): string {
  const parts = [environment, view, ...(id?.split("/") ?? [])].map(encodeURIComponent);
  return `#/${parts.join("/")}${formatQuery(query)}`;
}

/** A query without its null, undefined and empty members. */
export function formatQuery(query: object): string {
  const members = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const parameters = new URLSearchParams(members.map(([name, value]) => [name, String(value)]));
  return parameters.size > 0 ? `?${parameters}` : "";
}

/** The link to a run, whose page is below the scenarios. */
export function toRun(id: string): string {
  return to("scenarios", `runs/${id}`);
}

/** The link to an offering, whose page is below the investments. */
export function toOffering(id: string): string {
  return to("investments", `offerings/${id}`);
}

export function go(href: string): void {
  location.hash = href;
}

/** Returns the page of the address, whatever its parameters. */
export function currentPage(): string {
  const { environment, view, id } = parse();
  return [environment, view, id].join(" ");
}

/** Changes parameters of the address in place, without a step in the history; an empty value removes one. */
export function setQuery(changes: Query): void {
  const { environment, view, id, query } = route.value;
  // After a click on a link, before its event: the page with these parameters is over.
  if (currentPage() !== [environment, view, id].join(" ")) return;
  const parameters: Record<string, string | number | null | undefined> = { ...Object.fromEntries(query), ...changes };
  history.replaceState(null, "", to(view as ViewName, id, parameters, environment));
  route.value = parse();
}

/** A parameter of the address and its setter: a filter is part of the link. `useParameter("status")` */
export function useParameter(name: string, fallback = ""): readonly [string, (value: string) => void] {
  const value = route.value.query.get(name) ?? fallback;
  return [value, (next) => setQuery({ [name]: next === fallback ? null : next })];
}
