import { investorFields } from "../../model/investor-fields.ts";
import type { InvestorResource } from "../../model/documents.ts";
import { redacted, redactedFields } from "../../model/redaction.ts";
import type { Investor } from "../../model/resources.ts";
import type { Ledger } from "../ledger.ts";
import type { Visibility } from "../visibility.ts";

const redactable: ReadonlySet<string> = new Set(redactedFields);

/** An investor in `included` (section 2.3), with personal data or without. */
export function investorResource(investor: Investor, visibility: Visibility, ledger: Ledger): InvestorResource {
  const attributes: Record<string, unknown> = {};
  for (const field of investorFields) {
    if (field === "birthdate" && investor.birthdate === null && !showsMissingBirthdate(visibility, ledger)) continue;
    if (field === "middle_name" && investor.middle_name === null) {
      const assumed = ledger.value("investor.middle_name");
      if (assumed !== "absent") attributes[field] = assumed === "null" ? null : "";
    } else {
      attributes[field] = redactable.has(field) && !visibility.personalData ? redacted : investor[field];
    }
  }
  return { type: "investors", id: investor.id, attributes } as unknown as InvestorResource;
}

/** Whether a birthdate that is not held has a member nevertheless: null, or redacted. */
function showsMissingBirthdate({ personalData }: Visibility, ledger: Ledger): boolean {
  if (personalData) return ledger.value("investor.birthdate") === "null";
  return ledger.value("investor.redact_absent") === "redacted";
}
