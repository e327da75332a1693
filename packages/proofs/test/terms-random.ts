/**
 * Random expressions, each built twice at once: as a term, and as the function of the inputs that it is, computed with
 * bigints and nothing of the terms. A small generator with a seed, so that a failure can be repeated.
 */
import * as t from '../src/terms/term.ts';
import type { Term } from '../src/terms/term.ts';

export type Inputs = Readonly<Record<string, bigint>>;
export interface Twin {
  readonly term: Term;
  readonly value: (inputs: Inputs) => bigint;
  /** The construction of the term, for messages. */
  readonly text: string;
}

/** Numbers below a limit: the upper bits of the generator of Numerical Recipes. */
export function generator(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export const EDGES = [0n, 1n, 2n, 7n, 8n, 31n, 32n, 33n, 63n, 64n, 0x7fn, 0x80n, 0xffn, 0x100n, 0xff00n, 0xffffn];
const WORDS = [0x7fffffffn, 0x80000000n, 0x80000001n, 0xfffffffen, 0xffffffffn, 0xff00ff00n, 0x00ffff00n, 0x0ffffffcn];

/** A number of so many bits, which is often an edge case. */
export function randomValue(random: (limit: number) => number, width: number): bigint {
  const edges = [...EDGES, ...WORDS, ...WORDS.map((w) => w << 32n), (1n << 64n) - 1n, 1n << 63n];
  if (random(3) > 0) return BigInt.asUintN(width, edges[random(edges.length)]);
  const bits = [0, 16, 32, 48].reduce((all, at) => all | (BigInt(random(65536)) << BigInt(at)), 0n);
  return BigInt.asUintN(width, bits);
}

export const variables = {
  8: ['a8', 'b8', 'c8', 'd8', 'e8', 'f8'],
  32: ['x', 'y', 'z'],
  64: ['u', 'v'],
} as const;

export const randomInputs = (random: (limit: number) => number): Inputs =>
  Object.fromEntries(
    ([8, 32, 64] as const).flatMap((width) => variables[width].map((name) => [name, randomValue(random, width)])),
  );

type Width = t.Width;
type Random = (limit: number) => number;

const unsigned = (width: Width, value: bigint): bigint => BigInt.asUintN(width, value);
const signed = (width: Width, value: bigint): bigint => BigInt.asIntN(width, value);

const twin = (term: Term, text: string, value: Twin['value']): Twin => ({
  term,
  text,
  value: (inputs) => unsigned(term.width, value(inputs)),
});

type Operation = (random: Random, pick: (width: Width) => Twin, width: 32 | 64) => Twin;

const binary =
  (
    name: string,
    make: (x: Term, y: Term) => Term,
    compute: (x: bigint, y: bigint, width: Width) => bigint,
  ): Operation =>
  (random, pick, width) => {
    const x = pick(width);
    // Related operands are where rules apply.
    const y = random(8) === 0 ? x : pick(width);
    return twin(make(x.term, y.term), `${name}(${x.text}, ${y.text})`, (i) => compute(x.value(i), y.value(i), width));
  };

const rotate = (x: bigint, by: bigint, width: Width): bigint => {
  const n = ((by % BigInt(width)) + BigInt(width)) % BigInt(width);
  return (x << n) | (x >> (BigInt(width) - n));
};

const shifts: readonly [string, typeof t.shl, (x: bigint, n: bigint, width: Width) => bigint][] = [
  ['shl', t.shl, (x, n) => x << n],
  ['shr_u', t.shr_u, (x, n) => x >> n],
  ['shr_s', t.shr_s, (x, n, width) => signed(width, x) >> n],
  ['rotl', t.rotl, rotate],
  ['rotr', t.rotr, (x, n, width) => rotate(x, -n, width)],
];

const shift: Operation = (random, pick, width) => {
  const [name, make, compute] = shifts[random(shifts.length)];
  const x = pick(width);
  if (random(3) === 0) {
    const n = pick(width);
    const text = `${name}(${x.text}, ${n.text})`;
    return twin(make(x.term, n.term), text, (i) => compute(x.value(i), n.value(i) % BigInt(width), width));
  }
  const n = random(2) ? 8 * random(8) : random(70);
  return twin(make(x.term, n), `${name}(${x.text}, ${n})`, (i) => compute(x.value(i), BigInt(n % width), width));
};

/** A rotation as kernels without one write it. */
const writtenRotation: Operation = (random, pick, width) => {
  const x = pick(width);
  const n = 1 + random(width - 1);
  const join = [t.or, t.xor, t.add][random(3)];
  const [left, right] = [t.shl(x.term, n), t.shr_u(x.term, width - n)];
  return twin(random(2) ? join(left, right) : join(right, left), `rotation(${x.text}, ${n})`, (i) =>
    rotate(x.value(i), BigInt(n), width),
  );
};

const bytes: Operation = (random, pick, width) => {
  const permuted = random(2) ? pick(width) : undefined;
  const from = permuted ? t.parts(permuted.term, 8) : [];
  const count = width / 8;
  const start = random(count);
  const chosen = Array.from({ length: count }, (_, i): Twin => {
    const kind = random(6);
    const index = kind < 4 ? (i + start) % count : random(count);
    if (permuted && kind < 5)
      return twin(from[index], `${permuted.text}[${index}]`, (v) => permuted.value(v) >> BigInt(8 * index));
    return pick(8);
  });
  return twin(t.concat(...chosen.map((b) => b.term)), `bytes(${chosen.map((b) => b.text).join(', ')})`, (i) =>
    chosen.reduceRight((whole, b) => (whole << 8n) | b.value(i), 0n),
  );
};

const words: Operation = (random, pick, width) => {
  const word = (x: Twin, index: number): Twin =>
    twin(t.extract(x.term, 32, index), `${x.text}.word(${index})`, (i) => x.value(i) >> BigInt(32 * index));
  const whole = pick(64);
  if (width === 32) return word(whole, random(2));
  const [low, high] = [0, 1].map(() => (random(3) ? word(whole, random(2)) : pick(32)));
  return twin(
    t.concat(low.term, high.term),
    `words(${low.text}, ${high.text})`,
    (i) => (high.value(i) << 32n) | low.value(i),
  );
};

/** Products and sums of numbers of so few bits that they just fit into 32 or 64, or just do not. */
const narrow: Operation = (random, pick, width) => {
  const bits = 1 + random(32);
  const rest = Math.min(width, Math.max(1, (random(2) ? 32 : width) + 2 - bits - random(4)));
  const few = (n: number): Twin => {
    const x = pick(width);
    const mask = (1n << BigInt(n)) - 1n;
    return twin(t.and(x.term, t.constant(width, mask)), `${x.text} & 0x${mask.toString(16)}`, (i) => x.value(i) & mask);
  };
  const [x, y] = [few(bits), few(rest)];
  return random(2)
    ? twin(t.mul(x.term, y.term), `mul(${x.text}, ${y.text})`, (i) => x.value(i) * y.value(i))
    : twin(t.add(x.term, y.term), `add(${x.text}, ${y.text})`, (i) => x.value(i) + y.value(i));
};

/** Adjacent bit fields, and numbers added to them. */
const fields: Operation = (random, pick, width) => {
  const [x, y, z] = [pick(width), pick(width), pick(width)];
  const bits = 1 + random(width - 1);
  const mask = (1n << BigInt(bits)) - 1n;
  const low = t.and(y.term, t.constant(width, mask));
  const both = [t.or, t.add, t.xor][random(3)](t.shl(x.term, bits), low);
  const packed = twin(both, `(${x.text} << ${bits} | ${y.text} & 0x${mask.toString(16)})`, (i) => {
    return (x.value(i) << BigInt(bits)) | (y.value(i) & mask);
  });
  if (random(3) === 0) return packed;
  const more = t.add(t.variable(width, variables[width][0], false), z.term);
  const name = variables[width][0];
  return twin(
    t.add(packed.term, more),
    `${packed.text} + ${name} + ${z.text}`,
    (i) => packed.value(i) + i[name] + z.value(i),
  );
};

/** XOR with all bits, the top bit, or all other bits, compared with the sum that it equals. */
const turned: Operation = (random, pick, width) => {
  const x = pick(width);
  const top = 1n << BigInt(width - 1);
  const constant = [2n * top - 1n, top, top - 1n][random(3)];
  const term = t.xor(x.term, t.constant(width, constant));
  return twin(term, `${x.text} ^ 0x${constant.toString(16)}`, (i) => x.value(i) ^ constant);
};

const extension: Operation = (random, pick, width) => {
  const x = pick(width === 64 && random(2) ? 32 : 8);
  return random(2)
    ? twin(t.zeroExtend(x.term, width), `zeroExtend(${x.text})`, (i) => x.value(i))
    : twin(t.signExtend(x.term, width), `signExtend(${x.text})`, (i) => signed(x.term.width, x.value(i)));
};

const comparison: Operation = (random, pick, width) => {
  const operandWidth = ([8, 32, 32, 64] as const)[random(4)];
  const x = pick(operandWidth);
  const near = operandWidth === 8 ? pick(8) : plusConstant(random, x);
  const y = random(2) ? near : pick(operandWidth);
  const compute = [
    ['equal', t.equal, (a: bigint, b: bigint) => a === b],
    ['notEqual', t.notEqual, (a: bigint, b: bigint) => a !== b],
    ['less', t.less, (a: bigint, b: bigint) => a < b],
    ['lessSigned', t.lessSigned, (a: bigint, b: bigint) => signed(operandWidth, a) < signed(operandWidth, b)],
    ['isZero', (a: Term) => t.isZero(a), (a: bigint) => a === 0n],
  ] as const;
  const [name, make, holds] = compute[operandWidth === 8 ? random(3) : random(5)];
  const bit = twin(make(x.term, y.term), `${name}(${x.text}, ${y.text})`, (i) =>
    holds(x.value(i), y.value(i)) ? 1n : 0n,
  );
  return width === 64 ? twin(t.zeroExtend(bit.term, 64), bit.text, bit.value) : bit;
};

function plusConstant(random: Random, x: Twin): Twin {
  const { width } = x.term;
  const c = randomValue(random, width);
  return twin(t.add(x.term, t.constant(width, c)), `${x.text} + ${c}`, (i) => x.value(i) + c);
}

const carry: Operation = (random, pick, width) => {
  const x = pick(32);
  const y = random(2) ? pick(32) : constant(random, 32);
  const bit = twin(t.carry(x.term, y.term), `carry(${x.text}, ${y.text})`, (i) => (x.value(i) + y.value(i)) >> 32n);
  return width === 64 ? twin(t.zeroExtend(bit.term, 64), bit.text, bit.value) : bit;
};

/** The carry of x + c as the majority of top bits. */
const majority: Operation = (random, pick, width) => {
  const x = pick(32);
  const c = random(3) ? random(2000) : Number(randomValue(random, 32));
  const k = t.constant(32, c);
  const low = t.or(t.and(x.term, k), t.and(t.or(x.term, k), t.xor(t.add(x.term, k), t.constant(32, -1))));
  const bit = twin(t.shr_u(low, 31), `majority(${x.text}, ${c})`, (i) => (x.value(i) + BigInt(c)) >> 32n);
  return width === 64 ? twin(t.zeroExtend(bit.term, 64), bit.text, bit.value) : bit;
};

/** Two comparisons of one word, together. */
const range: Operation = (random, pick, width) => {
  const x = pick(32);
  const bits = [0, 1].map(() => {
    const moved = random(2) ? plusConstant(random, x) : x;
    const limit = constant(random, 32);
    return random(2)
      ? twin(t.less(moved.term, limit.term), `${moved.text} < ${limit.text}`, (i) =>
          moved.value(i) < limit.value(i) ? 1n : 0n,
        )
      : twin(t.shr_u(moved.term, 31), `top(${moved.text})`, (i) => moved.value(i) >> 31n);
  });
  const [name, join, compute] = (
    [
      ['and', t.and, (a: bigint, b: bigint) => a & b],
      ['or', t.or, (a: bigint, b: bigint) => a | b],
      ['xor', t.xor, (a: bigint, b: bigint) => a ^ b],
      ['add', t.add, (a: bigint, b: bigint) => a + b],
    ] as const
  )[random(4)];
  const more = BigInt(random(4));
  const term = t.xor(join(bits[0].term, bits[1].term), t.constant(32, more));
  const both = twin(
    term,
    `${name}(${bits[0].text}, ${bits[1].text}) ^ ${more}`,
    (i) => compute(bits[0].value(i), bits[1].value(i)) ^ more,
  );
  return width === 64 ? twin(t.zeroExtend(both.term, 64), both.text, both.value) : both;
};

const choice: Operation = (random, pick, width) => {
  const few = (): Twin => {
    const value = BigInt.asUintN(width, BigInt(random(4)) - 2n);
    return twin(t.constant(width, value), `0x${value.toString(16)}`, () => value);
  };
  const c = pick(32);
  const [x, y] = random(2) ? [few(), few()] : [pick(width), pick(width)];
  return twin(t.ite(c.term, x.term, y.term), `(${c.text} ? ${x.text} : ${y.text})`, (i) =>
    c.value(i) !== 0n ? x.value(i) : y.value(i),
  );
};

const unary: Operation = (random, pick, width) => {
  const x = pick(width);
  if (random(3) === 0) {
    // x | -x, whose top bit JavaScript's kernels compare with zero by.
    const or = t.shr_u(t.or(x.term, t.neg(x.term)), width - 1);
    return twin(or, `nonZero(${x.text})`, (i) => (x.value(i) === 0n ? 0n : 1n));
  }
  return random(2)
    ? twin(t.not(x.term), `~${x.text}`, (i) => ~x.value(i))
    : twin(t.neg(x.term), `-${x.text}`, (i) => -x.value(i));
};

function constant(random: Random, width: Width): Twin {
  const value = randomValue(random, width);
  return twin(t.constant(width, value), `0x${value.toString(16)}`, () => value);
}

const OPERATIONS: readonly Operation[] = [
  binary('add', t.add, (x, y) => x + y),
  binary('sub', t.sub, (x, y) => x - y),
  binary('mul', t.mul, (x, y) => x * y),
  binary('and', t.and, (x, y) => x & y),
  binary('or', t.or, (x, y) => x | y),
  binary('xor', t.xor, (x, y) => x ^ y),
  shift,
  shift,
  writtenRotation,
  bytes,
  bytes,
  words,
  narrow,
  turned,
  fields,
  range,
  extension,
  comparison,
  carry,
  majority,
  choice,
  unary,
];

/** `count` expressions, later ones made of earlier ones. */
export function randomTwins(random: Random, count: number): Twin[] {
  const pool: Record<Width, Twin[]> = { 8: [], 32: [], 64: [] };
  for (const width of [8, 32, 64] as const)
    for (const name of variables[width])
      pool[width].push(twin(t.variable(width, name, false), name, (inputs) => inputs[name]));

  const pick = (width: Width): Twin => {
    if (random(6) === 0) return constant(random, width);
    const list = pool[width];
    // The latest first, so that expressions grow.
    return list[random(2) ? Math.max(0, list.length - 1 - random(5)) : random(list.length)];
  };
  const made: Twin[] = [];
  while (made.length < count) {
    const width = random(3) ? 32 : 64;
    const next = OPERATIONS[random(OPERATIONS.length)](random, pick, width);
    made.push(next);
    pool[next.term.width].push(next);
    // Bytes of the new term are operands too.
    const parts = t.parts(next.term, 8);
    const index = random(parts.length);
    pool[8].push(twin(parts[index], `${next.text}[${index}]`, (i) => next.value(i) >> BigInt(8 * index)));
  }
  return made;
}
