import * as fc from "fast-check";

const surrogates = { first: 0xd800, count: 0x800 };

const characters = fc
  .nat({ max: 0x10ffff - surrogates.count })
  .map((index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count));

/** Generates strings of any characters, like the unit "binary" of fast-check, which takes a second to list them. */
export function anyText(constraints: { readonly maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ ...constraints, unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), characters) });
}
