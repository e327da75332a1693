// Random programs with doubles, of the kind that Poly1305 computes with in JavaScript: words times powers of two, sums and
// products, rounding beside a large constant, and back to 32 bits.
import { fileOf, MEMORY_BYTES, random } from './javascript-v8.ts';

/** An expression, and an estimate of its smallest unit: 2^unit. */
type Double = readonly [text: string, unit: number];

export function doublesProgram(seed: number): string {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)];
  const power = (exponent: number): string => String(2 ** exponent);
  const word = (): string => `words[${next(MEMORY_BYTES / 4)}]`;
  const body: string[] = [];
  const doubles: Double[] = [];
  const integers: string[] = [];
  let names = 0;

  /** A new variable. */
  function define([text, unit]: Double): string {
    const name = `d${names++}`;
    body.push(`let ${name} = ${text};`);
    doubles.push([name, unit]);
    return name;
  }

  function read(): Double {
    // Far from where integers are numbers of their own.
    const unit = next(2) ? 64 + next(100) : -20 - next(100);
    return pick<() => Double>([
      // An unsigned word, read as in Poly1305.
      () => [`(${word()} ^ -2147483648) * ${power(unit)} + ${power(unit + 31)}`, unit],
      () => [`${word()} * ${power(unit)}`, unit],
      () => [`(${word()} >>> ${next(32)}) * ${power(unit)}`, unit],
      () => [`(${word()} & ${2 ** (1 + next(24)) - 1}) * -${power(unit)}`, unit],
    ])();
  }

  function compute(): Double {
    const [x, own] = pick(doubles);
    const [y, other] = pick(doubles);
    const both = Math.min(own, other);
    const up = next(40) - 20;
    return pick<Double>([
      [`${x} + ${y}`, both],
      [`${x} - ${y}`, both],
      [`${x} * ${y}`, own + other],
      [`${x} * ${pick(['', '-', '5 * ', '3 * '])}${power(up)}`, own + up],
      [`-${x}`, own],
    ]);
  }

  /** The nearest multiple of a unit, and the remainder. */
  function carry(): void {
    const [x, own] = pick(doubles);
    const unit = own + 1 + next(30);
    const large = String(1.5 * 2 ** (52 + unit));
    const carried = define([`(${x} + ${large}) - ${large}`, unit]);
    body.push(`${x} -= ${carried};`);
  }

  function toInteger(): void {
    const [x, unit] = pick(doubles);
    const name = `x${names++}`;
    body.push(`let ${name} = (${x} * ${power(-unit)}) | 0;`);
    integers.push(name);
  }

  function integer(): string {
    const x = pick(integers);
    const y = pick(integers);
    const bits = 1 + next(30);
    return pick([
      `${x} = (${x} + (${y} >> ${bits})) | 0;`,
      `${x} &= ${2 ** bits - 1};`,
      `${x} = ${x} >>> ${bits};`,
      `${x} = (${x} + imul(${y} >> ${bits}, 5)) | 0;`,
      `${x} = (${x} & ${2 ** bits - 1}) | (${y} << ${bits});`,
      `${x} = ${x} << ${bits};`,
      `${x} = (${x} - ${y}) | 0;`,
    ]);
  }

  define(read());
  for (let i = 3 + next(5); i > 0; i--) {
    if (next(4) === 0) carry();
    else define(next(3) ? compute() : read());
  }
  toInteger();
  for (let i = next(6); i > 0; i--) {
    if (next(3)) body.push(integer());
    else toInteger();
  }
  integers.forEach((x, i) => body.push(`words[${i}] = ${x};`));
  return fileOf(body, pick(integers));
}
