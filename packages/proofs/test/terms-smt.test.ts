/** The SMT-LIB text of terms says what the terms say: z3 finds the values that evaluation finds. */
import { expect, it } from 'vitest';
import { ask } from '../src/claims/poly1305-reduction.ts';
import { evaluateAll, forgetTerms, toSmt, variablesOf, type Term } from '../src/terms/term.ts';
import { reachable } from '../src/terms/evaluate.ts';
import { Kind } from '../src/terms/node.ts';
import { generator, randomInputs, randomTwins, type Inputs } from './terms-random.ts';

const SEED = Number(process.env['LANEWISE_SEED'] ?? 1);
const BATCHES = 40;
const EXPRESSIONS = 12;
const INPUTS = 2;
/** Of a machine that has other things to do. */
const TIMEOUT = 300_000;

/**
 * Satisfiable if one of the terms has another value than evaluation gives it; and if one has another than that and 1.
 */
function queries(terms: readonly Term[], inputs: Inputs): string {
  const variables = variablesOf(...terms);
  const { text, names } = toSmt([...terms, ...variables]);
  const bits = (width: number, value: number | bigint): string =>
    `(_ bv${BigInt.asUintN(width, BigInt(value))} ${width})`;
  const values = evaluateAll(terms, (name) => inputs[name]);
  const differs = (by: bigint): string => {
    const each = terms.map(({ width }, i) => `(distinct ${names[i]} ${bits(width, BigInt(values[i]) + by)})`);
    return `(push) (assert (or ${each.join(' ')})) (check-sat) (pop)`;
  };
  return [
    '(push)',
    text,
    ...variables.map((v, i) => `(assert (= ${names[terms.length + i]} ${bits(v.width, inputs[v.name])}))`),
    differs(0n),
    differs(1n),
    '(pop)',
  ].join('\n');
}

it(
  `agrees with evaluation on ${BATCHES * EXPRESSIONS} expressions of all kinds, seed ${SEED}`,
  async () => {
    const kinds = new Set<number>();
    const texts: string[] = [];
    for (let batch = 0; batch < BATCHES; batch++) {
      const random = generator(SEED * 3_000_000 + batch);
      forgetTerms();
      const terms = randomTwins(random, EXPRESSIONS).map(({ term }) => term);
      for (const { kind } of reachable(terms)) kinds.add(kind);
      for (let i = 0; i < INPUTS; i++) texts.push(queries(terms, randomInputs(random)));
    }
    const answers = await ask((say) => say(['(set-logic QF_BV)', ...texts, ''].join('\n')));
    expect(answers.trim().split(/\s+/)).toEqual(texts.flatMap(() => ['unsat', 'sat']));
    expect([...kinds].sort((x, y) => x - y)).toEqual(Object.values(Kind));
  },
  TIMEOUT,
);
