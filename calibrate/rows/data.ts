import { omittedText } from "../responses/words.ts";
import { everyInvestment, investorsReadBy, isRedacted, kindsOfKeys } from "./keys.ts";
import { everyList } from "./paging.ts";
import { decided, noResponse, open, unsupported, type Rows, type Verdict } from "./row.ts";
import type { ProbeResponses } from "./seen.ts";

/** Values in the data. */
export const dataTable: Rows = {
  "investor.birthdate": {
    probes: ["investment"],
    decide(_, seen) {
      const forms = new Set(investorsReadBy("partner", seen).map(({ birthdate }) => birthdate));
      if (forms.size === 0) return open("needs a partner key with access to personal data");
      return onlyForm(forms, ["absent", "null"], "a birthdate that is not stored", "every investor has one");
    },
  },
  "investor.redact_absent": {
    probes: ["investment", "marketing"],
    decide(_, seen) {
      if (!kindsOfKeys(seen).includes("marketing")) return open("needs a marketing key");
      // Only a person with a redacted member shows how redaction treats an absent one.
      const investors = investorsReadBy("marketing", seen).filter(isRedacted);
      if (investors.length === 0) return open("no redacted investor was seen");
      const without = new Set(
        investorsReadBy("partner", seen).flatMap(({ person, birthdate }) => (birthdate === "held" ? [] : person)),
      );
      // If no partner key read an investor, only an absent birthdate shows that the service holds none.
      const forms = new Set(
        investors.flatMap(({ person, birthdate }) => (without.has(person) || birthdate === "absent" ? birthdate : [])),
      );
      const otherwise = "no investor is known to have none";
      return onlyForm(forms, ["redacted", "absent"], "a birthdate that is not stored", otherwise);
    },
  },
  "investor.middle_name": {
    probes: ["investment"],
    decide(_, seen) {
      const investors = everyInvestment(seen).flatMap((investment) => investment.investors);
      if (investors.length === 0) return open("no investor was seen");
      const forms = new Set(investors.map(({ middle_name }) => middle_name));
      return onlyForm(forms, ['""', "null", "absent"], "a middle name that is not stored", "every investor has one");
    },
  },
  "signing_party.status": {
    probes: ["investment"],
    decide(_, seen) {
      const unsigned = everyInvestment(seen).flatMap(({ parties }) => parties.filter(({ signed }) => !signed));
      const [status, ...others] = [...new Set(unsigned.map((party) => party.status))].toSorted();
      if (status === undefined) return open("every signing party has signed");
      if (others.length > 0) return unsupported([status, ...others].join(", "));
      if (status === omittedText) return open("a word that is not among the common ones: set it by hand");
      return decided(status, unsigned.length > 1 ? "high" : "medium", `${unsigned.length} who have not signed`);
    },
  },
  "payment.statuses": {
    probes: ["investment"],
    decide(_, seen) {
      const statuses = new Set(everyInvestment(seen).flatMap(({ payments }) => payments));
      if (statuses.size === 0) return open("no payment was seen");
      const others = [...statuses].filter((status) => status !== "succeeded").toSorted();
      if (others.some((status) => !["pending", "failed"].includes(status))) return unsupported(others.join(", "));
      if (others.length === 0) return decided("pending,failed", "low", "all have succeeded");
      return decided("pending,failed", "medium", others.join(" and "));
    },
  },
  "investment.statuses": {
    probes: ["list", "ordered", "investment"],
    decide(_, seen) {
      const statuses = new Set([...everyList(seen), ...everyInvestment(seen)].flatMap((facts) => facts.statuses));
      if (statuses.size === 0) return open(noResponse);
      const others = [...statuses].filter((status) => !["PENDING", "CLOSED"].includes(status)).toSorted();
      if (others.length > 0) return decided("any", "high", `${others.join(", ")} too`);
      return decided("none", "low", `no other among ${listedInvestments(seen)}`);
    },
  },
  "investment.broker": {
    probes: ["list", "ordered", "investment", "brokers"],
    decide(_, seen) {
      const brokers = [...everyList(seen), ...everyInvestment(seen)].flatMap((facts) => facts.brokers);
      if (brokers.includes("another")) return unsupported("a broker of another shape", "reference");
      if (brokers.length > 0) return decided("reference", "high", "references of type brokers");
      if (everyList(seen).length === 0) return open(noResponse);
      return decided("null", "low", `none among ${listedInvestments(seen)}`);
    },
  },
  "money.currency": {
    probes: ["list", "ordered", "investment"],
    decide(_, seen) {
      const facts = [...everyList(seen), ...everyInvestment(seen)];
      if (facts.length === 0) return open(noResponse);
      if (facts.some(({ hasCents }) => hasCents)) return decided("decimal", "high", "amounts with cents");
      return decided("decimal", "low", "only whole amounts");
    },
  },
};

/** How many investments lists have shown. */
function listedInvestments(seen: ProbeResponses): number {
  return new Set(everyList(seen).flatMap(({ items }) => items)).size;
}

/** Decides for the form in which the service shows a missing value, if it is the only one of the known forms. */
function onlyForm(
  forms: ReadonlySet<string>,
  known: readonly [string, ...string[]],
  because: string,
  otherwise: string,
): Verdict {
  const present = known.filter((form) => forms.has(form));
  const [form, ...others] = present;
  if (form === undefined) return open(otherwise);
  return others.length > 0 ? unsupported(`${present.join(", ")} alike`, form) : decided(form, "high", because);
}
