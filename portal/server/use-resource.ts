import { useEffect, useMemo, useRef } from "preact/hooks";
import type { AdminOperationId, AnswerOf } from "../../src/control/operations.ts";
import { environmentId } from "../routes.ts";
import { type Arguments, call, type ItemOf, list } from "./api.ts";
import { createResource, type Resource } from "./resource.ts";
import { connection, journal, revision } from "./state.ts";

/** The answer of an operation: `useAnswer("getInvestment", { id })`. */
export function useAnswer<Id extends AdminOperationId>(operation: Id, ...parts: Arguments<Id>): Resource<AnswerOf<Id>> {
  return useResource((signal) => call(operation, ...within(parts, signal)), [operation, JSON.stringify(parts)]);
}

/** The items of an operation that lists them: `useList("listOfferings")`. */
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
 * Anything that a view shows: asked for again when the environment's revision changes, and anew when a dependency does; the old
 * answer stays on screen meanwhile.
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
  const asked = useRef("");
  const isLive = connection.value === "live";

  useEffect(() => {
    // Before the first pulse nobody knows whether the server answers, and to whom.
    if (revision.value === "") return;
    if (asked.current !== question) resource.ask();
    else if (isLive) resource.refresh();
    asked.current = question;
  }, [question, revision.value, isLive]);
  useEffect(() => resource.forget, []);
  return resource;
}

/** The same for counts, which requests change and no revision tells of. */
export function useCounts<Answer>(load: (signal: AbortSignal) => Promise<Answer>): Resource<Answer> {
  const resource = useResource(load);
  const last = journal.value.at(-1)?.id;
  const seen = useRef(last);
  useEffect(() => {
    if (seen.current !== last) resource.refresh();
    seen.current = last;
  }, [last]);
  return resource;
}
