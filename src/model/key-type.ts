/** The two types of key that the issuer portal issues (section 5.5). */
export const keyTypes = ["marketing", "partner"] as const;

export type KeyType = (typeof keyTypes)[number];
