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

/** Notices above the view: no connection, view-only access, or a link that was created at another time. */
export function Notices() {
  return (
    <>
      {connection.value === "unreachable" && (
        <Notice variant="bad" role="alert" actions={<Button onClick={requestPulse}>Try again</Button>}>
          <strong>{problem.value?.message}</strong> Showing the last known data. The page reconnects automatically.
        </Notice>
      )}
      {!canEdit.value && <Notice>You have view-only access.</Notice>}
      <LinkInstant />
    </>
  );
}

/**
 * A link may have the instant of the clock when it was created. If the open item has changed between that and the
 * current instant, the reader decides whether to set the clock.
 */
function LinkInstant() {
  const linkInstant = Date.parse(route.value.query.get("at") ?? "");
  const isReady = !Number.isNaN(linkInstant) && now.value > 0;
  const change = useResource(
    async (signal) => {
      const [first, last] = [Math.min(linkInstant, now.peek()), Math.max(linkInstant, now.peek())];
      if (!isReady) return null;
      const between = { from: new Date(first + 1).toISOString(), to: new Date(last).toISOString() };
      const query = { ...filterOf(route.peek()), ...between, limit: 1 };
      const changes = last - first < 1000 ? [] : await list("getTimeline", { query, signal });
      if (changes.length === 0) dismiss();
      return changes[0] ?? null;
    },
    [linkInstant, isReady, currentPage()],
    { trigger: noTrigger },
  );
  if (!isReady || change.isLoading || !change.data) return null;
  return (
    <Notice
      actions={
        <>
          <Button needsEditAccess onClick={() => void setClock(linkInstant).then(dismiss)}>
            Set clock
          </Button>
          <Button kind="quiet" onClick={dismiss}>
            Dismiss
          </Button>
        </>
      }
    >
      This link was created at {formatInstant(linkInstant)} UTC. The clock now shows another time.
    </Notice>
  );
}

function dismiss(): void {
  setQuery({ at: null });
}

export function NoEnvironment() {
  const lead = `“${route.value.environment}” was deleted, or never existed.`;
  return (
    <Page title="Environment not found" lead={lead}>
      <p>
        Open <a href={to("overview", null, {}, "default")}>default</a>, or choose from{" "}
        <a href={to("environments", null, {}, "default")}>all environments</a>.
      </p>
    </Page>
  );
}

export function TokenForm() {
  const text = useSignal("");
  // While the sandbox checks a token, there is no problem yet.
  const isWrong = token.value !== "" && problem.value !== null;
  useEffect(() => () => void requestAnimationFrame(focusHeading), []);

  function open(): void {
    token.value = text.value.trim();
    requestPulse();
  }

  return (
    <main id="main" class="narrow">
      <Page title="Token required" lead="The admin token of the sandbox opens this page.">
        <Form class="panel" submitLabel="Open" isDisabled={text.value.trim() === ""} onSend={open}>
          <Field
            label="Admin token"
            type="password"
            value={text.value}
            onChange={(value) => (text.value = value)}
            error={isWrong ? "This token was not accepted." : null}
            hint="Stored until the tab closes, and sent only to this sandbox."
          />
          <p class="muted">
            The terminal that started the sandbox shows a link with the token; press <kbd>p</kbd> there to open it.{" "}
            <code>{"offering-sandbox portal --token <token>"}</code> prints that link too.
          </p>
        </Form>
      </Page>
    </main>
  );
}
