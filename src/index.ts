// For AsyncDisposable, which an environment is: whoever uses these types need not have it from elsewhere.
/// <reference lib="esnext.disposable" preserve="true" />
export { startSandbox } from "./start-sandbox.ts";
export { connectSandbox, type ConnectOptions } from "./client/connect-sandbox.ts";
export { CannotConnect } from "./client/cannot-connect.ts";
export { FileMistakes } from "./model/file-mistakes.ts";
export { ControlError } from "./errors/control-error.ts";
export { Mistake } from "./model/mistake.ts";
export { UnreadableFile } from "./model/unreadable-file.ts";
export { UnwritableFile } from "./model/unwritable-file.ts";
export { CannotListen } from "./server/cannot-listen.ts";
export { UnusableDatabase } from "./storage/unusable-database.ts";
export type * from "./control.ts";
export type { Instant } from "./model/instant.ts";
export type { KeyType } from "./model/key-type.ts";
export type { InvestmentAttributes, OfferingAttributes, PaymentAttributes } from "./model/attributes.ts";
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
  Reference,
  SigningPartyResource,
} from "./model/documents.ts";
