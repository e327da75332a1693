// Texts in the language of the generated ones, and V8 to run them.
import * as intrinsics from '../../lanewise/src/engine/intrinsics.ts';
import { inV8 as inV8With, type Functions } from '../src/javascript/in-v8.ts';
import { INTRINSICS, INTRINSICS_FROM } from '../src/javascript/intrinsics.ts';

/** A small generator, so that a seed names a program (Marsaglia, "Xorshift RNGs", 2003). */
export function random(seed: number): (below: number) => number {
  let x = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return (below) => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) % below;
  };
}

export const MEMORY_BYTES = 64;
const HELPERS = {
  isZero: '(x: number): number => ((x | (0 - x)) >>> 31) ^ 1',
  rotate: '(x: number, n: number): number => (x << n) | (x >>> (32 - n))',
  /** Changes a word that other operands read, so that the order of evaluation is visible. */
  put: '(x: number): number => { words[1] = x; return x + 1; }',
};

/** A file with one function `run(p0, p1)`, of this body and with this result. */
export const fileOf = (body: readonly string[], result: string): string =>
  [
    "import type { Made } from './made.ts';",
    `import { ${INTRINSICS.join(', ')} } from '${INTRINSICS_FROM}';`,
    'export function made(memory: ArrayBuffer): Made {',
    'const words = new Words(memory);',
    'const bytes = new Bytes(memory);',
    ...Object.entries(HELPERS).map(([name, text]) => `const ${name} = ${text};`),
    'function run(p0: number, p1: number): number {',
    ...body,
    `return ${result};`,
    '}',
    'return { run };',
    '}',
    '',
  ].join('\n');

/** The functions of a text as V8 runs them, with the library's own intrinsics. */
export const inV8 = (text: string, memory: ArrayBuffer): Functions => inV8With(text, memory, intrinsics);
