/** A database that no environments can be kept in: damaged, foreign, of another fixture, in use. It is left as it is. */
export class UnusableDatabase extends Error {
  override readonly name = "UnusableDatabase";

  /** `problem` is a clause about the file. */
  constructor(
    path: string,
    problem: string,
    advice = "It is left as it is: keep environments in another file, or move this one away.",
  ) {
    super(`${path} ${problem}. ${advice}`);
  }
}
