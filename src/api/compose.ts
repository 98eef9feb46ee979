import { Written } from "./written.ts";

/** A document some of whose members are written already, as a whole or item by item; undefined ones are left out. */
export type Composed<Document> = {
  readonly [Member in keyof Document]:
    | Document[Member]
    | (undefined extends Document[Member] ? undefined : never)
    | Written<Document[Member]>
    | (Document[Member] extends readonly (infer Item)[] | undefined ? readonly Written<Item>[] : never);
};

const commaByte = 0x2c;
const comma = Buffer.of(commaByte);

/** The bytes of a document: what is written already is copied, the rest is written now. */
export function compose(document: object): Buffer {
  const parts: Buffer[] = [];
  let text = "{";
  const add = (value: unknown): void => {
    if (!(value instanceof Written)) {
      text += JSON.stringify(value);
      return;
    }
    parts.push(text === "," ? comma : Buffer.from(text), value.bytes);
    text = "";
  };
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) {
      text += "[";
      for (let at = 0; at < value.length; at++) {
        if (at > 0) text += ",";
        add(value[at]);
      }
      text += "]";
    } else {
      add(value);
    }
  }
  parts.push(Buffer.from(`${text}}`));
  return joined(parts);
}

/** As `Buffer.concat`, which costs more the more parts there are. */
function joined(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    if (part === comma) bytes[at] = commaByte;
    else bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
