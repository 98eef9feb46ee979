import type { Row } from "./row.ts";

/** Errors, keys and ids in requests. */
export const requestRows = [
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
    accepts: "error template",
    conventional: "jsonapi",
    minimal: "empty",
  },
  {
    id: "errors.invalid_parameter",
    question: "An invalid page, size or date",
    section: "4, 8",
    values: {
      "400": "400, names the parameter and what is expected",
      "422": "422, likewise, even if another assumption of a parameter says 400",
      ignore: "as if it were not sent",
    },
    conventional: "400",
    minimal: "ignore",
  },
  {
    id: "errors.method",
    question: "A method other than GET or HEAD",
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
    values: { "any-case": "bearer and BEARER work too (RFC 9110)", exact: "Bearer only" },
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
    vary: "by name",
    conventional: "granted",
  },
  {
    id: "ids.case",
    question: "Is a UUID in the path compared without regard to case?",
    section: "2",
    values: { "any-case": "it is", exact: "only lower case names a resource" },
    conventional: "any-case",
    minimal: "exact",
  },
] as const satisfies readonly Row[];
