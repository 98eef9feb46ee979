import { assume } from "../../src/assumptions/catalog.ts";
import type { EnvironmentConfig } from "../../src/environment/document.ts";
import type { NewEntry } from "../../src/environment/journal.ts";
import type { Dataset } from "../../src/fixture/dataset.ts";
import { complete } from "./complete.ts";
import { datasetOf } from "../../src/fixture/indexed-fixture.ts";
import { printFixture, readPrinted } from "../../src/fixture/printed-fixture.ts";
import type { SparseInvestment } from "../../src/fixture/schema.ts";
import { formatInstant } from "../../src/time/instant.ts";
import type { Key } from "../../src/model/resources.ts";

/** The present of the small dataset. */
export const present = "2026-01-15T12:00:00.000Z";

/** Returns a readable UUID: `uuid(1, 7)` is `00000001-0000-4000-8000-000000000007`. */
export function uuid(kind: number, index: number): string {
  return `${String(kind).padStart(8, "0")}-0000-4000-8000-${String(index).padStart(12, "0")}`;
}

export const offeringIds = [uuid(1, 1), uuid(1, 2)] as const;

function investment(index: number): SparseInvestment {
  const create_date = formatInstant(Date.parse(present) - (100 - index) * 3_600_000);
  const email = "ada@example.com";
  return {
    id: uuid(2, index),
    amount: 1000,
    price: 10,
    investment_number: index + 1,
    step: null,
    status: "PENDING",
    create_date,
    modify_date: create_date,
    investors: [{ id: uuid(3, index), email }],
    signing_parties: [{ id: uuid(4, index), email, signed: false, countersigner: false }],
    payments: [{ id: uuid(5, index), amount: 1000, status: "pending", create_date }],
    events: [{ id: uuid(6, index), event: "REGISTRATION", action: "COMPLETED", create_date }],
  };
}

/** Returns a dataset of two offerings, the first one with a number of investments. */
export function smallDataset(investments: number): Dataset {
  const offerings = offeringIds.map((id, index) => ({
    id,
    name: `Offering ${index + 1}`,
    status: "ACTIVE" as const,
    create_date: "2025-01-01T00:00:00.000Z",
    investments:
      index === 0 ? Array.from({ length: investments }, (_, investmentIndex) => investment(investmentIndex)) : [],
  }));
  const fixture = complete({ now: present, offerings, keys: [], scenarios: [] }, { name: "small" });
  const bytes = Buffer.concat([...printFixture(fixture, "investment")]);
  return datasetOf(bytes, readPrinted(bytes), { digest: "small" });
}

/** Returns the configuration of an environment over a dataset, with its clock paused at the present. */
export function configOf(dataset: Dataset): EnvironmentConfig {
  return {
    id: "default",
    dataset,
    keys: dataset.keys,
    clock: { now: Date.parse(dataset.now), speed: 0 },
    profile: "conventional",
    assumptions: assume("conventional"),
    rateLimit: 120,
    delay: [0, 0],
    scenarios: [],
    loadedScenarios: [],
    lifetime: Infinity,
  };
}

/** Fills an entry of a journal as the service does. */
export function record(entry: NewEntry, path: string, members: Partial<NewEntry> = {}): void {
  Object.assign(entry, {
    date: "2026-01-15T12:00:00.000Z",
    method: "GET",
    path,
    status: 200,
    connection: null,
    code: null,
    duration_ms: 1,
    key_id: null,
    key_label: null,
    environment: "default",
    fault_id: null,
    hints: [],
    depends_on: [],
    from_portal: false,
    operation: null,
    key_type: null,
    offering_id: null,
    investment_id: null,
    assumptions: [],
    page: null,
    size: null,
    shown: null,
    total: null,
    retry_after_seconds: null,
    digest: null,
    ...members,
  } satisfies Omit<NewEntry, "id" | "elapsed_ms">);
}

/** Returns a partner key of the first offering: `sandbox_partner_7`. */
export function keyOf(index: number, members: Partial<Key> = {}): Key {
  return {
    id: uuid(8, index),
    key: `sandbox_partner_${index}`,
    type: "partner",
    offering_id: offeringIds[0],
    label: null,
    create_date: present,
    revoke_date: null,
    personal_data: false,
    at_limit: false,
    ...members,
  };
}
