// Parses a generated file to its tree with TypeScript's parser and a white-list, and drops the types. Syntax that is
// not named here is an error with its place.
import ts from 'typescript';
import { refuse, Refused } from './refuse.ts';
import { functionParser, isDeclaredBy, type Globals } from './parse-function.ts';
import { INTRINSICS, INTRINSICS_FROM, isIntrinsic, type Intrinsic } from './intrinsics.ts';
import type { FunctionText, Program, View } from './syntax.ts';

const views: Readonly<Partial<Record<Intrinsic, Omit<View, 'name'>>>> = {
  Words: { type: 'Int32Array', elementBytes: 4 },
  Bytes: { type: 'Uint8Array', elementBytes: 1 },
};

/**
 * Refuses a file with syntax errors. TypeScript's parser continues after an error with an incomplete tree, and its list
 * of errors is internal.
 */
function checkSyntax(file: ts.SourceFile): void {
  const { parseDiagnostics } = file as ts.SourceFile & { readonly parseDiagnostics?: readonly ts.Diagnostic[] };
  if (!parseDiagnostics) throw new Error('this version of TypeScript does not tell of syntax errors');
  const [error] = parseDiagnostics;
  if (error) throw new Refused(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
}

/** The language's own functions that a file imports; its other imports are types. */
function intrinsicsOf(imports: readonly ts.ImportDeclaration[]): Set<Intrinsic> {
  const found = new Set<Intrinsic>();
  for (const { moduleSpecifier, importClause } of imports) {
    if (importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword) continue;
    const names = importClause?.namedBindings;
    if (!ts.isStringLiteral(moduleSpecifier) || moduleSpecifier.text !== INTRINSICS_FROM || importClause?.name)
      return refuse(moduleSpecifier, 'an import');
    if (!names || !ts.isNamedImports(names)) return refuse(moduleSpecifier, 'an import');
    for (const element of names.elements) {
      const { name } = element;
      if (element.propertyName || element.isTypeOnly || !isIntrinsic(name.text)) return refuse(element, 'an import');
      found.add(name.text);
    }
  }
  return found;
}

/**
 * The exported function, which must be the only statement besides imports: then nothing else runs when the file is
 * loaded.
 */
function exportedFunction(file: ts.SourceFile): ts.FunctionDeclaration {
  const running = file.statements.filter((statement) => !ts.isImportDeclaration(statement));
  const [only] = running;
  if (running.length !== 1 || !ts.isFunctionDeclaration(only)) return refuse(running[1] ?? file, 'a second statement');
  return only;
}

/** The name of the only parameter, which is the memory. */
function memoryOf(made: ts.FunctionDeclaration): string {
  const [memory] = made.parameters;
  if (made.parameters.length !== 1 || !ts.isIdentifier(memory.name)) return refuse(made, 'more than a memory');
  if (made.asteriskToken || made.modifiers?.some(({ kind }) => kind !== ts.SyntaxKind.ExportKeyword))
    return refuse(made, 'a function that is not plain');
  if (isIntrinsic(memory.name.text)) return refuse(memory, 'a name that is taken');
  return memory.name.text;
}

/** `new Words(memory)` */
function viewOf(
  made: ts.Expression,
  memory: string,
  intrinsics: ReadonlySet<Intrinsic>,
): Omit<View, 'name'> | undefined {
  if (!ts.isNewExpression(made)) return undefined;
  const type = made.expression.getText();
  const [over] = made.arguments ?? [];
  if (made.arguments?.length !== 1 || !ts.isIdentifier(over) || over.text !== memory) return refuse(made, 'a view');
  return (isIntrinsic(type) && intrinsics.has(type) ? views[type] : undefined) ?? refuse(made, 'a view');
}

/** The names in `return { a, b };`. */
function namesReturned(statement: ts.ReturnStatement): string[] {
  const object = statement.expression;
  if (!object || !ts.isObjectLiteralExpression(object)) return refuse(statement, 'what is returned');
  return object.properties.map((property) =>
    ts.isShorthandPropertyAssignment(property) && !property.objectAssignmentInitializer
      ? property.name.text
      : refuse(property, 'a property'),
  );
}

export function parse(text: string): Program {
  const file = ts.createSourceFile('text.ts', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  checkSyntax(file);
  const made = exportedFunction(file);
  const memory = memoryOf(made);
  const name = made.name?.text ?? refuse(made, 'no name');

  const intrinsics = intrinsicsOf(file.statements.filter(ts.isImportDeclaration));
  const globals: Globals = { intrinsics, views: new Map(), functions: new Map() };
  const bodies = new Map<string, () => FunctionText>();
  let exported: string[] | undefined;
  const declare = (node: ts.Node, called: string): void => {
    if ([memory, name, ...INTRINSICS].includes(called) || globals.views.has(called) || bodies.has(called))
      refuse(node, `a second ${called}`);
  };
  const define = (called: string, node: ts.FunctionDeclaration | ts.ArrowFunction): void => {
    declare(node, called);
    globals.functions.set(called, node.parameters.length);
    // Bodies are parsed last, because functions may call functions that are declared after them.
    bodies.set(called, () => functionParser(globals)(called, node));
  };

  for (const statement of made.body?.statements ?? refuse(made, 'no body')) {
    if (exported) refuse(statement, 'a statement behind the end');
    if (ts.isFunctionDeclaration(statement)) define(statement.name?.text ?? refuse(statement, 'no name'), statement);
    else if (ts.isReturnStatement(statement)) exported = namesReturned(statement);
    else if (ts.isVariableStatement(statement) && isDeclaredBy(statement.declarationList, ts.NodeFlags.Const)) {
      for (const { name: called, initializer } of statement.declarationList.declarations) {
        if (!ts.isIdentifier(called) || !initializer) return refuse(statement, 'a declaration');
        const view = viewOf(initializer, memory, intrinsics);
        if (view) {
          declare(statement, called.text);
          globals.views.set(called.text, { name: called.text, ...view });
        } else if (ts.isArrowFunction(initializer)) define(called.text, initializer);
        else refuse(statement, 'a constant');
      }
    } else refuse(statement, 'a statement');
  }

  const functions = new Map([...bodies].map(([called, body]) => [called, body()]));
  for (const called of exported ?? refuse(made, 'nothing returned'))
    if (!functions.has(called)) refuse(made, `no function ${called}`);
  return { name, functions, exported: exported! };
}
