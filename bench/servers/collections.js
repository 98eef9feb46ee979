import { investmentDocument, investmentResource } from "../data/documents.js";

/** What the peers keep of each investment: it as a Partner key reads it, and its row in the list. */
export const collections = {
  investments: ({ investment, offering }) => ({
    id: investment.id,
    ...investmentDocument(investment, offering, "partner"),
  }),
  list: ({ investment, offering }) => investmentResource(investment, offering),
};
