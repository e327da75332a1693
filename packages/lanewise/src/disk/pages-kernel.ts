/**
 * Many pages in one call. HBSH, the construction of Adiantum and HPolyC ("Adiantum: length-preserving encryption for
 * entry-level processors", §2), on a page of a message P_L and 16 bytes P_R after it, under the tweak T; + and − are modulo
 * 2^128, S is XChaCha's stream under the nonce C_M, and H is the hash of hash-kernel.ts:
 *
 *     encrypt                       decrypt
 *     P_M = P_R + H(T, P_L)         C_M = C_R + H(T, C_L)
 *     C_M = AES(P_M)                P_M = AES⁻¹(C_M)
 *     C_L = P_L ⊕ S(C_M)            P_L = C_L ⊕ S(C_M)
 *     C_R = C_M − H(T, C_L)         P_R = P_M − H(T, P_L)
 *
 * So both add one hash to the last 16 bytes and subtract the other. Pages are processed in groups of as many as AES
 * takes blocks at once.
 */
import type { Aes } from '../aes/kernel.ts';
import { blocksOf, orNone, type Xor } from '../keystream/kernel.ts';
import { copy, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import type { Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { sum128, type Hash } from './hash-kernel.ts';
import { carried } from '../words/arithmetic.ts';
import { BLOCK, STAGE, HASH, HEADS, MIDDLE, SUBKEY_BYTES, SUBKEYS, TWEAKED, TWEAKED_BYTES } from './map.ts';
import { startStream, type Subkeys } from './subkeys-kernel.ts';

/** The functions that HBSH is put together from. */
export interface Primitives {
  readonly aes: Aes;
  readonly hash: Hash;
  readonly subkeys: Subkeys;
  readonly xor: Xor;
}

/** Where sums take the hash of a message from. */
const hashed = { address: 0, offset: HASH };

/** AES on the blocks at MIDDLE of `pages` pages, and the subkeys of their streams, which come from C_M. */
export const middle = (
  { aes, subkeys }: Primitives,
  back: Operand<'i32'>,
  doubleRounds: Operand<'i32'>,
  pages: Operand<'i32'>,
): Statement =>
  when(
    back,
    sequence(subkeys(doubleRounds, pages), aes.decrypt(MIDDLE)),
    sequence(aes.encrypt(MIDDLE), subkeys(doubleRounds, pages)),
  );

/** `heads`: the tweaks of pages that follow each other, which are numbers that rise by `step`. */
export function exportHeads(module: Module): void {
  module.define('heads', ['i32', 'i32', 'i32', 'i32'], undefined, (frame, at, slot, step, count) => {
    const head = frame.local('i32');
    const low = frame.local('i32');
    const sum = frame.local('i32');
    const next = i32.add(head, slot);
    const number = i32.add(head, at);
    return [
      set(head, i32.value(HEADS)),
      when(
        tee(count, i32.sub(count, 1)),
        loop(
          sequence(
            copy(next, head, slot),
            set(head, next),
            set(low, i32.load(number)),
            set(sum, i32.add(low, step)),
            i32.store(number, 0, sum),
            i32.store(number, 4, i32.add(i32.load(number, 4), carried(low, step, sum))),
          ),
          tee(count, i32.sub(count, 1)),
        ),
      ),
    ];
  });
}

/** (nh, saved, address, length): the hash of a whole message, to HASH. */
export const defineMessageHash = (module: Module, hash: Hash) =>
  module.define(undefined, ['i32', 'i32', 'i32', 'i32'], undefined, (_, nh, saved, address, length) => [
    hash.begin(nh, saved),
    hash.absorb(nh, address, length),
    hash.finish(nh, saved),
  ]);

/** `pages`: see {@link Disk}. */
export function exportPages(
  module: Module,
  primitives: Primitives,
  hashMessage: ReturnType<typeof defineMessageHash>,
): void {
  const { aes, hash, xor } = primitives;
  module.define(
    'pages',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (frame, back, nh, doubleRounds, headLength, slot, pageLength, stride, count) => {
      /** The number of pages in this group, and of those that are left. */
      const group = frame.local('i32');
      const left = frame.local('i32');
      /** A page, and the first page of the group. */
      const page = frame.local('i32');
      const first = frame.local('i32');
      /** The page's places in HEADS, MIDDLE, TWEAKED and SUBKEYS. */
      const head = frame.local('i32');
      const block = frame.local('i32');
      const saved = frame.local('i32');
      const subkey = frame.local('i32');
      const add = sum128(frame);
      const length = i32.sub(pageLength, BLOCK);
      const last = i32.add(page, length);
      const eachPage = (...body: readonly Statement[]): Statement =>
        sequence(
          set(page, first),
          set(block, i32.value(MIDDLE)),
          set(saved, i32.value(TWEAKED)),
          set(left, group),
          loop(
            sequence(
              ...body,
              set(page, i32.add(page, stride)),
              set(block, i32.add(block, BLOCK)),
              set(saved, i32.add(saved, TWEAKED_BYTES)),
            ),
            tee(left, i32.sub(left, 1)),
          ),
        );
      const hashAndAdd: readonly Statement[] = [
        hash.tweak(nh, head, headLength, saved),
        // The last 16 bytes are copied first, because hashing writes padding over them.
        ...[0, 4, 8, 12].map((at) => i32.store(block, at, i32.load_unaligned(last, at))),
        hashMessage(nh, saved, page, length),
        ...add({ address: block }, { address: block }, hashed),
        set(head, i32.add(head, slot)),
      ];
      const streamAndSubtract: readonly Statement[] = [
        startStream(subkey),
        orNone(xor, doubleRounds)(page, blocksOf(length)),
        hashMessage(nh, saved, page, length),
        ...add({ address: last }, { address: block }, hashed, true),
        set(subkey, i32.add(subkey, SUBKEY_BYTES)),
      ];
      return [
        aes.sliceKeys(),
        set(first, i32.value(STAGE)),
        set(head, i32.value(HEADS)),
        loop(
          sequence(
            set(group, i32.value(aes.blocks)),
            when(i32.lt_u(count, aes.blocks), set(group, count)),
            eachPage(...hashAndAdd),
            middle(primitives, back, doubleRounds, group),
            set(subkey, i32.value(SUBKEYS)),
            eachPage(...streamAndSubtract),
            set(first, page),
          ),
          tee(count, i32.sub(count, group)),
        ),
      ];
    },
  );
}

/** `begin`, `absorb`, `turn`, `stream` and `end`: a page that is longer than the stage, in parts. */
export function exportParts(module: Module, primitives: Primitives): void {
  const { aes, hash, xor } = primitives;
  const block = { address: 0, offset: MIDDLE };
  module.define('begin', ['i32', 'i32'], undefined, (_, nh, headLength) => [
    hash.tweak(nh, HEADS, headLength, TWEAKED),
    hash.begin(nh, TWEAKED),
  ]);
  module.define('absorb', ['i32', 'i32'], undefined, (_, nh, length) => [hash.absorb(nh, STAGE, length)]);
  module.define('turn', ['i32', 'i32', 'i32'], undefined, (frame, back, nh, doubleRounds) => [
    aes.sliceKeys(),
    hash.finish(nh, TWEAKED),
    ...sum128(frame)(block, block, hashed),
    middle(primitives, back, doubleRounds, 1),
    startStream(SUBKEYS),
    hash.begin(nh, TWEAKED),
  ]);
  module.define('stream', ['i32', 'i32', 'i32'], undefined, (_, nh, doubleRounds, length) => [
    xor(doubleRounds, STAGE, blocksOf(length)),
    hash.absorb(nh, STAGE, length),
  ]);
  module.define('end', ['i32'], undefined, (frame, nh) => [
    hash.finish(nh, TWEAKED),
    ...sum128(frame)(block, block, hashed, true),
  ]);
}
