import type { InvestmentRecord, KeyDescription, OfferingSummary, PreviewedResponse } from "../../../src/control.ts";
import { call } from "../../server/api.ts";
import { command } from "../../server/commands.ts";
import { activeKeys, keyName } from "../../server/names.ts";
import { Badge, HttpBadge, type Look } from "../../parts/badge.tsx";
import { Button } from "../../parts/button.tsx";
import { CodeBlock } from "../../parts/code.tsx";
import { Copy, copyText } from "../../parts/copy.tsx";
import { type Option, Select } from "../../parts/field.tsx";
import { Panel, Tabs, Waiting } from "../../parts/panel.tsx";
import { useResource } from "../../server/use-resource.ts";
import { useParameter } from "../../routes.ts";
import { asCurl, fromOrigin, indented } from "../../server/service-call.ts";
import { useShortcuts } from "../../shortcuts.ts";
import { aligned, type DocumentName, documents, type Group, heldDocument, type Mark } from "./documents.ts";
import { Value } from "./value.tsx";

interface ComparisonProps {
  readonly record: InvestmentRecord;
  readonly offering: OfferingSummary | undefined;
}

/** The record as the sandbox holds it, and as a key of each type reads it: the service's own bytes, member by member. */
export function Comparison({ record, offering }: ComparisonProps) {
  const [document, setName] = useParameter("document", "investment");
  const [only, setOnly] = useParameter("only");
  const name: DocumentName = document in documents ? (document as DocumentName) : "investment";
  const path = `/investments/${record.id}${documents[name].path}`;
  const stored = heldDocument(name, record, offering);
  const partner = useReading(path, "partner", record.offering_id);
  const marketing = useReading(path, "marketing", record.offering_id);
  const readings = [partner, marketing];
  const groups = aligned([stored, partner.document, marketing.document]);
  const isDone = readings.every(({ key, response }) => key === undefined || response !== undefined);
  const texts = [
    ["Partner", partner.response?.body],
    ["Marketing", marketing.response?.body],
    ["Held", JSON.stringify(stored, null, 2)],
  ] as const;
  useShortcuts([
    {
      key: "c",
      label: "Copy as curl",
      run: () => {
        const key = partner.key ?? marketing.key;
        if (key) void copyText(curlOf(path, key), "The call as curl");
      },
    },
  ]);

  return (
    <Panel
      title="As each key reads it"
      actions={<Select label="Members" value={only} onChange={setOnly} options={selections} />}
    >
      <div class="stack">
        <Tabs
          label="Document"
          value={name}
          onChange={setName}
          tabs={(Object.keys(documents) as DocumentName[]).map((one) => [one, documents[one].label])}
        />
        {!isDone && <Waiting problem={partner.problem ?? marketing.problem} />}
        <div class="table" role="region" aria-label="Comparison" tabIndex={0}>
          <table class="comparison">
            <caption class="unseen">
              The {documents[name].label.toLowerCase()} as held, and as read by each type of key
            </caption>
            <thead>
              <tr>
                <th scope="col">Member</th>
                <th scope="col">
                  Held
                  <small>nothing redacted</small>
                </th>
                {readings.map((reading) => (
                  <Heading key={reading.type} reading={reading} path={path} offeringId={record.offering_id} />
                ))}
              </tr>
            </thead>
            {groups.map((group) => (
              <GroupRows key={group.key} group={group} only={only} />
            ))}
          </table>
        </div>
        {isDone && groups.every(({ rows }) => rows.every((row) => !isSelected(row, only))) && (
          <p class="muted">{only === "keys" ? "Both keys read the same." : "No member differs."}</p>
        )}
        <details>
          <summary>Raw JSON</summary>
          <div class="raw">
            {texts.map(([column, text]) =>
              text === undefined ? null : (
                <div key={column} class="stack">
                  <h3>{column}</h3>
                  <CodeBlock text={text} label={`The raw JSON of ${column}`}>
                    {indented(text)}
                  </CodeBlock>
                </div>
              ),
            )}
          </div>
        </details>
      </div>
    </Panel>
  );
}

