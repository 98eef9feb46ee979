import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap } from "yaml";
import { inputLimits } from "../../bounds/bounds.ts";
import { isExactNumber, inexactNumberMessage } from "../../text/json-text.ts";
import { clipped, didYouMean, quoted } from "../../text/text.ts";

/** The value of a node, and the number of values in it, itself included. */
interface Read {
  readonly value: unknown;
  readonly size: number;
}

/**
 * The content of a YAML document whose names are text, read in one pass: the library would search a whole object for
 * each of its members, and the whole document for each alias.
 */
export class YamlContent {
  readonly value: unknown;
  /** Repeated members; aliases without an anchor, inside their own anchor, or with too many values. */
  readonly errors: { readonly offset: number; readonly message: string }[] = [];
  /** False if an alias could not be followed. */
  isReadable = true;
  /** The latest node of each anchor, and its content once it has been read to its end. */
  readonly #anchors = new Map<string, { readonly node: Node; read?: Read }>();
  /** The name of the member after each anchor that precedes a name: an alias of it would be a string. */
  readonly #namesWithAnchor = new Map<string, string>();
  readonly #aliases = new Map<unknown, Node>();
  readonly #members = new Map<YAMLMap, Map<unknown, Pair>>();
  #repeated = 0;

  constructor({ contents }: Document) {
    this.value = this.#read(contents).value;
    if (this.#repeated > inputLimits.repeatedValues) {
      const maxRepeated = inputLimits.repeatedValues.toLocaleString("en");
      this.#refuse(0, `Aliases repeat too much of this file; expected at most ${maxRepeated} values.`);
    }
  }

  /** Returns the node below another by name or position, and the node of the name. Follows aliases. */
  below(node: unknown, segment: string | number): { readonly name?: unknown; readonly value: unknown } | undefined {
    const whole = this.resolved(node);
    if (isSeq(whole)) return { value: whole.items[Number(segment)] };
    if (!isMap(whole)) return undefined;
    const pair = this.#members.get(whole)?.get(segment);
    return { name: pair?.key, value: pair?.value };
  }

  /** Returns the node behind an alias; any other node unchanged. */
  resolved(node: unknown): unknown {
    return this.#aliases.get(node) ?? node;
  }

  #read(node: unknown): Read {
    if (isAlias(node)) return this.#readAlias(node.source, node, node.range?.[0] ?? 0);
    const anchor = isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
    const anchored: { readonly node: Node; read?: Read } = { node: node as Node };
    if (anchor !== undefined) this.#anchors.set(anchor, anchored);
    anchored.read = isMap(node) ? this.#readMap(node) : isSeq(node) ? this.#readList(node.items) : scalar(node);
    const { value } = anchored.read;
    if (typeof value === "number" && isScalar(node) && /^[-+]?[\d.]+(?:e[-+]?\d+)?$/i.test(node.source ?? "")) {
      if (!isExactNumber(node.source ?? "")) this.#refuse(node.range?.[0] ?? 0, `${inexactNumberMessage}.`);
    }
    return anchored.read;
  }

  #readAlias(anchor: string, alias: unknown, offset: number): Read {
    const anchored = this.#anchors.get(anchor);
    if (anchored?.read) {
      this.#aliases.set(alias, anchored.node);
      this.#repeated += anchored.read.size;
      return anchored.read;
    }
    const name = this.#namesWithAnchor.get(anchor);
    // No message lists more.
    const isListed = this.errors.length < inputLimits.errors;
    const missing =
      name === undefined
        ? `Nothing before this has the anchor &${clipped(anchor)}.${isListed ? didYouMean(anchor, this.#anchors.keys()) : ""}`
        : `&${clipped(anchor)} is on the name ${quoted(name)} alone; write it on a line of its own before that name.`;
    this.#refuse(offset, anchored ? "This alias stands for something that contains it." : missing);
    return { value: null, size: 1 };
  }

  #readList(items: readonly unknown[]): Read {
    const read = items.map((item) => this.#read(item));
    return { value: read.map(({ value }) => value), size: read.reduce((sum, { size }) => sum + size, 1) };
  }

  #readMap(map: YAMLMap): Read {
    const members = new Map<unknown, Pair>();
    let size = 1;
    const value = map.items.map((pair) => {
      const name = isScalar(pair.key) ? pair.key.value : undefined;
      if (isScalar(pair.key) && pair.key.anchor !== undefined) this.#namesWithAnchor.set(pair.key.anchor, String(name));
      if (members.has(name)) {
        const offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? 0) : 0;
        this.errors.push({ offset, message: "This member appears twice in its object; expected once." });
      }
      members.set(name, pair);
      const read = this.#read(pair.value);
      size += read.size;
      return [String(name), read.value] as const;
    });
    this.#members.set(map, members);
    return { value: Object.fromEntries(value), size };
  }

  #refuse(offset: number, message: string): void {
    this.errors.push({ offset, message });
    this.isReadable = false;
  }
}

function scalar(node: unknown): Read {
  return { value: isScalar(node) ? node.value : null, size: 1 };
}
