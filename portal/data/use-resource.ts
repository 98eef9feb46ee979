import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AdminOperationId, AnswerOf } from "../../src/control/operations.ts";
import { environmentId } from "../base/routes.ts";
import { type Arguments, call, type ItemOf, list } from "./api.ts";
import { createResource, type Resource } from "./resource.ts";
import { connection, journal, revision } from "./state.ts";

/** Loads the answer of an operation: `useAnswer("getInvestment", { id })`. */
export function useAnswer<Id extends AdminOperationId>(operation: Id, ...parts: Arguments<Id>): Resource<AnswerOf<Id>> {
  return useResource((signal) => call(operation, ...within(parts, signal)), [operation, JSON.stringify(parts)]);
}

/** Loads the items of a list operation: `useList("listOfferings")`. */
export function useList<Id extends AdminOperationId>(
  operation: Id,
  ...parts: Arguments<Id>
): Resource<readonly ItemOf<Id>[]> {
  return useResource((signal) => list(operation, ...within(parts, signal)), [operation, JSON.stringify(parts)]);
}

function within<Id extends AdminOperationId>(parts: Arguments<Id>, signal: AbortSignal): Arguments<Id> {
  return [{ ...parts[0], signal } as Arguments<Id>[0]] as Arguments<Id>;
}

type Primitive = string | number | boolean | null | undefined;

/**
 * Loads any data of a view: refreshed when the environment's revision changes, and loaded again when a dependency
 * changes. The old answer stays on screen meanwhile.
 *
 *     const page = useResource((signal) => call("listInvestments", { query: { search }, signal }), [search]);
 *     if (!page.data) return <Waiting problem={page.problem} />;
 */
export function useResource<Answer>(
  load: (signal: AbortSignal) => Promise<Answer>,
  dependencies: readonly Primitive[] = [],
): Resource<Answer> {
  const latest = useRef(load);
  latest.current = load;
  const resource = useMemo(() => createResource<Answer>((signal) => latest.current(signal)), []);
  const question = JSON.stringify([environmentId.value, ...dependencies]);
  const lastQuestion = useRef("");
  const isLive = connection.value === "live";

  useEffect(() => {
    // Before the first pulse it is unknown whether the server answers, and whether it accepts the token.
    if (revision.value === "") return;
    if (lastQuestion.current !== question) resource.ask();
    else if (isLive) resource.refresh();
    lastQuestion.current = question;
  }, [question, revision.value, isLive]);
  useEffect(() => resource.forget, []);
  return resource;
}

/** The same as `useResource` for counts, which change with requests while the revision stays. */
export function useCounts<Answer>(load: (signal: AbortSignal) => Promise<Answer>): Resource<Answer> {
  const resource = useResource(load);
  const last = journal.value.at(-1)?.id;
  const lastSeen = useRef(last);
  useEffect(() => {
    if (lastSeen.current !== last) resource.refresh();
    lastSeen.current = last;
  }, [last]);
  return resource;
}
