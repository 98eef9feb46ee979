import type { JournalEntry, KeyDescription } from "../../src/public/control.ts";
import type { ErrorCode, ServiceErrorCode } from "../../src/model/error-catalogue.ts";
import { Notice } from "../components/panel.tsx";
import { When } from "../components/values.tsx";
import { to } from "../base/routes.ts";
import { activeKeys, keyName, keyOf, offeringName, withNames } from "../data/names.ts";
import { faultName } from "./fault-words.ts";
import { isFailure } from "./request-filter.ts";

/** The reason for an error, and hints at mistakes. */
export function Why(entry: JournalEntry) {
  const { code, status, key_id, offering_id } = entry;
  const fitting = code === null ? undefined : keysThatFit(entry);
  // The names of both offerings say more than the first hint.
  const hints = code === "offering_forbidden" && fitting ? entry.hints.slice(1) : entry.hints;
  const [cause, remedy] = (code === null ? undefined : reasons[code]) ?? [causeWithoutCode(entry), undefined];
  if (cause === undefined && hints.length === 0) return null;
  return (
    <Notice look={!isFailure(entry) ? "neutral" : status === null || status >= 500 ? "bad" : "warning"}>
      {cause !== undefined && <strong>{cause}</strong>}
      {hints.length > 0 && (
        <ul class="hints">
          {hints.map((hint) => (
            <li key={hint}>{withNames(hint)}</li>
          ))}
        </ul>
      )}
      {fitting && key_id !== null && offering_id !== null && (
        <OtherOffering key_id={key_id} offering_id={offering_id} fitting={fitting} />
      )}
      {code === "key_revoked" && <Revoked id={entry.key_id} />}
      {remedy !== undefined && <p>{remedy}</p>}
    </Notice>
  );
}

function causeWithoutCode({ status, connection, fault_id }: JournalEntry): string | undefined {
  if (connection === "reset") return "A fault reset the connection.";
  if (connection === "empty") return "A fault closed the connection without an answer.";
  if (connection === "truncated") return "A fault cut the answer off: the body is shorter than its headers say.";
  if (status === null) return "The client left before it was answered.";
  return fault_id !== null && status >= 400 ? "A fault has answered in place of the service." : undefined;
}

/** Returns the active keys of the offering in the path if the request's key is for another offering; else undefined. */
function keysThatFit({ key_id, offering_id }: JournalEntry): readonly KeyDescription[] | undefined {
  const key = keyOf(key_id);
  if (!key || offering_id === null || key.offering_id === offering_id) return undefined;
  return activeKeys(offering_id).slice(0, 4);
}

interface OtherOfferingProps {
  readonly key_id: string;
  readonly offering_id: string;
  readonly fitting: readonly KeyDescription[];
}

/** Explains that the key is for one offering and the path for another: names both, and the keys that fit. */
function OtherOffering({ key_id, offering_id, fitting }: OtherOfferingProps) {
  const key = keyOf(key_id);
  return (
    <p>
      {key && (
        <>
          <KeyLink id={key.id} /> is for <b>{offeringName(key.offering_id)}</b>, the path is of{" "}
        </>
      )}
      <b>{offeringName(offering_id)}</b>. {fitting.length > 0 && "Its keys: "}
      {fitting.map((other, at) => (
        <span key={other.id}>
          {at > 0 && ", "}
          <KeyLink id={other.id} />
        </span>
      ))}
      {fitting.length > 0 && "."}
    </p>
  );
}

function KeyLink({ id }: Pick<KeyDescription, "id">) {
  return <a href={to("keys", id)}>{keyName(id)}</a>;
}

function Revoked({ id }: { readonly id: string | null }) {
  const date = keyOf(id)?.revoke_date;
  if (!date) return null;
  return (
    <p>
      Revoked at <When date={date} />.
    </p>
  );
}

type Reason = readonly [cause: string, remedy: string];

/** For each error code of the service: its cause in a sentence, and a remedy; docs/errors.md has all codes. */
const reasons: { readonly [Code in ErrorCode]?: Reason } = {
  key_missing: ["The call had no key.", "Send the header Authorization: Bearer and a key."],
  key_malformed: ["The header Authorization is not Bearer and one key.", "Look for a missing space or a second word."],
  key_unknown: ["This key was never issued here.", "Take one of this environment; another environment has others."],
  key_revoked: ["The key is revoked.", "Use another, or set the clock to before its end."],
  offering_forbidden: ["The key is for another offering.", "Use a key of the offering in the path."],
  investment_not_found: [
    "There is no such investment for this key.",
    "Check the id, and whether the key is for the investment's offering.",
  ],
  path_not_found: ["There is no such path.", "A slash at the end matters; the API page has all paths."],
  page_not_found: ["The page is after the last one.", "Stop at the last page."],
  method_not_allowed: ["The service is read-only.", "Use GET or HEAD."],
  parameter_invalid: ["A parameter is invalid.", "Send the values that are named here, or leave it out."],
  rate_limit_exceeded: [
    "The key has used up its requests of this minute.",
    "Wait as Retry-After says, or clear the limit.",
  ],
  internal_error: ["The sandbox has failed.", "Its log says why. Please report it."],
} satisfies Record<ServiceErrorCode, Reason>;

/** Returns in one line why a request failed, or its first hint; the cause of the status comes first. */
export function reasonOf({ hints, code, fault_id }: JournalEntry): string | undefined {
  const fault = fault_id === null || code !== null ? [] : [`met ${faultName(fault_id)}`];
  const [first = code === null ? undefined : (reasons[code]?.[0] ?? code), ...others] = [...fault, ...hints];
  return first && withNames(first) + (others.length > 0 ? `, and ${others.length} more` : "");
}
