import type { JournalEntry, RecordedRequest, RecordedRequests, RequestFilter, RequestList } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { isWaitingMatch } from "../environment/journal.ts";
import { findKey } from "../environment/references.ts";
import { errorCatalog, type ErrorReason, errorReasons } from "../model/error-catalog.ts";
import { isUuid } from "../text/text.ts";
import type { Handlers, Server } from "./call.ts";

const replayModule = () => import("./replay.ts");

/** The handlers of the operations on the journal, on its replay and on coverage. */
export const requestHandlers = {
  listRequests: ({ server, environment, query }) => listRequests(environment, server, query),
  countRequests: ({ server, environment, query }) => ({ count: listRequests(environment, server, query).data.length }),
  clearRequests: ({ environment }) => environment.internals.journal.clear(),
  getResponse: async ({ server, environment, id }) => (await replayModule()).repeatResponse(environment, server, id),
  getCoverage: ({ server, environment, query: { all } }) => server.coverage(all ? undefined : environment),

  async replay({ server, environment, body: { snapshot, responses = false, ...assumptionOptions } }) {
    const { createAssume, replay } = await replayModule();
    const subject = snapshot ? await server.openSnapshot(snapshot) : environment;
    return replay(subject, server, { assume: createAssume(assumptionOptions), responses });
  },
} satisfies Partial<Handlers>;

function listRequests(environment: Environment, server: Server, filter: RequestFilter): RequestList {
  const { key_id: reference } = filter;
  // The journal may have requests of a key from another time of the clock.
  const isId = reference === undefined || isUuid(reference);
  const resolvedFilter = isId ? filter : { ...filter, key_id: findKey(environment.keys, reference).id };
  const waiting = environment.waiting.allRequests.filter((request) => isWaitingMatch(request, resolvedFilter));
  return { ...listEntries(environment, server, resolvedFilter), waiting };
}

/** Lists recorded requests with their causes, and with the current names of their subjects, without secrets. */
export function listEntries(
  { internals: { journal, history } }: Environment,
  { environments: { secrets } }: Server,
  filter: RequestFilter,
): RecordedRequests {
  const { state } = history.read();
  const redactName = (name: string | undefined): string | null => (name === undefined ? null : secrets.redact(name));
  const { data, dropped } = journal.list(filter);
  const describe = (request: RecordedRequest): JournalEntry => {
    const [cause = null, remedy = null] = reasonFor(request);
    const offering_name = redactName(state.offering(request.offering_id ?? "")?.name);
    const investment_name = redactName(history.investmentName(request.investment_id ?? ""));
    return { ...request, cause, remedy, offering_name, investment_name };
  };
  return { data: data.map(describe), dropped };
}

function reasonFor({ code, status, connection, fault_id }: RecordedRequest): Partial<ErrorReason> {
  if (code !== null) return errorReasons[code] ?? [`${errorCatalog[code].title}.`];
  if (connection !== null) return [brokenConnections[connection]];
  if (status === null) return ["The client left before the response."];
  return fault_id !== null && status >= 400 ? ["A fault responded in place of the service."] : [];
}

const brokenConnections = {
  reset: "A fault reset the connection.",
  empty: "A fault closed the connection without a response.",
  truncated: "A fault cut the response off: the body is shorter than its headers say.",
};
