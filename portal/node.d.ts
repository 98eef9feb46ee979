/** The types of `src/control.ts` lead to code that runs on Node. */
interface ErrorConstructor {
  stackTraceLimit: number;
}
