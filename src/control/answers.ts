import type {
  BehaviourCoverage,
  CoverageException,
  CoverageExample,
  CoverageReport,
  RiskCoverage,
} from "../coverage-report.ts";
import type {
  AssumptionDescription,
  ChangeDescription,
  ClockAdvance,
  ClockReturn,
  Comparison,
  EnvironmentDescription,
  EnvironmentSummary,
  EventRecord,
  ExampleCall,
  FaultDescription,
  FoundMistake,
  KeyDescription,
  KeyReading,
  InvestmentRecord,
  LimitDescription,
  OpenedDescription,
  OfferingDescription,
  OfferingSummary,
  Pulse,
  RecordedScenario,
  RunDescription,
  RunDetail,
  RunStep,
  ScenarioCheck,
  ScenarioDescription,
  ScenarioDetail,
  Snapshot,
  TimelineOutline,
} from "../descriptions.ts";
import type { InvestmentPage, InvestmentSummary } from "../model/investment-page.ts";
import type { Count } from "../model/scalars.ts";
import type { ClockReading, JournalEntry, RequestList, WaitingRequest } from "../options.ts";
import type { PreviewedResponse, ReplayedRequest, ReplayReport, RequestAnswer } from "../replays.ts";

/**
 * The answers of the admin API, by the names of their schemas in its OpenAPI document. `npm run generate` makes the schemas from
 * these types.
 */
export interface Answers {
  readonly Health: {
    /** `stopping` while a server with `--drain` ends; with the query `?ready`, the status of the answer is then 503. */
    readonly status: "ok" | "stopping";
    readonly version: string;
    readonly uptime_seconds: Count;
  };
  readonly OpenApiDocument: { readonly openapi: string; readonly [member: string]: unknown };
  readonly Environment: EnvironmentDescription;
  readonly OpenedEnvironment: OpenedDescription;
  readonly EnvironmentSummary: EnvironmentSummary;
  readonly EnvironmentList: List<EnvironmentDescription | EnvironmentSummary>;
  readonly Example: ExampleCall;
  readonly ExampleList: List<ExampleCall>;
  readonly Offering: OfferingDescription;
  readonly OfferingSummary: OfferingSummary;
  readonly OfferingSummaryList: List<OfferingSummary>;
  readonly PreviewedResponse: PreviewedResponse;
  readonly Comparison: Comparison;
  readonly KeyReading: KeyReading;
  readonly Pulse: Pulse;
  readonly Clock: ClockReading;
  readonly ClockSet: ClockReading | ClockReturn;
  readonly ClockAdvance: ClockAdvance;
  readonly Change: ChangeDescription;
  readonly ChangeList: List<ChangeDescription>;
  readonly TimelineOutline: TimelineOutline;
  readonly Key: KeyDescription;
  readonly KeyList: List<KeyDescription>;
  readonly Scenario: ScenarioDescription;
  readonly ScenarioList: List<ScenarioDescription>;
  readonly ScenarioDetail: ScenarioDetail;
  readonly ScenarioCheck: ScenarioCheck;
  readonly RecordedScenario: RecordedScenario;
  readonly FoundMistake: FoundMistake;
  readonly Run: RunDescription;
  readonly RunDetail: RunDetail;
  readonly RunList: List<RunDescription>;
  readonly RunStep: RunStep;
  readonly Investment: InvestmentRecord;
  readonly InvestmentSummary: InvestmentSummary;
  readonly InvestmentPage: InvestmentPage;
  readonly Event: EventRecord;
  readonly Request: JournalEntry;
  readonly RequestList: RequestList;
  readonly WaitingRequest: WaitingRequest;
  readonly RequestAnswer: RequestAnswer;
  readonly ReplayedRequest: ReplayedRequest;
  readonly ReplayReport: ReplayReport;
  readonly CoverageReport: CoverageReport;
  readonly BehaviourCoverage: BehaviourCoverage;
  readonly RiskCoverage: RiskCoverage;
  readonly CoverageExample: CoverageExample;
  readonly CoverageException: CoverageException;
  readonly RequestCount: { readonly count: Count };
  readonly Fault: FaultDescription;
  readonly FaultList: List<FaultDescription>;
  readonly Limit: LimitDescription;
  readonly LimitList: List<LimitDescription>;
  readonly Assumption: AssumptionDescription;
  readonly AssumptionList: List<AssumptionDescription>;
  readonly Snapshot: Snapshot;
  readonly Problem: ProblemDocument;
}

interface List<Item> {
  readonly data: readonly Item[];
}

/** A problem document (RFC 9457). */
interface ProblemDocument {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: Count;
  readonly detail: string;
  /** Such as `invalid`, `not_found`, `conflict`, `refused`, `not_kept`. */
  readonly code: string;
}
