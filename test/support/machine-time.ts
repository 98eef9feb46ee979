import { vi } from "vitest";

/**
 * Stops the machine's time until mocks are restored, but for the milliseconds that pass with each look at it. Returns a
 * function that lets more of it pass.
 */
export function stopMachineTime(perLook = 0): (milliseconds: number) => void {
  let time = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => (time += perLook));
  return (milliseconds) => void (time += milliseconds);
}
