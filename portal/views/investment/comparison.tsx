import type { ComponentChildren } from "preact";
import type { Comparison as Compared, KeyDescription, KeyResponse } from "../../../src/public/control.ts";
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
import { aligned, type Group } from "./documents.ts";
import { Editable, type EditableRecord, Value } from "./edit.tsx";

interface ComparisonProps {
  readonly comparison: Compared;
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
  const [only, setOnly] = useParameter("only");
  const { path, offering, investment: record, stored, responses } = comparison;
  // All other documents show parts of this one.
  const editable = record && path === `/investments/${record.id}` ? { record, offering } : null;
  const responsesByType = types.map((type) => responses.find(({ key }) => key.type === type));
  const groups = aligned([stored, ...responsesByType.map((keyResponse) => keyResponse && documentOf(keyResponse))]);
  const changed = useChanged(path, valuesOf(groups));
  const isRedacted = responsesByType.map((keyResponse) => keyResponse?.response.body.includes(`"${redacted}"`));
  useShortcuts([
    {
      key: "c",
      label: "Copy as curl",
      run: () => {
        const [first] = responses;
        if (first) void copyText(curlOf(path, first.key), "Request as curl");
      },
    },
  ]);

  return (
    <Panel
      title="Compare keys"
      actions={
        <>
          {children}
          <Select isLabelHidden label="Members" value={only} onChange={setOnly} options={selections} />
        </>
      }
    >
      {isRedacted[1] && (
        <p class="muted small">Personal data: {isRedacted[0] ? "neither key of this offering" : "Partner keys only"}</p>
      )}
      {groups.every(({ rows }) => rows.every((row) => !isSelected(row, only))) && (
        <p class="muted">{only === "keys" ? "Both keys read the same." : "No member differs."}</p>
      )}
      <div class="table" role="region" aria-label="Comparison" tabIndex={0}>
        <table class="comparison">
          <caption class="unseen">What is stored, and what each type of key reads</caption>
          <thead>
            <tr>
              <th scope="col">Member</th>
              <th scope="col">
                Stored
                <small>unredacted{editable && canEdit.value && " · click to edit"}</small>
              </th>
              {types.map((type, at) => (
                <Heading
                  key={type}
                  type={type}
                  keyResponse={responsesByType[at]}
                  path={path}
                  offeringId={offering.id}
                />
              ))}
            </tr>
          </thead>
          {groups.map((group) => (
            <GroupRows key={group.key} group={group} only={only} editable={editable} changed={changed} />
          ))}
        </table>
      </div>
    </Panel>
  );
}

/** Returns the values of all cells by name. */
function valuesOf(groups: readonly Group[]): Readonly<Record<string, unknown>> {
  const cells = groups.flatMap(({ key, rows }) =>
    rows.flatMap((row) => row.cells.map(({ value }, at) => [`${key} ${row.member} ${at}`, value] as const)),
  );
  return Object.fromEntries(cells);
}

/** Returns the body of a response with the status 200; undefined otherwise. */
export function documentOf({ response: { status, body } }: KeyResponse): unknown {
  if (status !== 200) return undefined;
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
    return (
      <th scope="col">
        {label}
        <small>no active key of this offering</small>
        <Button
          needsEditAccess
          onClick={() =>
            void command(() => call("issueKey", { body: { type, offering_id: offeringId } }), `${label} key issued.`)
          }
        >
          Issue key
        </Button>
      </th>
    );
  }
  const { key, response } = keyResponse;
  const hasResponse = response.status === 200;
  return (
    <th scope="col">
      <span class="reader">
        {label} {!hasResponse && <HttpBadge status={response.status} />}
        <span class="actions">
          <Copy text={response.body} subject={`JSON of ${label}`} />
          <Copy text={curlOf(path, key)} label="curl" subject={`Request of ${label} as curl`} kind="quiet" />
        </span>
      </span>
      <small>{keyName(key.id)}</small>
      {!hasResponse && <small class="error">{titleIn(response.body)}</small>}
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

function isSelected({ difference }: Group["rows"][number], only: string): boolean {
  return only === "" || (only === "keys" ? difference === "keys" : difference !== null);
}

const columnNames = ["Stored", "Partner", "Marketing"] as const;

interface GroupRowsProps {
  readonly group: Group;
  readonly only: string;
  readonly editable: EditableRecord | null;
  /** Whether a cell has changed, by its name in `valuesOf`. */
  readonly changed: (cell: string) => boolean;
}

function GroupRows({ group: { key: group, title, rows }, only, editable, changed }: GroupRowsProps) {
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
          {row.cells.map(({ value, isAbsent }, at) => (
            <td key={at} data-column={columnNames[at]}>
              {isAbsent ? (
                <span class="muted">absent</span>
              ) : at === 0 && editable ? (
                <Editable {...editable} group={group} member={row.member} value={value} />
              ) : (
                <Value value={value} />
              )}
              {changed(`${group} ${row.member} ${at}`) && <ChangedMark />}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}
