import type { JournalEntry, KeyDescription } from "../../src/public/control.ts";
import { Notice } from "../components/panel.tsx";
import { When } from "../components/values.tsx";
import { to } from "../base/routes.ts";
import { activeKeys, keyName, keyOf, offeringName, withNames } from "../data/names.ts";
import { faultName } from "./faults.ts";
import { isFailure } from "./request-filter.ts";

/** The reason of a failure with its remedy, and hints at errors of the client. */
export function Reason(entry: JournalEntry) {
  const { cause, remedy, code, status, key_id, offering_id } = entry;
  const matchingKeys = code === null ? undefined : findMatchingKeys(entry);
  // The names of both offerings say more than the first hint.
  const hints = code === "offering_forbidden" && matchingKeys ? entry.hints.slice(1) : entry.hints;
  if (cause === null && hints.length === 0) return null;
  return (
    <Notice variant={!isFailure(entry) ? "neutral" : status === null || status >= 500 ? "bad" : "warning"}>
      {cause !== null && <strong>{cause}</strong>}
      {hints.length > 0 && (
        <ul class="hints">
          {hints.map((hint) => (
            <li key={hint}>{withNames(hint)}</li>
          ))}
        </ul>
      )}
      {matchingKeys && key_id !== null && offering_id !== null && (
        <OfferingMismatch key_id={key_id} offering_id={offering_id} matchingKeys={matchingKeys} />
      )}
      {code === "key_revoked" && <RevokedAt id={entry.key_id} />}
      {remedy !== null && <p>{remedy}</p>}
    </Notice>
  );
}

/** Returns the active keys of the offering in the path if the request's key is for another offering; else undefined. */
function findMatchingKeys({ key_id, offering_id }: JournalEntry): readonly KeyDescription[] | undefined {
  const key = keyOf(key_id);
  if (!key || offering_id === null || key.offering_id === offering_id) return undefined;
  return activeKeys(offering_id).slice(0, 4);
}

interface OfferingMismatchProps {
  readonly key_id: string;
  readonly offering_id: string;
  readonly matchingKeys: readonly KeyDescription[];
}

/** Explains that the key is for one offering and the path for another: names both, and the keys that fit. */
function OfferingMismatch({ key_id, offering_id, matchingKeys }: OfferingMismatchProps) {
  const key = keyOf(key_id);
  return (
    <p>
      {key && (
        <>
          <KeyLink id={key.id} /> is for <b>{offeringName(key.offering_id)}</b>, the path is for{" "}
        </>
      )}
      <b>{offeringName(offering_id)}</b>. {matchingKeys.length > 0 && "Its keys: "}
      {matchingKeys.map(({ id }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <KeyLink id={id} />
        </span>
      ))}
      {matchingKeys.length > 0 && "."}
    </p>
  );
}

function KeyLink({ id }: Pick<KeyDescription, "id">) {
  return <a href={to("keys", id)}>{keyName(id)}</a>;
}

function RevokedAt({ id }: { readonly id: string | null }) {
  const date = keyOf(id)?.revoke_date;
  if (!date) return null;
  return (
    <p>
      Revoked at <When date={date} />.
    </p>
  );
}

/** Returns in one line why a request failed, or its first hint. */
export function reasonOf({ hints, cause, code, fault_id }: JournalEntry): string | undefined {
  const fault = fault_id === null || code !== null ? [] : [`affected by ${faultName(fault_id)}`];
  const [first = code === null ? undefined : cause, ...further] = [...fault, ...hints];
  return first ? withNames(first) + (further.length > 0 ? `, and ${further.length} more` : "") : undefined;
}
