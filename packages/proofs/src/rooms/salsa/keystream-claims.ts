// The keystream of Salsa20 in the kernels of its family: every number of rounds, both lengths of keys and nonces, counters.
// Against "Salsa20 specification" and "Extending the Salsa20 nonce".
import { STAGE, EXTENDED, CONTINUE, PLAIN, POLY, SHORT_KEY, STATE } from '../../../../lanewise/src/keystream/map.ts';
import type { Term } from '../../terms/term.ts';
import { bytesOf, wordsOf, xorBytes } from '../../specifications/algebra.ts';
import * as salsa from './specification.ts';
import { symbols } from '../../specifications/terms.ts';
import * as inputs from '../keystream/inputs.ts';
import type { Claim } from '../../claims/claim.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import type { Runnable, RunnableKernel } from '../../claims/runnable.ts';

type Form = inputs.ChaChaForm;
type Rounds = salsa.Rounds;

/** Numbers of blocks: those that have ways of their own, around sets and groups, and three groups. */
const blockCounts = ({ short, lanes }: Form): number[] =>
  short ? [0, 1, 2] : lanes ? [0, 1, 2, 3, 4, 5, 8, 9, 15, 16, 18, 48] : [0, 1, 2, 3, 6];
/** Numbers of blocks for ciphers that differ only in their input block. */
const fewCounts = ({ short, lanes }: Form): number[] => (short ? [1, 2] : lanes ? [1, 2, 3, 5] : [1, 3]);

/** The memory that HSalsa20 may touch: that of `xor`, and the accumulator's place, where its block is made. */
function rangesOf(form: Form, address: number, blocks: number): ReturnType<typeof inputs.rangesOfXor> {
  const { reads, writes } = inputs.rangesOfXor(form, address, blocks);
  return { reads, writes: [...writes, { from: POLY, to: POLY + 64 }] };
}

interface Call {
  readonly keyLength: 16 | 32;
  readonly nonceLength: 8 | 24;
  readonly rounds: Rounds;
  readonly counter: inputs.Counter;
  readonly blocks: number;
}

const kindOf = ({ keyLength, nonceLength }: Call): number =>
  nonceLength === 24 ? EXTENDED : keyLength === 16 ? SHORT_KEY : PLAIN;

/** The keystream's block of an input in the kernel's order. */
export const blockOfInput = (input: readonly Term[], rounds: Rounds): Term[] =>
  salsa.salsa20(symbols, bytesOf(symbols, blockOrder(input)), rounds);

/** The block as the specification has it, of the input in the kernel's order: constants, key, nonce, counter. */
const blockOrder = (s: readonly Term[]): Term[] => [
  s[0],
  s[4],
  s[5],
  s[6],
  s[7],
  s[1],
  s[12],
  s[13],
  s[14],
  s[15],
  s[2],
  s[8],
  s[9],
  s[10],
  s[11],
  s[3],
];

function proveXor(kernel: RunnableKernel, form: Form, call: Call): void {
  const { keyLength, nonceLength, rounds, counter, blocks } = call;
  const what = `${rounds} rounds, ${keyLength} and ${nonceLength} bytes, ${blocks} blocks, ${counter.name}`;
  const [key, nonce, data] = [secrets('key', keyLength), secrets('nonce', nonceLength), secrets('data', 64 * blocks)];
  const run = kernel.start(rangesOf(form, STAGE, blocks));
  run.write(inputs.INPUT, [...key, ...(keyLength === 16 ? key : []), ...nonce, ...counter.bytes]);
  run.write(STAGE, data);
  run.call('xor', kindOf(call), rounds / 2, STAGE, blocks);
  expectNoEvents(run, what);
  const subkey = nonceLength === 24 ? salsa.hsalsa(symbols, key, nonce.slice(0, 16), rounds) : key;
  const counterBytes = (i: number): Term[] => bytesOf(symbols, counter.at(i));
  const expected = salsa.encryptFrom(symbols, subkey, nonce.slice(-8), data, counterBytes, rounds);
  expectBytes(run, STAGE, expected, `${what}: data`);
  expectCounter(run, counter.at(blocks), what);
}

/** The counter comes after the nonce in the input. */
const expectCounter = (run: Runnable, words: readonly Term[], what: string): void =>
  expectBytes(run, STATE + 56, bytesOf(symbols, words), `${what}: counter`);

