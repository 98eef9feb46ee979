import { readFileSync } from "node:fs";
import { assume } from "../../src/assumptions/assume.ts";
import { knownFixture } from "../support/sandbox.ts";
import type { Investment, Opening } from "./model.ts";
import type { Document } from "./reads.ts";

/** The start of the fixture's clock. */
export const start = "2026-01-15T12:00:00.000Z";

const fixture = JSON.parse(readFileSync(knownFixture, "utf8")) as {
  readonly offerings: readonly {
    readonly id: string;
    readonly name: string;
    readonly investments?: readonly Document[];
  }[];
};

/** How an environment of the known fixture opens; its keys are yet to be learned. */
export function openingOf(given: Pick<Opening, "rate_limit" | "ttl_seconds"> & { readonly now?: string }): Opening {
  const investments = fixture.offerings.flatMap(({ id: offering_id, investments: some = [] }) =>
    some.map((one): [string, Investment] => [one.id, investmentOf(offering_id, one)]),
  );
  return {
    now: start,
    ...given,
    keys: [],
    at_limit: [],
    assumptions: assume("conventional"),
    investments: Object.fromEntries(investments),
    offerings: Object.fromEntries(fixture.offerings.map(({ id, name }) => [id, name])),
  };
}

function investmentOf(offering_id: string, written: Document): Investment {
  const { status, step, create_date, modify_date, investment_number: number } = written;
  return {
    offering_id,
    status,
    step,
    create_date,
    modify_date,
    number,
    tax_ids: written.investors.map(({ tax_id }: Document) => tax_id),
    payments: { ...written.payments.map(({ amount, status: paid }: Document) => ({ amount, status: paid })) },
    events: written.events.length,
    signed: Object.fromEntries(written.signing_parties.map(({ email, signed }: Document) => [email, signed])),
  };
}
