import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { list } from "./data/api.ts";
import { focusHeading } from "./base/focus.ts";
import { instant } from "./base/format.ts";
import { Button } from "./components/button.tsx";
import { Field } from "./components/field.tsx";
import { Form } from "./components/form.tsx";
import { Notice, Page } from "./components/panel.tsx";
import { page, route, setQuery, to } from "./base/routes.ts";
import { never, useResource } from "./data/use-resource.ts";
import { connection, now, problem, pulse } from "./data/state.ts";
import { mayChange, token } from "./base/token.ts";
import { setClock } from "./clock/moves.ts";
import { filterOf } from "./clock/subject.ts";

/** Notices above the view: no connection, no such environment, or a link made at another time. */
export function Notices() {
  if (connection.value === "missing") return <NoEnvironment />;
  return (
    <>
      {connection.value === "unreachable" && (
        <Notice look="bad" role="alert" actions={<Button onClick={pulse}>Try again</Button>}>
          <strong>{problem.value?.message}</strong> This page shows what it knew last and goes on by itself when the
          sandbox is back.
        </Notice>
      )}
      {!mayChange.value && <Notice>You have view-only access.</Notice>}
      <OtherTime />
    </>
  );
}

/**
 * A link may name the instant that its sender saw. If what is open has changed between that and the clock's, the reader
 * decides whether to set it.
 */
function OtherTime() {
  const at = Date.parse(route.value.query.get("at") ?? "");
  const isReady = !Number.isNaN(at) && now.value > 0;
  const change = useResource(
    async (aborted) => {
      const [first, last] = [Math.min(at, now.peek()), Math.max(at, now.peek())];
      if (!isReady) return null;
      const between = { from: new Date(first + 1).toISOString(), to: new Date(last).toISOString() };
      const query = { ...filterOf(route.peek()), ...between, limit: 1 };
      const found = last - first < 1000 ? [] : await list("getTimeline", { query, signal: aborted });
      if (found.length === 0) stay();
      return found[0] ?? null;
    },
    [at, isReady, page()],
    { on: never },
  );
  if (!isReady || change.loading || !change.data) return null;
  return (
    <Notice
      actions={
        <>
          <Button changes onClick={() => void setClock(at).then(stay)}>
            Set the clock there
          </Button>
          <Button kind="quiet" onClick={stay}>
            {mayChange.value ? "Stay" : "Close"}
          </Button>
        </>
      }
    >
      This link is about {instant(at)} UTC, another time than the clock's.
    </Notice>
  );
}

function stay(): void {
  setQuery({ at: null });
}

function NoEnvironment() {
  const lead = `“${route.value.environment}” is not open: it was deleted, or never existed.`;
  return (
    <Page title="There is no such environment" lead={lead}>
      <p>
        Go to <a href={to("overview", null, {}, "default")}>default</a>, or choose one of{" "}
        <a href={to("environments", null, {}, "default")}>all that are open</a>.
      </p>
    </Page>
  );
}

export function TokenForm() {
  const text = useSignal("");
  // While a token is being tried, there is not yet a problem.
  const isWrong = token.value !== "" && problem.value !== null;
  useEffect(() => () => void requestAnimationFrame(focusHeading), []);

  function open(): void {
    token.value = text.value.trim();
    pulse();
  }

  return (
    <main id="main" class="narrow">
      <Page title="This sandbox asks for a token" lead="Its admin token opens this page.">
        <Form class="panel" submitLabel="Open" isDisabled={text.value.trim() === ""} onSend={open}>
          <Field
            label="Admin token"
            type="password"
            value={text.value}
            onChange={(value) => (text.value = value)}
            error={isWrong ? "This token was not accepted." : null}
            hint="It stays in this tab and is sent nowhere else."
          />
          <p class="muted">
            The terminal that started the sandbox shows a link with the token in it; press <kbd>p</kbd> there to open
            it. <code>{"offering-sandbox portal --token <token>"}</code> prints that link too.
          </p>
        </Form>
      </Page>
    </main>
  );
}
