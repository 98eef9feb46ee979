import { useSignal } from "@preact/signals";
import type { KeyDescription } from "../../../src/public/control.ts";
import { formatCount, formatIdentifier } from "../../base/format.ts";
import type { LoadedLimit } from "../../data/limits.ts";
import { keyName, keyOf, offeringName } from "../../data/names.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { Detail, Facts } from "../../components/detail.tsx";
import { Empty } from "../../components/panel.tsx";
import { When } from "../../components/values.tsx";
import { to, toOffering } from "../../base/routes.ts";
import { environment, journal } from "../../data/state.ts";
import { CopyKeyButtons, LimitMeter, RevokeButton, setUsed } from "../../shared/key-commands.tsx";

interface KeyProps {
  readonly description: KeyDescription;
  readonly limit: LoadedLimit | undefined;
}

/** A key, next to the list. */
export function KeyDetail({ id, limit }: Pick<KeyProps, "limit"> & { readonly id: string }) {
  const key = keyOf(id);
  return (
    <Detail title={keyName(id)} view="keys">
      {key && <Key description={key} limit={limit} />}
      {!key && environment.data && (
        <Empty title="There is no such key.">
          <p>It belongs to another environment, or the clock is before the instant of its issue.</p>
          <a href={to("keys")}>All keys</a>
        </Empty>
      )}
    </Detail>
  );
}

function Key({ description, limit }: KeyProps) {
  const { id, alias, type, offering_id, effect, status, create_date, revoke_date } = description;
  const requests = journal.value.filter(({ key_id }) => key_id === id).length;
  const isActive = status !== "revoked";
  return (
    <div class="stack">
      <Facts
        facts={[
          ["Status", <Badge variant={isActive ? "good" : "bad"}>{status}</Badge>],
          ["Type", formatIdentifier(type)],
          ["Offering", <a href={toOffering(offering_id)}>{offeringName(offering_id)}</a>],
          ["Reads", effect],
          ["Alias", alias !== null && <code>{alias}</code>],
          ["Id", <code>{id}</code>],
          ["Issued", <When date={create_date} />],
          ["Revoked", revoke_date !== null && <When date={revoke_date} />],
          ["This minute", isActive && <LimitMeter limit={limit} />],
          [
            "Requests",
            <a href={to("journal", null, { key: id })}>{formatCount(requests, "request")} in the journal</a>,
          ],
        ]}
      />
      <Secret description={description} />
      {isActive && <Commands description={description} limit={limit} />}
    </div>
  );
}

/** The secret of the key, shown on request. */
function Secret({ description }: { readonly description: KeyDescription }) {
  const isShown = useSignal(false);
  return (
    <div class="stack">
      <div class="actions">
        <CopyKeyButtons {...description} />
        <Button kind="quiet" icon="eye" aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
          {isShown.value ? "Hide the key" : "Show the key"}
        </Button>
      </div>
      {isShown.value && <code class="secret">{description.key}</code>}
    </div>
  );
}

function Commands({ description, limit }: KeyProps) {
  const { id } = description;
  const name = keyName(id);
  return (
    <div class="actions">
      {limit !== undefined && limit.limit > 0 && (
        <>
          <Button
            needsEditAccess
            disabled={limit.used >= limit.limit}
            onClick={() => void setUsed(id, limit.limit, `Each call with ${name} is a 429 now.`)}
          >
            Fill the limit
          </Button>
          <Button
            needsEditAccess
            disabled={limit.used === 0}
            onClick={() => void setUsed(id, 0, `The limit of ${name} starts again.`)}
          >
            Clear the limit
          </Button>
        </>
      )}
      <RevokeButton id={id} />
    </div>
  );
}
