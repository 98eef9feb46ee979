import { everyInvestment, isRedacted, keyKinds, readBy } from "../keys.ts";
import {
  type CalibratedRows,
  decided,
  notAnswered,
  open,
  outside,
  type Seen,
  shown,
  type Verdict,
} from "../verdict.ts";
import { notKept } from "../words.ts";
import { everyList } from "./lists.ts";

/** Values in the data. */
export const dataRows = {
  "investor.birthdate": {
    probes: ["investment"],
    decide(seen) {
      const forms = new Set(investors(seen, "partner").map(({ birthdate }) => birthdate));
      if (forms.size === 0) return open("needs a partner key with access to personal data");
      return oneForm(forms, ["absent", "null"], "a birthdate that is not held", "every investor has one");
    },
  },
  "investor.redact_absent": {
    probes: ["investment", "marketing"],
    decide(seen) {
      if (!keyKinds(seen).includes("marketing")) return open("needs a marketing key");
      // Only what is redacted at all shows how redaction treats what is absent.
      const read = investors(seen, "marketing").filter(isRedacted);
      if (read.length === 0) return open("no redacted investor was seen");
      const without = new Set(
        investors(seen, "partner").flatMap(({ person, birthdate }) => (birthdate === "held" ? [] : person)),
      );
      const forms = new Set(read.flatMap(({ person, birthdate }) => (without.has(person) ? birthdate : [])));
      // Without a partner key only an absent one shows that some are not held.
      if (forms.size === 0 && read.some(({ birthdate }) => birthdate === "absent")) forms.add("absent");
      return oneForm(
        forms,
        ["redacted", "absent"],
        "a birthdate that is not held",
        "no investor is known to have none",
      );
    },
  },
  "investor.middle_name": {
    probes: ["investment"],
    decide(seen) {
      const forms = new Set(
        everyInvestment(seen).flatMap((investment) => investment.investors.map((one) => one.middle_name)),
      );
      if (forms.size === 0) return open("no investor was seen");
      forms.delete("held");
      const [form, ...others] = forms;
      if (form === undefined) return open("every investor has one");
      if (others.length > 0)
        return outside(`${[...forms].map((one) => one || "an empty string").join(", ")} alike`, '""');
      const value = form === "" ? '""' : form;
      return value === "held"
        ? open("every investor has one")
        : decided(value, "high", "a middle name that is not held");
    },
  },
  "signing_party.status": {
    probes: ["investment"],
    decide(seen) {
      const words = everyInvestment(seen).flatMap(({ parties }) =>
        parties.flatMap(({ signed, status }) => (signed ? [] : status)),
      );
      const kinds = [...new Set(words)].toSorted();
      const [word] = kinds;
      if (word === undefined) return open("every signing party has signed");
      if (kinds.length > 1) return outside(kinds.join(", "), "pending");
      if (word === notKept) return open("a word that is not among the common ones: set it by hand");
      return shown(
        "signing_party.status",
        word,
        words.length > 1 ? "high" : "medium",
        `${words.length} who have not signed`,
        "pending",
      );
    },
  },
  "payment.statuses": {
    probes: ["investment"],
    decide: (seen) => paymentStatuses(everyInvestment(seen).flatMap(({ payments }) => payments)),
  },
  "investment.statuses": {
    probes: ["list", "ordered", "investment"],
    decide(seen) {
      const words = new Set([
        ...everyList(seen).flatMap(({ statuses }) => statuses),
        ...everyInvestment(seen).map(({ status }) => status),
      ]);
      if (words.size === 0) return notAnswered;
      const others = [...words].filter((word) => !["PENDING", "CLOSED"].includes(word)).toSorted();
      if (others.length > 0) return decided("any", "high", `${others.join(", ")} too`);
      return decided("none", "low", `no other among ${itemsOf(everyList(seen))}`);
    },
  },
  "investment.broker": {
    probes: ["list", "ordered", "investment", "brokers"],
    decide(seen) {
      const lists = everyList(seen);
      const brokers = [...lists, ...everyInvestment(seen)].flatMap((one) => one.brokers);
      if (brokers.includes("another")) return outside("a broker of another shape", "reference");
      if (brokers.length > 0) return decided("reference", "high", "references of type brokers");
      if (lists.length === 0) return notAnswered;
      return decided("null", "low", `none among ${itemsOf(lists)}`);
    },
  },
  "money.currency": {
    probes: ["list", "ordered", "investment"],
    decide(seen) {
      const all = [...everyList(seen), ...everyInvestment(seen)];
      if (all.length === 0) return notAnswered;
      if (all.some(({ cents }) => cents)) return decided("decimal", "high", "amounts with cents");
      return decided("decimal", "low", "whole amounts alone");
    },
  },
} as const satisfies Partial<CalibratedRows>;

/** How many investments lists have shown. */
function itemsOf(lists: ReturnType<typeof everyList>): number {
  return new Set(lists.flatMap(({ items }) => items)).size;
}

function investors(seen: Seen, kind: "partner" | "marketing"): ReturnType<typeof readBy>[number]["investors"] {
  return readBy(seen, kind).flatMap((investment) => investment.investors);
}

/** Decides for the one form, of those that a row knows, in which something appears that is not held. */
function oneForm<const Value extends string>(
  forms: ReadonlySet<string>,
  known: readonly [Value, ...Value[]],
  subject: string,
  otherwise: string,
): Verdict<Value> {
  const found = known.filter((form) => forms.has(form));
  const [form] = found;
  if (form === undefined) return open(otherwise);
  return found.length > 1 ? outside(`${found.join(" and ")} alike`, form) : decided(form, "high", subject);
}

function paymentStatuses(words: readonly string[]): Verdict<"pending,failed"> {
  const others = [...new Set(words)].filter((word) => word !== "succeeded").toSorted();
  const strange = others.filter((word) => !["pending", "failed"].includes(word));
  if (words.length === 0) return open("no payment was seen");
  if (strange.length > 0) return outside(others.join(", "), "pending,failed");
  if (others.length === 0) return decided("pending,failed", "low", "all have succeeded");
  return decided("pending,failed", "medium", others.join(" and "));
}
