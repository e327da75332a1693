/**
 * The module of the ChaCha family, and in it the AEAD of RFC 8439 §2.8: one call from key and nonce to ciphertext and tag.
 * The memory map is chacha.ts's.
 */
import { copy, fill, sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Statement } from '../wasm/types.ts';
import * as layout from './chacha.ts';
import { AAD, DATA, HEAD, POLY, TAG } from './chacha.ts';
import { defineWoven, OVERRUN_BYTES, WOVEN_BYTES } from './chacha-lanes.ts';
import { aeadParts } from './chacha20poly1305-parts.ts';
import { defineVectorXor } from './chacha-vectors.ts';
import * as poly1305 from './poly1305.ts';

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
  /** … then the message: all parts but the last in whole groups; `head` and `aadLength` are 0 … */
  encrypt(head: number, aadLength: number, length: number): void;
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

export function chachaModule({ short = false, lanes, arithmetic }: Form): Module {
  const module = new Module(short ? layout.SHORT_PAGES : layout.PAGES);
  const xor = lanes ? defineVectorXor(module, lanes.relaxed, short) : layout.defineScalarXor(module);
  const start = layout.defineStart(module, layout.defineExtend(module, xor));
  layout.exportXor(module, start, xor);
  const mac = poly1305.poly1305(module, POLY, arithmetic);

  /** RFC 8439 §2.6: the one-time key is the first half of the block with counter 0, which HEAD then holds. */
  const startMac = module.define(undefined, [], undefined, () => [mac.start(HEAD)]);
  const prepare = module.define(undefined, ['i32'], undefined, (_, kind) => [
    start(kind, DOUBLE_ROUNDS),
    layout.clearHead(8),
  ]);
  const beginMac = (): Statement => sequence(xor(DOUBLE_ROUNDS, HEAD, 1), startMac());
  module.define('begin', ['i32'], undefined, (_, kind) => [prepare(kind), beginMac()]);
  module.define('absorb', ['i32', 'i32'], undefined, (_, address, length) => [mac.absorbPadded(address, length)]);

  const woven = lanes && !short ? defineWoven(module, lanes.relaxed, arithmetic) : undefined;
  const parts = aeadParts({ module, mac, startMac, xor: layout.orNone(xor, DOUBLE_ROUNDS), woven });

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

  const verify = module.define('verify', ['i32'], 'i32', (_, address) => [
    // All differences are gathered first; only the verdict, which is public, comes out.
    i32.eqz(
      [0, 4, 8, 12]
        .map((i) => i32.xor(i32.load_unaligned(address, i), i32.load(0, TAG + i)))
        .reduce((all, difference) => i32.or(all, difference)),
    ),
  ]);

  /** Short messages leave the sets alone. */
  const secrets = short ? layout.STATE : layout.SETS;
  module.define('seal', ['i32', 'i32', 'i32'], undefined, (_, kind, aadLength, length) => [
    prepare(kind),
    parts.encrypt(1, aadLength, length),
    finish(aadLength, 0, length, 0, i32.add(DATA, length)),
    // Only ciphertext and tag stay. Behind them there may be keystream, up to the end of the last block or set.
    fill(secrets, 0, DATA - secrets),
    fill(i32.add(DATA + poly1305.BLOCK, length), 0, OVERRUN_BYTES + layout.BLOCK),
    when(aadLength, fill(AAD, 0, aadLength)),
  ]);

  module.define('open', ['i32', 'i32', 'i32'], 'i32', (_, kind, aadLength, length) => {
    const inTurn = sequence(beginMac(), mac.absorbPadded(AAD, aadLength), parts.decrypt(length));
    return [
      copy(TAG, i32.add(DATA, length), poly1305.BLOCK),
      prepare(kind),
      lanes ? when(i32.le_u(length, WOVEN_BYTES), parts.decryptShort(aadLength, length), inTurn) : inTurn,
      finish(aadLength, 0, length, 0, HEAD + poly1305.BLOCK),
      verify(HEAD + poly1305.BLOCK),
    ];
  });

  return module;
}
