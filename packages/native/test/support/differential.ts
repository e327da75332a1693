/**
 * Random cases on native code and in WebAssembly, which have to be the same: `node differential.ts ADDON LANES SEED CASES`. Lengths are
 * round the ends of blocks, sets, groups and the stage, at any alignment; the bytes end with their memory, so that AddressSanitizer sees
 * a read past them. Prints the number of cases and of bytes.
 */
import { createRequire } from 'node:module';
import { argon2dSync, argon2idSync, argon2iSync } from '../../../lanewise/src/argon2.ts';
import { blake3, hashMany } from '../../../lanewise/src/blake3.ts';
import { chacha20, chacha20poly1305, xchacha20, xchacha20poly1305 } from '../../../lanewise/src/chacha.ts';
import { adiantum, hpolyc } from '../../../lanewise/src/disk.ts';
import { describe, offerNative, select } from '../../../lanewise/src/engine.ts';
import { salsa20, xsalsa20poly1305 } from '../../../lanewise/src/salsa.ts';
import { scryptSync } from '../../../lanewise/src/scrypt.ts';
import { cbc, ctr, ctrLittleEndian, ecb, ocb } from '../../../lanewise/src/serpent.ts';
import type { Addon } from '../../src/addon.ts';
import { codeOf } from '../../src/kernels.ts';

const [path, lanesText, seedText, casesText] = process.argv.slice(2);
const [lanes, cases] = [Number(lanesText), Number(casesText)];
const addon = createRequire(import.meta.url)(path) as Addon;
offerNative(codeOf(addon, lanes, 0));

/** Xorshift of 32 bits (Marsaglia 2003). */
let state = Number(seedText) >>> 0 || 1;
function next(below: number): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return (state >>> 0) % below;
}

/** Units whose ends matter: blocks, sets, groups of each width, chunks, the bytes that are read in place, and stages. */
const UNITS = [16, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 65_536, 122_880];
function length(): number {
  const unit = UNITS[next(UNITS.length)];
  const times = 1 + next(Math.max(1, Math.min(9, 200_000 / unit)));
  return next(3) === 0 ? next(3000) : Math.max(0, unit * times + next(35) - 17);
}

/** Bytes at any alignment, which end where their memory ends. */
function bytes(count: number): Uint8Array<ArrayBuffer> {
  const offset = next(17);
  const all = new Uint8Array(offset + count);
  for (let i = offset; i < all.length; i += 1 + (i & 3)) all[i] = next(256);
  return all.subarray(offset);
}

/** The memory of a result: `out` of the right length at an alignment of its own, or fresh memory. */
const out = (count: number): Uint8Array<ArrayBuffer> | undefined => (next(2) ? bytes(count) : undefined);

type Call = () => readonly Uint8Array[];
const makers: Readonly<Record<string, () => Call>> = {
  chacha20() {
    const [key, message, counter] = [bytes(32), bytes(length()), next(2 ** 20)];
    const [cipher, nonce] = next(2) ? [chacha20, bytes(12)] : [xchacha20, bytes(24)];
    const to = out(message.length);
    return () => [cipher(key, nonce, message, to, counter)];
  },
  sealed() {
    const [key, message, aad] = [bytes(32), bytes(length()), bytes(next(3) ? next(70) : next(3000))];
    const [cipher, nonce] = next(2) ? [chacha20poly1305, bytes(12)] : [xchacha20poly1305, bytes(24)];
    return () => {
      const sealed = cipher(key, nonce, aad).encrypt(message, out(message.length + 16));
      return [sealed, cipher(key, nonce, aad).decrypt(sealed.slice(), out(message.length))];
    };
  },
  salsa20() {
    const [key, nonce, message, counter] = [bytes(32), bytes(8), bytes(length()), 2 ** 32 - next(300)];
    const to = out(message.length);
    return () => [salsa20(key, nonce, message, to, counter)];
  },
  boxed() {
    const [key, nonce, message] = [bytes(32), bytes(24), bytes(length())];
    return () => {
      const box = xsalsa20poly1305(key, nonce).encrypt(message);
      return [box, xsalsa20poly1305(key, nonce).decrypt(box.slice())];
    };
  },
  blake3() {
    const [message, key, dkLen] = [bytes(length()), bytes(32), 1 + next(2000)];
    return () => [blake3(message), blake3(message, { key, dkLen })];
  },
  parts() {
    const parts = Array.from({ length: 1 + next(4) }, () => bytes(length()));
    return () => [parts.reduce((hash, part) => hash.update(part), blake3.create({})).digest()];
  },
  many() {
    const count = 1 + next(40);
    const each = next(1025);
    const messages = Array.from({ length: count }, () => bytes(each));
    return () => hashMany(messages);
  },
  serpent() {
    const [key, nonce, aad, message] = [bytes(32), bytes(16), bytes(next(300)), bytes(length() % 20_000)];
    return () => [
      ctr(key, nonce).encrypt(message),
      ctrLittleEndian(key, nonce).encrypt(message),
      cbc(key, nonce).decrypt(cbc(key, nonce).encrypt(message)),
      ecb(key).encrypt(message),
      ocb(key, nonce.subarray(0, 12), aad).decrypt(ocb(key, nonce.subarray(0, 12), aad).encrypt(message)),
      ocb(key, nonce.subarray(0, 12), aad).encrypt(message),
    ];
  },
  pages() {
    const [key, page, tweak] = [bytes(32), bytes(16 + (length() % 9000)), bytes(next(40))];
    const cipher = (next(2) ? adiantum : hpolyc)(key);
    return () => {
      const sealed = cipher.encrypt(page, tweak);
      return [sealed, cipher.decrypt(sealed, tweak)];
    };
  },
  argon2() {
    const [password, salt, secret, ad] = [bytes(next(100)), bytes(8 + next(30)), bytes(next(33)), bytes(next(40))];
    const p = 1 + next(4);
    const options = { t: 1 + next(3), p, m: 8 * p + next(400), dkLen: 4 + next(100), secret, ad, version: next(2) ? 0x13 : 0x10 } as const; // prettier-ignore
    const derive = [argon2dSync, argon2iSync, argon2idSync][next(3)];
    return () => [derive(password, salt, options)];
  },
  scrypt() {
    const [password, salt] = [bytes(next(150)), bytes(next(300))];
    const options = { N: 2 ** (1 + next(9)), r: 1 + next(12), p: 1 + next(3), dkLen: 1 + next(100) };
    return () => [scryptSync(password, salt, options)];
  },
};

let total = 0;
const names = Object.keys(makers);
for (let i = 0; i < cases; i++) {
  const name = names[i % names.length];
  const before = state;
  const call = makers[name]();
  // Both take the same numbers, as some calls draw more of them.
  const after = state;
  select('auto');
  const own = call().map((each) => each.slice());
  if (describe().engine !== 'native') throw new Error(`${name}: native code was put away: ${describe().reason}`);
  state = after;
  select('simd');
  const expected = call();
  own.forEach((each, j) => {
    total += each.length;
    if (Buffer.compare(each, expected[j]) !== 0)
      throw new Error(`${name}, result ${j} of ${each.length} bytes, seed ${before}: other bytes than WebAssembly's`);
  });
}
console.log(`${lanes} lanes: ${cases} cases, ${total} bytes`);
