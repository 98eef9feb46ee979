import { type ErrorCode, errorCatalogue } from "../errors/http-error.ts";
import type { RequestFilter, StatusClass } from "../options.ts";
import { instant, type Kind, oneOf, text, wholeNumber } from "./kinds.ts";
import type { SettingsFor } from "./settings.ts";

const [single, statusClass] = [wholeNumber(0, 599), oneOf(["1xx", "2xx", "3xx", "4xx", "5xx"])];

const status: Kind<number | StatusClass> = {
  ...single,
  placeholder: "status",
  expected: `${single.expected}, or a class such as "4xx"`,
  schema: { anyOf: [single.schema, statusClass.schema] },
  words: statusClass.words,
  read: (written) => single.read(written) ?? statusClass.read(written.toLowerCase()),
  accepts: (value): value is number | StatusClass => single.accepts(value) || statusClass.accepts(value),
};

const code: Kind<ErrorCode> = {
  ...oneOf(Object.keys(errorCatalogue) as ErrorCode[]),
  placeholder: "code",
  expected: "the code of an error such as key_missing",
};

/** Which requests of a journal are listed: flags of `requests`, members of a filter, and parameters of the admin API. */
export const requestFilter = {
  path: {
    kind: text("pattern", "a path such as /api/v1/**"),
    words: "only this path; * is one segment, ** any number",
  },
  method: { kind: text("method", "a method such as GET", /^[a-z-]{1,40}$/i), words: "only this method" },
  status: { kind: status, words: "only this status, or a class such as 4xx; 0 is no answer" },
  code: { kind: code, words: "only this error, such as key_missing" },
  key_id: {
    kind: text("key", "the id, alias or label of a key"),
    flag: "key-id",
    words: "only this key: its id, alias or label",
  },
  since: { kind: instant, words: "only since this instant of the sandbox's clock" },
  after: { kind: wholeNumber(0), words: "only later than the request of this id" },
  limit: { kind: wholeNumber(0), words: "only the last n" },
} as const satisfies SettingsFor<RequestFilter>;
