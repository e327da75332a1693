/** A module as the text of a TypeScript function that makes its exported functions over a memory. */
import { decode, type DecodedFunction } from './decode.ts';
import { expressionPrinter, helpers, type Helper, type Intrinsic, type Names } from './expressions.ts';
import { lift } from './lift.ts';
import { isPure, operandsOf, sum, type Expression, type Statement } from './tree.ts';

export interface Naming {
  /** The function that the text defines. */
  readonly name: string;
  /** The type of its result. */
  readonly type: string;
  /** Where the text imports the language's own functions from, which no page has replaced. */
  readonly intrinsics: string;
}

const indented = (lines: readonly string[]): string[] =>
  lines.flatMap((line) => line.split('\n')).map((line) => `  ${line}`);

function twice(x: Expression): Expression {
  if (!isPure(x)) throw new Error('an address is written twice, but computing it has effects');
  return x;
}

/** Operators with an assignment form such as `^=`. Sums of i32 have none, because they must be truncated. */
const COMPOUND: Partial<Record<string, string>> = {
  'i32.xor': '^',
  'i32.or': '|',
  'i32.and': '&',
  'f64.add': '+',
  'f64.sub': '-',
  'f64.mul': '*',
};
/** Operators whose results an element of a typed array truncates by itself. */
const COMPOUND_ELEMENT: Partial<Record<string, string>> = { ...COMPOUND, 'i32.add': '+', 'i32.sub': '-' };

/** x ^ -1 is printed as ~x. */
const isMinusOne = (x: Expression): boolean => x.kind === 'constant' && x.value === -1;

function statementPrinter(names: Names, declaring: ReadonlySet<Statement>): (list: readonly Statement[]) => string[] {
  const { value, condition, address, element } = expressionPrinter(names);

  function assignment(index: number, x: Expression): string[] {
    if (x.kind === 'local' && x.index === index) return [];
    const variable = names.variable(index);
    const operator = x.kind === 'binary' && COMPOUND[x.name];
    const compound = operator && x.left.kind === 'local' && x.left.index === index && !isMinusOne(x.right);
    return [compound ? `${variable} ${operator}= ${value(x.right, true)};` : `${variable} = ${value(x)};`];
  }

  /** An element of a typed array keeps 32 or 8 bits of an assigned value. */
  function elementAssignment(to: string, x: Expression): string {
    const operator = x.kind === 'binary' && COMPOUND_ELEMENT[x.name];
    const compound = operator && x.left.kind === 'load' && element(x.left.place) === to && !isMinusOne(x.right);
    return compound ? `${to} ${operator}= ${value(x.right, true)};` : `${to} = ${value(x, true)};`;
  }

  function print(statement: Statement): string[] {
    switch (statement.kind) {
      case 'set':
        if (declaring.has(statement)) return [`let ${names.variable(statement.index)} = ${value(statement.value)};`];
        return assignment(statement.index, statement.value);
      case 'store': {
        const { place } = statement;
        if (place.unit !== 'unaligned') return [elementAssignment(element(place), statement.value)];
        const at = address(sum(place.address, { kind: 'constant', value: place.offset }));
        return [`${names.helper('writeWord')}(${at}, ${value(statement.value)});`];
      }
      case 'fill': {
        const to = twice(statement.to);
        const behind = sum(to, twice(statement.length));
        names.helper('bytes');
        return [
          `${names.intrinsic('fillBytes')}(bytes, ${value(statement.value)}, ${address(to)}, ${address(behind)});`,
        ];
      }
      case 'copy': {
        const from = twice(statement.from);
        const behind = sum(from, twice(statement.length));
        names.helper('bytes');
        return [
          `${names.intrinsic('moveBytes')}(bytes, ${address(statement.to)}, ${address(from)}, ${address(behind)});`,
        ];
      }
      case 'loop':
        return ['do {', ...indented(statements(statement.body)), `} while (${condition(statement.again)});`];
      case 'if':
        return [
          `if (${condition(statement.condition)}) {`,
          ...indented(statements(statement.then)),
          ...(statement.otherwise.length ? ['} else {', ...indented(statements(statement.otherwise))] : []),
          '}',
        ];
      case 'return':
        return [`return ${value(statement.value)};`];
      case 'call':
        return [`${value(statement)};`];
    }
  }

  const statements = (list: readonly Statement[]): string[] => list.flatMap(print);
  return statements;
}

/** The expressions of a statement, and the statements in it. */
function partsOf(statement: Statement): { expressions: readonly Expression[]; inner: readonly Statement[] } {
  switch (statement.kind) {
    case 'set':
    case 'return':
      return { expressions: [statement.value], inner: [] };
    case 'store':
      return { expressions: [statement.place.address, statement.value], inner: [] };
    case 'fill':
      return { expressions: [statement.to, statement.value, statement.length], inner: [] };
    case 'copy':
      return { expressions: [statement.to, statement.from, statement.length], inner: [] };
    case 'loop':
      return { expressions: [statement.again], inner: statement.body };
    case 'if':
      return { expressions: [statement.condition], inner: [...statement.then, ...statement.otherwise] };
    case 'call':
      return { expressions: statement.operands, inner: [] };
  }
}

