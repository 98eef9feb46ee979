import type {
  KeyType,
  IncludedResource,
  InvestmentDocument,
  InvestmentResource,
  InvestorResource,
  OfferingResource,
  PaymentResource,
  SigningPartyResource,
} from "offering-sandbox";

/** An investment with its related resources, each in the order in which the investment names them. */
export interface InvestmentFile<Type extends KeyType = KeyType> {
  readonly investment: InvestmentResource;
  readonly offering: OfferingResource | undefined;
  readonly investors: readonly InvestorResource<Type>[];
  readonly signingParties: readonly SigningPartyResource<Type>[];
  readonly payments: readonly PaymentResource[];
}

/** Follows the references of a document into its `included`. */
export function fileOf<Type extends KeyType>({ data, included }: InvestmentDocument<Type>): InvestmentFile<Type> {
  const { offering, investors, signing_parties, payments } = data.relationships;
  const resources = new Map(included.map((resource) => [`${resource.type} ${resource.id}`, resource]));
  function find<Name extends IncludedResource["type"]>(reference: { readonly type: Name; readonly id: string }) {
    const resource = resources.get(`${reference.type} ${reference.id}`);
    return resource as Extract<IncludedResource<Type>, { readonly type: Name }> | undefined;
  }
  return {
    investment: data,
    offering: find(offering.data),
    investors: investors.data.map(find).filter((investor) => investor !== undefined),
    signingParties: signing_parties.data.map(find).filter((party) => party !== undefined),
    payments: payments.data.map(find).filter((payment) => payment !== undefined),
  };
}

/** What a Marketing key reads in place of personal data. */
export const redacted = "[[redacted]]";

/** Whether the key that read an investment sees no personal data. */
export function isRedacted({ investors }: Pick<InvestmentFile, "investors">): boolean {
  return investors.some(({ attributes }) => attributes.tax_id === redacted);
}
