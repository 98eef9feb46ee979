import { type Signal, useSignal } from "@preact/signals";
import type { KeyDescription } from "../../../src/public/control.ts";
import type { ParameterObject } from "../../../src/openapi/openapi-types.ts";
import { callService, list, type ServiceResponse } from "../../data/api.ts";
import { activeKeys, keyName, offeringName } from "../../data/names.ts";
import { Button } from "../../components/button.tsx";
import { CodeBlock } from "../../components/code.tsx";
import { copyText } from "../../components/copy.tsx";
import { Field, Select } from "../../components/field.tsx";
import { Form, useForm } from "../../components/form.tsx";
import { useResource } from "../../data/use-resource.ts";
import { route, setQuery, to } from "../../base/routes.ts";
import { formatCurl, formatFetch, fromOrigin } from "../../data/service-call.ts";
import { useShortcuts } from "../../base/keys.ts";
import { environment } from "../../data/state.ts";
import type { Operation } from "./document.ts";

const noKey = "none";

interface TryItProps {
  readonly operation: Operation;
  /** The response to the request; null before one was sent. */
  readonly response: Signal<ServiceResponse | null>;
}

/** A form that sends a request, as a client does. The address of the page has the values of the form. */
export function TryIt({ operation, response }: TryItProps) {
  const { path, parameters } = operation;
  const isOfOffering = path.startsWith("/offerings");
  const form = useForm([]);
  const values = useSignal<Readonly<Record<string, string>>>(Object.fromEntries(route.value.query));

  const keys = environment.data?.keys ?? [];
  const keyId = values.value["key"] ?? activeKeys()[0]?.id ?? noKey;
  const key = keys.find(({ id }) => id === keyId);
  const offering = key?.offering_id ?? environment.data?.offerings[0]?.id;
  const investmentIds = useResource(
    async (signal) => {
      if (isOfOffering || offering === undefined) return [];
      const investments = await list("listInvestments", { query: { offering_id: offering, limit: 20 }, signal });
      return investments.map(({ id }) => id);
    },
    [offering, isOfOffering],
  );
  const ids = isOfOffering ? (environment.data?.offerings.map(({ id }) => id) ?? []) : (investmentIds.data ?? []);

  /** Returns the typed value; for an id that was not typed, that of a resource that the key can read. */
  function valueOf(parameter: ParameterObject): string {
    return values.value[parameter.name] ?? (isInPath(parameter) ? ((isOfOffering ? offering : ids[0]) ?? "") : "");
  }
  function change(name: string, value: string): void {
    values.value = { ...values.value, [name]: value };
  }

  const address = addressOf(path, parameters, valueOf);
  const request = { method: "GET", path: fromOrigin(address), secret: key?.key ?? null };
  const copyCurl = (): void => void copyText(formatCurl(request), "Request as curl");
  useShortcuts([{ key: "c", label: "Copy request as curl", run: copyCurl }]);

  function send(): void {
    setQuery({ ...values.value, key: keyId });
    response.value = null;
    void form.send(
      () => callService(address, request.secret),
      undefined,
      (serviceResponse) => (response.value = serviceResponse),
    );
  }

  return (
    <div class="stack">
      <Form
        form={form}
        submitLabel="Send"
        onSend={send}
        extra={
          <>
            <Button onClick={copyCurl}>Copy as curl</Button>
            <Button onClick={() => void copyText(formatFetch(request), "Request as fetch")}>Copy as fetch</Button>
          </>
        }
      >
        <Select
          label="Key"
          value={key ? keyId : noKey}
          onChange={(value) => change("key", value)}
          options={[...keys.map((option) => [option.id, formatKey(option)] as const), [noKey, "No key"]]}
        />
        <div class={parameters.every(isInPath) ? undefined : "fields"}>
          {parameters.map((parameter) => (
            <Field
              key={parameter.name}
              label={parameter.name}
              value={valueOf(parameter)}
              onChange={(value) => change(parameter.name, value)}
              hint={parameter.description}
              placeholder={isInPath(parameter) ? undefined : String(parameter.example ?? "")}
              suggestions={isInPath(parameter) ? ids : undefined}
            />
          ))}
        </div>
        <CodeBlock text={request.path} label="Path" />
        <p class="small muted">
          A real request: it counts against the key's limit, faults apply to it, and it is in{" "}
          <a href={to("journal")}>the journal</a>.
        </p>
      </Form>
    </div>
  );
}

function formatKey({ id, type, offering_id, status }: KeyDescription): string {
  const label = `${keyName(id)}: ${type}, ${offeringName(offering_id)}`;
  return status === "active" ? label : `${label}, ${status}`;
}

/** Returns the target of the request. Brackets in names stay readable; the server accepts both forms. */
function addressOf(
  path: string,
  parameters: readonly ParameterObject[],
  valueOf: (parameter: ParameterObject) => string,
): string {
  const query = parameters
    .filter((parameter) => !isInPath(parameter) && valueOf(parameter) !== "")
    .map((parameter) => `${parameter.name}=${encodeURIComponent(valueOf(parameter))}`);
  const target = parameters
    .filter(isInPath)
    .reduce(
      (filled, parameter) => filled.replace(`{${parameter.name}}`, () => encodeURIComponent(valueOf(parameter))),
      path,
    );
  return query.length > 0 ? `${target}?${query.join("&")}` : target;
}

function isInPath(parameter: ParameterObject): boolean {
  return parameter.in === "path";
}
