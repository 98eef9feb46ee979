// The public types: the exports of each entry of package.json, and each declaration that a user reaches from them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isIdentifier, isModuleDeclaration, isSourceFile, isTypeAliasDeclaration } from "typescript/unstable/ast";
import type { Node, SourceFile } from "typescript/unstable/ast";
import { API, isLiteralType, isUnionType, type Project, SymbolFlags, type Symbol } from "typescript/unstable/sync";

const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
};

/**
 * A report of the public types of `dist/`, without their comments. The places of declarations are omitted, and their
 * order is that of their names.
 */
export function publicTypes(): string {
  const entries = Object.entries(manifest.exports).flatMap(([entry, { types }]) =>
    types === undefined ? [] : [[entry, dist + types.slice("./dist/".length)] as const],
  );
  const api = new API();
  try {
    const snapshot = api.updateSnapshot({ openFiles: entries.map(([, file]) => file) });
    const reports = entries.map(([entry, file]) => {
      const project = snapshot.getDefaultProjectForFile(file);
      const source = project?.program.getSourceFile(file);
      if (project === undefined || source === undefined) throw new Error(`There is no ${file}: npm run build`);
      return new Entry(entry.replace(".", "offering-sandbox"), source, project);
    });
    const declarations = new Set(reports.flatMap(({ printed }) => printed));
    return [...reports.map(({ names }) => names), ...[...declarations].toSorted(byName)].join("\n\n") + "\n";
  } finally {
    api.close();
  }
}

/** Compares declarations by the text after the keywords with which they begin. */
function byName(left: string, right: string): number {
  const [leftName, rightName] = [left, right].map((text) => text.replace(/^((export|declare|default|abstract) )+/, ""));
  return (leftName ?? "") < (rightName ?? "") ? -1 : 1;
}

class Entry {
  readonly names: string;
  readonly printed: readonly string[];
  readonly #project: Project;

  constructor(name: string, source: SourceFile, project: Project) {
    this.#project = project;
    const { checker } = project;
    const module = checker.getSymbolAtLocation(source);
    const exported = module === undefined ? [] : checker.getExportsOfModule(module);
    this.names = [`// ${name}`, ...exported.map((symbol) => `//   ${symbol.name}`).toSorted()].join("\n");
    const reached = new Set([...source.statements.filter(isModuleDeclaration), ...exported.flatMap(this.#statements)]);
    for (const statement of reached) for (const next of this.#named(statement)) reached.add(next);
    this.printed = Array.from(
      reached,
      (statement) => this.#literals(statement) ?? project.emitter.printNode(statement),
    );
  }

  /** The statements in this package that declare a symbol. */
  readonly #statements = (symbol: Symbol): Node[] => {
    const { checker } = this.#project;
    const declared = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    return declared.declarations
      .flatMap((handle) => handle.resolve(this.#project) ?? [])
      .filter(isOurs)
      .map(statementOf);
  };

  /** Writes a type of literals out: the table that it comes from also has sentences, which may change. */
  #literals(statement: Node): string | undefined {
    if (!isTypeAliasDeclaration(statement)) return undefined;
    const { checker } = this.#project;
    const type = checker.getTypeFromTypeNode(statement.type);
    if (type === undefined || !isUnionType(type) || !type.getTypes().every(isLiteralType)) return undefined;
    const values = type.getTypes().map((member) => checker.typeToString(member));
    return (
      [`export type ${statement.name.text} =`, ...values.toSorted().map((value) => `    | ${value}`)].join("\n") + ";"
    );
  }

  /** The statements in this package that a statement names. */
  #named(statement: Node): Node[] {
    if (this.#literals(statement) !== undefined) return [];
    const statements: Node[] = [];
    const visit = (node: Node): void => {
      const symbol = isIdentifier(node) ? this.#project.checker.getSymbolAtLocation(node) : undefined;
      if (symbol !== undefined) statements.push(...this.#statements(symbol));
      node.forEachChild(visit);
    };
    visit(statement);
    return statements;
  }
}

function isOurs(node: Node): boolean {
  return node.getSourceFile().fileName.startsWith(dist.replaceAll("\\", "/"));
}

function statementOf(node: Node): Node {
  return isSourceFile(node.parent) ? node : statementOf(node.parent);
}
