/** Serpent's modes. By bcrypto (plain JavaScript); OCB by its RFC over bcrypto's blocks; all by libgcrypt where it is. */
import { createRequire } from 'node:module';
import * as serpent from '../../../src/serpent.ts';
import { concat } from '../bytes.ts';
import { ocbByTheBook, xor } from '../serpent.ts';
import type { Family } from './actor.ts';
import { boxActor } from './sealers.ts';
import type { Kit } from './kit.ts';

/** The part of bcrypto that is used: it comes without types, and works on Node's buffers. */
interface Cipher {
  setAutoPadding(on: boolean): this;
  init(key: Buffer, iv?: Buffer): this;
  update(data: Buffer): Buffer;
  final(): Buffer;
}
const { Cipher } = createRequire(import.meta.url)('bcrypto/lib/js/cipher.js') as {
  Cipher: new (name: string) => Cipher;
};

const BLOCK = 16;
/** The length above which bcrypto is too slow. */
const SLOW = 6000;

export function byBcrypto(
  mode: 'ECB' | 'CBC' | 'CTR',
  key: Uint8Array,
  iv: Uint8Array | undefined,
  text: Uint8Array,
  padding = false,
) {
  const cipher = new Cipher(`SERPENT-${8 * key.length}-${mode}`);
  cipher.init(Buffer.from(key), iv && Buffer.from(iv));
  if (mode !== 'CTR') cipher.setAutoPadding(padding);
  return concat(cipher.update(Buffer.from(text)), cipher.final());
}

const keyOf = ({ random }: Kit): Uint8Array => random.bytes(random.pick([16, 24, 32]));
const padded = (text: Uint8Array): Uint8Array => {
  const count = BLOCK - (text.length % BLOCK);
  return concat(text, new Uint8Array(count).fill(count));
};

export const ocb: Family = (kit) => {
  const { random } = kit;
  const [key, nonce, aad] = [keyOf(kit), random.bytes(random.between(1, 15)), random.bytes(kit.length(600))];
  const block = (text: Uint8Array): Uint8Array => byBcrypto('ECB', key, undefined, text);
  return boxActor(kit, {
    name: `serpent ocb with ${nonce.length} bytes of nonce, ${aad.length} of additional data`,
    make: () => serpent.ocb(kit.given(key), kit.given(nonce), aad.length ? kit.given(aad) : undefined),
    seal: (plaintext) => ocbByTheBook(block, nonce, aad, plaintext),
    longest: 1200,
    detached: true,
    alsoSealed: (text, sealed) => kit.ask({ mode: 'ocb', key, iv: nonce, aad, text }, sealed, 'ocb'),
  });
};

/** Each message has an object of its own: a counter or IV is for one message. */
export const ctr: Family = (kit) => {
  const { random } = kit;
  const key = keyOf(kit);
  return {
    name: `serpent ctr, ${key.length} bytes of key`,
    step() {
      const [iv, text] = [random.bytes(BLOCK), random.bytes(kit.length(SLOW))];
      // Carries go through all of the counter, and the counter does not end.
      if (random.once(3)) iv.fill(0xff, random.between(1, 15));
      iv[0] &= 0x7f;
      const ciphertext = byBcrypto('CTR', key, iv, text);
      const make = () => serpent.ctr(kit.given(key), kit.given(iv));
      kit.apply('encrypt', text, text.length, ciphertext, (input, out) => make().encrypt(input, out as Uint8Array));
      kit.apply('decrypt', ciphertext, text.length, text, (input, out) => make().decrypt(input, out as Uint8Array));
      kit.ask({ mode: 'ctr', key, iv, text }, ciphertext, 'ctr');
      return !random.once(8);
    },
  };
};

/** The counter goes on in its first byte, and no other implementation has that: blocks of counters, encrypted. */
export const littleEndian: Family = (kit) => {
  const { random } = kit;
  const key = keyOf(kit);
  return {
    name: 'serpent ctrLittleEndian',
    step() {
      const [iv, text] = [random.bytes(BLOCK), random.bytes(kit.length(SLOW))];
      if (random.once(3)) iv.fill(0xff, 0, random.between(0, 15));
      iv[15] &= 0x7f;
      const counters = new Uint8Array(text.length + (-text.length & (BLOCK - 1)));
      const counter = iv.slice();
      for (let at = 0; at < counters.length; at += BLOCK) {
        counters.set(counter, at);
        // A byte that was 255 becomes 0, and the next one counts.
        for (let i = 0; i < BLOCK; i++) {
          counter[i]++;
          if (counter[i] !== 0) break;
        }
      }
      const ciphertext = xor(text, byBcrypto('ECB', key, undefined, counters));
      const make = () => serpent.ctrLittleEndian(kit.given(key), kit.given(iv));
      kit.apply('encrypt', text, text.length, ciphertext, (input, out) => make().encrypt(input, out as Uint8Array));
      kit.apply('decrypt', ciphertext, text.length, text, (input, out) => make().decrypt(input, out as Uint8Array));
      return !random.once(8);
    },
  };
};

/** CBC and ECB, with padding or without. */
export const blocks: Family = (kit) => {
  const { random } = kit;
  const key = keyOf(kit);
  const mode = random.pick(['CBC', 'ECB'] as const);
  const disablePadding = random.once(2);
  return {
    name: `serpent ${mode}${disablePadding ? ', no padding' : ''}`,
    step() {
      const iv = random.bytes(BLOCK);
      const any = random.bytes(kit.length(SLOW));
      const text = disablePadding ? any.subarray(0, any.length & -BLOCK) : any;
      const ciphertext = byBcrypto(mode, key, mode === 'CBC' ? iv : undefined, text, !disablePadding);
      const make = () =>
        mode === 'CBC'
          ? serpent.cbc(kit.given(key), kit.given(iv), { disablePadding })
          : serpent.ecb(kit.given(key), { disablePadding });
      kit.apply('encrypt', text, ciphertext.length, ciphertext, (input, out) =>
        make().encrypt(input, out as Uint8Array),
      );
      kit.same(make().decrypt(kit.given(ciphertext)), text, 'decrypt');
      if (mode === 'CBC')
        kit.ask({ mode: 'cbc', key, iv, text: disablePadding ? text : padded(text) }, ciphertext, 'cbc');
      return !random.once(8);
    },
  };
};

/** CBC of many messages side by side. */
export const many: Family = (kit) => {
  const { random } = kit;
  const key = keyOf(kit);
  return {
    name: 'serpent cbc.encryptMany',
    step() {
      const texts = Array.from({ length: random.below(20) }, () => random.bytes(kit.length(1200)));
      const ivs = texts.map(() => random.bytes(BLOCK));
      const given = [ivs, texts].map((list) => list.map((bytes) => kit.given(bytes)));
      const ciphertexts = serpent.cbc.encryptMany(kit.given(key), given[0], given[1]);
      texts.forEach((text, i) => {
        kit.same(ciphertexts[i], byBcrypto('CBC', key, ivs[i], text, true), `message ${i} of ${text.length} bytes`);
        kit.ask({ mode: 'cbc', key, iv: ivs[i], text: padded(text) }, ciphertexts[i], 'cbc.encryptMany');
      });
      return !random.once(4);
    },
  };
};
