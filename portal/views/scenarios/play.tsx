import { useSignal } from "@preact/signals";
import type { InvestmentSummary, RunDescription } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { count, money } from "../../format.ts";
import { StatusBadge } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { Search, Select } from "../../parts/field.tsx";
import { Notice, Panel, Waiting } from "../../parts/panel.tsx";
import { Id } from "../../parts/values.tsx";
import { useResource } from "../../server/use-resource.ts";
import { to, toRun, useParameter } from "../../routes.ts";
import { environment } from "../../server/state.ts";

interface PlayProps {
  /** The name of a scenario, or its text. */
  readonly scenario: string;
  /** The scenario's own investment, in words. */
  readonly subject: string;
}

/** Plays a scenario on its own investment or on another; the choice is part of the address. */
export function Play({ scenario, subject }: PlayProps) {
  const [investmentId, choose] = useParameter("investment_id");
  const [offeringId, chooseOffering] = useParameter("offering_id");
  const [on, setOn] = useParameter("on", investmentId === "" ? "own" : "investment");
  const result = useSignal<RunDescription | string | null>(null);
  const isOnOwn = on === "own";
  const chosen = useInvestment(isOnOwn ? "" : investmentId);
  const offerings = environment.data?.offerings ?? [];

  async function play(): Promise<void> {
    const subjectIds = isOnOwn
      ? { offering_id: offeringId || undefined }
      : { investment_id: investmentId, offering_id: chosen?.offering_id };
    const fail = ({ message }: Error): void => void (result.value = message);
    const run = await command(() => call("playScenario", { body: { scenario, ...subjectIds } }), undefined, fail);
    if (run) result.value = run;
  }

  return (
    <Panel title="Play it">
      <div class="stack">
        <fieldset class="choice">
          <legend>On</legend>
          <label>
            <input type="radio" name="on" checked={isOnOwn} onChange={() => setOn("own")} />
            <span>
              As the scenario says<small class="muted">{subject}</small>
            </span>
          </label>
          <label>
            <input type="radio" name="on" checked={!isOnOwn} onChange={() => setOn("investment")} />
            <span>An investment that is there</span>
          </label>
        </fieldset>
        <Select
          label={isOnOwn ? "Offering" : "Search in"}
          value={offeringId}
          onChange={chooseOffering}
          options={[
            ["", isOnOwn ? "As the scenario says" : "All offerings"],
            ...offerings.map(({ id, alias, name }) => [alias ?? id, name] as const),
          ]}
        />
        {!isOnOwn &&
          (investmentId === "" ? (
            <InvestmentSearch offeringId={offeringId} onChoose={choose} />
          ) : (
            <p class="chosen">
              {chosen ? <Investment {...chosen} /> : <Id id={investmentId} />}
              <Button onClick={() => choose("")}>Choose another</Button>
            </p>
          ))}
        <div>
          <div class="actions">
            <Button
              kind="primary"
              icon="play"
              disabled={!isOnOwn && investmentId === ""}
              onClick={() => void play()}
              aria-describedby="play-hint"
            >
              Play
            </Button>
            <small id="play-hint" class="muted">
              {!isOnOwn && investmentId === "" ? "Choose an investment first." : "Its steps happen as the clock moves."}
            </small>
          </div>
          <div class="result" aria-live="polite">
            {result.value !== null && <Result result={result.value} />}
          </div>
        </div>
      </div>
    </Panel>
  );
}

function Result({ result }: { readonly result: RunDescription | string }) {
  if (typeof result === "string") return <Notice look="bad">{result}</Notice>;
  const { id, investment_ids, status } = result;
  const [investmentId] = investment_ids;
  return (
    <Notice look="good">
      <a href={toRun(id)}>{id}</a>{" "}
      {status === "finished" ? "has played" : status === "waiting" ? "plays, and waits for its next step" : "plays"}
      {investmentId !== undefined && (
        <>
          {" "}
          on <a href={to("investments", investmentId)}>investment {investmentId.slice(0, 8)}</a>
        </>
      )}
      .
    </Notice>
  );
}

/** An investment by its id or alias; a search finds it without an error where it is not there now. */
function useInvestment(reference: string): InvestmentSummary | undefined {
  const page = useResource(
    async (signal) => (reference === "" ? null : call("listInvestments", { query: { search: reference }, signal })),
    [reference],
  );
  return page.data?.data.find(({ id, alias }) => id === reference || alias === reference);
}

const maxCandidates = 6;

interface SearchProps {
  readonly offeringId: string;
  readonly onChoose: (id: string) => void;
}

function InvestmentSearch({ offeringId, onChoose }: SearchProps) {
  const search = useSignal("");
  const page = useResource(
    (signal) => {
      const query = {
        search: search.value,
        offering_id: offeringId,
        order: "-modify_date",
        limit: maxCandidates,
      } as const;
      return call("listInvestments", { query, signal });
    },
    [search.value, offeringId],
  );
  return (
    <div class="stack">
      <Search
        label="Search by number, name, e-mail, alias or id"
        value={search.value}
        onInput={(value) => (search.value = value)}
      />
      {page.data ? (
        <>
          <ul class="candidates">
            {page.data.data.map((investment) => (
              <li key={investment.id}>
                <Investment {...investment} />
                <Button aria-label={`Choose investment ${investment.number}`} onClick={() => onChoose(investment.id)}>
                  Choose
                </Button>
              </li>
            ))}
          </ul>
          <p class="muted small" role="status">
            {page.data.total === 0
              ? "No investment matches."
              : page.data.total > maxCandidates
                ? `${count(page.data.total, "investment")} match; these have changed last.`
                : `${count(page.data.total, "investment")} ${page.data.total === 1 ? "matches" : "match"}.`}
          </p>
        </>
      ) : (
        <Waiting problem={page.problem} />
      )}
    </div>
  );
}

function Investment({ number, investors, amount, status }: InvestmentSummary) {
  const names = investors.map(({ name }) => name).join(", ");
  return (
    <span class="candidate">
      <span>
        <span class="number">{number}</span> {names || "no investor"}
      </span>
      <small class="muted">
        <StatusBadge status={status} /> <span class="number">{money(amount)}</span>
      </small>
    </span>
  );
}
