import type { ClockReading } from "../../control.ts";

/** `2026-01-15T12:00:00.000Z, frozen` */
export function clockReading({ now, speed }: ClockReading): string {
  return `${now}, ${speedInWords(speed)}`;
}

function speedInWords(speed: number): string {
  if (speed === 0) return "frozen";
  return speed === 1 ? "real time" : `${speed} times real time`;
}
