// Environments are AsyncDisposable: this declares the type for projects whose `lib` lacks it.
/// <reference lib="esnext.disposable" preserve="true" />
export { startSandbox } from "./sandbox/start-sandbox.ts";
export { connectSandbox, type ConnectOptions } from "./client/connect.ts";
export { ConnectionError, ListenError, ControlError } from "./errors/control-error.ts";
export { FileValidationError, ValidationError, FileReadError, FileWriteError } from "./validation/errors.ts";
export { DatabaseError } from "./storage/file-lock.ts";
export type * from "./public/control.ts";
export type { Instant } from "./time/instant.ts";
export type { KeyType } from "./model/vocabulary.ts";
export type { InvestmentAttributes, OfferingAttributes, PaymentAttributes } from "./model/shapes.ts";
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
