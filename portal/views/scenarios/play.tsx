import { useSignal } from "@preact/signals";
import type { RunDescription } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { Button } from "../../parts/button.tsx";
import { Select } from "../../parts/field.tsx";
import { Notice, Panel } from "../../parts/panel.tsx";
import { InvestmentName } from "../../parts/values.tsx";
import { to, toRun, useParameter } from "../../routes.ts";
import { environment } from "../../server/state.ts";
import { mayChange } from "../../server/token.ts";

interface PlayProps {
  /** The name of a scenario, or its text. */
  readonly scenario: string;
  /** The scenario's own investment, in words. */
  readonly subject: string;
}

/** The form to play a scenario on its own subject; on another investment, it is played from that investment's page. */
export function Play({ scenario, subject }: PlayProps) {
  const [offeringId, chooseOffering] = useParameter("offering_id");
  const result = useSignal<RunDescription | string | null>(null);
  const offerings = environment.data?.offerings ?? [];
  if (!mayChange.value) return null;

  async function play(): Promise<void> {
    const body = { scenario, offering_id: offeringId || undefined };
    const fail = ({ message }: Error): void => void (result.value = message);
    const run = await command(() => call("playScenario", { body }), undefined, fail);
    if (run) result.value = run;
  }

  return (
    <Panel title="Play it">
      <div class="stack">
        <p>
          On {subject}. <a href={to("investments")}>Open an investment</a> to play it on that one.
        </p>
        <Select
          label="Offering"
          value={offeringId}
          onChange={chooseOffering}
          options={[
            ["", "As the scenario says"],
            ...offerings.map(({ id, alias, name }) => [alias ?? id, name] as const),
          ]}
        />
        <div>
          <div class="actions">
            <Button kind="primary" icon="play" onClick={() => void play()} aria-describedby="play-hint">
              Play
            </Button>
            <small id="play-hint" class="muted">
              Its steps happen as the clock moves.
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
          on{" "}
          <a href={to("investments", investmentId)}>
            <InvestmentName id={investmentId} />
          </a>
        </>
      )}
      .
    </Notice>
  );
}
