import { vi } from "vitest";

/** Stops the machine's time until mocks are restored. Returns a function that lets milliseconds of it pass. */
export function stopMachineTime(): (milliseconds: number) => void {
  let time = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => time);
  return (milliseconds) => void (time += milliseconds);
}
