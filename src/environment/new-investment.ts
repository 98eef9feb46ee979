import { pickDefined } from "../validation/members.ts";
import type { AssumptionValue } from "../assumptions/catalog.ts";
import { completeInvestment, emptyInvestment } from "../fixture/complete/investment.ts";
import type { SeedPath } from "../fixture/complete/seed-path.ts";
import { visitInvestment, investmentErrors, uniqueExpected } from "../fixture/validation/resources.ts";
import type { SparseInvestment } from "../fixture/schema.ts";
import type { Instant } from "../time/instant.ts";
import { ConflictError, formatErrors, ValidationError, type Issue, type Path, pathText } from "../validation/errors.ts";
import type { Investment } from "../model/resources.ts";
import type { History } from "./history.ts";

// Creates the new investments of commands and scenarios. It is loaded with the first, because its imports are large.

interface NewInvestment {
  readonly written: SparseInvestment;
  /** The path of `written` in its document; `[]` if `written` is the whole document. */
  readonly path: Path;
  /** The seed path from which ids and completed values follow. */
  readonly seedPath: SeedPath;
  readonly offeringId: string;
  /** The date of creation, unless `written` states one. */
  readonly date: Instant;
  readonly statuses: AssumptionValue<"investment.statuses">;
}

/**
 * Completes an investment. By default it is PENDING, has no step, payments or events, and takes the next number. Throws
 * ValidationError with every reason to refuse it in a fixture, ConflictError if an id is taken.
 */
export function newInvestment(options: NewInvestment, history: History): Investment {
  const { written, path, seedPath, offeringId, date, statuses } = options;
  const state = history.stateAt(date);
  const offering = state.offering(offeringId);
  if (written.create_date === undefined && offering && date < offering.create_date) {
    const name = pathText(path, "the investment");
    throw new ValidationError(`${name} would be created at ${date}, before its offering, at ${offering.create_date}.`);
  }
  const context = { path, offering, statuses };
  const sparse = { ...emptyInvestment, create_date: date, ...pickDefined(written) };
  refuseAll(investmentErrors(sparse, context));
  refuseTakenIds(sparse, path, history);
  const investment = completeInvestment(sparse, {
    seedPath,
    createDate: Date.parse(sparse.create_date),
    investmentNumber: history.nextNumber(offeringId),
    now: Date.parse(date),
    price: state.investmentsOf(offeringId).latest?.price ?? 10,
    closingProbability: 0,
  });
  refuseAll(investmentErrors(investment, context));
  return { ...investment, offering_id: offeringId };
}

/** Throws ValidationError if there are any issues. */
export function refuseAll(issues: readonly Issue[]): void {
  if (issues.length > 0) throw new ValidationError(formatErrors(issues, ({ message }) => message));
}

function refuseTakenIds(sparse: SparseInvestment, path: Path, history: History): void {
  const paths = new Map<string, Path>();
  visitInvestment(sparse, { path }, (resource) => {
    const { id } = resource.members;
    if (typeof id === "string") paths.set(id, [...resource.path, "id"]);
  });
  const idsInUse = history.idsInUse(paths);
  const formatId = (id: string): string =>
    `${pathText(paths.get(id) ?? path)} is the same as that of another resource; ${uniqueExpected}.`;
  if (idsInUse.length > 0) throw new ConflictError(formatErrors(idsInUse, formatId));
}
