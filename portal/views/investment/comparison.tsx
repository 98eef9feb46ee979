import type { ComponentChildren } from "preact";
import type { Comparison as ComparisonData, KeyDescription, KeyResponse } from "../../../src/public/control.ts";
import { redacted } from "../../../src/model/vocabulary.ts";
import { call } from "../../data/api.ts";
import { command } from "../../data/commands.ts";
import { useChanged } from "../../clock/last-step.ts";
import { keyName } from "../../data/names.ts";
import { HttpBadge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ChangedMark } from "../../components/values.tsx";
import { Copy, copyText } from "../../components/copy.tsx";
import { type Option, Select } from "../../components/field.tsx";
import { Panel } from "../../components/panel.tsx";
import { useParameter } from "../../base/routes.ts";
import { formatCurl, fromOrigin } from "../../data/service-call.ts";
import { canEdit } from "../../base/token.ts";
import { useShortcuts } from "../../base/keys.ts";
import { alignDocuments, type Group } from "./documents.ts";
import { Editable, type EditableRecord, Value } from "./edit.tsx";

interface ComparisonProps {
  readonly comparison: ComparisonData;
  /** Shown next to the choice of members. */
  readonly children?: ComponentChildren;
}

export const keyTypes = { partner: "Partner", marketing: "Marketing" } as const;

type KeyType = keyof typeof keyTypes;

const types = Object.keys(keyTypes) as KeyType[];

/**
 * Compares what is stored with what a key of each type reads: the service's own bytes, member by member, at one
 * instant.
 */
export function Comparison({ comparison, children }: ComparisonProps) {
  const [selection, setSelection] = useParameter("only");
  const { path, offering, investment: record, stored, responses } = comparison;
  // All other documents show parts of the investment's.
  const editable = record && path === `/investments/${record.id}` ? { record, offering } : null;
  const responsesByType = types.map((type) => responses.find(({ key }) => key.type === type));
  const groups = alignDocuments([stored, ...responsesByType.map(parseDocument)]);
  const hasChanged = useChanged(path, valuesOf(groups));
  const [isPartnerRedacted, isMarketingRedacted] = responsesByType.map((keyResponse) =>
    keyResponse?.response.body.includes(`"${redacted}"`),
  );
  const [first] = responses;
  const copyCurl = (): void => void (first && copyText(curlOf(path, first.key), "Request as curl"));
  useShortcuts([{ key: "c", label: "Copy as curl", run: copyCurl }]);

  return (
    <Panel
      title="Compare keys"
      actions={
        <>
          {children}
          <Select isLabelHidden label="Members" value={selection} onChange={setSelection} options={selections} />
        </>
      }
    >
      {isMarketingRedacted && (
        <p class="muted small">Personal data: {isPartnerRedacted ? "no key of this offering" : "Partner keys only"}</p>
      )}
      {groups.every(({ rows }) => rows.every((row) => !isSelected(row, selection))) && (
        <p class="muted">{selection === "keys" ? "No differences between keys." : "No differences."}</p>
      )}
      <div class="table" role="region" aria-label="Comparison" tabIndex={0}>
        <table class="comparison">
          <caption class="unseen">The stored document, and what each type of key reads</caption>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">
                Stored
                <small>unredacted{editable && canEdit.value && " · click to edit"}</small>
              </th>
              {types.map((type, index) => (
                <Heading
                  key={type}
                  type={type}
                  keyResponse={responsesByType[index]}
                  path={path}
                  offeringId={offering.id}
                />
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <GroupRows
              key={group.key}
              group={group}
              selection={selection}
              editable={editable}
              hasChanged={hasChanged}
            />
          ))}
        </table>
      </div>
    </Panel>
  );
}

/** The name of a cell among the values that the last step may have changed. */
function cellName(group: string, member: string, index: number): string {
  return `${group} ${member} ${index}`;
}

/** Returns the values of all cells by name. */
function valuesOf(groups: readonly Group[]): Readonly<Record<string, unknown>> {
  const cells = groups.flatMap(({ key, rows }) =>
    rows.flatMap((row) => row.cells.map(({ value }, index) => [cellName(key, row.member, index), value] as const)),
  );
  return Object.fromEntries(cells);
}

/** Returns the body of a response with the status 200; undefined otherwise. */
export function parseDocument(keyResponse: KeyResponse | undefined): unknown {
  if (keyResponse?.response.status !== 200) return undefined;
  const { body } = keyResponse.response;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return body;
  }
}

function curlOf(path: string, { key }: KeyDescription): string {
  return formatCurl({ method: "GET", path: fromOrigin(path), secret: key });
}

interface HeadingProps {
  readonly type: KeyType;
  /** Undefined if no key of the type is active. */
  readonly keyResponse: KeyResponse | undefined;
  readonly path: string;
  readonly offeringId: string;
}

function Heading({ type, keyResponse, path, offeringId }: HeadingProps) {
  const label = keyTypes[type];
  if (!keyResponse) {
    const issue = () => call("issueKey", { body: { type, offering_id: offeringId } });
    return (
      <th scope="col">
        {label}
        <small>no active key of this offering</small>
        <Button needsEditAccess onClick={() => void command(issue, `${label} key issued.`)}>
          Issue key
        </Button>
      </th>
    );
  }
  const { key, response } = keyResponse;
  const isError = response.status !== 200;
  return (
    <th scope="col">
      <span class="reader">
        {label} {isError && <HttpBadge status={response.status} />}
        <span class="actions">
          <Copy text={response.body} subject={`JSON of ${label}`} />
          <Copy text={curlOf(path, key)} label="curl" subject={`Request of ${label} as curl`} kind="quiet" />
        </span>
      </span>
      <small>{keyName(key.id)}</small>
      {isError && <small class="error">{titleIn(response.body)}</small>}
    </th>
  );
}

/** Returns the text of an error's body, whatever its form. */
function titleIn(body: string): string {
  const text = /"(?:detail|title|message)":\s*"((?:[^"\\]|\\.)*)"/.exec(body)?.[1];
  return text ?? body.slice(0, 200);
}

const selections: readonly Option[] = [
  ["", "All members"],
  ["keys", "Differences between keys"],
  ["differences", "All differences"],
];

function isSelected({ difference }: Group["rows"][number], selection: string): boolean {
  return selection === "" || (selection === "keys" ? difference === "keys" : difference !== null);
}

const columnNames = ["Stored", ...Object.values(keyTypes)];

interface GroupRowsProps {
  readonly group: Group;
  readonly selection: string;
  readonly editable: EditableRecord | null;
  /** Whether a cell has changed, by its name. */
  readonly hasChanged: (cell: string) => boolean;
}

function GroupRows({ group: { key: group, title, rows }, selection, editable, hasChanged }: GroupRowsProps) {
  const visible = rows.filter((row) => isSelected(row, selection));
  if (visible.length === 0) return null;
  return (
    <tbody>
      <tr class="group">
        <th scope="rowgroup" colSpan={4}>
          {title}
        </th>
      </tr>
      {visible.map(({ member, difference, cells }) => (
        <tr key={member} class={difference === "keys" ? "differs" : undefined}>
          <th scope="row">{member}</th>
          {cells.map(({ value, isAbsent }, index) => (
            <td key={index} data-column={columnNames[index]}>
              {isAbsent ? (
                <span class="muted">absent</span>
              ) : index === 0 && editable ? (
                <Editable {...editable} group={group} member={member} value={value} />
              ) : (
                <Value value={value} />
              )}
              {hasChanged(cellName(group, member, index)) && <ChangedMark />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
