import { Mistake } from "../../model/mistake.ts";
import { connectedCommand } from "../connection/connected-command.ts";
import { instant } from "../settings/kinds.ts";
import { operandValue } from "../settings/read-values.ts";
import { startSettings } from "../settings/start-settings.ts";
import { clockReading } from "../show/clock-reading.ts";

const { kind, describe } = startSettings.speed;

/** Sets the clock of a running sandbox. */
export const clockSet = connectedCommand({
  summary: "Set the clock, backwards too, or its speed.",
  operand: "[instant]",
  flags: { speed: { kind, describe } },
  examples: [
    ["clock set 2026-01-15T12:00:00Z", "what has happened since has not happened"],
    ["clock set --speed 60", "from now on a minute a second"],
  ],
  ask: ({ speed }, operand) => {
    if (operand === undefined && speed === undefined)
      throw new Mistake("clock set needs an instant, --speed, or both.");
    const now = operand === undefined ? undefined : operandValue(instant, operand, "clock set");
    return ({ clock }) => clock.set({ now, speed });
  },
  show: clockReading,
});
