import { getServiceDocument } from "../../server/api.ts";
import { Facts } from "../../parts/detail.tsx";
import { Empty, Notice, Page, Panel, Waiting } from "../../parts/panel.tsx";
import { DataTable } from "../../parts/table.tsx";
import { useResource } from "../../server/use-resource.ts";
import { environmentId, route, to } from "../../routes.ts";
import { operationsOf } from "./document.ts";
import { OperationView } from "./operation-view.tsx";

/** The service's API, as its document describes it. */
export function ServiceApi() {
  const document = useResource(getServiceDocument);
  const { id } = route.value;
  if (!document.data) {
    return (
      <Page title="API">
        <Waiting problem={document.problem} />
      </Page>
    );
  }
  const operations = operationsOf(document.data);
  const operation = operations.find((one) => one.id === id);
  if (operation) return <OperationView key={operation.id} operation={operation} />;
  return (
    <Page
      title="API"
      lead="The service is read-only: five calls, each with a key. Choose one to see its answers and to try it."
    >
      {id !== null && <Notice look="warning">There is no call “{id}”. Choose one of these.</Notice>}
      <Panel title="Calls" class="pressable">
        <DataTable
          label="Calls"
          rows={operations}
          keyOf={(one) => one.id}
          hrefOf={(one) => to("api", one.id)}
          columns={[
            {
              name: "Call",
              cell: ({ summary, path }) => (
                <>
                  {summary} <code class="compact muted">GET {path}</code>
                </>
              ),
            },
            { name: "Path", isMinor: true, cell: (one) => <code>GET {one.path}</code> },
          ]}
          empty={<Empty title="The document describes no call." />}
        />
      </Panel>
      <Documents />
    </Page>
  );
}

function Documents() {
  return (
    <Panel title="For other tools">
      <Facts
        facts={[
          ["Base address", <code>{location.origin}/api/v1</code>],
          [
            "The service",
            <>
              <a href="/openapi.json">{location.origin}/openapi.json</a>: OpenAPI 3.1 for Postman, Bruno, Scalar and
              generators of clients
              {environmentId.value !== "default" && ", by the assumptions of the environment default"}
            </>,
          ],
          [
            "The admin API",
            <>
              <a href="/__admin/openapi.json">{location.origin}/__admin/openapi.json</a>: everything that this page does
            </>,
          ],
        ]}
      />
    </Panel>
  );
}
