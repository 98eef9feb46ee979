import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { list } from "./data/api.ts";
import { focusHeading } from "./base/focus.ts";
import { formatInstant } from "./base/format.ts";
import { Button } from "./components/button.tsx";
import { Field } from "./components/field.tsx";
import { Form } from "./components/form.tsx";
import { Notice, Page } from "./components/panel.tsx";
import { currentPage, route, setQuery, to } from "./base/routes.ts";
import { noTrigger, useResource } from "./data/use-resource.ts";
import { connection, now, problem, requestPulse } from "./data/state.ts";
import { canEdit, token } from "./base/token.ts";
import { setClock } from "./clock/moves.ts";
import { filterOf } from "./clock/subject.ts";

/** Notices above the view: no connection, no such environment, or a link made at another time. */
export function Notices() {
  if (connection.value === "missing") return <NoEnvironment />;
  return (
    <>
      {connection.value === "unreachable" && (
        <Notice variant="bad" role="alert" actions={<Button onClick={requestPulse}>Try again</Button>}>
          <strong>{problem.value?.message}</strong> This page shows what it knew last and goes on by itself when the
          sandbox is back.
        </Notice>
      )}
      {!canEdit.value && <Notice>You have view-only access.</Notice>}
      <LinkInstant />
    </>
  );
}

/**
 * A link may name the instant that its sender saw. If what is open has changed between that and the clock's, the reader
 * decides whether to set it.
 */
function LinkInstant() {
  const at = Date.parse(route.value.query.get("at") ?? "");
  const isReady = !Number.isNaN(at) && now.value > 0;
  const change = useResource(
    async (aborted) => {
      const [first, last] = [Math.min(at, now.peek()), Math.max(at, now.peek())];
      if (!isReady) return null;
      const between = { from: new Date(first + 1).toISOString(), to: new Date(last).toISOString() };
      const query = { ...filterOf(route.peek()), ...between, limit: 1 };
      const found = last - first < 1000 ? [] : await list("getTimeline", { query, signal: aborted });
      if (found.length === 0) dismiss();
      return found[0] ?? null;
    },
    [at, isReady, currentPage()],
    { trigger: noTrigger },
  );
  if (!isReady || change.isLoading || !change.data) return null;
  return (
    <Notice
      actions={
        <>
          <Button needsEditAccess onClick={() => void setClock(at).then(dismiss)}>
            Set the clock there
          </Button>
          <Button kind="quiet" onClick={dismiss}>
            {canEdit.value ? "Stay" : "Close"}
          </Button>
        </>
      }
    >
      This link is about {formatInstant(at)} UTC, another time than the clock's.
    </Notice>
  );
}

function dismiss(): void {
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
    requestPulse();
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
