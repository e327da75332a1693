/**
 * The module of Salsa20 and secretbox: one call from key and nonce to tag and ciphertext. The core is a parameter,
 * because secretbox with XChaCha20 has the same layout. The memory map is that of keystream/map.ts.
 *
 * "Cryptography in NaCl" (D. J. Bernstein, 2009) §9: the first 32 bytes of the keystream are the one-time key, the message is
 * XORed with the bytes from there on, and the tag, of the ciphertext as it is, goes in front of it. So the message is
 * staged in line with the keystream: its first 32 bytes after the one-time key in HEAD, the rest from STAGE on in whole
 * groups. For the MAC, these first two blocks take the place of the AEAD's additional data.
 */
import { FIRST_BYTES, BOX, TAG_BYTES } from './map.ts';
import { copy, fill, sequence, when } from '../wasm/control.ts';
import * as i32 from '../wasm/i32.ts';
import { Module } from '../wasm/module.ts';
import type { Local, Statement } from '../wasm/types.ts';
import type { Form } from '../chacha/module.ts';
import * as poly1305 from '../poly1305/kernel.ts';
import * as poly1305Map from '../poly1305/map.ts';
import * as kernel from '../keystream/kernel.ts';
import * as layout from '../keystream/map.ts';
import { ASIDE, HEAD, POLY, TAG } from '../keystream/map.ts';
import { defineWoven, OVERRUN_BYTES, WOVEN_BYTES } from '../keystream/lanes.ts';
import { defineVerify, messageParts } from '../keystream/sealing-kernel.ts';
import { defineVectors, type VectorCore } from '../keystream/vector-kernel.ts';

/** The exported functions. `kind` tells the contents of the state: see keystream/map.ts. Lengths are in bytes. */
export interface Functions {
  /** HSalsa20 (or HChaCha20) in place. */
  extend(doubleRounds: number): void;
  /** XORs the keystream onto `blocks` at `address`; the state's counter moves on. */
  xor(kind: number, doubleRounds: number, address: number, blocks: number): void;
  /** Encrypts BOX and puts the tag in front of it; wipes all else. */
  seal(kind: number, length: number): void;
  /** Decrypts BOX, whose tag is in front of it; 1 if the tag is right. */
  open(kind: number, length: number): number;
  /** A message in parts: first the one-time key, which encrypts or decrypts the FIRST_BYTES of BOX too … */
  begin(kind: number): void;
  /**
   * … then ciphertext is absorbed, made by the call before or only to be checked: all parts but the last in whole MAC
   * blocks …
   */
  absorb(address: number, length: number): void;
  /** … then the rest from STAGE on: all parts but the last in whole groups; `head` and `before` are 0 … */
  encrypt(head: number, before: number, length: number): void;
  decrypt(length: number): void;
  /** … at the end the tag goes to `address` … */
  finish(address: number): void;
  /** … where it may be compared with the 16 bytes of TAG: 1 if they are equal. */
  verify(address: number): number;
}

const DOUBLE_ROUNDS = 10;
const TAG_PLACE = BOX - TAG_BYTES;

export function secretboxModule(vectorCore: VectorCore, { short = false, lanes, arithmetic }: Form): Module {
  const { core } = vectorCore;
  const module = new Module(short ? layout.SHORT_PAGES : layout.PAGES);
  // HEAD already has a part of the message; POLY is not used yet.
  const { xor, start } = lanes
    ? defineVectors(module, vectorCore, lanes.relaxed, short, POLY)
    : kernel.defineScalar(module, core, POLY);
  kernel.exportXor(module, start, xor);
  const mac = poly1305.poly1305(module, POLY, arithmetic);

  /** The one-time key is the first half of the block with counter 0, which HEAD then holds. */
  const startMac = module.define(undefined, [], undefined, () => [mac.start(HEAD)]);
  const prepare = module.define(undefined, ['i32'], undefined, (_, kind) => [
    start(kind, DOUBLE_ROUNDS),
    kernel.clearWords(HEAD, FIRST_BYTES / 4),
  ]);
  const beginMac = module.define(undefined, [], undefined, () => [xor(DOUBLE_ROUNDS, HEAD, 1), startMac()]);
  module.define('begin', ['i32'], undefined, (_, kind) => [prepare(kind), beginMac()]);
  const absorb = module.define('absorb', ['i32', 'i32'], undefined, (_, address, length) =>
    poly1305.absorbLast(mac, address, length),
  );

  const woven = lanes && !short ? defineWoven(module, core, lanes.relaxed, arithmetic) : undefined;
  const keystream = kernel.orNone(xor, DOUBLE_ROUNDS);
  const parts = messageParts({
    module,
    absorbBefore: (before) => mac.absorb(BOX, i32.shr_u(before, 4)),
    absorb,
    startMac,
    xor: keystream,
    woven,
  });
  module.define('finish', ['i32'], undefined, (_, address) => [mac.finish(address)]);
  const verify = defineVerify(module);

  /** Short messages leave the sets alone. */
  const secrets = short ? layout.STATE : layout.SETS;
  module.define('seal', ['i32', 'i32'], undefined, (_, kind, length) => [
    prepare(kind),
    when(
      i32.lt_u(FIRST_BYTES, length),
      parts.encrypt(1, FIRST_BYTES, i32.sub(length, FIRST_BYTES)),
      sequence(beginMac(), absorb(BOX, length)),
    ),
    mac.finish(TAG_PLACE),
    // Only tag and ciphertext stay. Behind them there may be keystream, up to the end of the last block or set.
    fill(secrets, 0, TAG_PLACE - secrets),
    fill(i32.add(BOX, length), 0, OVERRUN_BYTES + layout.BLOCK_BYTES),
  ]);

  /**
   * For messages of at most WOVEN_BYTES. The ciphertext is copied to ASIDE, so that one pass makes the one-time key and
   * the plaintext.
   */
  const decryptShort = (length: Local<'i32'>): Statement =>
    sequence(
      copy(ASIDE, BOX, length),
      keystream(HEAD, kernel.blocksOf(i32.add(length, FIRST_BYTES))),
      startMac(),
      absorb(ASIDE, length),
    );
  const decryptLong = (length: Local<'i32'>): Statement =>
    sequence(
      copy(ASIDE, BOX, FIRST_BYTES),
      beginMac(),
      mac.absorb(ASIDE, FIRST_BYTES / poly1305Map.BLOCK_BYTES),
      parts.decrypt(i32.sub(length, FIRST_BYTES)),
    );

  module.define('open', ['i32', 'i32'], 'i32', (_, kind, length) => [
    copy(TAG, TAG_PLACE, TAG_BYTES),
    prepare(kind),
    short ? decryptShort(length) : when(i32.le_u(length, WOVEN_BYTES), decryptShort(length), decryptLong(length)),
    mac.finish(HEAD),
    verify(HEAD),
  ]);

  return module;
}
