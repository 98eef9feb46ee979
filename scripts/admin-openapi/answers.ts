import { fileURLToPath } from "node:url";
import {
  type PropertySignatureDeclaration,
  SyntaxKind,
  type TypeNode,
  type TypeReferenceNode,
} from "typescript/unstable/ast";
import {
  isArrayTypeNode,
  isInterfaceDeclaration,
  isPropertySignatureDeclaration,
  isTypeOperatorNode,
  isTypeReferenceNode,
  isUnionTypeNode,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Symbol, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync";

export type Schema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Schema>>;

interface Knowledge {
  /** The schemas of aliases such as `Instant`: the compiler sees only texts and numbers. */
  readonly aliases: Schemas;
  /** The named schemas from elsewhere, such as bodies. */
  readonly components: Schemas;
  /** The schemas of interfaces whose values zod checks: a member is taken from there. */
  readonly shapes: Schemas;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const file = `${root}src/control/answers.ts`;

/** Makes the named schemas of the admin API's answers from the members of `Answers` and their docstrings. */
export function answerSchemas(knowledge: Knowledge): Schemas {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProject: `${root}tsconfig.json` }).getDefaultProjectForFile(file);
    const declared = project?.program.getSourceFile(file)?.statements.filter(isInterfaceDeclaration);
    const answers = declared?.find(({ name }) => name.text === "Answers");
    if (!project || !answers) throw new Error(`${file} has no interface Answers.`);
    const members = answers.members.filter(isPropertySignatureDeclaration);
    return new AnswerTypes(project.checker, members, knowledge).schemas();
  } finally {
    api.close();
  }
}

/** The types of answers, which refer to each other by name. */
class AnswerTypes {
  readonly #checker: Checker;
  readonly #nodes: ReadonlyMap<string, TypeNode>;
  /** The names of answers by those of their types. */
  readonly #names: ReadonlyMap<string, string>;
  readonly #knowledge: Knowledge;

  constructor(checker: Checker, answers: readonly PropertySignatureDeclaration[], knowledge: Knowledge) {
    this.#checker = checker;
    this.#nodes = new Map(answers.map(({ name, type }) => [name.getText(), type]));
    this.#names = new Map(answers.map(({ name, type }) => [type.getText(), name.getText()]));
    this.#knowledge = knowledge;
  }

  schemas(): Schemas {
    const { components } = this.#knowledge;
    return Object.fromEntries(Array.from(this.#nodes, ([name, node]) => [name, components[name] ?? this.#whole(node)]));
  }

  /** The schema of an answer, where any other mention of its type is a reference. */
  #whole(node: TypeNode): Schema {
    const isName = isTypeReferenceNode(node) && node.typeArguments === undefined;
    return isName ? this.#ofType(this.#typeOf(node)) : this.#schema(node);
  }

  #schema(node: TypeNode): Schema {
    if (isTypeOperatorNode(node)) return this.#schema(node.type);
    if (isArrayTypeNode(node)) return { type: "array", items: this.#schema(node.elementType) };
    if (isUnionTypeNode(node)) {
      const parts = node.types.filter(({ kind }) => kind !== SyntaxKind.UndefinedKeyword);
      return union(parts.map((part) => this.#schema(part)));
    }
    return isTypeReferenceNode(node) ? this.#reference(node) : this.#ofType(this.#typeOf(node));
  }

  #reference(node: TypeReferenceNode): Schema {
    const [first, second] = node.typeArguments ?? [];
    const name = node.typeName.getText();
    if (name === "Readonly" && first) return this.#schema(first);
    if (name === "Record" && second) return { type: "object", additionalProperties: this.#schema(second) };
    if (name === "List" && first) return object({ data: { type: "array", items: this.#schema(first) } });
    const answer = this.#names.get(name);
    if (answer !== undefined) return { $ref: `#/components/schemas/${answer}` };
    return this.#knowledge.aliases[name] ?? this.#ofType(this.#typeOf(node));
  }

  #typeOf(node: TypeNode): Type {
    const type = this.#checker.getTypeFromTypeNode(node);
    if (!type || type.isErrorType()) throw new Error(`The type ${node.getText()} of an answer is unknown.`);
    return type;
  }

  #ofType(type: Type): Schema {
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { type: typeof type.value, const: type.value };
    if (type.flags & TypeFlags.Boolean) return { type: "boolean" };
    // Sorted: the compiler may meet the parts in another order next time.
    if (type.isUnionType()) {
      const parts = type.getTypes().map((part) => this.#ofType(part));
      return union(parts.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)));
    }
    if (type.flags & TypeFlags.Unknown) return {};
    return type.isIntrinsicType() ? { type: type.intrinsicName } : this.#interface(type);
  }

  #interface(type: Type): Schema {
    const members = this.#checker.getPropertiesOfType(type);
    const optional = members.filter(({ flags }) => flags & SymbolFlags.Optional).map(({ name }) => name);
    const isOpen = this.#checker.getIndexInfosOfType(type).length > 0;
    return {
      ...object(Object.fromEntries(members.map((member) => [member.name, this.#member(member)])), optional),
      ...(isOpen ? { additionalProperties: {} } : {}),
      ...this.#docs(type.getSymbol()),
    };
  }

  #member(member: Symbol): Schema {
    const declaration = member.declarations[0]?.resolve() as PropertySignatureDeclaration;
    const parent = declaration.parent;
    const shape = isInterfaceDeclaration(parent) ? this.#knowledge.shapes[parent.name.text] : undefined;
    const members = shape?.["properties"] as Schemas | undefined;
    return { ...(members?.[member.name] ?? this.#schema(declaration.type)), ...this.#docs(member) };
  }

  /** The docstring as a description, and its tag `@minimum`. */
  #docs(symbol: Symbol | undefined): Schema {
    const comment = symbol?.getDocumentationComment(this.#checker) ?? "";
    const tags = symbol?.getJsDocTags(this.#checker) ?? [];
    const minimum = tags.find(({ name }) => name === "minimum")?.text;
    return {
      ...(comment === "" ? {} : { description: comment.replaceAll("\n", " ") }),
      ...(minimum === undefined ? {} : { minimum: Number(minimum) }),
    };
  }
}

function object(properties: Schemas, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** The schema of a value of one of several types. */
function union(parts: readonly Schema[]): Schema {
  const constants = parts.filter((part) => "const" in part);
  const others = parts.filter((part) => !("const" in part));
  const [one] = constants;
  const choices =
    one && constants.length > 1 ? [{ type: one["type"], enum: constants.map((part) => part["const"]) }] : constants;
  const all: readonly Schema[] = [...choices, ...others];
  if (all.every((part) => Object.keys(part).join() === "type")) return { type: all.map((part) => part["type"]) };
  return all.length === 1 ? (all[0] ?? {}) : { anyOf: all };
}
