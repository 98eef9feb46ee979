import { signal } from "@preact/signals";
import { tabSignal } from "../../preferences.ts";

/** The address of the draft, below the scenarios. */
export const draftPath = "draft/new";

const blank = `description: Somebody invests, signs and pays.
investment: { amount: 5000 }
steps:
  - event: REGISTRATION COMPLETED
  - { after: 10m, event: SUBSCRIPTION SUBMITTED, investment: { step: SIGNERS } }
  - { after: 1h, sign: all, investment: { step: null } }
  - after: 1d
    event: [PAYMENT SUBMITTED, PAYMENT APPROVED]
    payment: { amount: 5000, status: succeeded }
    investment: { status: CLOSED }
`;

/** The text of the editor, stored for this tab. */
export const draft = tabSignal("scenario-draft", blank);

/** The text with which the draft started: if the draft differs, there is something to lose. */
export const beginning = signal(draft.value === blank ? blank : "");

export function begin(text: string): void {
  [draft.value, beginning.value] = [text, text];
}
