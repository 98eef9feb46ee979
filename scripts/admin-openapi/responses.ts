import { fileURLToPath } from "node:url";
import {
  type Node,
  type PropertySignatureDeclaration,
  type SourceFile,
  SyntaxKind,
  type TypeNode,
  type TypeReferenceNode,
} from "typescript/unstable/ast";
import {
  isArrayTypeNode,
  isCallExpression,
  isInterfaceDeclaration,
  isPropertyAssignment,
  isTypeOperatorNode,
  isTypeReferenceNode,
  isUnionTypeNode,
} from "typescript/unstable/ast/is";
import { API, type Checker, type Symbol, SymbolFlags, type Type, TypeFlags } from "typescript/unstable/sync";

export type Schema = Readonly<Record<string, unknown>>;

type Schemas = Readonly<Record<string, Schema>>;

interface Knowledge {
  /** The schemas of aliases such as `Instant`: the compiler only sees strings and numbers. */
  readonly aliases: Schemas;
  /** The named schemas from elsewhere, such as bodies. */
  readonly components: Schemas;
  /** The schemas of interfaces whose values zod checks; their members come from there. */
  readonly shapes: Schemas;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const table = `${root}src/control/operations.ts`;

/** The content of a response: its schema, and the name of its type. */
export interface Content {
  readonly schema: Schema;
  readonly summary: string;
}

/** The contents of responses by operation, and the schemas that they name. */
interface Responses {
  readonly contents: ReadonlyMap<string, Content>;
  readonly schemas: Schemas;
}

/**
 * Reads the types of responses in the table of operations, and their docstrings. `Problem` is the response to a refused
 * call.
 */
export function readResponses(knowledge: Knowledge): Responses {
  const api = new API({ cwd: root });
  try {
    const project = api.updateSnapshot({ openProject: `${root}tsconfig.json` }).getDefaultProjectForFile(table);
    const source = project?.program.getSourceFile(table);
    const declared = source?.statements.filter(isInterfaceDeclaration) ?? [];
    const [problem] = declared.flatMap(({ name }) => {
      return name.text === "Problem" ? (project?.checker.getTypeAtLocation(name) ?? []) : [];
    });
    if (!project || !source || !problem) throw new Error(`The table of operations is not in ${table}.`);
    const types = new ResponseTypes(project.checker, knowledge);
    const contents = new Map(Array.from(responsesIn(source), ([id, node]) => [id, types.content(node)]));
    types.add("Problem", problem);
    return { contents, schemas: types.schemas };
  } finally {
    api.close();
  }
}

/** Returns the types in `responses<…>()`, by the operation of their row. */
function responsesIn(source: SourceFile): Map<string, TypeNode> {
  const nodes = new Map<string, TypeNode>();
  const visit = (node: Node, name: string): void => {
    const id = isPropertyAssignment(node) && node.name.getText() !== "response" ? node.name.getText() : name;
    const [content] =
      isCallExpression(node) && node.expression.getText() === "responses" ? (node.typeArguments ?? []) : [];
    if (content) nodes.set(id, content);
    node.forEachChild((child) => visit(child, id));
  };
  visit(source, "");
  return nodes;
}

/** The types of responses, which refer to each other by name. */
class ResponseTypes {
  /** The schemas found so far, by name. */
  readonly schemas: Record<string, Schema> = {};
  readonly #checker: Checker;
  readonly #knowledge: Knowledge;

  constructor(checker: Checker, knowledge: Knowledge) {
    this.#checker = checker;
    this.#knowledge = knowledge;
  }

  content(node: TypeNode): Content {
    const summary = node
      .getText()
      .replace(/\w+/g, "`$&`")
      .replace(/^`List`<(.*)>$/, "a list of $1")
      .replaceAll("|", "or");
    return { schema: this.#schema(node), summary };
  }

  /** Adds a schema with the name of an interface. */
  add(name: string, type: Type): Schema {
    if (!Object.hasOwn(this.schemas, name)) {
      // Added before its members, because one of them may have this type.
      this.schemas[name] = {};
      this.schemas[name] = this.#knowledge.components[name] ?? this.#ofType(type);
    }
    return { $ref: schemaPath(name) };
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
    const name = node.typeName.getText().replace("control.", "");
    if (name === "Readonly" && first) return this.#schema(first);
    if (name === "Record" && second) return { type: "object", additionalProperties: this.#schema(second) };
    if (name === "List" && first) return object({ data: { type: "array", items: this.#schema(first) } });
    const alias = this.#knowledge.aliases[name];
    if (alias !== undefined) return alias;
    const type = this.#typeOf(node);
    const isNamed = (type.flags & (TypeFlags.Object | TypeFlags.Intersection)) !== 0;
    return isNamed ? this.add(name, type) : this.#ofType(type);
  }

  #typeOf(node: TypeNode): Type {
    const type = this.#checker.getTypeFromTypeNode(node);
    if (!type || type.isErrorType()) throw new Error(`The type ${node.getText()} of a response is unknown.`);
    return type;
  }

  #ofType(type: Type): Schema {
    if (type.isStringLiteralType() || type.isNumberLiteralType()) return { type: typeof type.value, const: type.value };
    if (type.flags & TypeFlags.Boolean) return { type: "boolean" };
    // Sorted: the compiler may meet the parts in another order next time.
    if (type.isUnionType()) {
      const parts = type.getTypes().map((part) => this.#ofType(part));
      return union(parts.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)));
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

  /** Returns the docstring as a description, and its tag `@minimum`. */
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

/** Returns the reference to a named schema. */
export function schemaPath(name: string): string {
  return `#/components/schemas/${name}`;
}

function object(properties: Schemas, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required };
}

/** Returns the schema of a value that has one of several types. */
function union(parts: readonly Schema[]): Schema {
  const constants = parts.filter((part) => "const" in part);
  const otherParts = parts.filter((part) => !("const" in part));
  const [constant] = constants;
  const choices =
    constant && constants.length > 1
      ? [{ type: constant["type"], enum: constants.map((part) => part["const"]) }]
      : constants;
  const schemas: readonly Schema[] = [...choices, ...otherParts];
  if (schemas.every((part) => Object.keys(part).join() === "type"))
    return { type: schemas.map((part) => part["type"]) };
  return schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas };
}
