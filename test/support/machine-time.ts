import { vi } from "vitest";

/**
 * Stops the machine's time until mocks are restored, except for the milliseconds that each call of `performance.now()`
 * adds. Returns a function that lets more of it pass.
 */
export function stopMachineTime(msPerCall = 0): (milliseconds: number) => void {
  let time = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (time += msPerCall));
  return (milliseconds) => void (time += milliseconds);
}
