/** A T as the bytes of its JSON. */
export class Written<T> {
  /** There for the compiler only, to which one would be as good as another without it. */
  declare readonly of: T;
  readonly bytes: Buffer;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}