/** A call from an arbitrary input on, constants included: the second call for a message. */
function proveContinued(kernel: RunnableKernel, form: Form, rounds: Rounds, blocks: number): void {
  const what = `${rounds} rounds, continuing, ${blocks} blocks`;
  const [state, data] = [secrets('state', 56), secrets('data', 64 * blocks)];
  const counter = inputs.anyCounter();
  const run = kernel.start(rangesOf(form, STAGE, blocks));
  run.write(STATE, [...state, ...counter.bytes]);
  run.write(STAGE, data);
  run.call('xor', CONTINUE, rounds / 2, STAGE, blocks);
  expectNoEvents(run, what);
  const words = wordsOf(symbols, state);
  const keystream = Array.from({ length: blocks }, (_, i) =>
    salsa.salsa20(symbols, bytesOf(symbols, blockOrder([...words, ...counter.at(i)])), rounds),
  );
  expectBytes(run, STAGE, xorBytes(symbols, data, keystream.flat()), `${what}: data`);
  expectBytes(run, STATE, state, `${what}: input`);
  expectCounter(run, counter.at(blocks), what);
}

/** HSalsa20 on any constants, key and nonce: the subkey takes the key's place, the rest of the nonce and its counter move up. */
function proveExtend(kernel: RunnableKernel, form: Form, rounds: Rounds): void {
  const what = `HSalsa20, ${rounds} rounds`;
  const [block, rest, counter] = [secrets('block', 64), secrets('rest', 8), secrets('counter', 8)];
  const run = kernel.start(rangesOf(form, STAGE, 0));
  run.write(STATE, [...block, ...rest, ...counter]);
  run.call('extend', rounds / 2);
  expectNoEvents(run, what);
  const z = salsa.rounds(symbols, blockOrder(wordsOf(symbols, block)), rounds);
  const subkey = [0, 5, 10, 15, 6, 7, 8, 9].map((i) => z[i]);
  expectBytes(run, STATE, [...block.slice(0, 16), ...bytesOf(symbols, subkey), ...rest, ...counter], what);
}

/** The keystream claims of a kernel with these functions, whatever runs it. */
export function salsaStatements(kernel: RunnableKernel, form: Form): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'keystream',
    claim: text,
    prove,
  });
  const [many, few] = [blockCounts(form), fewCounts(form)];
  const xorClaim = (name: string, shape: Pick<Call, 'keyLength' | 'nonceLength' | 'rounds'>, counts: number[]): Claim =>
    claim(`${name}: ${counts.join(', ')} blocks`, () => {
      for (const blocks of counts) proveXor(kernel, form, { ...shape, counter: inputs.anyCounter(), blocks });
    });
  return [
    xorClaim('Salsa20', { keyLength: 32, nonceLength: 8, rounds: 20 }, many),
    xorClaim('Salsa20/12', { keyLength: 32, nonceLength: 8, rounds: 12 }, few),
    xorClaim('Salsa20/8', { keyLength: 32, nonceLength: 8, rounds: 8 }, few),
    ...inputs.ALL_ROUNDS.map((rounds) =>
      xorClaim(`Salsa20, 128-bit key, ${rounds} rounds`, { keyLength: 16, nonceLength: 8, rounds }, few),
    ),
    ...([20, 12, 8] as const).map((rounds) =>
      xorClaim(`XSalsa20, ${rounds} rounds`, { keyLength: 32, nonceLength: 24, rounds }, rounds === 20 ? few : [1]),
    ),
    claim('counters at their edges', () => {
      for (const blocks of few)
        for (const value of [2n ** 32n - 1n, 2n ** 64n - BigInt(blocks) - 1n]) {
          const counter = inputs.counterOf(value, 8);
          proveXor(kernel, form, { keyLength: 32, nonceLength: 8, rounds: 20, counter, blocks });
        }
    }),
    ...inputs.ALL_ROUNDS.map((rounds) =>
      claim(`continuing from any state, ${rounds} rounds: ${few.join(', ')} blocks`, () => {
        for (const blocks of few) proveContinued(kernel, form, rounds, blocks);
      }),
    ),
    claim('HSalsa20: 8, 12 and 20 rounds', () => {
      for (const rounds of inputs.ALL_ROUNDS) proveExtend(kernel, form, rounds);
    }),
  ];
}
