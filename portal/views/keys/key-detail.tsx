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

interface KeyDetailProps {
  readonly id: string;
  readonly limit: LoadedLimit | undefined;
}

/** A key, next to the list. */
export function KeyDetail({ id, limit }: KeyDetailProps) {
  const key = keyOf(id);
  return (
    <Detail title={keyName(id)} view="keys">
      {key && (
        <div class="stack">
          <KeyFacts description={key} limit={limit} />
          <Secret description={key} />
          {key.status !== "revoked" && (
            <div class="actions">
              {limit !== undefined && limit.limit > 0 && <LimitButtons {...limit} />}
              <RevokeButton id={id} />
            </div>
          )}
        </div>
      )}
      {!key && environment.data && (
        <Empty title="There is no such key.">
          <p>It belongs to another environment, or the clock is before the instant of its issue.</p>
          <a href={to("keys")}>All keys</a>
        </Empty>
      )}
    </Detail>
  );
}

interface KeyProps {
  readonly description: KeyDescription;
}

function KeyFacts({ description, limit }: KeyProps & Pick<KeyDetailProps, "limit">) {
  const { id, alias, type, offering_id, effect, status, create_date, revoke_date } = description;
  const requestCount = journal.value.filter(({ key_id }) => key_id === id).length;
  const isActive = status !== "revoked";
  return (
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
          <a href={to("journal", null, { key: id })}>{formatCount(requestCount, "request")} in the journal</a>,
        ],
      ]}
    />
  );
}

/** The secret of the key, shown on request. */
function Secret({ description }: KeyProps) {
  const isShown = useSignal(false);
  return (
    <div class="stack">
      <div class="actions">
        {/* As an element, it would lose its member `key`. */}
        {CopyKeyButtons(description)}
        <Button kind="quiet" icon="eye" aria-expanded={isShown.value} onClick={() => (isShown.value = !isShown.value)}>
          {isShown.value ? "Hide key" : "Show key"}
        </Button>
      </div>
      {isShown.value && <code class="secret">{description.key}</code>}
    </div>
  );
}

function LimitButtons({ key_id: id, limit, used }: LoadedLimit) {
  return (
    <>
      <Button
        needsEditAccess
        disabled={used >= limit}
        onClick={() => void setUsed(id, limit, `Limit of ${keyName(id)} filled.`)}
      >
        Fill limit
      </Button>
      <Button
        needsEditAccess
        disabled={used === 0}
        onClick={() => void setUsed(id, 0, `Limit of ${keyName(id)} cleared.`)}
      >
        Clear limit
      </Button>
    </>
  );
}
