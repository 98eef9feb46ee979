import { computed, type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AdminOperationId, ResponseOf } from "../../src/control/operations.ts";
import { environmentId } from "../base/routes.ts";
import { type Arguments, call, type ItemOf, list } from "./api.ts";
import { createResource, type Resource } from "./resource.ts";
import { connection, journal, realTime, revision } from "./state.ts";

/** Loads the response of an operation: `useResponse("getInvestment", { id })`. */
export function useResponse<Id extends AdminOperationId>(
  operation: Id,
  ...parts: Arguments<Id>
): Resource<ResponseOf<Id>> {
  return useResource(
    (abortSignal) => call(operation, ...withSignal(parts, abortSignal)),
    [operation, JSON.stringify(parts)],
  );
}

/** Loads the items of a list operation: `useList("listOfferings")`. */
export function useList<Id extends AdminOperationId>(
  operation: Id,
  ...parts: Arguments<Id>
): Resource<readonly ItemOf<Id>[]> {
  return useResource(
    (abortSignal) => list(operation, ...withSignal(parts, abortSignal)),
    [operation, JSON.stringify(parts)],
  );
}

function withSignal<Id extends AdminOperationId>(parts: Arguments<Id>, abortSignal: AbortSignal): Arguments<Id> {
  return [{ ...parts[0], signal: abortSignal } as Arguments<Id>[0]] as Arguments<Id>;
}

/** A trigger for counts, which change with requests while the revision stays. */
export const newestRequest = computed(() => `${revision.value} ${journal.value.at(-1)?.id}`);

/**
 * Creates a trigger for other environments, which the revision does not cover. It waits while the pointer is on a row.
 */
export function everySeconds(seconds: number): ReadonlySignal<string> {
  let last = "";
  return computed(() => {
    const latest = `${revision.value} ${Math.floor(realTime.value / seconds / 1000)}`;
    if (!document.querySelector("main tbody:is(:hover, :focus-within)")) last = latest;
    return last;
  });
}

/** A trigger for data that does not change, or that only `refresh` loads again. */
export const noTrigger: ReadonlySignal<string> = signal("");

type Primitive = string | number | boolean | null | undefined;

interface ResourceOptions {
  /** The trigger that refreshes the response. @default the revision of the environment */
  readonly trigger?: ReadonlySignal<string>;
  /** The milliseconds without a new dependency before a request, for what a person types. @default 0 */
  readonly debounceMs?: number;
}

/**
 * Loads any data of a view: refreshes it by a trigger, and loads it again when a dependency changes. The old response
 * stays on screen meanwhile.
 *
 *     const page = useResource((signal) => call("listInvestments", { query: { search }, signal }), [search]);
 *     if (!page.data) return <Loading for={page} />;
 */
export function useResource<Data>(
  load: (signal: AbortSignal) => Promise<Data>,
  dependencies: readonly Primitive[] = [],
  { trigger = revision, debounceMs = 0 }: ResourceOptions = {},
): Resource<Data> {
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const resource = useMemo(
    () =>
      createResource<Data>(async (abortSignal) => {
        if (debounceMs > 0) await new Promise((resolve) => setTimeout(resolve, debounceMs));
        abortSignal.throwIfAborted();
        return latestLoad.current(abortSignal);
      }),
    [],
  );
  useRefresh(resource, dependencies, trigger);
  return resource;
}

/** Loads a resource while a component is on screen, for all its readers. */
export function useRefresh<Data>(
  resource: Resource<Data>,
  dependencies: readonly Primitive[] = [],
  trigger: ReadonlySignal<string> = revision,
): void {
  const query = JSON.stringify([environmentId.value, ...dependencies]);
  const lastQuery = useRef("");
  // Before the first pulse it is unknown whether the sandbox responds, and whether it accepts the token.
  const isKnown = connection.value !== "starting" && connection.value !== "locked";
  const isLive = connection.value === "live";

  useEffect(() => {
    if (!isKnown) return;
    if (lastQuery.current !== query) resource.reload();
    else if (isLive) resource.refresh();
    lastQuery.current = query;
  }, [query, trigger.value, isKnown, isLive]);
  useEffect(() => resource.clear, []);
}
