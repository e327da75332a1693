/** BLAKE3's compression function as text: its rounds written out in the forms of the steps that print.ts prints. */
import { columns, diagonals } from '../../../../lanewise/src/blake3/rounds.ts';
import { PERMUTATION } from './specification.ts';

/** Lines by their numbers. */
export const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('\n');
export const indented = (text: string, by: string): string => text.replaceAll(/^(?=.)/gm, by);

/** How a statement is written: words of an array, variables, or variables of asm.js, which has no assignments like `^=`. */
type Form = 'array' | 'variables' | 'asm';
const nameIn = (form: Form, i: number): string => (form === 'array' ? `state[${i}]` : `s${i}`);

/** A half of G on the words a, b, c and d, with a word of the block; the paper's §2.2. */
function half(form: Form, quad: readonly number[], word: string, first: number, second: number): string {
  const [a, b, c, d] = quad.map((i) => nameIn(form, i));
  const xor = (x: string, y: string): string => (form === 'asm' ? `${x} = ${x} ^ ${y};` : `${x} ^= ${y};`);
  const rotated = (x: string, by: number): string => `${x} = (${x} >>> ${by}) | (${x} << ${32 - by});`;
  return [
    form === 'array' ? `${a} = ${a} + ${b} + ${word};` : `${a} = (${a} + ${b} + ${word}) | 0;`,
    xor(d, a),
    rotated(d, first),
    form === 'array' ? `${c} += ${d};` : `${c} = (${c} + ${d}) | 0;`,
    xor(b, c),
    rotated(b, second),
  ].join('\n');
}
/** A round, written out; `word` is where each half of a G takes its word. */
export function round(form: Form, word: (i: number) => string): string {
  const halves = (quads: typeof columns, from: number): string =>
    quads
      .flatMap((quad, i) => [0, 1].map((n) => half(form, quad, word(from + 2 * i + n), [16, 8][n], [12, 7][n])))
      .join('\n');
  return `// Columns.\n${halves(columns, 0)}\n// Diagonals.\n${halves(diagonals, 8)}`;
}

const rotateRight = 'const rotateRight = (x: number, count: number): number => (x >>> count) | (x << (32 - count));';
/** G as a function of indices, and where it finds its two words. */
export const g = (parameters: string, x: string, y: string): string => `${rotateRight}

${parameters} {
  state[a] = state[a] + state[b] + ${x};
  state[d] = rotateRight(state[d] ^ state[a], 16);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 12);
  state[a] = state[a] + state[b] + ${y};
  state[d] = rotateRight(state[d] ^ state[a], 8);
  state[c] = state[c] + state[d];
  state[b] = rotateRight(state[b] ^ state[c], 7);
}`;
export const gOfWords: string = g(
  'function g(state: Uint32Array, a: number, b: number, c: number, d: number, x: number, y: number): void',
  'x',
  'y',
);
export const quads: readonly string[] = [...columns, ...diagonals].map((quad) => quad.join(', '));

/** The compression function of an array, whose result is a new one: a state, and every round of it. */
export const compressCopies = (rounds: string, words = 'words'): string => `function compress(
  chainingValue: Uint32Array,
  ${words}: Uint32Array,
  counter: number,
  length: number,
  flags: number,
): Uint32Array {
  const state = new Uint32Array(BLOCK_WORDS);
  state.set(chainingValue);
  state.set(IV.subarray(0, 4), 8);
  state[12] = counter;
  state[13] = counter / 2 ** 32;
  state[14] = length;
  state[15] = flags;
${indented(rounds, '  ')}
  for (let i = 0; i < CV_WORDS; i++) {
    state[i] ^= state[i + 8];
    state[i + 8] ^= chainingValue[i];
  }
  return state;
}`;
/** Sixteen variables: the first eight are words of an array. */
const variables = (word: (i: number) => string): string =>
  [
    each(8, (i) => `let s${i} = ${word(i)} | 0;`),
    each(4, (i) => `let s${8 + i} = ${['0x6a09e667', '0xbb67ae85', '0x3c6ef372', '0xa54ff53a'][i]} | 0;`),
    'let s12 = counter | 0;\nlet s13 = (counter / 2 ** 32) | 0;\nlet s14 = length | 0;\nlet s15 = flags | 0;',
  ].join('\n');
export const plus = (start: string, i: number): string => (i === 0 ? start : `${start} + ${i}`);
export const compressVariables: string = `function compress(
  chainingValue: Uint32Array,
  words: Uint32Array,
  counter: number,
  length: number,
  flags: number,
): Uint32Array {
${indented(
  variables((i) => `chainingValue[${i}]`),
  '  ',
)}
  for (let p = 0; p < ORDER.length;) {
${indented(
  round('variables', () => 'words[ORDER[p++]]'),
  '    ',
)}
  }
  const out = new Uint32Array(BLOCK_WORDS);
${each(8, (i) => `  out[${i}] = s${i} ^ s${i + 8};`)}
${each(8, (i) => `  out[${8 + i}] = s${8 + i} ^ chainingValue[${i}];`)}
  return out;
}`;
/** The compression function that copies nothing. */
export const compressInPlace = (rounds: string): string => `function compress(
  values: Uint32Array,
  valueAt: number,
  words: Uint32Array,
  wordsAt: number,
  counter: number,
  length: number,
  flags: number,
  out: Uint32Array,
  outAt: number,
): void {
${indented(
  variables((i) => `values[${plus('valueAt', i)}]`),
  '  ',
)}
${indented(rounds, '  ')}
${each(8, (i) => `  out[${plus('outAt', i)}] = s${i} ^ s${i + 8};`)}
}`;
/** The two cycles of eight of the permutation. Table 2 */
const cycles = [0, 1].map((first) => {
  const cycle = [first];
  while (PERMUTATION[cycle.at(-1)!] !== first) cycle.push(PERMUTATION[cycle.at(-1)!]);
  return cycle;
});
/** The words of the block change places, where `first` keeps the word that a cycle begins with. */
export const changedPlaces = (first: (i: number) => string, declared: string): string =>
  cycles
    .flatMap((cycle, n) => [
      `${declared}${first(n)} = m${cycle[0]};`,
      ...cycle.map((to, i) => `m${to} = ${i + 1 < cycle.length ? `m${cycle[i + 1]}` : first(n)};`),
    ])
    .join('\n');
export const messageWords: string = `${each(16, (i) => `let m${i} = words[${plus('wordsAt', i)}] | 0;`)}
for (let i = 1; ; i++) {
${indented(
  round('variables', (i) => `m${i}`),
  '  ',
)}
  if (i === ROUNDS) break;
${indented(
  changedPlaces((i) => `first${i}`, 'const '),
  '  ',
)}
}`;
