import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { InvestmentRecord, OfferingSummary } from "../../../src/public/control.ts";
import { shownStatuses } from "../../../src/model/vocabulary.ts";
import { focusOn, offerFocus } from "../../base/focus.ts";
import { isMembers, listOf } from "../../base/members.ts";
import { Field, type Option, Select } from "../../components/field.tsx";
import { Form, numeric, useForm } from "../../components/form.tsx";
import { Icon } from "../../components/icon.tsx";
import { call, Problem, uncheckedBody } from "../../data/api.ts";
import { showMessage } from "../../data/commands.ts";
import { canEdit } from "../../base/token.ts";
import { recordAction, undoAction } from "../../clock/moves.ts";
import { formatValue } from "./documents.ts";

/** The record whose stored values can be changed. */
export interface EditableRecord {
  readonly record: InvestmentRecord;
  readonly offering: OfferingSummary;
}

interface EditableProps extends EditableRecord {
  /** The key of the group: `attributes`, `relationships`, `investors <id>`. */
  readonly group: string;
  readonly member: string;
  /** The value as the column shows it. */
  readonly value: unknown;
}

/** A stored value; if it can be changed, a button that becomes a field. */
export function Editable({ value, ...props }: EditableProps) {
  const stored = storedIn(props.record, props.group, props.member);
  const isOpen = useSignal(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // Focused before the next paint: later, the focus could be taken from where the person already types.
  useLayoutEffect(() => {
    if (wasOpen.current && !isOpen.value) offerFocus(button.current);
    wasOpen.current = isOpen.value;
  }, [isOpen.value]);
  if (stored === undefined || !canEdit.value) return <Value value={value} />;
  if (isOpen.value) return <Edit {...props} stored={stored} onClose={() => (isOpen.value = false)} />;
  return (
    <button
      ref={button}
      type="button"
      class="editable"
      aria-label={`${formatValue(stored) || "null"}: change ${props.member}`}
      onClick={() => (isOpen.value = true)}
    >
      <Value value={value} />
      <Icon name="edit" />
    </button>
  );
}

const editableLists = new Set(["investors", "signing_parties", "payments"]);

/** Returns the value of a member that can be changed; undefined for any other member. */
function storedIn(record: InvestmentRecord, group: string, member: string): unknown {
  const [list = "", id] = group.split(" ");
  if (editableLists.has(list)) return listOf(record[list]).find((child) => child["id"] === id)?.[member];
  const isEditable = group === "attributes" ? member !== "id" && member !== "alias" : member === "broker";
  return isEditable && id === undefined ? record[member] : undefined;
}

interface EditProps extends Omit<EditableProps, "value"> {
  readonly stored: unknown;
  readonly onClose: () => void;
}

/** The field: Enter saves, Esc cancels; after a refusal the text stays. */
function Edit({ record, offering, group, member, stored, onClose }: EditProps) {
  const initial = useRef(formatValue(stored)).current;
  const form = useForm([member], { [member]: initial });
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const control = box.current?.querySelector<HTMLElement>("input, select");
    focusOn(control);
    if (control instanceof HTMLInputElement) control.select();
  }, []);
  const [list = "", childId] = group.split(" ");
  const options = choices(list, member, stored);
  const text = form.values[member] ?? "";

  function save(): void {
    if (text === initial) return onClose();
    const change = async () => {
      const fields = { [member]: valueOf(text, member, stored) };
      // The whole list is sent, because an error names the index of the child.
      const children = listOf(record[list]).map(({ id }) => ({ id, ...(id === childId && fields) }));
      const body = uncheckedBody(childId === undefined ? fields : { [list]: children });
      return call("changeInvestment", { id: record.id, body });
    };
    void form.send(change, undefined, () => {
      onClose();
      recordAction(record.id);
      showMessage(`${member} changed from now on.`, { action: undoAction() });
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Esc cancels even while a button of the form has the focus.
    if (event.key === "Escape") onClose();
    // A browser does not submit a form from a select.
    else if (event.key === "Enter" && event.target instanceof HTMLSelectElement) save();
    else return;
    event.preventDefault();
  }

  return (
    <div ref={box} class="edit" role="presentation" onKeyDown={onKeyDown}>
      <Form form={form} submitLabel="Save" onSend={save} onClose={onClose}>
        {options ? (
          <Select label={member} isLabelHidden {...form.field(member)} options={options} />
        ) : (
          <Field
            label={member}
            isLabelHidden
            {...form.field(member)}
            hint={hintOf(member, stored)}
            suggestions={group === "attributes" ? suggestions(member, offering) : undefined}
          />
        )}
      </Form>
    </div>
  );
}

/** Returns the type of a member, even if its stored value is null. */
function typeOf(member: string, stored: unknown): string {
  if (member === "accredited") return "boolean";
  return member === "annual_income" ? "number" : typeof stored;
}

function choices(list: string, member: string, stored: unknown): readonly Option[] | undefined {
  if (list === "payments" && member === "status") return [["succeeded"], ["pending"], ["failed"]];
  if (typeOf(member, stored) !== "boolean") return undefined;
  return [["true"], ["false"], ...(member === "accredited" ? [["", "null"] as const] : [])];
}

function suggestions(member: string, offering: OfferingSummary): readonly string[] | undefined {
  if (member === "step") return Object.keys(offering.steps);
  return member === "status" ? [...new Set([...shownStatuses, ...Object.keys(offering.statuses)])] : undefined;
}

function hintOf(member: string, stored: unknown): string | undefined {
  if (member.endsWith("_date")) return "YYYY-MM-DD, or with a time: 2026-01-15T12:00:00Z.";
  if (member === "birthdate") return "YYYY-MM-DD; empty is null.";
  return typeOf(member, stored) === "number" ? undefined : "Empty is null.";
}

/** Converts what was typed to the type of the member. Any other text stays as it is, so that the server refuses it. */
function valueOf(text: string, member: string, stored: unknown): unknown {
  if (text === "") return null;
  if (text.trim() === "null") throw new Problem(`${member} cannot be the word null: an empty field is null.`, 0, "");
  const type = typeOf(member, stored);
  if (type === "boolean") return text === "true";
  return type === "number" ? (numeric(text) ?? null) : text;
}

/** Shows the value of a member of any kind; the `title` has the whole value. */
export function Value({ value }: { readonly value: unknown }) {
  if (value === undefined) return null;
  if (value === null || value === "") return <i class="muted">{value === null ? "null" : "empty text"}</i>;
  if (value === "null") return <span class="value">"null"</span>;
  if (typeof value === "string") return <span class="value">{value.includes("@") ? breakable(value) : value}</span>;
  if (typeof value !== "object") return <span class="value number">{JSON.stringify(value)}</span>;
  const ids = [value].flat().map((reference: unknown) => (isMembers(reference) ? reference["id"] : undefined));
  if (ids.every((id) => typeof id === "string")) {
    if (ids.length === 0) return <i class="muted">none</i>;
    return ids.map((id) => (
      <code key={id} class="reference" title={id}>
        {id.slice(0, 8)}…
      </code>
    ));
  }
  return <code class="value">{JSON.stringify(value)}</code>;
}

/** An email address that wraps only after punctuation, not within a word. */
function breakable(address: string): ComponentChildren {
  return address.split(/(?<=[@.])/).flatMap((part, index) => [index > 0 && <wbr key={index} />, part]);
}
