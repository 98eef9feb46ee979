import { useEffect, useMemo, useRef } from "preact/hooks";
import { get, getList, type Query } from "./api.ts";
import { type Kept, kept } from "./kept.ts";
import { environmentId } from "../routes.ts";
import { connection, journal, revision } from "./state.ts";

/** An answer of the admin API: `useAnswer<InvestmentRecord>(`investments/${id}`)`. */
export function useAnswer<Answer>(path: string, query: Query = {}): Kept<Answer> {
  return useResource((ended) => get<Answer>(path, query, ended), [path, JSON.stringify(query)]);
}

/** A list of the admin API: `useList<OfferingSummary>("offerings")`. */
export function useList<Item>(path: string, query: Query = {}): Kept<readonly Item[]> {
  return useResource((ended) => getList<Item>(path, query, ended), [path, JSON.stringify(query)]);
}

type Primitive = string | number | boolean | null | undefined;

/**
 * Anything that a view shows: asked for again when the environment's revision changes, and anew when a dependency does; the old
 * answer stays on screen meanwhile.
 *
 *     const page = useResource((ended) => get<InvestmentPage>("investments", { search }, ended), [search]);
 *     if (!page.data) return <Waiting problem={page.problem} />;
 */
export function useResource<Answer>(
  load: (ended: AbortSignal) => Promise<Answer>,
  dependencies: readonly Primitive[] = [],
): Kept<Answer> {
  const latest = useRef(load);
  latest.current = load;
  const resource = useMemo(() => kept<Answer>((ended) => latest.current(ended)), []);
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
export function useCounts<Answer>(load: (ended: AbortSignal) => Promise<Answer>): Kept<Answer> {
  const resource = useResource(load);
  const last = journal.value.at(-1)?.id;
  const seen = useRef(last);
  useEffect(() => {
    if (seen.current !== last) resource.refresh();
    seen.current = last;
  }, [last]);
  return resource;
}
