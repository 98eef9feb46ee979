/**
 * Every point where the specification is silent, as data: the question, the answers to choose from, and the answer under
 * each profile. No such decision is taken anywhere else in the code.
 */
export interface Row {
  readonly id: string;
  readonly question: string;
  /** The section of the specification that leaves the question open. */
  readonly section: string;
  /** Each value with what it means. */
  readonly values: Readonly<Record<string, string>>;
  /** Values beyond `values`: whole numbers of a range, or any text. */
  readonly accepts?: { readonly from: number; readonly to: number } | "text";
  readonly conventional: string | number;
  readonly minimal: string | number;
}

export const catalogue = [
  {
    id: "errors.body",
    question: "Shape of the error body",
    section: "7",
    values: {
      jsonapi: "{errors:[{status,code,title,detail,source?}]}",
      empty: "no body",
      problem: "a problem document (RFC 9457)",
      message: '{"message": …}',
    },
    conventional: "jsonapi",
    minimal: "empty",
  },
  {
    id: "errors.invalid_parameter",
    question: "An invalid page, size or date",
    section: "4, 8",
    values: { "400": "400, names the parameter and what is expected", ignore: "as if it were not sent" },
    conventional: "400",
    minimal: "ignore",
  },
  {
    id: "errors.method",
    question: "Another method than GET or HEAD",
    section: "1",
    values: { "405": "405 with Allow", "404": "404" },
    conventional: "405",
    minimal: "404",
  },
  {
    id: "errors.www_authenticate",
    question: "Does a 401 carry WWW-Authenticate: Bearer?",
    section: "5",
    values: { yes: "it does", no: "it does not" },
    conventional: "yes",
    minimal: "no",
  },
  {
    id: "auth.scheme",
    question: "Is the scheme's case significant?",
    section: "5.1",
    values: { "any-case": "bearer and BEARER serve too (RFC 9110)", exact: "Bearer only" },
    conventional: "any-case",
    minimal: "exact",
  },
  {
    id: "auth.partner_data",
    question: "A partner key without granted access to personal data",
    section: "5.5",
    values: {
      granted: "every partner key has access",
      "on-request": "keys carry personal_data; without it the data is redacted, and phone_number omitted",
    },
    conventional: "granted",
    minimal: "granted",
  },
  {
    id: "ids.case",
    question: "Is a UUID in the path compared without regard to case?",
    section: "2",
    values: { "any-case": "it is", exact: "only lower case names a resource" },
    conventional: "any-case",
    minimal: "exact",
  },
  {
    id: "offering.document",
    question: "Body of GET /offerings/:id",
    section: "4",
    values: {
      resource: "{data:{type,id,attributes}}, attributes of 2.4",
      "resource-with-counts": "the same, with meta:{investments,closed,pending}",
    },
    conventional: "resource",
    minimal: "resource",
  },
  {
    id: "status.document",
    question: "Body of GET /investments/:id/status",
    section: "4",
    values: {
      resource: "{data:{type,id,attributes:{step,status,create_date}}}, as in 4.2",
      "resource-without-date": "{data:{type,id,attributes:{step,status}}}",
      flat: "{step,status}",
    },
    conventional: "resource",
    minimal: "resource-without-date",
  },
  {
    id: "list.document",
    question: "Body of the investment list",
    section: "4",
    values: {
      resources: "data, investments with attributes and relationships; meta:{page,size,total,pages}; links:{self,first,prev,next,last}",
      data: "data only",
    },
    conventional: "resources",
    minimal: "data",
  },
  {
    id: "list.included",
    question: "Does the list carry included?",
    section: "4",
    values: { no: "it does not", yes: "as in 4.1, each resource once, redacted by key type" },
    conventional: "no",
    minimal: "no",
  },
  {
    id: "list.first_page",
    question: "First page's number",
    section: "8",
    values: { "1": "counted from 1", "0": "counted from 0" },
    conventional: "1",
    minimal: "1",
  },
  {
    id: "list.default_size",
    question: "Page size when none is given, but never above list.max_size",
    section: "8",
    values: {},
    accepts: { from: 1, to: 1000 },
    conventional: 20,
    minimal: 20,
  },
  {
    id: "list.max_size",
    question: "Largest size",
    section: "8",
    values: {},
    accepts: { from: 1, to: 1000 },
    conventional: 100,
    minimal: 100,
  },
  {
    id: "list.over_max",
    question: "A size above the largest",
    section: "8",
    values: { reject: "400", clamp: "the largest size is used" },
    conventional: "reject",
    minimal: "clamp",
  },
  {
    id: "list.past_end",
    question: "A page after the last",
    section: "8",
    values: { empty: "200 with data: []", "404": "404" },
    conventional: "empty",
    minimal: "empty",
  },
  {
    id: "list.order",
    question: "Order of the list",
    section: "8",
    values: {
      create_date: "oldest first, then by investment_number",
      "-create_date": "newest first",
      modify_date: "least recently modified first",
      "-modify_date": "most recently modified first",
      unordered: "a stable shuffle from the seed",
    },
    conventional: "create_date",
    minimal: "unordered",
  },
  {
    id: "events.order",
    question: "Order of events",
    section: "4.2",
    values: {
      create_date: "oldest first, then as recorded",
      "-create_date": "newest first",
      unordered: "a stable shuffle from the seed",
    },
    conventional: "create_date",
    minimal: "unordered",
  },
  {
    id: "dates.date_only",
    question: "A date without time as a bound",
    section: "4",
    values: {
      "whole-day": "gte from its first, lte to its last millisecond, UTC",
      midnight: "its first millisecond, UTC",
      reject: "400",
    },
    conventional: "whole-day",
    minimal: "midnight",
  },
  {
    id: "dates.repeated",
    question: "The same parameter twice",
    section: "4",
    values: { reject: "400", last: "the last one counts", first: "the first one counts" },
    conventional: "reject",
    minimal: "last",
  },
  {
    id: "investor.birthdate",
    question: "A birthdate that is not held, partner key",
    section: "2.3",
    values: { absent: "the member is absent", null: "null" },
    conventional: "absent",
    minimal: "absent",
  },
  {
    id: "investor.redact_absent",
    question: "A birthdate that is not held, marketing key",
    section: "2.3",
    values: { redacted: "[[redacted]]", absent: "the member is absent" },
    conventional: "redacted",
    minimal: "absent",
  },
  {
    id: "investor.middle_name",
    question: "A middle name that is not held",
    section: "2.3",
    values: { '""': "an empty string", null: "null", absent: "the member is absent" },
    conventional: '""',
    minimal: '""',
  },
  {
    id: "signing_party.status",
    question: "Status of a signing party before signing",
    section: "3",
    values: { pending: "pending" },
    accepts: "text",
    conventional: "pending",
    minimal: "pending",
  },
  {
    id: "payment.statuses",
    question: "Statuses of a payment before and instead of succeeded",
    section: "3",
    values: { "pending,failed": "pending before, failed instead" },
    conventional: "pending,failed",
    minimal: "pending,failed",
  },
  {
    id: "investment.statuses",
    question: "Statuses of an investment besides PENDING and CLOSED",
    section: "3",
    values: { none: "a fixture that sets another is refused", any: "whatever fixtures and scenarios set" },
    conventional: "none",
    minimal: "none",
  },
  {
    id: "investment.broker",
    question: "Shape of broker when set",
    section: "2.1",
    values: { null: "never set: {data: null}", reference: '{data:{type:"brokers",id}} for some' },
    conventional: "null",
    minimal: "null",
  },
  {
    id: "money.currency",
    question: "Units of amounts",
    section: "2.1",
    values: { decimal: "decimal units with two places" },
    conventional: "decimal",
    minimal: "decimal",
  },
  {
    id: "limit.window",
    question: "Kind of window of the rate limit",
    section: "8",
    values: { fixed: "a minute from a key's first request", sliding: "the last minute at any moment" },
    conventional: "fixed",
    minimal: "fixed",
  },
  {
    id: "limit.counts",
    question: "What counts against the limit",
    section: "8",
    values: { "every-request": "every request with a valid key, whatever its answer" },
    conventional: "every-request",
    minimal: "every-request",
  },
  {
    id: "limit.retry_after",
    question: "Form of Retry-After",
    section: "7",
    values: { seconds: "whole seconds, at least 1", "http-date": "an HTTP date" },
    conventional: "seconds",
    minimal: "seconds",
  },
  {
    id: "limit.headers",
    question: "Other rate-limit headers",
    section: "8",
    values: { none: "none", "draft-8": "RateLimit and RateLimit-Policy of the IETF draft 8" },
    conventional: "none",
    minimal: "none",
  },
  {
    id: "content_type",
    question: "Media type of responses",
    section: "1",
    values: {
      "application/json; charset=utf-8": "plain JSON",
      "application/vnd.api+json": "JSON:API",
    },
    conventional: "application/json; charset=utf-8",
    minimal: "application/json; charset=utf-8",
  },
  {
    id: "cors",
    question: "May browsers of other origins call?",
    section: "1",
    values: { yes: "Authorization allowed, Retry-After exposed, no credentials", no: "no CORS headers" },
    conventional: "yes",
    minimal: "yes",
  },
  {
    id: "precedence",
    question: "Which error wins",
    section: "7",
    values: { conventional: "401, 429, 404 for an unknown path, 405, 403, 400, 404 for an unknown investment" },
    conventional: "conventional",
    minimal: "conventional",
  },
] as const satisfies readonly Row[];

type Rows = (typeof catalogue)[number];

/** The name of an assumption. */
export type AssumptionId = Rows["id"];

type Accepted<R> = R extends { readonly accepts: "text" } ? string : R extends { readonly accepts: object } ? number : never;

/** A value of one assumption. */
export type AssumptionValue<Id extends AssumptionId> =
  Extract<Rows, { id: Id }> extends infer R extends { values: object } ? (keyof R["values"] & string) | Accepted<R> : never;

/** A complete set of assumptions: one value for each row of the catalogue. */
export type Assumptions = { readonly [Id in AssumptionId]: AssumptionValue<Id> };
