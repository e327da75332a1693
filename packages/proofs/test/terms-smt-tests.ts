/**
 * Terms and a solver. The rewriting rules are sound: z3 finds no input for which an expression that was brought to
 * normal form differs from the expression as it was written. And the SMT-LIB text of terms has the meaning of the
 * terms: z3 finds the values that evaluation finds.
 */
import { describe, expect, it } from 'vitest';
import { ask } from '../src/rooms/poly1305/reduction.ts';
import { evaluateAll, forgetTerms, toSmt, variablesOf, type Term } from '../src/terms/term.ts';
import { reachable } from '../src/terms/evaluate.ts';
import { Kind } from '../src/terms/node.ts';
import { generator, randomInputs, randomTwins, type Inputs } from './terms-random.ts';
import { expressions, SHAPE_NAMES } from './terms-raw.ts';

const SEED = Number(process.env['LANEWISE_SEED'] ?? 1);
/** The factor by which the number of cases is multiplied. */
const PART = Number(process.env['LANEWISE_RANDOM_CASES'] ?? 1);

/**
 * Tests that `count` random expressions keep their meaning when rewritten; from 600 on, every shape of expression must
 * be among them.
 */
export function testRules(count: number): void {
  const EXPRESSIONS = Math.ceil(count * PART);
  describe('rewriting rules', () => {
    const BATCH = 10;
    /** A measure of z3's work, which does not depend on the machine's load. A fraction of a second. */
    const MOST_WORK = 500_000;

    it(
      `keep the value of ${EXPRESSIONS} expressions, whatever the input; seed ${SEED}`,
      async () => {
        const answered = new Set<string>();
        let equal = 0;
        let undecided = 0;
        await ask(async (say) => {
          for (let batch = 0; equal < EXPRESSIONS; batch++) {
            forgetTerms();
            const { script, made } = expressions(generator(SEED * 5_000_000 + batch), BATCH);
            const { text, names } = toSmt(made.map(({ term }) => term));
            // Both declare the variables.
            const definitions = text.split('\n').filter((line) => !line.startsWith('(declare-const'));
            const differs = (name: string, other: string): string =>
              `(push) (assert (distinct ${name} ${other})) (check-sat) (pop)`;
            const last = made[BATCH - 1];
            const answers = await say(
              [
                `(reset) (set-option :rlimit ${MOST_WORK}) (set-logic QF_BV)`,
                ...script.lines,
                ...definitions,
                ...made.map(({ name }, i) => differs(names[i], name)),
                // One statement that is wrong in a bit, so that a solver that always agrees is noticed.
                differs(names[BATCH - 1], `(bvxor ${last.name} (_ bv1 ${last.term.width}))`),
              ].join('\n'),
            );
            const [wrong, ...verdicts] = answers.trim().split(/\s+/).reverse();
            expect(wrong).toBe('sat');
            expect(verdicts).toHaveLength(BATCH);
            verdicts.reverse().forEach((verdict, i) => {
              const { shape, name } = made[i];
              expect(verdict, `batch ${batch}, ${name}, ${shape}:\n${script.lines.join('\n')}`).toMatch(
                /^(unsat|unknown)$/,
              );
              if (verdict === 'unknown') undecided++;
              else {
                equal++;
                answered.add(shape);
              }
            });
          }
        });
        // Products beside comparisons are too hard now and then; those expressions do not count.
        expect(undecided).toBeLessThanOrEqual(equal / 50);
        if (EXPRESSIONS >= 600) expect([...answered].sort()).toEqual([...SHAPE_NAMES].sort());
      },
      300_000 + 500 * EXPRESSIONS,
    );
  });
}

/** Tests the given number of batches of random terms; from 40 on, every kind of term must be among them. */
export function testTexts(BATCHES: number): void {
  describe('SMT-LIB text', () => {
    const TWINS = 12;
    const INPUTS = 2;

    /** Satisfiable if one of the terms has another value than evaluation gives it; and if one has another than that and 1. */
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

    it(`agrees with evaluation on ${BATCHES * TWINS} expressions of all kinds, seed ${SEED}`, async () => {
      const kinds = new Set<number>();
      const texts: string[] = [];
      for (let batch = 0; batch < BATCHES; batch++) {
        const random = generator(SEED * 3_000_000 + batch);
        forgetTerms();
        const terms = randomTwins(random, TWINS).map(({ term }) => term);
        for (const { kind } of reachable(terms)) kinds.add(kind);
        for (let i = 0; i < INPUTS; i++) texts.push(queries(terms, randomInputs(random)));
      }
      const answers = await ask((say) => say(['(set-logic QF_BV)', ...texts, ''].join('\n')));
      expect(answers.trim().split(/\s+/)).toEqual(texts.flatMap(() => ['unsat', 'sat']));
      // Another seed may miss a rare kind.
      if (SEED === 1 && BATCHES >= 40) expect([...kinds].sort((x, y) => x - y)).toEqual(Object.values(Kind));
    }, 600_000);
  });
}
