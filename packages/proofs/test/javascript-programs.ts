// Random programs in the language of the generated text. Conditions, indices and counts of shifts are made of public
// values: parameters, constants, and variables that were assigned only such values.
import { fileOf, MEMORY_BYTES, random } from './javascript-v8.ts';

const OPERATORS = ['+', '-', '*', '&', '|', '^', '<<', '>>', '>>>'];
const ASSIGNMENTS = ['=', '=', '+=', '-=', '&=', '|=', '^=', '<<=', '>>=', '>>>=', '*='];
const COMPARISONS = ['===', '!==', '<', '<=', '>', '>='];
const INTEGERS = [0, 1, 2, 3, 5, 31, 32, 33, 255, 256, 65535, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 40 + 3];
const FRACTIONS = [0.5, 1.5, 1e10, 4294967295.75, 1e300, 5e-20];
export interface Kind {
  /** It computes with more than integers. */
  readonly doubles?: boolean;
  /** Values from memory decide conditions, indices and counts. */
  readonly leaky?: boolean;
}

/** The text of a file with one function `run(p0, p1)`. */
export function program(seed: number, { doubles = false, leaky = false }: Kind): string {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)];
  const chance = (percent: number): boolean => next(100) < percent;
  let names = 0;

  interface Scope {
    readonly open: string[];
    readonly secret: string[];
    readonly counters: readonly string[];
  }
  const within = ({ open, secret, counters }: Scope, counter?: string): Scope => ({
    open: [...open],
    secret: [...secret],
    counters: counter ? [...counters, counter] : counters,
  });

  const literal = (): string => {
    const value = doubles && chance(30) ? pick(FRACTIONS) : pick(INTEGERS);
    return chance(25) ? `(-${value})` : String(value);
  };
  const shiftCount = (scope: Scope): string =>
    chance(70) ? pick(['0', '1', '7', '16', '31', '32', '33', '40', '(-1)']) : expression(scope, 1, leaky);
  const index = (scope: Scope, elements: number): string =>
    chance(50) ? String(next(elements)) : `((${expression(scope, 1, leaky)}) & ${elements - 1})`;
  const element = (scope: Scope): string =>
    chance(60) ? `words[${index(scope, MEMORY_BYTES / 4)}]` : `bytes[${index(scope, MEMORY_BYTES)}]`;

  // Behind `<` and `<<` TypeScript takes some expressions for types, but none that starts with `0 +`.
  function expression(scope: Scope, depth: number, secret: boolean): string {
    const variables = [...scope.open, ...scope.counters, ...(secret ? scope.secret : [])];
    if (depth === 0 || chance(15)) {
      if (secret && chance(50)) return element(scope);
      return variables.length && chance(70) ? pick(variables) : literal();
    }
    const operand = (): string => expression(scope, depth - 1, secret);
    switch (next(10)) {
      case 0:
        return `imul(${operand()}, ${operand()})`;
      case 1:
        return pick(['-', '~']) + `(${operand()})`;
      case 2:
        return `(${condition(scope)} ? ${operand()} : ${operand()})`;
      case 3:
        return chance(50) ? `isZero(${operand()} | 0)` : `rotate(${operand()}, ${shiftCount(scope)})`;
      case 4:
        return pick([`((${operand()}) | 0)`, `((${operand()}) >>> 0)`]);
      case 5: {
        // The variables whose assignment affects the code that follows.
        const targets = secret ? scope.secret : scope.open;
        return targets.length && chance(50) ? `(${pick(targets)} = ${operand()})` : `put(${operand()})`;
      }
      default: {
        const operator = pick(OPERATORS);
        if (operator.length > 1) return `(${operand()} ${operator} 0 + ${shiftCount(scope)})`;
        // A product of unknown words is more than a double holds, and most are like that.
        if (operator === '*' && chance(80)) return `((${operand()} & 65535) * ${pick(['3', '65535', '(-7)'])})`;
        return `(${operand()} ${operator} ${operand()})`;
      }
    }
  }

  function condition(scope: Scope): string {
    const simple = (): string =>
      `${expression(scope, 1, leaky)} ${pick(COMPARISONS)} 0 + ${expression(scope, 1, leaky)}`;
    switch (next(6)) {
      case 0:
        return `(${simple()} && ${simple()})`;
      case 1:
        return `(${simple()} || ${simple()})`;
      case 2:
        return `!(${simple()})`;
      default:
        return `(${simple()})`;
    }
  }

  /** A target's operator; those that shift take a public count. */
  function assigned(scope: Scope, operator: string, secret: boolean): string {
    if (operator.length > 2) return shiftCount(scope);
    return operator === '*=' ? pick(['3', '(-1)', '2']) : expression(scope, 3, secret);
  }

  function statement(scope: Scope, depth: number): string[] {
    const operator = pick(ASSIGNMENTS);
    switch (next(depth ? 11 : 7)) {
      case 0: {
        const secret = chance(75);
        const name = `x${names++}`;
        const line = `let ${name} = ${expression(scope, 3, secret)};`;
        (secret ? scope.secret : scope.open).push(name);
        return [line];
      }
      case 1:
      case 2:
        if (scope.secret.length) return [`${pick(scope.secret)} ${operator} ${assigned(scope, operator, true)};`];
        return [];
      case 3:
        if (scope.open.length) return [`${pick(scope.open)} ${operator} ${assigned(scope, operator, false)};`];
        return [];
      case 4:
      case 5:
        return [`${element(scope)} ${operator} ${assigned(scope, operator, true)};`];
      case 6: {
        const [from, to] = [next(MEMORY_BYTES + 1), next(MEMORY_BYTES + 1)];
        if (chance(50)) return [`fillBytes(bytes, ${expression(scope, 2, true)}, ${from}, ${to});`];
        const length = Math.min(next(20), MEMORY_BYTES - Math.max(from, to));
        return [`moveBytes(bytes, ${to}, ${from}, ${from + length});`];
      }
      case 7:
        return [
          `if (${condition(scope)}) {`,
          ...block(within(scope), depth - 1),
          ...(chance(50) ? ['} else {', ...block(within(scope), depth - 1)] : []),
          '}',
        ];
      case 8: {
        const i = `i${names++}`;
        return [`for (let ${i} = 0; ${i} < ${next(4)}; ${i}++) {`, ...block(within(scope, i), depth - 1), '}'];
      }
      case 9: {
        const i = `i${names++}`;
        const body = block(within(scope, i), depth - 1);
        return [`let ${i} = ${1 + next(3)};`, 'do {', ...body, `} while ((${i} = (${i} - 1) | 0) !== 0);`];
      }
      default: {
        const i = `i${names++}`;
        return [`let ${i} = ${next(3)};`, `while (${i} > 0) {`, ...block(within(scope, i), depth - 1), `${i}--;`, '}'];
      }
    }
  }

  const block = (scope: Scope, depth: number): string[] =>
    Array.from({ length: 1 + next(4) }, () => statement(scope, depth)).flat();

  const scope: Scope = { open: ['p0', 'p1'], secret: [], counters: [] };
  const body = [...block(scope, 2), ...block(scope, 2)];
  return fileOf(body, expression(scope, 3, true));
}
