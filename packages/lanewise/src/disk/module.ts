/** The module of Adiantum and HPolyC: many pages in one call, or one in parts. The memory map is disk.ts's. */
import { chacha } from '../chacha/rounds.ts';
import { copy, loop, sequence, set, tee, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { defineAes, type Aes } from '../aes/kernel.ts';
import { laneSlices, writePermutations } from '../aes/lanes.ts';
import { wordSlices } from '../aes/words-kernel.ts';
import { defineChachaRows } from '../chacha/rows.ts';
import {
  BLOCK,
  DATA,
  HASH,
  HEAD,
  HEADS,
  MIDDLE,
  PAGES,
  POLY,
  SUBKEY_BYTES,
  SUBKEYS,
  TWEAKED,
  TWEAKED_BYTES,
} from './map.ts';
import { exportDerive } from './keys-kernel.ts';
import { defineScalarSubkeys, startStream, type Subkeys } from './subkeys-kernel.ts';
import { carried, defineHash, sum128 } from './hash-kernel.ts';
import { defineLaneSubkeys } from './subkeys-lanes.ts';
import { defineNh, nhLanes, type NhArithmetic } from './nh-kernel.ts';
import { poly1305, type Arithmetic } from '../poly1305/kernel.ts';
import { blocksOf, defineExtend, defineScalarXor, defineStart, orNone } from '../keystream/kernel.ts';
import { defineVectorXor } from '../keystream/vector-kernel.ts';

/**
 * The exported functions. The keys are at KEY and behind it; `nh` is 1 for Adiantum and 0 for HPolyC, `back` is 1 to
 * decrypt. Lengths are in bytes.
 */
export interface Disk {
  /** HChaCha in place: keystream/kernel.ts. */
  extend(doubleRounds: number): void;
  /** Of the cipher's key at KEY, all others. */
  derive(doubleRounds: number): void;
  /** Of the first of `count` heads, `slot` apart, all others: a number of 64 bits in it, at `at`, rises by `step`. */
  heads(at: number, slot: number, step: number, count: number): void;
  /** `count` pages of `pageLength` bytes, `stride` apart, whose lengths and tweaks are at HEADS, `slot` apart. */
  pages(
    back: number,
    nh: number,
    doubleRounds: number,
    headLength: number,
    slot: number,
    pageLength: number,
    stride: number,
    count: number,
  ): void;
  /** A page in parts, all but its last 16 bytes: first lengths and tweak … */
  begin(nh: number, headLength: number): void;
  /** … then the message at DATA, all parts but the last in whole pieces of 1024 bytes … */
  absorb(nh: number, length: number): void;
  /** … then the page's last 16 bytes, at MIDDLE … */
  turn(back: number, nh: number, doubleRounds: number): void;
  /** … then the message again, which is encrypted or decrypted … */
  stream(nh: number, doubleRounds: number, length: number): void;
  /** … and the page's new last 16 bytes are at MIDDLE. */
  end(nh: number): void;
  /** What these are made of, which proofs look at one by one: the key schedule of AES at ROUND … */
  expandKey(): void;
  /** … the round keys as AES adds them, its S-box, blocks … */
  sliceKeys(): void;
  substitute(): void;
  encryptBlocks(address: number): void;
  decryptBlocks(address: number): void;
  /** … and NH of a piece in units of 16 bytes. */
  nh(address: number, units: number, to: number): void;
}

/** What a module is made of: vectors or not, and how the hashes multiply. */
export interface Form {
  readonly lanes?: { readonly relaxed: boolean } | undefined;
  readonly arithmetic: Arithmetic;
  /** Without vectors. */
  readonly nh: NhArithmetic;
}

export function diskModule({ lanes, arithmetic, nh }: Form): Module {
  const module = new Module(PAGES);
  if (lanes) writePermutations(module);
  const xor = lanes
    ? defineVectorXor(module, { core: chacha, defineRows: defineChachaRows }, lanes.relaxed, false)
    : defineScalarXor(module, chacha);
  const start = defineStart(module, defineExtend(module, chacha, xor, HEAD));
  const aes: Aes = lanes ? defineAes(module, laneSlices(lanes.relaxed)) : defineAes(module, wordSlices(module));
  const one = defineScalarSubkeys(module, start);
  /** A single page has no use for lanes. */
  const inLanes = (relaxed: boolean): Subkeys => {
    const many = defineLaneSubkeys(module, relaxed);
    return module.define(undefined, ['i32', 'i32'], undefined, (_, doubleRounds, pages) => [
      when(i32.eq(pages, 1), one(doubleRounds, pages), many(doubleRounds, pages)),
    ]);
  };
  const subkeys = lanes ? inLanes(lanes.relaxed) : one;
  const mac = poly1305(module, POLY, arithmetic);
  const hash = defineHash(module, mac, defineNh(module, lanes ? nhLanes : nh));
  exportDerive(module, aes, start, xor);

  /** What is between the two hashes, for as many pages as AES takes blocks at once: the subkeys come from what is ciphertext. */
  const turn = (back: Operand<'i32'>, doubleRounds: Operand<'i32'>, pages: Operand<'i32'>): Statement =>
    when(
      back,
      sequence(subkeys(doubleRounds, pages), aes.decrypt(MIDDLE)),
      sequence(aes.encrypt(MIDDLE), subkeys(doubleRounds, pages)),
    );

  /** (nh, saved, address, length): of a whole message. */
  const message = module.define(
    undefined,
    ['i32', 'i32', 'i32', 'i32'],
    undefined,
    (_, kind, saved, address, length) => [
      hash.begin(kind, saved),
      hash.absorb(kind, address, length),
      hash.finish(kind, saved),
    ],
  );

  module.define('heads', ['i32', 'i32', 'i32', 'i32'], undefined, (frame, at, slot, step, count) => {
    const head = frame.local('i32');
    const low = frame.local('i32');
    const sum = frame.local('i32');
    const next = i32.add(head, slot);
    return [
      set(head, i32.value(HEADS)),
      when(
        tee(count, i32.sub(count, 1)),
        loop(
          sequence(
            copy(next, head, slot),
            set(head, next),
            set(low, i32.load(i32.add(head, at))),
            set(sum, i32.add(low, step)),
            i32.store(i32.add(head, at), 0, sum),
            i32.store(i32.add(head, at), 4, i32.add(i32.load(i32.add(head, at), 4), carried(low, step, sum))),
          ),
          tee(count, i32.sub(count, 1)),
        ),
      ),
    ];
  });

  module.define(
    'pages',
    ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (frame, back, kind, doubleRounds, headLength, slot, pageLength, stride, count) => {
      const group = frame.local('i32');
      const left = frame.local('i32');
      const address = frame.local('i32');
      const first = frame.local('i32'); // of the group
      const head = frame.local('i32');
      const middle = frame.local('i32');
      const saved = frame.local('i32');
      const subkey = frame.local('i32');
      const add = sum128(frame);
      const length = i32.sub(pageLength, BLOCK);
      const last = i32.add(address, length);
      const hashed = { address: 0, offset: HASH };
      const eachPage = (...body: readonly Statement[]): Statement =>
        sequence(
          set(address, first),
          set(middle, i32.value(MIDDLE)),
          set(saved, i32.value(TWEAKED)),
          set(left, group),
          loop(
            sequence(
              ...body,
              set(address, i32.add(address, stride)),
              set(middle, i32.add(middle, BLOCK)),
              set(saved, i32.add(saved, TWEAKED_BYTES)),
            ),
            tee(left, i32.sub(left, 1)),
          ),
        );
      return [
        aes.sliceKeys(),
        set(first, i32.value(DATA)),
        set(head, i32.value(HEADS)),
        loop(
          sequence(
            set(group, i32.value(aes.blocks)),
            when(i32.lt_u(count, aes.blocks), set(group, count)),
            eachPage(
              hash.tweak(kind, head, headLength, saved),
              // The last 16 bytes are put aside first: hashing pads what is before them.
              ...[0, 4, 8, 12].map((at) => i32.store(middle, at, i32.load_unaligned(last, at))),
              message(kind, saved, address, length),
              ...add({ address: middle }, { address: middle }, hashed),
              set(head, i32.add(head, slot)),
            ),
            turn(back, doubleRounds, group),
            set(subkey, i32.value(SUBKEYS)),
            eachPage(
              startStream(subkey),
              orNone(xor, doubleRounds)(address, blocksOf(length)),
              message(kind, saved, address, length),
              ...add({ address: last }, { address: middle }, hashed, true),
              set(subkey, i32.add(subkey, SUBKEY_BYTES)),
            ),
            set(first, address),
          ),
          tee(count, i32.sub(count, group)),
        ),
      ];
    },
  );

  module.define('begin', ['i32', 'i32'], undefined, (_, kind, headLength) => [
    hash.tweak(kind, HEADS, headLength, TWEAKED),
    hash.begin(kind, TWEAKED),
  ]);
  module.define('absorb', ['i32', 'i32'], undefined, (_, kind, length) => [hash.absorb(kind, DATA, length)]);
  module.define('turn', ['i32', 'i32', 'i32'], undefined, (frame, back, kind, doubleRounds) => {
    const middle = { address: 0, offset: MIDDLE };
    return [
      aes.sliceKeys(),
      hash.finish(kind, TWEAKED),
      ...sum128(frame)(middle, middle, { address: 0, offset: HASH }),
      turn(back, doubleRounds, 1),
      startStream(SUBKEYS),
      hash.begin(kind, TWEAKED),
    ];
  });
  module.define('stream', ['i32', 'i32', 'i32'], undefined, (_, kind, doubleRounds, length) => [
    xor(doubleRounds, DATA, blocksOf(length)),
    hash.absorb(kind, DATA, length),
  ]);
  module.define('end', ['i32'], undefined, (frame, kind) => {
    const middle = { address: 0, offset: MIDDLE };
    return [hash.finish(kind, TWEAKED), ...sum128(frame)(middle, middle, { address: 0, offset: HASH }, true)];
  });
  return module;
}