/** The functions that a body calls, and the locals that it names. */
function uses(list: readonly Statement[]): { calls: Set<number>; locals: Set<number> } {
  const calls = new Set<number>();
  const locals = new Set<number>();
  const visit = (x: Expression): void => {
    if (x.kind === 'call') calls.add(x.callee);
    if (x.kind === 'local' || x.kind === 'tee') locals.add(x.index);
    operandsOf(x).forEach(visit);
  };
  const visitAll = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      if (statement.kind === 'call') calls.add(statement.callee);
      if (statement.kind === 'set') locals.add(statement.index);
      const { expressions, inner } = partsOf(statement);
      expressions.forEach(visit);
      visitAll(inner);
    }
  };
  visitAll(list);
  return { calls, locals };
}

/**
 * The assignment that can declare a local: the first that names it, in the innermost block that has all that do. Without
 * one it is declared in front of the body, where WebAssembly's zero counts.
 */
function declaration(list: readonly Statement[], local: number): Statement | undefined {
  const naming = list.filter((statement) => uses([statement]).locals.has(local));
  const [first] = naming;
  if (first.kind === 'set')
    return first.index === local && !uses([{ ...first, index: -1 }]).locals.has(local) ? first : undefined;
  if (naming.length > 1) return undefined;
  const blocks = first.kind === 'if' ? [first.then, first.otherwise] : first.kind === 'loop' ? [first.body] : [];
  const inside = blocks.filter((block) => uses(block).locals.has(local));
  const outside = partsOf(first).expressions.some((x) => uses([{ kind: 'return', value: x }]).locals.has(local));
  return inside.length === 1 && !outside ? declaration(inside[0], local) : undefined;
}

function printFunction(
  { parameters, locals, result }: DecodedFunction,
  body: readonly Statement[],
  name: string,
  names: Omit<Names, 'variable'>,
): string[] {
  const variable = (index: number): string =>
    index < parameters.length ? `p${index}` : `x${index - parameters.length}`;
  const named = uses(body).locals;
  const variables = [...locals.keys()].filter((index) => index >= parameters.length && named.has(index));
  const declared = new Map(variables.map((index) => [index, declaration(body, index)]));
  const early = variables.filter((index) => !declared.get(index));
  const declaring = new Set([...declared.values()].filter((statement) => statement !== undefined));
  return [
    `function ${name}(${parameters.map((_, i) => `${variable(i)}: number`).join(', ')}): ${result ? 'number' : 'void'} {`,
    ...indented([
      ...(early.length ? [`let ${early.map((index) => `${variable(index)} = 0`).join(', ')};`] : []),
      ...statementPrinter({ ...names, variable }, declaring)(body),
    ]),
    '}',
  ];
}

/**
 * Deterministic text: the functions that are exported or called, in the order of the module. Their callers give them
 * integers from -2^31 to 2^31 - 1, to which WebAssembly would bring all others.
 */
export function transliterate(bytes: Uint8Array, { name, type, intrinsics }: Naming): string {
  const functions = decode(bytes);
  const bodies = functions.map((decoded) => lift(decoded, functions));

  const reached = new Set<number>();
  const reach = (index: number): void => {
    if (reached.has(index)) return;
    reached.add(index);
    for (const callee of uses(bodies[index]).calls) reach(callee);
  };
  for (const [index, { exportedAs }] of functions.entries()) if (exportedAs) reach(index);
  const order = [...reached].sort((a, b) => a - b);

  const wanted = new Set<Helper>();
  const taken = new Set<Intrinsic>();
  const inner = order.filter((index) => !functions[index].exportedAs);
  const nameOf = (index: number): string => functions[index].exportedAs ?? `inner${inner.indexOf(index)}`;
  const names = {
    callee: nameOf,
    helper(helper: Helper) {
      wanted.add(helper);
      if (helper === 'readWord' || helper === 'writeWord') wanted.add('bytes');
      return helper;
    },
    intrinsic(intrinsic: Intrinsic) {
      taken.add(intrinsic);
      return intrinsic;
    },
  };

  const printed = order.map((index) => printFunction(functions[index], bodies[index], nameOf(index), names));
  const exported = order.filter((index) => functions[index].exportedAs).map(nameOf);
  if (wanted.has('words')) taken.add('Words');
  if (wanted.has('bytes')) taken.add('Bytes');
  const lines = [
    ...(Object.keys(helpers) as Helper[]).filter((helper) => wanted.has(helper)).map((helper) => helpers[helper]),
    ...printed.flat(),
    `return { ${exported.join(', ')} };`,
  ];
  return [
    ...(taken.size ? [`import { ${[...taken].sort().join(', ')} } from '${intrinsics}';`] : []),
    '',
    `export function ${name}(memory: ArrayBuffer): ${type} {`,
    ...indented(lines),
    '}',
    '',
  ].join('\n');
}
