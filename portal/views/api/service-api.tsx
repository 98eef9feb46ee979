import { useSignal } from "@preact/signals";
import { formatCount } from "../../base/format.ts";
import { HttpBadge } from "../../components/badge.tsx";
import { CodeBlock, ResponseView } from "../../components/code.tsx";
import { Facts } from "../../components/detail.tsx";
import { Empty, Notice, Page, Panel, Loading } from "../../components/panel.tsx";
import { DataTable } from "../../components/table.tsx";
import { environmentId, route, to } from "../../base/routes.ts";
import { getServiceDocument, type ServiceResponse } from "../../data/api.ts";
import { useResource } from "../../data/use-resource.ts";
import { type Operation, operationsOf, type ResponseDescription } from "./document.ts";
import { TryIt } from "./try-it.tsx";

/** The service's API, as its document describes it. */
export function ServiceApi() {
  const document = useResource(getServiceDocument);
  const { id } = route.value;
  if (!document.data) {
    return (
      <Page title="API">
        <Loading for={document} />
      </Page>
    );
  }
  const operations = operationsOf(document.data);
  const operation = operations.find((candidate) => candidate.id === id);
  if (operation) return <OperationView key={operation.id} operation={operation} />;
  return (
    <Page title="API" lead="The service is read-only: five operations, each with a key.">
      {id !== null && <Notice variant="warning">There is no operation “{id}”.</Notice>}
      <Panel title="Operations" class="clickable">
        <DataTable
          label="Operations"
          rows={operations}
          keyOf={(listed) => listed.id}
          hrefOf={(listed) => to("api", listed.id)}
          columns={[
            { name: "Operation", cell: ({ summary }) => summary },
            { name: "Path", isMinor: true, cell: (listed) => <code>GET {listed.path}</code> },
          ]}
          empty={<Empty title="No operations." />}
        />
      </Panel>
      <Documents />
    </Page>
  );
}

function Documents() {
  return (
    <Panel title="OpenAPI documents">
      <Facts
        facts={[
          ["Base address", <code>{location.origin}/api/v1</code>],
          [
            "The service",
            <>
              <a href="/openapi.json">openapi.json</a>: OpenAPI 3.1 for Postman, Bruno, Scalar and client generators
              {environmentId.value !== "default" && ", with the assumptions of the environment default"}
            </>,
          ],
          [
            "The admin API",
            <>
              <a href="/__admin/openapi.json">__admin/openapi.json</a>: everything that this page does
            </>,
          ],
        ]}
      />
    </Panel>
  );
}

/** One operation: its form, its responses, and the assumptions on which they depend. */
function OperationView({ operation }: { readonly operation: Operation }) {
  const { path, summary, description, responses, assumptions } = operation;
  const received = useSignal<ServiceResponse | null>(null);
  return (
    <Page title={summary} lead={description.replaceAll("`", "")} above="api">
      <div class="grid">
        <Panel title={`GET ${path}`} class="alongside">
          <TryIt operation={operation} response={received} />
        </Panel>
        <Panel title="Responses">
          <div class="stack">
            {received.value && (
              <div ref={scrollToResponse} class="stack">
                <ResponseView title="Response" {...received.value} />
                <h3>Examples</h3>
              </div>
            )}
            {responses.map((response) => (
              <ResponseExamples
                key={response.status}
                {...response}
                isOpen={!received.value && response === responses[0]}
              />
            ))}
            {assumptions.length > 0 && (
              <details>
                <summary>Depends on {formatCount(assumptions.length, "assumption")}</summary>
                <ul class="assumed">
                  {assumptions.map((assumption) => (
                    <li key={assumption}>
                      <a href={to("assumptions", assumption)}>{assumption}</a>
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

function scrollToResponse(response: HTMLElement | null): void {
  response?.querySelector("h3")?.scrollIntoView({ block: "nearest" });
}

function ResponseExamples({ isOpen, ...response }: ResponseDescription & { readonly isOpen: boolean }) {
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
            {headers.map((name, index) => (
              <span key={name}>
                {index > 0 && ", "}
                <code>{name}</code>
              </span>
            ))}
          </p>
        )}
        {examples.map(({ name, title, value }) => (
          <div key={name}>
            <h3>{title}</h3>
            <CodeBlock text={JSON.stringify(value, null, 2)} label={`${status}: ${title}`} />
          </div>
        ))}
        {examples.length === 0 && <p class="small muted">No body.</p>}
      </div>
    </details>
  );
}
