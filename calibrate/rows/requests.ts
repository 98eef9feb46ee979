import { anotherForm } from "../responses/forms.ts";
import { namesIn } from "../responses/types.ts";
import { kindsOfKeys } from "./keys.ts";
import { isHonored } from "./paging.ts";
import { byHand, decided, noResponse, open, unsupported, type Rows } from "./row.ts";
import { statusesOf } from "./seen.ts";

/** Errors, keys and ids in requests. */
export const requestTable: Rows = {
  "errors.body": {
    probes: ["no_key", "foreign_offering", "unknown_investment"],
    decide(_, seen) {
      const errors = seen.each("no_key", "foreign_offering", "unknown_investment").filter(({ error }) => error);
      const [first] = errors;
      if (!first?.error) return open(noResponse);
      if (errors.some(({ error }) => error !== first.error)) {
        const forms = errors.map(({ status, error }) => `${status} ${error}`).join("; ");
        return unsupported(`one form for each status: ${forms}`);
      }
      if (first.error === "text") return unsupported("a body that is not a JSON object", "empty");
      if (first.error === anotherForm) return unsupported(`{${namesIn(first.types).join(",")}}, ${byHand}`);
      return decided(first.error, errors.length > 1 ? "high" : "medium", `${statusesOf(errors)} agree`);
    },
  },
  "errors.invalid_parameter": {
    probes: ["bad_size", "bad_page", "bad_date", "first_item", "second_page", "far_future"],
    decide({ status }, seen) {
      const shapes = seen.each("bad_size", "bad_page", "bad_date");
      const because = `${statusesOf(shapes)} for a size, a page and a date`;
      if (shapes.some((shape) => shape.status !== status)) return unsupported(because);
      // A parameter without any effect, even when it is valid, is not checked.
      const honored = (["size", "page", "date"] as const).filter((parameter) => isHonored(seen, parameter));
      if (status === 200 && honored.length === 0)
        return open("no parameter is seen to have an effect when it is valid");
      const isWhole = shapes.length === 3 && (status !== 200 || honored.length === 3);
      return decided(status === 200 ? "ignore" : String(status), isWhole ? "high" : "medium", because);
    },
  },
  "errors.method": {
    probes: ["method"],
    unansweredCount: "GET cannot tell: needs --with-options",
    decide({ status, headers }) {
      if (status === 405 && headers.includes("allow")) return decided("405", "high", "OPTIONS: 405 with Allow");
      if (status === 404) return decided("404", "high", "OPTIONS: 404");
      return status < 300 ? open(`OPTIONS has a response of its own: ${status}`) : unsupported(`OPTIONS: ${status}`);
    },
  },
  "errors.www_authenticate": {
    probes: ["no_key"],
    decide({ status, headers, asksForBearer }) {
      if (status !== 401) return open(`no 401 without a key, but ${status}`);
      if (asksForBearer) return decided("yes", "high", "401 with WWW-Authenticate: Bearer");
      if (headers.includes("www-authenticate")) return unsupported("WWW-Authenticate with another scheme");
      return decided("no", "high", "401 without WWW-Authenticate");
    },
  },
  "auth.scheme": {
    probes: ["lower_case_scheme", "no_key"],
    decide({ status }, seen) {
      if (status === 200 && (seen.one("no_key")?.status ?? 200) < 400)
        return open("no request without a key was refused");
      if (status === 200) return decided("any-case", "high", "200 with bearer");
      return status === 401
        ? decided("exact", "high", "401 with bearer")
        : unsupported(`${status} with bearer`, "exact");
    },
  },
  "auth.partner_data": {
    probes: ["investment"],
    decide(_, seen) {
      const kinds = kindsOfKeys(seen);
      // A key that reads no phone numbers is certainly a partner key only if another key reads some.
      const confidence = kinds.includes("marketing") ? "high" : "low";
      if (kinds.includes("ungranted")) return decided("on-request", confidence, "a partner key reads redacted data");
      if (!kinds.includes("partner")) return open("needs a partner key");
      return decided("granted", "low", "this partner key has access, which says nothing of others");
    },
  },
  "ids.case": {
    probes: ["upper_case", "unknown_investment"],
    unansweredCount: "no investment has an id with letters",
    decide({ status, subject }, seen) {
      // The subject is the requested investment: of another one, the session keeps no response.
      if (seen.one("unknown_investment")?.status === 200) return open("an unknown id gets a 200 too");
      if (status === 200 && subject === undefined) return open("200 with another document");
      if (status === 200) return decided("any-case", "high", "200 for an id in upper case");
      return status === 404
        ? decided("exact", "high", "404 for an id in upper case")
        : unsupported(`${status}`, "exact");
    },
  },
};
