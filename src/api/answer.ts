import type { OperationId } from "../model/operations.ts";
import type { Investment, Offering } from "../model/resources.ts";
import type { Call } from "./call.ts";
import { check, subjectId } from "./checks.ts";
import { investmentEventsDocument } from "./documents/investment-events.ts";
import { investmentListDocument } from "./documents/investment-list.ts";
import { investmentStatusDocument } from "./documents/investment-status.ts";
import { investmentDocument } from "./documents/investment.ts";
import { offeringDocument } from "./documents/offering.ts";
import { parameterHints, parseParameters } from "./parameters.ts";
import type { InvestmentRequest, OfferingRequest, ReadRequest } from "./read-request.ts";

type Answerer = (request: ReadRequest, id: string) => unknown;

const answerers: Record<OperationId, Answerer> = {
  getOffering: ofOffering(offeringDocument),
  listInvestments: ofOffering(investmentListDocument),
  getInvestment: ofInvestment(investmentDocument),
  getInvestmentStatus: ofInvestment(investmentStatusDocument),
  listInvestmentEvents: ofInvestment(investmentEventsDocument),
};

/** The document that answers a call. Throws HttpError when it is to be refused. `basePath` is where the API begins. */
export function answer(call: Call, basePath: string): unknown {
  if (call.route) call.hints.push(...parameterHints(call.route.operation, call.query));
  check(call);
  const { route, authentication, environment, ledger, query } = call;
  if (!route || !("issued" in authentication)) throw new Error("a call without route or key passed its checks");
  const id = subjectId(call, ledger);
  const request: ReadRequest = {
    key: authentication.issued.key,
    state: environment.read().state,
    ledger,
    seed: environment.seed,
    values: parseParameters(route.operation, query, ledger).values,
    path: basePath + route.operation.path.replace(":id", id),
  };
  return answerers[route.operation.id](request, id);
}

function ofOffering(document: (request: OfferingRequest) => unknown): Answerer {
  return (request, id) => {
    const offering: Offering | undefined = request.state.offering(id);
    if (!offering) throw new Error("a key's offering is not in its dataset");
    return document({ ...request, offering });
  };
}

function ofInvestment(document: (request: InvestmentRequest) => unknown): Answerer {
  return (request, id) => {
    const investment: Investment | undefined = request.state.investment(id);
    if (!investment) throw new Error("a call for no investment passed its checks");
    return document({ ...request, investment });
  };
}
