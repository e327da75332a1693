/** The compression of SHA-2 (FIPS 180-4 §6.2, §6.4), and the steps of HMAC (RFC 2104) and PBKDF2 (RFC 8018) on it. */
import { loop, sequence, set, tee } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Frame, Module } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import { BLOCK_WORDS, type Machine } from './machine-kernel.ts';
import { DIGEST, INITIAL, INNER, OUTER, SCHEDULE, STATE, SUM } from './map.ts';
import type { Sha2Rounds } from './rounds.ts';
import { allRounds, each, STATE_WORDS, variablesOf, type Unrolled } from './rounds-kernel.ts';

/** How SHA-2 is emitted. */
export interface Emission<V> {
  readonly machine: (frame: Frame) => Machine<V>;
  readonly rounds: Sha2Rounds;
  readonly unrolled: Unrolled;
}

/** RFC 2104 §2 */
const IPAD = 0x36;
const OPAD = 0x5c;

/**
 * Hashes the block at an address.
 *
 * @param state - Where the words of the chaining value are.
 */
export function compressBlock<V>(
  w: Machine<V>,
  { rounds, unrolled }: Omit<Emission<V>, 'machine'>,
  address: Local<'i32'>,
  at: Local<'i32'>,
  state: { readonly base: Local<'i32'> | number; readonly offset: number; readonly stride: number },
): Statement {
  const { stride } = w;
  const variables = variablesOf(w);
  const eachVariable = (work: (variable: V, offset: number) => void): Statement => {
    variables.forEach((variable, i) => work(variable, state.offset + state.stride * i));
    return w.taken();
  };
  if (w.vectors) w.vectors.begin(address, at);
  else w.store(at, SCHEDULE, w.loadBigEndian(i32.add(address, at), 0));
  return sequence(
    each(at, stride * (w.vectors?.words ?? 1), stride * BLOCK_WORDS, w.taken()),
    eachVariable((variable, offset) => w.set(variable, w.load(state.base, offset))),
    allRounds(w, rounds, unrolled, variables, at),
    eachVariable((variable, offset) => w.store(state.base, offset, w.add(w.load(state.base, offset), variable))),
  );
}

/** Every byte of a word of 32 bits. */
const repeated = (byte: number): number => (byte * 0x01010101) | 0;

export function defineSha2<V>(module: Module, emission: Emission<V>): void {
  const { machine } = emission;

  /** Copies a chaining value. */
  const move = module.define(undefined, ['i32', 'i32'], undefined, (frame, from, to) => {
    const w = machine(frame);
    for (let i = 0; i < STATE_WORDS; i++) w.store(to, w.stride * i, w.load(from, w.stride * i));
    return [w.taken()];
  });
  const begin = module.define('begin', ['i32'], undefined, (_, from) => [move(from, STATE)]);

  const compress = module.define('compress', ['i32', 'i32'], undefined, (frame, address, blocks) => {
    const at = frame.local('i32');
    const w = machine(frame);
    const block = compressBlock(w, emission, address, at, { base: 0, offset: STATE, stride: w.stride });
    return [
      loop(sequence(block, set(address, i32.add(address, w.stride * BLOCK_WORDS))), tee(blocks, i32.sub(blocks, 1))),
    ];
  });

  const digest = module.define('digest', ['i32', 'i32'], undefined, (frame, to, end) => {
    const at = frame.local('i32');
    const w = machine(frame);
    w.storeBigEndian(i32.add(to, at), 0, w.load(at, STATE));
    return [each(at, w.stride, end, w.taken())];
  });

  /** Hashes the block at DIGEST after XORing a byte onto all of it, and keeps the chaining value. RFC 2104 §2 */
  const pad = module.define(undefined, ['i32', 'i32'], undefined, (frame, pattern, to) => {
    const at = frame.local('i32');
    const w = machine(frame);
    const padded = i32.store(at, DIGEST, i32.xor(i32.load(at, DIGEST), pattern));
    return [each(at, 4, w.stride * BLOCK_WORDS, padded), begin(INITIAL), compress(DIGEST, 1), move(STATE, to)];
  });
  module.define('key', [], undefined, () => [pad(repeated(IPAD), INNER), pad(repeated(IPAD ^ OPAD), OUTER)]);

  const outer = module.define('outer', ['i32'], undefined, (_, end) => [
    digest(DIGEST, end),
    begin(OUTER),
    compress(DIGEST, 1),
    digest(DIGEST, end),
  ]);

  module.define('iterate', ['i32', 'i32'], undefined, (frame, count, end) => {
    const at = frame.local('i32');
    const added = i32.store(at, SUM, i32.xor(i32.load(at, SUM), i32.load(at, DIGEST)));
    return [
      loop(
        sequence(begin(INNER), compress(DIGEST, 1), outer(end), each(at, 4, end, added)),
        tee(count, i32.sub(count, 1)),
      ),
    ];
  });
}
