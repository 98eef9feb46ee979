import type { BehaviorCoverage, CoverageExample, CoverageReport, RiskCoverage } from "../../../src/public/control.ts";
import { formatCount, formatNumber, shortenPath } from "../../base/format.ts";
import { Badge, type Variant } from "../../components/badge.tsx";
import { Copy } from "../../components/copy.tsx";
import { Empty, Meter, Page, Panel, Loading } from "../../components/panel.tsx";
import { to } from "../../base/routes.ts";
import { call } from "../../data/api.ts";
import { newestRequest, useResource } from "../../data/use-resource.ts";
import { Button } from "../../components/button.tsx";
import { command } from "../../data/commands.ts";
import { clientKey, keyName } from "../../data/names.ts";
import { environment } from "../../data/state.ts";
import { RevokeButton, setUsed } from "../../shared/key-commands.tsx";

/** The operations and errors of the service that the clients of the environment have covered, and how they reacted. */
export function Coverage() {
  const coverage = useResource((signal) => call("getCoverage", { signal }), [], { trigger: newestRequest });
  const { data } = coverage;
  return (
    <Page
      title="Coverage"
      lead={
        data && (
          <>
            <Meter value={data.covered} max={data.total} label={`${data.covered} of ${data.total} covered`} /> in{" "}
            {formatCount(data.requests, "request")}
            {data.risks.length === 0 && ", no risk"}
            {data.undecided > 0 &&
              `; ${formatCount(data.undecided, "pair")} in which the second request may be a reaction`}
          </>
        )
      }
    >
      {data ? <Report {...data} /> : <Loading for={coverage} />}
    </Page>
  );
}

/** Risks first, then the covered behaviors; those that are not covered are folded, each with a way to cover it. */
function Report({ behaviors, risks }: CoverageReport) {
  const covered = behaviors.filter(({ first }) => first);
  const uncovered = behaviors.filter(({ first }) => !first);
  return (
    <>
      {risks.length > 0 && (
        <Panel title={`Risks: ${risks.length}`}>
          <Rows rows={risks} variant="bad" />
        </Panel>
      )}
      <Panel title="Covered" actions={<span class="small muted">Requests from this page do not count.</span>}>
        <Rows rows={covered} variant="good" />
        {covered.length === 0 && (
          <Empty title="No covered behaviors.">
            <a href={to("overview")}>Connect your client</a>
          </Empty>
        )}
        {uncovered.length > 0 && (
          <details>
            <summary>{uncovered.length} not covered</summary>
            <Rows rows={uncovered} />
          </details>
        )}
      </Panel>
    </>
  );
}

type Row = Pick<BehaviorCoverage, "id" | "sentence" | "count"> & Partial<BehaviorCoverage & RiskCoverage>;

function Rows({ rows, variant = "neutral" }: { readonly rows: readonly Row[]; readonly variant?: Variant }) {
  return (
    <ul class="rows covered">
      {rows.map(({ id, sentence, section, count: times, first, examples = first ? [first] : [], snippet }) => (
        <li key={id}>
          <Badge variant={variant}>{times > 0 ? `${formatNumber(times)} ×` : "not covered"}</Badge>
          <span>{sentence}</span>
          <small class="muted">{section === undefined ? id : `${id}, section ${section}`}</small>
          <span class="actions">
            {/* Pages of a list, and reloads of a page, share a link. */}
            {[...new Map(examples.map((example) => [pathOf(example), example]))].map(([path, example]) => (
              <a key={path} class="path" href={to("journal", String(example.id), {}, example.environment)}>
                {shortenPath(path)}
              </a>
            ))}
            {!first && snippet && (
              <>
                <PrepareButton id={id} />
                <Copy text={snippet} subject={`Snippet for ${id}`} />
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** `GET /investments`, without the query. */
function pathOf({ request }: CoverageExample): string {
  return request.replace(/\?.*/, "");
}

/** The button that prepares a behavior for the next request, if one click can do so. */
function PrepareButton({ id }: { readonly id: string }) {
  const key = clientKey();
  const limit = environment.data?.rate_limit;
  const times = { "reactions.retried": 1, "reactions.backed-off": 2 }[id];
  if (times !== undefined) {
    const add = () => call("addFault", { body: { respond: { status: 503 }, times } });
    const run = () => void command(add, ({ summary }) => `Active: ${summary}.`);
    return (
      <Button needsEditAccess class="small" onClick={run}>
        {`503, ${times} ×`}
      </Button>
    );
  }
  if (key && /revoked|stopped/.test(id)) return <RevokeButton id={key} />;
  if (!key || !limit || !/429|waited|came-back/.test(id)) return null;
  const fill = () => void setUsed(key, limit, `Limit of ${keyName(key)} filled.`);
  return (
    <Button needsEditAccess class="small" onClick={fill}>
      429 now
    </Button>
  );
}