type KeyType = KeyDescription["type"];

const typeLabels: Readonly<Record<KeyType, string>> = { partner: "Partner", marketing: "Marketing" };

interface Reading {
  readonly type: KeyType;
  /** Undefined where no key of the type is active. */
  readonly key: KeyDescription | undefined;
  readonly response: PreviewedResponse | undefined;
  /** The body of a response with the status 200; undefined otherwise. */
  readonly document: unknown;
  readonly problem: ReturnType<typeof useResource>["problem"];
}

function useReading(path: string, type: KeyType, offeringId: string): Reading {
  const key = activeKeys(offeringId).find((one) => one.type === type);
  const id = key?.id;
  const resource = useResource(
    async () => (id === undefined ? null : call("preview", { body: { path, key_id: id } })),
    [path, id],
  );
  const response = id === undefined ? undefined : (resource.data ?? undefined);
  const document = response?.status === 200 ? parsed(response.body) : undefined;
  return { type, key, response, document, problem: resource.problem };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function curlOf(path: string, { key }: KeyDescription): string {
  return asCurl({ method: "GET", path: fromOrigin(path), secret: key });
}

interface HeadingProps {
  readonly reading: Reading;
  readonly path: string;
  readonly offeringId: string;
}

function Heading({ reading: { type, key, response }, path, offeringId }: HeadingProps) {
  const label = typeLabels[type];
  if (!key) {
    return (
      <th scope="col">
        {label}
        <small>no active key of this offering</small>
        <Button
          onClick={() =>
            void command(
              () => call("issueKey", { body: { type, offering_id: offeringId } }),
              `A ${label} key is issued.`,
            )
          }
        >
          Issue one
        </Button>
      </th>
    );
  }
  return (
    <th scope="col">
      <span class="reader">
        {label} {response && response.status !== 200 && <HttpBadge status={response.status} />}
        <span class="actions">
          {response && <Copy text={response.body} subject={`The JSON of ${label}`} />}
          <Copy text={curlOf(path, key)} label="curl" subject={`The call of ${label} as curl`} kind="quiet" />
        </span>
      </span>
      <small>{keyName(key.id)}</small>
      {response && response.status !== 200 && <small class="error">{titleIn(response.body)}</small>}
    </th>
  );
}

/** The words of an error's body, whatever its form. */
function titleIn(body: string): string {
  const text = /"(?:detail|title|message)":\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1];
  return text ?? body.slice(0, 200);
}

const selections: readonly Option[] = [
  ["", "All"],
  ["keys", "That differ between the keys"],
  ["differences", "That differ at all"],
];

function isSelected({ difference }: Group["rows"][number], only: string): boolean {
  return only === "" || (only === "keys" ? difference === "keys" : difference !== null);
}

const columnNames = ["Held", "Partner", "Marketing"] as const;

const looks: Readonly<Record<Exclude<Mark, "absent" | "redacted">, Look>> = {
  "only here": "neutral",
  "other value": "warning",
};

function GroupRows({ group: { title, rows }, only }: { readonly group: Group; readonly only: string }) {
  const visible = rows.filter((row) => isSelected(row, only));
  if (visible.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={4}>
          {title}
        </th>
      </tr>
      {visible.map((row) => (
        <tr key={row.member} class={row.difference === "keys" ? "differs" : undefined}>
          <th scope="row">{row.member}</th>
          {row.cells.map(({ value, mark }, at) => (
            <td
              key={at}
              data-column={columnNames[at]}
              class={mark === null || mark === "absent" ? undefined : "marked"}
            >
              {mark === "absent" ? (
                <span class="muted">absent</span>
              ) : (
                <>
                  <Value value={value} />
                  {mark !== null && mark !== "redacted" && <Badge look={looks[mark]}>{mark}</Badge>}
                </>
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
