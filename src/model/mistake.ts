/** Something a person gave us is wrong: the message says what, what is expected, and the nearest valid thing. */
export class Mistake extends Error {
  override readonly name = "Mistake";
}
