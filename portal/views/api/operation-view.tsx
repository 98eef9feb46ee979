import { useSignal } from "@preact/signals";
import { HttpBadge } from "../../parts/badge.tsx";
import { Json } from "../../parts/code.tsx";
import { Page, Panel } from "../../parts/panel.tsx";
import { ResponseView } from "../../parts/response.tsx";
import { to } from "../../routes.ts";
import type { ServiceResponse } from "../../server/api.ts";
import type { Operation, ResponseDescription } from "./document.ts";
import { TryIt } from "./try-it.tsx";

/** One call: its form, and its possible answers. */
export function OperationView({ operation }: { readonly operation: Operation }) {
  const { path, summary, description, responses, assumptions } = operation;
  const real = useSignal<ServiceResponse | null>(null);
  return (
    <Page
      title={summary}
      lead={description.replaceAll("`", "")}
      above={
        <a class="small" href={to("api")}>
          API
        </a>
      }
    >
      <div class="grid">
        <Panel title={`GET ${path}`}>
          <TryIt operation={operation} response={real} />
        </Panel>
        <Panel title="Answers">
          <div class="stack">
            {real.value && (
              <div ref={show} class="stack">
                <ResponseView title="The answer" {...real.value} />
                <h3>Examples</h3>
              </div>
            )}
            {responses.map((response) => (
              <Answer key={response.status} {...response} isOpen={!real.value && response === responses[0]} />
            ))}
            {assumptions.length > 0 && (
              <details>
                <summary>Rests on {assumptions.length} assumptions</summary>
                <ul class="assumed">
                  {assumptions.map((one) => (
                    <li key={one}>
                      <a href={to("assumptions", one)}>{one}</a>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </div>
        </Panel>
      </div>
    </Page>
  );
}

function show(answer: HTMLElement | null): void {
  answer?.querySelector("h3")?.scrollIntoView({ block: "nearest" });
}

function Answer({ isOpen, ...response }: ResponseDescription & { readonly isOpen: boolean }) {
  const { status, description, headers, examples } = response;
  return (
    <details open={isOpen}>
      <summary>
        <HttpBadge status={Number(status) || null} connection={status} /> {description}
      </summary>
      <div class="stack">
        {headers.length > 0 && (
          <p class="small muted">
            Headers:{" "}
            {headers.map((name, at) => (
              <span key={name}>
                {at > 0 && ", "}
                <code>{name}</code>
              </span>
            ))}
          </p>
        )}
        {examples.map(({ name, title, value }) => (
          <div key={name}>
            <h3>{title}</h3>
            <Json value={value} label={`${status}: ${title}`} />
          </div>
        ))}
        {examples.length === 0 && <p class="small muted">No body.</p>}
      </div>
    </details>
  );
}
