import type { OperationId } from "../model/operations.ts";
import type { Investment } from "../model/resources.ts";
import { type Call, parametersOf, type ReadRequest } from "./call.ts";
import { check, subjectId } from "./checks.ts";
import {
  investmentDocument,
  investmentEventsDocument,
  investmentStatusDocument,
  offeringDocument,
} from "./documents.ts";
import { investmentListDocument } from "./list.ts";
import type { Written } from "./response-cache.ts";

const answerers: Record<OperationId, (request: ReadRequest, id: string) => Written<object>> = {
  getOffering: offeringDocument,
  listInvestments: investmentListDocument,
  getInvestment: ofInvestment(investmentDocument),
  getInvestmentStatus: ofInvestment(investmentStatusDocument),
  listInvestmentEvents: ofInvestment(investmentEventsDocument),
};

/** The document that answers a call. Throws HttpError when it is to be refused. `basePath` is where the API begins. */
export function answer(call: Call, basePath: string): Written<object> {
  const { target, authentication, environment, ledger } = call;
  const { state } = environment.read();
  check(call, state);
  if (!target.route || !("issued" in authentication)) throw new Error("a call without route or key passed its checks");
  const { key } = authentication.issued;
  const offering = state.offering(key.offering_id);
  if (!offering) throw new Error("a key's offering is not in its dataset");
  const request: ReadRequest = {
    key,
    offering,
    state,
    ledger,
    seed: environment.seed,
    values: parametersOf(call, ledger).values,
    basePath,
  };
  return answerers[target.route.operation.id](request, subjectId(call, ledger));
}

function ofInvestment(document: (investment: Investment, request: ReadRequest) => Written<object>) {
  return (request: ReadRequest, id: string): Written<object> => {
    const investment = request.state.investment(id);
    if (!investment) throw new Error("a call for no investment passed its checks");
    return document(investment, request);
  };
}
