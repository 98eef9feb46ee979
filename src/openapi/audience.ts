import type { AssumptionId, Assumptions } from "../assumptions/catalogue.ts";
import type { KeyType } from "../model/key-type.ts";

/** Holders of keys that show the same of persons (section 5.5). */
export interface Audience {
  /** Begins the names of the schemas of their documents. */
  readonly name: "Marketing" | "Partner" | "UngrantedPartner";
  readonly keyType: KeyType;
  readonly personalData: boolean;
  readonly phoneNumber: boolean;
  /** The assumptions that decide who belongs to it. */
  readonly restsOn: readonly AssumptionId[];
}

const marketing: Audience = {
  name: "Marketing",
  keyType: "marketing",
  personalData: false,
  phoneNumber: true,
  restsOn: [],
};

const partner: Audience = {
  name: "Partner",
  keyType: "partner",
  personalData: true,
  phoneNumber: false,
  restsOn: ["auth.partner_data"],
};

const ungrantedPartner: Audience = { ...partner, name: "UngrantedPartner", personalData: false };

/** The audiences that there are under these assumptions. */
export function audiencesUnder(assumptions: Assumptions): readonly Audience[] {
  return assumptions["auth.partner_data"] === "on-request"
    ? [marketing, partner, ungrantedPartner]
    : [marketing, partner];
}
