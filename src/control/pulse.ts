import type { Pulse, PulseSince } from "../control.ts";
import type { Environment } from "../environment/environment.ts";
import { keyStatus } from "../environment/keys.ts";
import { formatInstant, never } from "../model/instant.ts";
import { neighbours, selectionOf } from "./timeline.ts";

/** Maximum number of journal entries in a pulse. */
const maxEntries = 200;

export function pulse(environment: Environment, { after = 0, revision }: PulseSince): Pulse {
  const { now } = environment.read();
  const { clock, journal } = environment.parts;
  const isOther = after > journal.last || (revision !== undefined && !revision.startsWith(journal.series));
  const from = isOther ? 0 : after;
  return {
    revision: revisionOf(environment),
    clock: { now, speed: clock.speed },
    real_time: formatInstant(Date.now()),
    ...neighbours(selectionOf(environment)),
    journal: { ...journal.list({ after: from, limit: maxEntries }), last: journal.last, after: from },
  };
}

/** Returns the revision, which begins with the series of the journal. */
function revisionOf(environment: Environment): string {
  const { journal, commands } = environment.parts;
  const { now, state } = environment.read();
  // Keys and faults end without a change.
  const ended = Array.from(state.faults).filter(({ until }) => (until ?? never) <= now);
  const revoked = Array.from(state.keys).filter((key) => keyStatus(key, now) === "revoked");
  return [journal.series, commands, environment.revision, state.position, ended.length, revoked.length].join();
}
