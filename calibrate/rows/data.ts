import { omittedText } from "../responses/state-word.ts";
import { everyInvestment, investorsReadBy, isRedacted, kindsOfKeys } from "./keys.ts";
import { everyList } from "./paging.ts";
import { decided, noResponse, undetermined, unsupported, type Rows, type Verdict } from "./row.ts";
import type { Observations } from "./observations.ts";

/** Values in the data. */
export const dataTable: Rows = {
  "investor.birthdate": {
    probes: ["investment"],
    decide(_, observations) {
      const forms = new Set(investorsReadBy("partner", observations).map(({ birthdate }) => birthdate));
      if (forms.size === 0) return undetermined("needs a partner key with access to personal data");
      return onlyForm(forms, ["absent", "null"], "a birthdate that is not stored", "every investor has one");
    },
  },
  "investor.redact_absent": {
    probes: ["investment", "marketing"],
    decide(_, observations) {
      if (!kindsOfKeys(observations).includes("marketing")) return undetermined("needs a marketing key");
      // Only a person with a redacted member shows how redaction treats an absent member.
      const investors = investorsReadBy("marketing", observations).filter(isRedacted);
      if (investors.length === 0) return undetermined("no redacted investor was observed");
      const peopleWithoutBirthdate = new Set(
        investorsReadBy("partner", observations).flatMap(({ person, birthdate }) =>
          birthdate === "stored" ? [] : person,
        ),
      );
      // If no partner key read an investor, only an absent birthdate shows that the service stores none.
      const forms = new Set(
        investors.flatMap(({ person, birthdate }) =>
          peopleWithoutBirthdate.has(person) || birthdate === "absent" ? birthdate : [],
        ),
      );
      const reasonWithoutForm = "no investor is known to have none";
      return onlyForm(forms, ["redacted", "absent"], "a birthdate that is not stored", reasonWithoutForm);
    },
  },
  "investor.middle_name": {
    probes: ["investment"],
    decide(_, observations) {
      const investors = everyInvestment(observations).flatMap((investment) => investment.investors);
      if (investors.length === 0) return undetermined("no investor was observed");
      const forms = new Set(investors.map(({ middle_name }) => middle_name));
      return onlyForm(forms, ['""', "null", "absent"], "a middle name that is not stored", "every investor has one");
    },
  },
  "signing_party.status": {
    probes: ["investment"],
    decide(_, observations) {
      const unsigned = everyInvestment(observations).flatMap(({ parties }) =>
        parties.filter(({ isSigned }) => !isSigned),
      );
      const [status, ...otherStatuses] = [...new Set(unsigned.map((party) => party.status))].toSorted();
      if (status === undefined) return undetermined("every signing party has signed");
      if (otherStatuses.length > 0) return unsupported([status, ...otherStatuses].join(", "));
      if (status === omittedText)
        return undetermined("a word that is not among the common words: set the value yourself");
      return decided(status, unsigned.length > 1 ? "high" : "medium", `${unsigned.length} who have not signed`);
    },
  },
  "payment.statuses": {
    probes: ["investment"],
    decide(_, observations) {
      const statuses = new Set(everyInvestment(observations).flatMap(({ payments }) => payments));
      if (statuses.size === 0) return undetermined("no payment was observed");
      const otherStatuses = [...statuses].filter((status) => status !== "succeeded").toSorted();
      if (otherStatuses.some((status) => !["pending", "failed"].includes(status)))
        return unsupported(otherStatuses.join(", "));
      if (otherStatuses.length === 0) return decided("pending,failed", "low", "all have succeeded");
      return decided("pending,failed", "medium", otherStatuses.join(" and "));
    },
  },
  "investment.statuses": {
    probes: ["list", "ordered", "investment"],
    decide(_, observations) {
      const statuses = new Set(
        [...everyList(observations), ...everyInvestment(observations)].flatMap((facts) => facts.statuses),
      );
      if (statuses.size === 0) return undetermined(noResponse);
      const otherStatuses = [...statuses].filter((status) => !["PENDING", "CLOSED"].includes(status)).toSorted();
      if (otherStatuses.length > 0) return decided("any", "high", `${otherStatuses.join(", ")} too`);
      return decided("none", "low", `no other among ${listedInvestments(observations)} investments`);
    },
  },
  "investment.broker": {
    probes: ["list", "ordered", "investment", "brokers"],
    decide(_, observations) {
      const brokers = [...everyList(observations), ...everyInvestment(observations)].flatMap((facts) => facts.brokers);
      if (brokers.includes("another")) return unsupported("a broker of another shape", "reference");
      if (brokers.length > 0) return decided("reference", "high", "references of type brokers");
      if (everyList(observations).length === 0) return undetermined(noResponse);
      return decided("null", "low", `none among ${listedInvestments(observations)} investments`);
    },
  },
  "money.currency": {
    probes: ["list", "ordered", "investment"],
    decide(_, observations) {
      const facts = [...everyList(observations), ...everyInvestment(observations)];
      if (facts.length === 0) return undetermined(noResponse);
      if (facts.some(({ hasCents }) => hasCents)) return decided("decimal", "high", "amounts with cents");
      return decided("decimal", "low", "only whole amounts");
    },
  },
};

/** Returns the number of investments in all lists. */
function listedInvestments(observations: Observations): number {
  return new Set(everyList(observations).flatMap(({ items }) => items)).size;
}

/** Decides for the known form in which the service shows a missing value, if it shows only one of these forms. */
function onlyForm(
  forms: ReadonlySet<string>,
  knownForms: readonly [string, ...string[]],
  because: string,
  reasonWithoutForm: string,
): Verdict {
  const presentForms = knownForms.filter((form) => forms.has(form));
  const [form, ...otherForms] = presentForms;
  if (form === undefined) return undetermined(reasonWithoutForm);
  return otherForms.length > 0 ? unsupported(`${presentForms.join(", ")} alike`, form) : decided(form, "high", because);
}
