import type { BehaviourCoverage, CoverageReport, RiskCoverage } from "../../../src/control.ts";
import { count, number, shortPath, timesOf } from "../../format.ts";
import { Badge, type Look } from "../../parts/badge.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Meter, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { to } from "../../routes.ts";
import { call } from "../../server/api.ts";
import { useCounts } from "../../server/use-resource.ts";
import { Button } from "../../parts/button.tsx";
import { command } from "../../server/commands.ts";
import { clientKey, keyName } from "../../server/names.ts";
import { environment } from "../../server/state.ts";
import { RevokeButton, setUsed } from "../keys/key-commands.tsx";

/** The operations and errors of the service that the clients of the environment have met, and how they reacted. */
export function Coverage() {
  const { data, problem } = useCounts((signal) => call("getCoverage", { signal }));
  return (
    <Page
      title="Coverage"
      lead={
        <>
          The operations and errors of the service that your client has met, and how it reacted. It shows what was
          answered, not what the client made of it.
          {data && <Meter value={data.met} max={data.of} label={`met ${data.met} of ${data.of}`} />}
        </>
      }
    >
      {data ? <Report {...data} /> : <Waiting problem={problem} />}
    </Page>
  );
}

function Report({ requests, undecided, behaviours, risks }: CoverageReport) {
  const groups = [...new Set(behaviours.map(({ group }) => group))];
  return (
    <>
      <p class="muted">
        {count(requests, "request")}
        {risks.length === 0 && ", no risk"}
        {undecided > 0 && `; ${count(undecided, "pair")} of which the second may be a reaction, or not`}. Beside what
        was not met is a line to copy into a test.
      </p>
      <div class="grid">
        {risks.length > 0 && (
          <Panel title={`Risks: ${risks.length}`}>
            <Rows rows={risks} look="bad" />
          </Panel>
        )}
        {groups.map((group) => (
          <Group key={group} title={group} all={behaviours.filter((one) => one.group === group)} />
        ))}
      </div>
    </>
  );
}

/** A group of behaviours; unmet ones are open, each with a way to meet it. */
function Group({ title, all }: { readonly title: string; readonly all: readonly BehaviourCoverage[] }) {
  const met = all.filter(({ first }) => first);
  return (
    <Panel
      title={title.charAt(0).toUpperCase() + title.slice(1)}
      actions={<span class="muted number">{`${met.length} of ${all.length}`}</span>}
    >
      <Rows rows={all.filter(({ first }) => !first)} />
      {met.length > 0 && (
        <details>
          <summary>{met.length} met</summary>
          <Rows rows={met} look="good" />
        </details>
      )}
    </Panel>
  );
}

type Row = Pick<BehaviourCoverage, "id" | "sentence" | "count"> & Partial<BehaviourCoverage & RiskCoverage>;

function Rows({ rows, look = "neutral" }: { readonly rows: readonly Row[]; readonly look?: Look }) {
  return (
    <ul class="rows">
      {rows.map(({ id, sentence, section, count: times, first, examples = first ? [first] : [], meet }) => (
        <li key={id}>
          <Badge look={look}>{times > 0 ? `${number(times)} ×` : "not met"}</Badge>
          <div>
            {sentence}
            <small class="muted">{section === undefined ? id : `${id}, section ${section}`}</small>
            {[...new Map(examples.map((one) => [one.request, one])).values()].map((last) => (
              <a
                key={last.id}
                class="path"
                href={to("journal", String(last.id), {}, last.environment)}
                title={last.request}
              >
                {timesOf(shortPath(last.request), examples.filter(({ request }) => request === last.request).length)}
              </a>
            ))}
            {!first && meet && <Preparation id={id} />}
          </div>
          {!first && meet && <Copy text={meet} subject={`The line that meets ${id}`} />}
        </li>
      ))}
    </ul>
  );
}

/** The button that prepares a behaviour for the next request, if one click can do it. */
function Preparation({ id }: { readonly id: string }) {
  const key = clientKey();
  const limit = environment.data?.rate_limit;
  const times = { "reactions.retried": 1, "reactions.backed-off": 2 }[id];
  if (times !== undefined) {
    const add = () => call("addFault", { body: { respond: { status: 503 }, times } });
    const run = () => void command(add, ({ words }) => `In force: ${words}.`);
    return (
      <Button changes class="small" onClick={run}>
        {`503, ${times} ×`}
      </Button>
    );
  }
  if (key && /revoked|stopped/.test(id)) return <RevokeButton id={key} />;
  if (!key || !limit || !/429|waited|came-back/.test(id)) return null;
  const fill = () => void setUsed(key, limit, `Each call with ${keyName(key)} is a 429 now.`);
  return (
    <Button changes class="small" onClick={fill}>
      429 now
    </Button>
  );
}
