// The keystream of ChaCha: every function that XORs it, on every input, against RFC 8439, the original paper and the draft
// on XChaCha; the memory that they touch, and the input block after the call.
import { STAGE, CONTINUE, STATE } from '../../../../lanewise/src/keystream/map.ts';
import type { Kernel } from '../../kernels.ts';
import type { Term } from '../../terms/term.ts';
import { symbols } from '../../specifications/terms.ts';
import { bytesOf, wordsOf, xorBytes } from '../../specifications/algebra.ts';
import * as chacha from './specification.ts';
import { hchacha, xchacha } from './hchacha-specification.ts';
import type { Claim } from '../../claims/claim.ts';
import { aeadCipherClaims } from './cipher-claims.ts';
import * as inputs from '../keystream/inputs.ts';
import { formOf } from '../../claims/form.ts';
import { expectBytes, expectNoEvents, secrets } from '../../claims/compare.ts';
import { onMachine } from '../../claims/machine.ts';
import type { RunnableKernel } from '../../claims/runnable.ts';

type Form = inputs.ChaChaForm;

/** Numbers of blocks: none, those that have ways of their own, around sets and groups, and three groups. */
const blockCounts = ({ short, lanes }: Form): number[] =>
  short ? [0, 1, 2] : lanes ? [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 18, 48] : [0, 1, 2, 3, 6];
/** Numbers of blocks for ciphers that differ only in their input block. */
const fewCounts = ({ short, lanes }: Form): number[] => (short ? [1, 2] : lanes ? [1, 2, 3, 5, 9, 18] : [1, 3]);

interface Call {
  readonly cipher: inputs.Cipher;
  readonly rounds: chacha.Rounds;
  readonly counter: inputs.Counter;
  readonly address: number;
  readonly blocks: number;
}

/** XORs, and compares data and input block. */
function proveXor(kernel: RunnableKernel, form: Form, { cipher, rounds, counter, address, blocks }: Call): void {
  const what = `${cipher.name(rounds)}, ${blocks} blocks at ${address}, ${counter.name}`;
  const input = inputs.inputOf(cipher);
  const data = secrets('data', 64 * blocks);
  const run = kernel.start(inputs.rangesOfXor(form, address, blocks));
  run.write(inputs.INPUT, inputs.inputBlock(input, counter.bytes));
  run.write(address, data);
  run.call('xor', cipher.kind, rounds / 2, address, blocks);
  expectNoEvents(run, what);

  const key = wordsOf(symbols, input.key);
  const nonce = wordsOf(symbols, input.nonce);
  const long = cipher.nonceLength === 24;
  const encrypt = long ? xchacha : chacha.encrypt;
  expectBytes(run, address, encrypt(symbols, key, counter.at, nonce, data, rounds), `${what}: data`);

  const subkey = long ? hchacha(symbols, key, nonce.slice(0, 4), rounds) : key;
  const after = [...chacha.keyRows(symbols, subkey), ...counter.at(blocks), ...(long ? nonce.slice(4) : nonce)];
  // The library refuses blocks after the last one of a 32-bit counter.
  if (!counter.ends?.(blocks)) expectBytes(run, STATE, bytesOf(symbols, after), `${what}: input block`);
}

/** A call from an arbitrary input block on, constants included: the second call for a message. */
function proveContinued(
  kernel: RunnableKernel,
  form: Form,
  rounds: chacha.Rounds,
  address: number,
  blocks: number,
): void {
  const what = `${rounds} rounds, continuing, ${blocks} blocks at ${address}`;
  const state = secrets('state', 48);
  const counter = inputs.anyCounter();
  const nonceBytes = secrets('nonce', 8);
  const data = secrets('data', 64 * blocks);
  const run = kernel.start(inputs.rangesOfXor(form, address, blocks));
  run.write(STATE, [...state, ...counter.bytes, ...nonceBytes]);
  run.write(address, data);
  run.call('xor', CONTINUE, rounds / 2, address, blocks);
  expectNoEvents(run, what);
  const [rows, nonce] = [wordsOf(symbols, state), wordsOf(symbols, nonceBytes)];
  const inputBlock = (j: number): Term[] => [...rows, ...counter.at(j), ...nonce];
  const keystream = Array.from({ length: blocks }, (_, j) => chacha.blockOf(symbols, inputBlock(j), rounds));
  expectBytes(run, address, xorBytes(symbols, data, keystream.flat()), `${what}: data`);
  expectBytes(run, STATE, bytesOf(symbols, inputBlock(blocks)), `${what}: input block`);
}

