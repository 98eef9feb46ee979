import type { RequestFilter, RequestList } from "../public/control.ts";
import type { Environment } from "../environment/environment.ts";
import { isWaitingMatch } from "../environment/journal.ts";
import { findKey } from "../environment/references.ts";
import { isUuid } from "../text/text.ts";
import type { Handlers } from "./call.ts";

const replays = () => import("./replay.ts");

/** The handlers of the operations on the journal, and on what is derived from it. */
export const requestHandlers = {
  listRequests: ({ environment, query }) => listRequests(environment, query),
  countRequests: ({ environment, query }) => ({ count: listRequests(environment, query).data.length }),
  clearRequests: ({ environment }) => environment.parts.journal.clear(),
  getAnswer: async ({ server, environment, id }) => (await replays()).answerAgain(environment, server, id),
  getCoverage: ({ server, environment, query: { all } }) => server.coverage(all ? undefined : environment),

  async replay({ server, environment, body: { snapshot, answers = false, ...other } }) {
    const { assuming, replay } = await replays();
    const subject = snapshot ? await server.openSnapshot(snapshot) : environment;
    return replay(subject, server, { assume: assuming(other), answers });
  },
} satisfies Partial<Handlers>;

function listRequests(environment: Environment, filter: RequestFilter): RequestList {
  const { key_id: reference } = filter;
  // The journal may have requests of a key from another time of the clock.
  const isId = reference === undefined || isUuid(reference);
  const wanted = isId ? filter : { ...filter, key_id: findKey(environment.keys, reference).id };
  const waiting = environment.waiting.all.filter((request) => isWaitingMatch(request, wanted));
  return { ...environment.parts.journal.list(wanted), waiting };
}
