import { constantPlaces, withGaps, withParameter } from "../error-form.ts";
import { keyKinds } from "../keys.ts";
import { isHonoured } from "./lists.ts";
import { type CalibratedRows, decided, notAnswered, open, outside, shown, statusesOf } from "../verdict.ts";

/** Requests that may be refused because of a parameter. */
const parameterProbes = ["bad_size", "over_max", "past_end", "repeated_late"] as const;

/** Errors, keys and ids in requests. */
export const requestRows = {
  "errors.body": {
    probes: ["no_key", "foreign_offering", "unknown_investment", ...parameterProbes],
    decide(seen) {
      const errors = (["no_key", "foreign_offering", "unknown_investment"] as const).flatMap((id) => {
        const shape = seen.one(id);
        return shape && shape.status >= 400 ? shape : [];
      });
      const [first] = errors;
      if (!first) return notAnswered;
      const forms = new Set(errors.map(({ error }) => error));
      if (forms.size > 1) {
        const words = errors.map(({ status, error }) => `${status} ${error}`).join("; ");
        return outside(`one form for each status: ${words}`, "jsonapi");
      }
      if (first.error === "text") return outside("a body that is no JSON object", "empty");
      const ofParameter = parameterProbes
        .flatMap((id) => seen.all(id))
        .find(({ status }) => [400, 422].includes(status));
      // Only errors of different statuses show which texts name the error. Others may be anybody's: they are not kept.
      const differ = new Set(errors.map(({ status }) => status)).size === errors.length;
      const constant = differ ? constantPlaces(errors.map(({ errorValues }) => errorValues)) : [];
      const plain = withGaps(first.error, constant);
      const form = (ofParameter && withParameter(plain.form, withGaps(ofParameter.error, constant).form)) ?? plain.form;
      // Nothing shows whether what is empty would name a parameter.
      const isOpen = !ofParameter && /""|null/.test(form);
      const { places } = plain;
      const confidence =
        isOpen && places.length === 0 ? "low" : errors.length > 1 && places.length === 0 ? "high" : "medium";
      const verdict = shown("errors.body", form, confidence, `${statusesOf(errors)} agree`, "message");
      if (verdict.kind !== "decided" || places.length === 0) return verdict;
      return {
        ...verdict,
        except: `${places.join(", ")}: left empty, because nothing shows a value that names the error`,
      };
    },
  },
  "errors.invalid_parameter": {
    probes: ["first_item", "second_page", "far_future", "bad_size", "bad_page", "bad_date"],
    decide(seen) {
      const shapes = (["bad_size", "bad_page", "bad_date"] as const).flatMap((id) => seen.one(id) ?? []);
      const [first] = shapes;
      if (!first) return notAnswered;
      const statuses = statusesOf(shapes);
      if (shapes.some(({ status }) => status !== first.status))
        return outside(`${statuses} for a size, a page and a date`, "400");
      // A parameter that has no effect when it is valid is not looked at.
      const honoured = (["size", "page", "date"] as const).filter((parameter) => isHonoured(seen, parameter));
      if (first.status === 200 && honoured.length === 0)
        return open("no parameter is seen to have an effect when it is valid");
      const isWhole = shapes.length === 3 && (first.status !== 200 || honoured.length === 3);
      const confidence = isWhole ? "high" : "medium";
      if (first.status === 200) return decided("ignore", confidence, `${statuses} for a size, a page and a date`);
      return shown(
        "errors.invalid_parameter",
        String(first.status),
        confidence,
        `${statuses} for a size, a page and a date`,
        "400",
      );
    },
  },
  "errors.method": {
    probes: ["method"],
    decide(seen) {
      const shape = seen.one("method");
      if (!shape) return open("GET cannot tell: needs --with-options");
      if (shape.status === 405 && shape.headers.includes("allow"))
        return decided("405", "high", "OPTIONS: 405 with Allow");
      if (shape.status === 404) return decided("404", "high", "OPTIONS: 404");
      if (shape.status < 300) return open(`OPTIONS has an answer of its own: ${shape.status}`);
      return outside(`OPTIONS: ${shape.status}`, "405");
    },
  },
  "errors.www_authenticate": {
    probes: ["no_key"],
    decide(seen) {
      const shape = seen.one("no_key");
      if (!shape) return notAnswered;
      if (shape.status !== 401) return open(`no 401 without a key, but ${shape.status}`);
      if (shape.asksForBearer) return decided("yes", "high", "401 with WWW-Authenticate: Bearer");
      if (shape.headers.includes("www-authenticate")) return outside("WWW-Authenticate with another scheme", "yes");
      return decided("no", "high", "401 without WWW-Authenticate");
    },
  },
  "auth.scheme": {
    probes: ["lower_case_scheme", "no_key"],
    decide(seen) {
      const shape = seen.one("lower_case_scheme");
      if (!shape) return notAnswered;
      if (shape.status === 200 && (seen.one("no_key")?.status ?? 200) < 400) return open("no key is refused");
      if (shape.status === 200) return decided("any-case", "high", "200 with bearer");
      return shape.status === 401
        ? decided("exact", "high", "401 with bearer")
        : outside(`${shape.status} with bearer`, "exact");
    },
  },
  "auth.partner_data": {
    probes: ["investment"],
    decide(seen) {
      const kinds = keyKinds(seen);
      if (kinds.includes("ungranted")) return decided("on-request", "high", "a partner key reads redacted data");
      if (!kinds.includes("partner")) return open("needs a partner key");
      return decided("granted", "low", "this partner key has access, which says nothing of others");
    },
  },
  "ids.case": {
    probes: ["upper_case", "unknown_investment"],
    decide(seen) {
      const shape = seen.one("upper_case");
      if (!shape) return open("no investment has an id with letters");
      if (seen.one("unknown_investment")?.status === 200) return open("an unknown id is answered with 200 too");
      if (shape.status === 200) return decided("any-case", "high", "200 for an id in upper case");
      return shape.status === 404
        ? decided("exact", "high", "404 for an id in upper case")
        : outside(`${shape.status}`, "exact");
    },
  },
} as const satisfies Partial<CalibratedRows>;
