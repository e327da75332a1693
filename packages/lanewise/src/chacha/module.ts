/**
 * The module of ChaCha and its AEAD of RFC 8439 §2.8: one call from key and nonce to ciphertext and tag.
 * The memory map is that of keystream/map.ts.
 */
import { copy, fill, sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Operand, Statement } from '../wasm/types.ts';
import { chacha } from './rounds.ts';
import { chachaVectors } from './rows.ts';
import * as poly1305 from '../poly1305/kernel.ts';
import * as poly1305Map from '../poly1305/map.ts';
import * as kernel from '../keystream/kernel.ts';
import * as layout from '../keystream/map.ts';
import { AAD, ASIDE, STAGE, HEAD, POLY, TAG } from '../keystream/map.ts';
import { defineWoven, OVERRUN_BYTES, WOVEN_BYTES } from '../keystream/lanes.ts';
import { defineVerify, messageParts } from '../keystream/sealing-kernel.ts';
import { defineVectors } from '../keystream/vector-kernel.ts';

/** The exported functions. `kind` tells the contents of the state: see keystream/map.ts. Lengths are in bytes. */
export interface Functions {
  /** HChaCha in place. */
  extend(doubleRounds: number): void;
  /** XORs the keystream onto `blocks` at `address`; the state's counter moves on. */
  xor(kind: number, doubleRounds: number, address: number, blocks: number): void;
  /** Encrypts STAGE and puts the tag after it; wipes all else. */
  seal(kind: number, aadLength: number, length: number): void;
  /** Decrypts STAGE, whose tag is after it; 1 if the tag is right. */
  open(kind: number, aadLength: number, length: number): number;
  /** A message in parts: first the one-time key … */
  begin(kind: number): void;
  /** … then additional data, or ciphertext that is only to be checked: all parts but the last in whole MAC blocks … */
  absorb(address: number, length: number): void;
  /** … then the message: all parts but the last in whole groups; `head` and `aadLength` are 0 … */
  encrypt(head: number, aadLength: number, length: number): void;
  decrypt(length: number): void;
  /** … at the end both lengths, of 64 bits, for which the tag goes to `address` … */
  finish(aadLow: number, aadHigh: number, low: number, high: number, address: number): void;
  /** … where it may be compared with the 16 bytes of TAG: 1 if they are equal. */
  verify(address: number): number;
}

/** The form of a module: with vectors or without, and the arithmetic of Poly1305. */
export interface Form {
  /** For messages of at most SHORT_BYTES, additional data included. */
  readonly short?: boolean;
  readonly lanes?: { readonly relaxed: boolean } | undefined;
  readonly arithmetic: poly1305.Arithmetic;
}

const DOUBLE_ROUNDS = 10;

export function chachaModule({ short = false, lanes, arithmetic }: Form): Module {
  const module = new Module(short ? layout.SHORT_PAGES : layout.PAGES);
  const { xor, start } = lanes
    ? defineVectors(module, chachaVectors, lanes.relaxed, short, HEAD)
    : kernel.defineScalar(module, chacha, HEAD);
  kernel.exportXor(module, start, xor);
  const mac = poly1305.poly1305(module, POLY, arithmetic, true);

  /** RFC 8439 §2.6: the one-time key is the first half of the block with counter 0, which HEAD then holds. */
  const startMac = module.define(undefined, [], undefined, () => [mac.start(HEAD)]);
  const prepare = module.define(undefined, ['i32'], undefined, (_, kind) => [
    start(kind, DOUBLE_ROUNDS),
    kernel.clearWords(HEAD, 8),
  ]);
  const beginMac = (): Statement => sequence(xor(DOUBLE_ROUNDS, HEAD, 1), startMac());
  module.define('begin', ['i32'], undefined, (_, kind) => [prepare(kind), beginMac()]);
  module.define('absorb', ['i32', 'i32'], undefined, (_, address, length) => [mac.absorbPadded(address, length)]);

  const woven = lanes && !short ? defineWoven(module, chacha, lanes.relaxed, arithmetic) : undefined;
  const keystream = kernel.orNone(xor, DOUBLE_ROUNDS);
  const parts = messageParts({
    module,
    absorbBefore: (aadLength) => mac.absorbPadded(AAD, aadLength),
    absorb: mac.absorbPadded,
    startMac,
    xor: keystream,
    woven,
  });

  /**
   * For messages of at most WOVEN_BYTES. The ciphertext is copied to ASIDE, so that one pass makes the one-time key and
   * the plaintext.
   */
  const decryptShort = (aadLength: Operand<'i32'>, length: Operand<'i32'>): Statement =>
    sequence(
      copy(ASIDE, STAGE, length),
      keystream(HEAD, i32.shr_u(i32.add(length, 2 * layout.BLOCK_BYTES - 1), 6)),
      startMac(),
      mac.absorbPadded(AAD, aadLength),
      mac.absorbPadded(ASIDE, length),
    );

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

  const verify = defineVerify(module);

  /** Short messages leave the sets alone. */
  const secrets = short ? layout.STATE : layout.SETS;
  module.define('seal', ['i32', 'i32', 'i32'], undefined, (_, kind, aadLength, length) => [
    prepare(kind),
    parts.encrypt(1, aadLength, length),
    finish(aadLength, 0, length, 0, i32.add(STAGE, length)),
    // Only ciphertext and tag stay. Behind them there may be keystream, up to the end of the last block or set.
    fill(secrets, 0, STAGE - secrets),
    fill(i32.add(STAGE + poly1305Map.BLOCK_BYTES, length), 0, OVERRUN_BYTES + layout.BLOCK_BYTES),
    when(aadLength, fill(AAD, 0, aadLength)),
  ]);

  module.define('open', ['i32', 'i32', 'i32'], 'i32', (_, kind, aadLength, length) => {
    const inTurn = (): Statement => sequence(beginMac(), mac.absorbPadded(AAD, aadLength), parts.decrypt(length));
    const inLanes = (): Statement => {
      const aside = decryptShort(aadLength, length);
      return short ? aside : when(i32.le_u(length, WOVEN_BYTES), aside, inTurn());
    };
    return [
      copy(TAG, i32.add(STAGE, length), poly1305Map.BLOCK_BYTES),
      prepare(kind),
      lanes ? inLanes() : inTurn(),
      finish(aadLength, 0, length, 0, HEAD + poly1305Map.BLOCK_BYTES),
      verify(HEAD + poly1305Map.BLOCK_BYTES),
    ];
  });

  return module;
}
