/** A last step as a statement of Coq's: a `let` for each operation, over the words of Words.v, and the tag's definition. */
import { nodesOf, type Expression } from '../smt/expression.ts';
import { MOST_TOP } from '../rooms/poly1305/reduction.ts';
import type { LastStep } from './recording.ts';

/** An operation that has a name in the statement. */
export interface Definition {
  readonly name: string;
  readonly node: Expression;
}

export interface Statement {
  /** The proposition. */
  readonly text: string;
  readonly definitions: readonly Definition[];
  /** A name or a number for everything in the step. */
  readonly nameOf: (x: Expression) => string;
}

/** The first bit and the number of bits of an extraction; `undefined` for other operations. */
export function extraction({ op, width }: Expression): { from: number; width: number } | undefined {
  const [, from] = /^\(_ extract \d+ (\d+)\)$/.exec(op) ?? [];
  return from === undefined ? undefined : { from: Number(from), width };
}

function operation(x: Expression, args: readonly string[]): string {
  const part = extraction(x);
  if (part) return `extract ${part.from} ${part.width} ${args[0]}`;
  switch (x.op) {
    case 'bvadd':
      return `add ${x.width} ${args.join(' ')}`;
    case 'bvmul':
      return `mul ${x.width} ${args.join(' ')}`;
    case 'bvshl':
      return `shl ${x.width} ${args.join(' ')}`;
    case 'bvlshr':
      return `shr ${args.join(' ')}`;
    case 'bvand':
      return `bitand ${args.join(' ')}`;
    case 'concat':
      return `concat ${x.args[1].width} ${args.join(' ')}`;
    default:
      throw new Error(`the last step has an operation that certificates do not know: ${x.op}`);
  }
}

const indexed = (name: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${name}${i}`);

export function statementOf({ h, s, tag }: LastStep): Statement {
  const names = new Map<Expression, string>();
  h.forEach((word, i) => names.set(word, `h${i}`));
  s?.forEach((word, i) => names.set(word, `s${i}`));
  const nameOf = (x: Expression): string => {
    const name = x.op === 'const' ? String(x.value) : names.get(x);
    if (name === undefined) throw new Error('the last step depends on more than an accumulator and s');
    return name;
  };
  const definitions: Definition[] = [];
  const lets: string[] = [];
  for (const node of nodesOf(tag)) {
    if (node.args.length === 0) continue;
    const name = `d${definitions.length}`;
    lets.push(`  let ${name} := ${operation(node, node.args.map(nameOf))} in`);
    names.set(node, name);
    definitions.push({ name, node });
  }
  const [ofH, ofS] = [indexed('h', 5), s ? indexed('s', 4) : []];
  const top = ofH[4];
  const text = [
    `  forall ${[...ofH, ...ofS].join(' ')} : Z,`,
    ...[...ofH, ...ofS].map((name) => `  is_word ${name} ->`),
    `  ${top} <= ${MOST_TOP} ->`,
    ...lets,
    `  number ${tag.map(nameOf).join(' ')} =`,
    `  ((number ${ofH.slice(0, 4).join(' ')} + 2 ^ 128 * ${top}) mod p + ${s ? `number ${ofS.join(' ')}` : '0'}) mod 2 ^ 128.`,
  ].join('\n');
  return { text, definitions, nameOf };
}
