import { afterEach, vi } from "vitest";

// The runner restores mocks, but not the timers.
afterEach(() => void vi.useRealTimers());
