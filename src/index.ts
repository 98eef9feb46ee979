export { startSandbox } from "./start-sandbox.ts";
export { Mistake } from "./model/mistake.ts";
export type {
  Clock,
  EnvironmentDescription,
  ExampleCall,
  KeyDescription,
  OfferingDescription,
  RequestEntry,
  Sandbox,
  SandboxOptions,
} from "./control.ts";
export type {
  EventResource,
  IncludedResource,
  InvestmentDocument,
  InvestmentEventsDocument,
  InvestmentListDocument,
  InvestmentResource,
  InvestmentStatusDocument,
  InvestorResource,
  MarketingInvestor,
  OfferingDocument,
  OfferingResource,
  PartnerInvestor,
  PaymentResource,
  SigningPartyResource,
} from "./model/documents.ts";
