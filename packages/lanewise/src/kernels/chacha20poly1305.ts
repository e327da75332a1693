/**
 * The module of the ChaCha family, and in it the AEAD of RFC 8439 §2.8: one call from key and nonce to ciphertext and tag.
 * The memory map is chacha.ts's.
 */
import { copy, fill, sequence, set, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Expression, Operand, Statement } from '../wasm/types.ts';
import * as layout from './chacha.ts';
import { AAD, ASIDE, BLOCK, DATA, HEAD, POLY, TAG } from './chacha.ts';
import { defineSetsXor, defineWoven, OVERRUN_BYTES, WOVEN_BLOCKS, WOVEN_BYTES } from './chacha-lanes.ts';
import { defineRowsXor } from './chacha-rows.ts';
import * as poly1305 from './poly1305.ts';
import { rotationMasks } from './words.ts';

/** The exported functions. `kind` says what is in the state: see chacha.ts. Lengths are in bytes. */
export interface ChaCha {
  /** HChaCha in place. */
  extend(doubleRounds: number): void;
  /** XORs the keystream onto `blocks` at `address`; the state's counter moves on. */
  xor(kind: number, doubleRounds: number, address: number, blocks: number): void;
  /** Encrypts DATA and puts the tag behind it; wipes all else. */
  seal(kind: number, aadLength: number, length: number): void;
  /** Decrypts DATA, whose tag is behind it; 1 if the tag is right. */
  open(kind: number, aadLength: number, length: number): number;
  /** A message in parts: first the one-time key … */
  begin(kind: number): void;
  /** … then additional data, or ciphertext that is only to be checked: all parts but the last in whole MAC blocks … */
  absorb(address: number, length: number): void;
  /** … then the message: all parts but the last in whole groups … */
  encrypt(length: number): void;
  decrypt(length: number): void;
  /** … at the end both lengths, of 64 bits, for which the tag goes to `address` … */
  finish(aadLow: number, aadHigh: number, low: number, high: number, address: number): void;
  /** … where it may be compared with the 16 bytes of TAG: 1 if they are equal. */
  verify(address: number): number;
}

/** What a module is made of: vectors or not, and how Poly1305 multiplies. */
export interface Form {
  /** For messages of at most SHORT_BYTES, additional data included. */
  readonly short?: boolean;
  readonly lanes?: { readonly relaxed: boolean } | undefined;
  readonly arithmetic: poly1305.Arithmetic;
}

const DOUBLE_ROUNDS = 10;

/** Up to three blocks within themselves, more in sets. */
function defineVectorXor(module: Module, relaxed: boolean, short: boolean): layout.Xor {
  const forms = [1, 2, ...(short ? [] : [3])].map((count) => ({ count, xor: defineRowsXor(module, relaxed, count) }));
  const most = short ? undefined : defineSetsXor(module, relaxed);
  return module.define(undefined, ['i32', 'i32', 'i32'], undefined, (_, doubleRounds, address, blocks) => [
    forms.reduce(
      (otherwise, { count, xor }) => when(i32.eq(blocks, count), xor(doubleRounds, address, blocks), otherwise),
      most?.(doubleRounds, address, blocks) ?? sequence(),
    ),
  ]);
}