/** HChaCha on any block: the subkey takes the key's place, the counter and the rest of the nonce those of a short one. */
function proveExtend(kernel: RunnableKernel, form: Form, rounds: chacha.Rounds): void {
  const what = `HChaCha${rounds}`;
  const [block, rest, counter] = [secrets('block', 64), secrets('rest', 8), secrets('counter', 8)];
  const run = kernel.start(inputs.rangesOfXor(form, STAGE, 0));
  run.write(STATE, [...block, ...rest, ...counter]);
  run.call('extend', rounds / 2);
  expectNoEvents(run, what);
  const state = chacha.rounds(symbols, wordsOf(symbols, block), rounds);
  const subkey = bytesOf(symbols, [...state.slice(0, 4), ...state.slice(12)]);
  expectBytes(run, STATE, [...block.slice(0, 16), ...subkey, ...counter, ...rest], what);
}

/**
 * Starts of a 32-bit counter: the first, one in the middle, and the one that ends with the last block, which may be
 * used.
 */
const ietfCounters = (blocks: number): bigint[] => [1n, 2n ** 31n - 1n, 2n ** 32n - BigInt(blocks)];
/** Starts of a 64-bit counter just before the carry between its words, and just before its end. */
const longCounters = [2n ** 32n - 1n, 2n ** 64n - 60n];

/** The keystream claims of a kernel with these functions, whatever runs it; with `all` false those with few blocks. */
export function keystreamStatements(kernel: RunnableKernel, form: Form, all: boolean): Claim[] {
  const claim = (text: string, prove: () => void): Claim => ({
    kernel: kernel.name,
    topic: 'keystream',
    claim: text,
    prove,
  });
  const elsewhere = STAGE + (form.aligned ? 324 : 321);
  const xorClaim = (
    cipher: inputs.Cipher,
    rounds: chacha.Rounds,
    counts: readonly number[],
    countersFor: (blocks: number) => readonly inputs.Counter[] = () => [inputs.anyCounter()],
  ): Claim =>
    claim(`${cipher.name(rounds)}: ${counts.join(', ')} blocks`, () => {
      for (const blocks of counts)
        for (const counter of countersFor(blocks))
          for (const address of blocks === 2 ? [STAGE, elsewhere] : [STAGE])
            proveXor(kernel, form, { cipher, rounds, counter, address, blocks });
    });
  const few = fewCounts(form);
  const many = all ? blockCounts(form) : [0, ...few];
  const more = (): Claim[] => [
    ...([8, 12] as const).map((rounds) => xorClaim(inputs.ORIGINAL, rounds, few)),
    xorClaim(inputs.IETF, 20, few, (blocks) => ietfCounters(blocks).map((value) => inputs.counterOf(value, 4))),
    ...inputs.ALL_ROUNDS.map((rounds) => xorClaim(inputs.EXTENDED_NONCE, rounds, few)),
    claim('counters of 64 bits at their edges', () => {
      for (const blocks of few)
        for (const value of longCounters) {
          const call = { cipher: inputs.ORIGINAL, rounds: 20, address: STAGE, blocks } as const;
          proveXor(kernel, form, { ...call, counter: inputs.counterOf(value, 8) });
        }
    }),
  ];
  return [
    xorClaim(inputs.ORIGINAL, 20, many),
    ...inputs.ALL_ROUNDS.map((rounds) => xorClaim(inputs.SHORT_ORIGINAL, rounds, few)),
    ...(all ? more() : []),
    ...inputs.ALL_ROUNDS.map((rounds) =>
      claim(`continuing from any state, ${rounds} rounds: ${few.join(', ')} blocks`, () => {
        for (const blocks of few) proveContinued(kernel, form, rounds, elsewhere, blocks);
      }),
    ),
    claim('HChaCha: 8, 12 and 20 rounds', () => {
      for (const rounds of inputs.ALL_ROUNDS) proveExtend(kernel, form, rounds);
    }),
  ];
}

/** The statements about the kernels of the ChaCha family. */
export const chachaStatements = (kernel: RunnableKernel, form: Form): Claim[] => [
  ...keystreamStatements(kernel, form, true),
  ...aeadCipherClaims(kernel, form),
];

export const chachaClaims = (kernel: Kernel): Claim[] => chachaStatements(onMachine(kernel), formOf(kernel));
