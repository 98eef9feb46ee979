import { anotherForm } from "../responses/forms.ts";
import { namesIn } from "../responses/types.ts";
import { kindsOfKeys } from "./keys.ts";
import { isHonored } from "./paging.ts";
import { templateHint, decided, noResponse, undetermined, unsupported, type Rows } from "./row.ts";
import { formatStatuses } from "./observations.ts";

/** Errors, keys and ids in requests. */
export const requestTable: Rows = {
  "errors.body": {
    probes: ["no_key", "foreign_offering", "unknown_investment"],
    decide(_, observations) {
      const errors = observations
        .firstOfEach("no_key", "foreign_offering", "unknown_investment")
        .filter(({ error }) => error);
      const [first] = errors;
      if (!first?.error) return undetermined(noResponse);
      if (errors.some(({ error }) => error !== first.error)) {
        const forms = errors.map(({ status, error }) => `${status} ${error}`).join("; ");
        return unsupported(`one form for each status: ${forms}`);
      }
      if (first.error === "text") return unsupported("a body that is not a JSON object", "empty");
      if (first.error === anotherForm) return unsupported(`{${namesIn(first.types).join(",")}}, ${templateHint}`);
      return decided(first.error, errors.length > 1 ? "high" : "medium", `${formatStatuses(errors)} agree`);
    },
  },
  "errors.invalid_parameter": {
    probes: ["bad_size", "bad_page", "bad_date", "first_item", "second_page", "far_future"],
    decide({ status }, observations) {
      const shapes = observations.firstOfEach("bad_size", "bad_page", "bad_date");
      const reason = `${formatStatuses(shapes)} for a size, a page and a date`;
      if (shapes.some((shape) => shape.status !== status)) return unsupported(reason);
      // A parameter that has no effect even when it is valid is not counted.
      const parameters = ["size", "page", "date"] as const;
      const honoredParameters = parameters.filter((parameter) => isHonored(observations, parameter));
      if (status === 200 && honoredParameters.length === 0)
        return undetermined("no valid parameter is known to have an effect");
      const isWhole = shapes.length === 3 && (status !== 200 || honoredParameters.length === 3);
      return decided(status === 200 ? "ignore" : String(status), isWhole ? "high" : "medium", reason);
    },
  },
  "errors.method": {
    probes: ["method"],
    noResponseReason: "GET cannot tell: needs --with-options",
    decide({ status, headers }) {
      if (status === 405 && headers.includes("allow")) return decided("405", "high", "OPTIONS: 405 with Allow");
      if (status === 404) return decided("404", "high", "OPTIONS: 404");
      if (status < 300) return undetermined(`OPTIONS returns ${status}, which is not an error`);
      return unsupported(`OPTIONS: ${status}`);
    },
  },
  "errors.www_authenticate": {
    probes: ["no_key"],
    decide({ status, headers, needsBearer }) {
      if (status !== 401) return undetermined(`no 401 without a key, but ${status}`);
      if (needsBearer) return decided("yes", "high", "401 with WWW-Authenticate: Bearer");
      if (headers.includes("www-authenticate")) return unsupported("WWW-Authenticate with another scheme");
      return decided("no", "high", "401 without WWW-Authenticate");
    },
  },
  "auth.scheme": {
    probes: ["lower_case_scheme", "no_key"],
    decide({ status }, observations) {
      if (status === 200 && (observations.first("no_key")?.status ?? 200) < 400)
        return undetermined("no request without a key was refused");
      if (status === 200) return decided("any-case", "high", "200 with bearer");
      if (status === 401) return decided("exact", "high", "401 with bearer");
      return unsupported(`${status} with bearer`, "exact");
    },
  },
  "auth.partner_data": {
    probes: ["investment"],
    decide(_, observations) {
      const kinds = kindsOfKeys(observations);
      // A key that reads no phone numbers is certainly a partner key only if another key reads some.
      const confidence = kinds.includes("marketing") ? "high" : "low";
      if (kinds.includes("ungranted")) return decided("on-request", confidence, "a partner key reads redacted data");
      if (!kinds.includes("partner")) return undetermined("needs a partner key");
      return decided("granted", "low", "this partner key has access, which says nothing about other keys");
    },
  },
  "ids.case": {
    probes: ["upper_case", "unknown_investment"],
    noResponseReason: "no investment has an id with letters",
    decide({ status, subject }, observations) {
      // The subject is the requested investment: the session stores no response about another investment.
      if (observations.first("unknown_investment")?.status === 200) return undetermined("an unknown id gets a 200 too");
      if (status === 200 && subject === undefined) return undetermined("200 with another document");
      if (status === 200) return decided("any-case", "high", "200 for an id in upper case");
      if (status === 404) return decided("exact", "high", "404 for an id in upper case");
      return unsupported(`${status}`, "exact");
    },
  },
};