export function chachaModule({ short = false, lanes, arithmetic }: Form): Module {
  const module = new Module(short ? layout.SHORT_PAGES : layout.PAGES);
  const xor = lanes ? defineVectorXor(module, lanes.relaxed, short) : layout.defineScalarXor(module);
  const start = layout.defineStart(module, layout.defineExtend(module, xor));
  layout.exportXor(module, start, xor);
  const mac = poly1305.poly1305(module, POLY, arithmetic);
  const woven = lanes && !short ? defineWoven(module, lanes.relaxed, arithmetic) : undefined;
  if (lanes) module.data(layout.MASKS, rotationMasks);

  const blocksOf = (length: Operand<'i32'>): Expression<'i32'> => i32.shr_u(i32.add(length, BLOCK - 1), 6);
  const xorSome = (address: Operand<'i32'>, blocks: Expression<'i32'>): Statement =>
    when(blocks, xor(DOUBLE_ROUNDS, address, blocks));

  const eightWords = [0, 4, 8, 12, 16, 20, 24, 28];
  /** RFC 8439 §2.6: the one-time key is the first half of the block with counter 0, which HEAD now holds. */
  const startMac = sequence(
    ...eightWords.map((i) => i32.store(0, POLY + poly1305.KEY + i, i32.load(0, HEAD + i))),
    mac.start(),
  );

  /** HEAD may hold anything: what it is XORed onto must be zeros. */
  const clearHead = layout.clear(HEAD, 8);

  const begin = module.define('begin', ['i32'], undefined, (_, kind) => [
    start(kind, DOUBLE_ROUNDS),
    clearHead,
    xor(DOUBLE_ROUNDS, HEAD, 1),
    startMac,
  ]);

  module.define('absorb', ['i32', 'i32'], undefined, (_, address, length) => [mac.absorbPadded(address, length)]);

  const encryptFrom = module.define(undefined, ['i32', 'i32', 'i32'], undefined, (frame, head, aadLength, length) => {
    const data = frame.local('i32'); // blocks that the cipher does first; then bytes that the MAC has yet to take
    const rest = frame.local('i32'); // blocks left for the woven loop
    const address = frame.local('i32');
    return [
      set(data, blocksOf(length)),
      // Woven groups need a group of finished ciphertext in front of them; the first, irregular one makes the rest even.
      woven
        ? when(
            i32.ge_u(data, 2 * WOVEN_BLOCKS),
            sequence(
              set(rest, i32.and(i32.sub(data, WOVEN_BLOCKS), -WOVEN_BLOCKS)),
              set(data, i32.sub(data, rest)),
            ),
          )
        : sequence(),
      set(address, i32.add(DATA, i32.shl(data, 6))),
      woven ? copy(ASIDE, address, OVERRUN_BYTES) : sequence(),
      xorSome(i32.sub(DATA, i32.shl(head, 6)), i32.add(data, head)),
      woven ? copy(address, ASIDE, OVERRUN_BYTES) : sequence(),
      when(head, sequence(startMac, mac.absorbPadded(AAD, aadLength))),
      woven
        ? when(
            rest,
            sequence(
              woven(address, i32.shr_u(rest, 3), DATA),
              set(rest, i32.shl(rest, 6)),
            ),
          )
        : sequence(),
      mac.absorbPadded(i32.add(DATA, rest), i32.sub(length, rest)),
    ];
  });

  const decryptWhole = module.define(undefined, ['i32'], undefined, (frame, length) => {
    const whole = frame.local('i32'); // bytes that go through the woven loop
    const address = frame.local('i32');
    return [
      woven ? set(whole, i32.and(length, -WOVEN_BYTES)) : sequence(),
      woven ? when(whole, woven(DATA, i32.shr_u(whole, 9), DATA)) : sequence(),
      set(address, i32.add(DATA, whole)),
      set(length, i32.sub(length, whole)),
      mac.absorbPadded(address, length),
      xorSome(address, blocksOf(length)),
    ];
  });

  module.define('encrypt', ['i32'], undefined, (_, length) => [encryptFrom(0, 0, length)]);
  module.define('decrypt', ['i32'], undefined, (_, length) => [decryptWhole(length)]);

  /** RFC 8439 §2.8: both lengths as 64-bit little-endian integers are the last block. */
  const finish = module.define(
    'finish',
    ['i32', 'i32', 'i32', 'i32', 'i32'],
    undefined,
    (_, aadLow, aadHigh, low, high, address) => [
      ...[aadLow, aadHigh, low, high].map((part, i) => i32.store(0, HEAD + 4 * i, part)),
      mac.absorb(HEAD, 1),
      mac.finish(address),
    ],
  );

  /** What a short message doesn't touch need not be wiped, and memory.fill costs least in the kernel. */
  const secrets = short ? layout.STATE : layout.SETS;
  const wipeState = fill(secrets, 0, DATA - secrets);

  module.define('seal', ['i32', 'i32', 'i32'], undefined, (_, kind, aadLength, length) => [
    start(kind, DOUBLE_ROUNDS),
    clearHead,
    encryptFrom(1, aadLength, length),
    finish(aadLength, 0, length, 0, i32.add(DATA, length)),
    // Only ciphertext and tag stay. Behind them there may be keystream, up to the end of the last block or set.
    wipeState,
    fill(i32.add(DATA + poly1305.BLOCK, length), 0, woven ? OVERRUN_BYTES + BLOCK : BLOCK),
    when(aadLength, fill(AAD, 0, aadLength)),
  ]);

  const verify = module.define('verify', ['i32'], 'i32', (_, address) => [
    // All differences are gathered first; only the verdict, which is public, comes out.
    i32.eqz(
      [0, 4, 8, 12]
        .map((i) => i32.xor(i32.load_unaligned(address, i), i32.load(0, TAG + i)))
        .reduce((all, difference) => i32.or(all, difference)),
    ),
  ]);

  module.define('open', ['i32', 'i32', 'i32'], 'i32', (frame, kind, aadLength, length) => {
    const blocks = frame.local('i32');
    return [
      copy(TAG, i32.add(DATA, length), 16),
      // A short ciphertext is put aside, so that one pass makes the one-time key and the plaintext together.
      when(
        i32.le_u(length, WOVEN_BYTES),
        sequence(
          start(kind, DOUBLE_ROUNDS),
          clearHead,
          copy(ASIDE, DATA, length),
          set(blocks, i32.add(blocksOf(length), 1)),
          xor(DOUBLE_ROUNDS, HEAD, blocks),
          startMac,
          mac.absorbPadded(AAD, aadLength),
          mac.absorbPadded(ASIDE, length),
        ),
        sequence(begin(kind), mac.absorbPadded(AAD, aadLength), decryptWhole(length)),
      ),
      finish(aadLength, 0, length, 0, HEAD + 16),
      verify(HEAD + 16),
    ];
  });

  return module;
}
