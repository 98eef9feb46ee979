import type { PlaySubject } from "../public/control.ts";
import { ConflictError, messageOf, ValidationError } from "../validation/errors.ts";
import type { Investment, Key, Offering } from "../model/resources.ts";
import { didYouMean, isUuid } from "../text/text.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { ResourcesAtDate } from "./effect-row.ts";
import type { State } from "./state.ts";

/*
 * Finds resources by a person's reference: an id or an alias; for a key, even its label or its secret. No other code
 * does. Each function throws ValidationError with the nearest reference.
 */

/** The resources to find, at the clock's present. */
interface PresentResources extends Pick<ResourcesAtDate, "dataset" | "created"> {
  read(): { readonly state: State };
}

/** Finds an offering by a reference; without a reference, the first offering. */
export function findOffering(offerings: readonly Offering[], reference?: string): Offering {
  const [first] = offerings;
  if (!first) throw new ValidationError("There are no offerings.");
  if (reference === undefined) return first;
  const text = referenceText(reference).toLowerCase();
  const match = offerings.find(({ id, alias }) => id === text || alias === reference);
  if (match) return match;
  throw new ValidationError(formatMissing("offering", reference, offerings.map(aliasOrId)));
}

/** Finds an investment by a reference. `offeringId` decides between investments with the same alias. */
export function findInvestment(present: PresentResources, reference: string, offeringId?: string): Investment {
  const { dataset, created } = present;
  const { state } = present.read();
  const byId = state.investment(referenceText(reference).toLowerCase());
  if (byId) return byId;
  const matches = dataset.offerings.flatMap(({ id: offering }) => {
    const id = dataset.idOfAlias(offering, reference) ?? created.idByAlias(offering, reference);
    return id === undefined ? [] : (state.investment(id) ?? []);
  });
  const match = matches.length === 1 ? matches[0] : matches.find(({ offering_id }) => offering_id === offeringId);
  if (match) return match;
  if (matches.length > 1) {
    const offeringOf = (id: string): string => aliasOrId(dataset.offering(id) ?? { id });
    const ids = matches.map(({ id, offering_id }) => `${id} of ${offeringOf(offering_id)}`);
    throw new ValidationError(`Several investments have the alias "${reference}": ${ids.join(", ")}. Give the id.`);
  }
  throw new ValidationError(formatMissing("investment", reference, investmentAliases(dataset, state), 0));
}

/**
 * Finds the offering and the investment (null: a new one) of a new run. Throws ConflictError, and ValidationError for a
 * missing resource.
 */
export function findSubject(scenario: Scenario, subject: PlaySubject, present: PresentResources) {
  const { offerings } = present.dataset;
  const scenarioInvestment = typeof scenario.investment === "string" ? scenario.investment : undefined;
  const investment = subject.investment_id ?? scenarioInvestment;
  const offering = subject.offering_id ?? (subject.investment_id === undefined ? scenario.offering : null);
  try {
    if (investment === undefined) {
      return { offering_id: findOffering(offerings, offering ?? undefined).id, investment_id: null };
    }
    const offeringId = offering === null ? undefined : findOffering(offerings, offering).id;
    const { id, offering_id } = findInvestment(present, investment, offeringId);
    if (subject.offering_id === undefined || offeringId === offering_id) return { offering_id, investment_id: id };
  } catch (error) {
    const reason = messageOf(error).replace(/^There/, "there");
    throw new ValidationError(`Scenario ${scenario.name}: ${reason}`, { cause: error });
  }
  throw new ConflictError(`Scenario ${scenario.name}: the investment is of another offering.`);
}

/** Finds a key by a reference. No message repeats the reference, because it may be the secret of another key. */
export function findKey(keys: Iterable<Key>, reference: string): Key {
  const text = referenceText(reference).toLowerCase();
  const keyList = [...keys];
  const match =
    keyList.find(({ id }) => id === text) ??
    keyList.find(({ alias }) => alias === reference) ??
    keyList.find(({ key }) => key === reference);
  if (match) return match;
  const labeledKeys = keyList.filter(({ label }) => label === reference);
  const activeKeys = labeledKeys.filter(({ revoke_date }) => revoke_date === null);
  const [firstKey, ...furtherKeys] = activeKeys.length > 0 ? activeKeys : labeledKeys;
  if (firstKey && furtherKeys.length === 0) return firstKey;
  if (firstKey) {
    const ids = [firstKey, ...furtherKeys].map(({ id, alias }) => alias ?? id);
    throw new ValidationError(`Several keys have this label: ${ids.join(", ")}. Give the alias or the id.`);
  }
  const names = keyList.flatMap(({ alias, label, id }) => alias ?? label ?? id);
  const labels = keyList.flatMap(({ label }) => label ?? []);
  const hint = didYouMean(referenceText(reference), [...names, ...labels]) || formatNames(names);
  throw new ValidationError(`There is no key of this id, alias, label or secret.${hint}`);
}

/** Returns `There is no run "run-9". There are run-1, run-2.`, with up to `maxNames` names if none is similar. */
export function formatMissing(kind: string, reference: string, names: readonly string[], maxNames = 12): string {
  const text = referenceText(reference);
  const description = isPrintable(text) ? `${kind} "${text}"` : `${kind} of this id or alias`;
  return `There is no ${description}.${didYouMean(text, names) || formatNames(names, maxNames)}`;
}

function formatNames(names: readonly string[], maxNames = 12): string {
  if (names.length === 0 || maxNames === 0) return "";
  const remainder = names.length > maxNames ? ` and ${names.length - maxNames} more` : "";
  return ` There ${names.length === 1 ? "is" : "are"} ${names.slice(0, maxNames).join(", ")}${remainder}.`;
}

/** Whether a message may repeat a reference. A long reference, or one in the form of our secrets, may be a secret. */
function isPrintable(reference: string): boolean {
  return isUuid(reference) || (/^[\w.-]{1,32}$/.test(reference) && !/^sandbox_/i.test(reference));
}

/** Returns a reference as text: callers in JavaScript may pass a value of any type. */
function referenceText(reference: unknown): string {
  return typeof reference === "string" ? reference : (JSON.stringify(reference) ?? "");
}

function aliasOrId({ alias, id }: Pick<Offering, "alias" | "id">): string {
  return alias ?? id;
}

/** The maximum number of names to compare: enough to find a typing error, and few enough to be quick. */
const maxCompared = 1000;

function investmentAliases({ offerings }: ResourcesAtDate["dataset"], state: State): string[] {
  const aliases: string[] = [];
  for (const { id } of offerings) {
    for (const { alias } of state.investmentsOf(id).byCreation) {
      if (alias !== undefined) aliases.push(alias);
      if (aliases.length === maxCompared) return aliases;
    }
  }
  return aliases;
}
