/** The groups that may sign, in addition to single parties. */
export const signerGroups = ["all", "investors", "countersigners"] as const;

type Group = (typeof signerGroups)[number];

/** The signers of a step: a group, or parties by their email addresses or by their places from 1. */
export type Signers = Group | readonly (string | number)[];

/** Reads the signers of a checked step, each once. */
export function signersOf(written: string | number | readonly (string | number)[]): Signers {
  return signerGroups.find((group) => group === written) ?? [...new Set([written].flat())];
}

/** Returns true if a signing party belongs to a group. */
export function isIn(group: Group, { countersigner }: { readonly countersigner: boolean }): boolean {
  return group === "all" || (group === "countersigners") === countersigner;
}
