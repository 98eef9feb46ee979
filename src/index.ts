export { startSandbox } from "./start-sandbox.ts";
export { FileMistakes } from "./model/file-mistakes.ts";
export { Mistake } from "./model/mistake.ts";
export { UnreadableFile } from "./model/unreadable-file.ts";
export { CannotListen } from "./server/cannot-listen.ts";
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
